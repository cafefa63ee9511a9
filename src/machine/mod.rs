//! Who measures: the machine's identity in asv's format, and facts about the host's noise.

mod cgroup;
mod description;
mod detect;
mod entry;
mod error;
mod host;
mod identify;
mod noise;
mod ram;
mod registry;
pub mod stated;
mod text;

pub use description::{Machine, check_name};
pub use detect::Detected;
pub use entry::{FIELDS, Fields};
pub use error::MachineError;
pub use host::{CpuTicks, HostFacts, LoadAverage, host_at_start, host_record};
pub use identify::{Identified, identify, look_up, register};
pub use noise::{NoiseSource, noise};
pub use ram::{same_memory, whole_gigabytes};
pub use registry::Registry;

/// Version of asv's two machine files.
pub(crate) const FORMAT: i64 = 1;
