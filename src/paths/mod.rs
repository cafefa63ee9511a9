//! The evaluators ("paths") of one model against each other: per call, whole fits, what a fit counts
//! and plans, how it depends on its start, and where the compiled path spends its time
//! (`docs/paths.md`).

mod bench;
mod counts;
mod document;
mod fit;
mod fixture;
mod json;
mod measure;
mod orders;
mod per_call;
mod picture;
mod planning;
mod profile;
mod py_spy;
mod python_runner;
mod record;
mod reply;
mod report;
mod request;
mod runner;
mod sampled;
mod show;
mod spread;
mod suite_profile;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;
mod variability;

pub use document::{Cell, Format, Part, Row, Table, render};
pub use fixture::Entry;
pub use json::{listing_json, report_json};
pub use measure::{MeasureError, Modes, Options, list, measure_all, measure_one};
pub use py_spy::{Attached, PySpy, PySpyError, Sampling, remedy};
pub use python_runner::{PythonRunner, RunnerOptions};
pub use record::{Records, is_of_paths};
pub use reply::{Failure, Reply};
pub use report::{ExampleReport, Problem, Report, Section};
pub use request::{FitRequest, Length, Request, SuiteBenchmark, Watch};
pub use runner::{Runner, RunnerError};
pub use sampled::ProfileOptions;
pub use show::{document, listing, suite_profile};
pub use suite_profile::{SuiteProfile, profile_benchmark};
