//! The schedule: plan, rounds, journal and save. Emits events that reporters consume.

mod attributes;
mod clock;
mod earlier;
mod engine;
mod event;
mod failure;
mod jobs;
mod plan;
mod reading;
mod statistics;
mod tally;
#[cfg(test)]
mod testing;

pub use attributes::{AttributeError, Attributes};
pub use clock::{Clock, SystemClock};
pub use engine::{Engine, EngineOptions, Outcome};
pub use event::{Finished, Reporter, RunEvent};
pub use plan::{Group, Plan, PlanOptions, Planned, SetupCache, Unit};
pub use tally::SampleOptions;
