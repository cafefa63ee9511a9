//! A short measurement of a GPU itself, by which its present state is told from its usual one.

mod history;
mod measure;

pub use history::{Judgement, ProbeHistory};
pub use measure::{ProbeError, measure};

use crate::json::{Json, Object};

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Read and written within the device, GB/s.
    pub copy: f64,
    /// The clock that a chain of dependent multiply-adds comes to, MHz.
    pub clock: f64,
    /// Multiply-adds of the whole device, 10^12 operations a second (two for each).
    pub throughput: f64,
    /// Microseconds for a launch that does nothing.
    pub launch: f64,
}

impl Figures {
    /// Names and values.
    pub fn named(&self) -> [(&'static str, f64); 4] {
        [
            ("copy_gb_per_s", self.copy),
            ("chain_mhz", self.clock),
            ("fma_tflops", self.throughput),
            ("launch_us", self.launch),
        ]
    }

    /// As the record keeps them.
    pub fn to_object(&self) -> Object {
        self.named()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), Json::Float(value)))
            .collect()
    }

    /// Reads what [`Figures::to_object`] wrote.
    pub fn of_json(json: &Json) -> Option<Self> {
        let figure = |name| {
            json.get(name)
                .and_then(Json::as_f64)
                .filter(|x| x.is_finite())
        };
        Some(Self {
            copy: figure("copy_gb_per_s")?,
            clock: figure("chain_mhz")?,
            throughput: figure("fma_tflops")?,
            launch: figure("launch_us")?,
        })
    }
}
