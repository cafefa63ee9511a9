//! The measurement. It is to be made in a process of its own that ends right after it.

use super::Figures;
use crate::sys::cuda::{Cuda, CudaError};

const KERNELS: &str = include_str!("kernels.ptx");

/// Each figure is the best of so many.
const REPEATS: usize = 5;

/// Bytes of a copy, and copies of a measurement.
const COPY: (usize, u32) = (256 << 20, 8);

/// Dependent multiply-adds of one warp.
const CHAIN: u32 = 400_000;

/// Cycles from one dependent multiply-add to the next, since the generation of Volta.
const CYCLES: f64 = 4.0;

const WARP: u32 = 32;

/// Multiply-adds of each thread when the whole device works, its threads in a block, and its blocks on a
/// multiprocessor.
const FULL: (u32, u32, u32) = (40_000, 256, 8);

const LAUNCHES: u32 = 1000;

/// Why there are no figures.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    #[error(transparent)]
    Cuda(#[from] CudaError),
    /// A clock that stood still.
    #[error("the device measured no time at all")]
    NoTime,
}

/// Measures the first GPU that CUDA shows to this process; returns its name, too. About a second.
pub fn measure() -> Result<(String, Figures), ProbeError> {
    let cuda = Cuda::open(KERNELS)?;
    let (bytes, times) = COPY;
    let copy = best(|| cuda.copy_seconds(bytes, times))?;
    let chain = best(|| cuda.kernel_seconds("chain", 1, WARP, CHAIN))?;
    let (steps, threads, per_processor) = FULL;
    let blocks = cuda.multiprocessors()? * per_processor;
    let full = best(|| cuda.kernel_seconds("chain", blocks, threads, steps))?;
    let launch = best(|| cuda.launch_seconds("idle", LAUNCHES))?;
    #[expect(
        clippy::cast_precision_loss,
        reason = "an amount of memory far below 2^53"
    )]
    let moved = 2.0 * bytes as f64 * f64::from(times);
    let operations = 2.0 * f64::from(steps) * f64::from(threads) * f64::from(blocks);
    Ok((
        cuda.name()?,
        Figures {
            copy: moved / copy / 1e9,
            clock: CYCLES * f64::from(CHAIN) / chain / 1e6,
            throughput: operations / full / 1e12,
            launch: launch / f64::from(LAUNCHES) * 1e6,
        },
    ))
}

/// The least of some repetitions, seconds. The first warms the device up and counts like the others.
fn best(mut once: impl FnMut() -> Result<f64, CudaError>) -> Result<f64, ProbeError> {
    let mut least = f64::INFINITY;
    for _ in 0..REPEATS {
        least = least.min(once()?);
    }
    if least > 0.0 && least.is_finite() {
        Ok(least)
    } else {
        Err(ProbeError::NoTime)
    }
}
