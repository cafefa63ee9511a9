//! asv's result files of every version: a tolerant reader, an exact writer and the store on disk.

mod benchmarks;
mod journal;
mod model;
mod provenance;
mod store;

pub use benchmarks::{BenchmarkIndex, BenchmarkRecord};
pub use journal::Journal;
pub use model::{BenchmarkResult, ResultSet, SampleStats, Value};
pub use provenance::{BenchmarkProvenance, Failure, FailureKind, Provenance};
pub use store::Store;
