//! The schedule: plan, rounds, journal and save. Emits events that reporters consume.

mod attributes;
mod caches;
mod clock;
mod columns;
mod compile_caches;
mod earlier;
mod engine;
mod event;
mod existing;
mod expected;
mod failure;
mod filing;
mod gpu_watch;
mod imported;
mod jobs;
mod one_side;
mod plan;
mod reading;
mod record;
mod statistics;
mod summary;
mod tally;
#[cfg(test)]
mod testing;
mod tree;
mod unimportable;

pub use attributes::{AttributeError, Attributes};
pub use clock::{Clock, SystemClock};
pub use compile_caches::{CachePlan, CompileCaches};
pub use engine::{Engine, EngineOptions, Outcome};
pub use event::{Finished, Reporter, RunEvent};
pub use existing::{SkipExisting, take_out_existing};
pub use expected::{Durations, Remaining, expected_seconds, roughly};
pub use failure::signal_name;
pub use filing::{DescribeError, Filing, FilingError, Opened};
pub use gpu_watch::GpuWatch;
pub use imported::{Checkout, ImportedError, check_imported};
pub use one_side::{Finding, Noticed, OneSide, Sampling, Stopped, Taken};
pub use plan::{Group, Plan, PlanOptions, Planned, SetupCache, Unit};
pub use record::{Identity, fingerprint, header, module_name, provenance};
pub use statistics::summarise;
pub use summary::{Standing, Summary, cells, count};
pub use tally::SampleOptions;
pub use tree::{Tree, TreeError, short};
pub use unimportable::unimportable;
