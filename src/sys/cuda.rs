//! A few measurements with CUDA's driver, which is loaded at run time. Only a short process of its own
//! uses this: a context costs memory of the device and can end with the process alone.

use std::ffi::{CString, c_void};

use cudarc::driver::result::{self, DriverError, device, event, module, primary_ctx, stream};
use cudarc::driver::sys;

/// Why a measurement failed.
#[derive(Debug, thiserror::Error)]
pub enum CudaError {
    /// No driver of NVIDIA's.
    #[error("there is no driver of CUDA here (libcuda.so.1)")]
    Absent,
    /// The driver refuses; there may be no device.
    #[error("{action} failed: {reason}")]
    Driver {
        action: &'static str,
        reason: String,
    },
}

/// The first device that CUDA shows to this process, with a context.
#[derive(Debug)]
pub struct Cuda {
    device: sys::CUdevice,
    module: sys::CUmodule,
}

/// Turns the driver's error into ours.
fn of<T>(action: &'static str, result: Result<T, DriverError>) -> Result<T, CudaError> {
    result.map_err(|error| CudaError::Driver {
        action,
        reason: error.to_string(),
    })
}

#[expect(
    unsafe_code,
    reason = "the driver is a library of C; every call's conditions are kept here"
)]
impl Cuda {
    /// Opens the device and compiles `ptx` for it.
    pub fn open(ptx: &str) -> Result<Self, CudaError> {
        // SAFETY: this opens the library and closes it again. Without it any later call would panic.
        if !unsafe { sys::is_culib_present() } {
            return Err(CudaError::Absent);
        }
        of("cuInit", result::init())?;
        let device = of("cuDeviceGet", device::get(0))?;
        // SAFETY: the device is one that `get` returned; the context is never released before the end
        // of the process.
        let context = of("cuDevicePrimaryCtxRetain", unsafe {
            primary_ctx::retain(device)
        })?;
        // SAFETY: the context was just retained.
        of("cuCtxSetCurrent", unsafe {
            result::ctx::set_current(context)
        })?;
        let text = CString::new(ptx).map_err(|error| CudaError::Driver {
            action: "cuModuleLoadData",
            reason: error.to_string(),
        })?;
        // SAFETY: the text ends with a zero and outlives the call.
        let module = unsafe { module::load_data(text.as_ptr().cast()) };
        let module = of("cuModuleLoadData", module)?;
        Ok(Self { device, module })
    }

    /// The name of the device.
    pub fn name(&self) -> Result<String, CudaError> {
        of("cuDeviceGetName", device::get_name(self.device))
    }

    /// The number of its multiprocessors.
    pub fn multiprocessors(&self) -> Result<u32, CudaError> {
        let attribute = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        // SAFETY: the device is one that `get` returned.
        let count = of("cuDeviceGetAttribute", unsafe {
            device::get_attribute(self.device, attribute)
        })?;
        Ok(u32::try_from(count).unwrap_or(1))
    }

    /// Seconds of `times` copies of `bytes` bytes within the device.
    pub fn copy_seconds(&self, bytes: usize, times: u32) -> Result<f64, CudaError> {
        let source = Memory::new(bytes)?;
        let target = Memory::new(bytes)?;
        Self::timed(|| {
            for _ in 0..times {
                // SAFETY: both pieces have this length and live until the device is done.
                of("cuMemcpyDtoDAsync", unsafe {
                    result::memcpy_dtod_async(target.0, source.0, bytes, stream::null())
                })?;
            }
            Ok(())
        })
    }

    /// Seconds of one launch of the kernel `name`, whose parameters are a pointer and a number.
    pub fn kernel_seconds(
        &self,
        name: &'static str,
        blocks: u32,
        threads: u32,
        steps: u32,
    ) -> Result<f64, CudaError> {
        let function = self.function(name)?;
        let memory = Memory::new(4)?;
        Self::timed(|| {
            let (mut pointer, mut steps) = (memory.0, steps);
            let mut parameters: [*mut c_void; 2] =
                [(&raw mut pointer).cast(), (&raw mut steps).cast()];
            // SAFETY: the kernel takes these two parameters, which outlive the call; it writes four
            // bytes of the memory, which lives until the device is done.
            of("cuLaunchKernel", unsafe {
                result::launch_kernel(
                    function,
                    (blocks, 1, 1),
                    (threads, 1, 1),
                    0,
                    stream::null(),
                    &mut parameters,
                )
            })
        })
    }

    /// Seconds on the processor's clock of `times` launches of a kernel without parameters, and of the
    /// wait for the last.
    pub fn launch_seconds(&self, name: &'static str, times: u32) -> Result<f64, CudaError> {
        let function = self.function(name)?;
        let began = std::time::Instant::now();
        for _ in 0..times {
            // SAFETY: the kernel takes no parameter.
            of("cuLaunchKernel", unsafe {
                result::launch_kernel(function, (1, 1, 1), (1, 1, 1), 0, stream::null(), &mut [])
            })?;
        }
        of("cuCtxSynchronize", result::ctx::synchronize())?;
        Ok(began.elapsed().as_secs_f64())
    }

    fn function(&self, name: &'static str) -> Result<sys::CUfunction, CudaError> {
        let symbol = CString::new(name).unwrap_or_default();
        // SAFETY: the module stays loaded.
        of("cuModuleGetFunction", unsafe {
            module::get_function(self.module, symbol)
        })
    }

    /// Seconds on the device's clock of what `work` has it do. It has nothing to do any more afterwards.
    fn timed(work: impl FnOnce() -> Result<(), CudaError>) -> Result<f64, CudaError> {
        let flags = sys::CUevent_flags::CU_EVENT_DEFAULT;
        let (first, last) = (
            of("cuEventCreate", event::create(flags))?,
            of("cuEventCreate", event::create(flags))?,
        );
        of("cuCtxSynchronize", result::ctx::synchronize())?;
        // SAFETY: both events were just made, and are destroyed once the device has passed them.
        let milliseconds = unsafe {
            of("cuEventRecord", event::record(first, stream::null()))?;
            let done = work();
            of("cuEventRecord", event::record(last, stream::null()))?;
            of("cuCtxSynchronize", result::ctx::synchronize())?;
            done?;
            let elapsed = of("cuEventElapsedTime", event::elapsed(first, last))?;
            of("cuEventDestroy", event::destroy(first))?;
            of("cuEventDestroy", event::destroy(last))?;
            elapsed
        };
        Ok(f64::from(milliseconds) / 1000.0)
    }
}

/// Memory of the device, given back at the end.
struct Memory(sys::CUdeviceptr);

#[expect(unsafe_code, reason = "as above")]
impl Memory {
    fn new(bytes: usize) -> Result<Self, CudaError> {
        // SAFETY: the context of this thread is set.
        let pointer = of("cuMemAlloc", unsafe { result::malloc_sync(bytes) })?;
        Ok(Self(pointer))
    }
}

#[expect(unsafe_code, reason = "as above")]
impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the device is done with it: every measurement ends with a wait.
        unsafe { result::free_sync(self.0) }.ok();
    }
}
