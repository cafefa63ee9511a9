//! asv's result files of every version: a tolerant reader, an exact writer and the store on disk.

mod benchmarks;
mod columns;
mod combinations;
mod earlier_runs;
mod env_name;
mod journal;
mod left_out;
mod listing;
mod machine_file;
mod merge;
mod model;
mod problem;
mod provenance;
mod raw;
mod read;
mod read_v1;
mod recover;
mod row;
mod save;
mod store;
mod suite_index;
mod surroundings;
#[cfg(test)]
mod testing;
mod write;
mod writer;

pub use benchmarks::{BenchmarkIndex, BenchmarkRecord};
pub use combinations::{at as combination_at, count as count_combinations};
pub use earlier_runs::EarlierRuns;
pub use env_name::{
    EnvironmentNames, environment_name, existing_environment_name, file_part, result_file_name,
    sanitised,
};
pub use journal::Journal;
pub use left_out::LeftOut;
pub use machine_file::MACHINE_FILE;
pub use merge::Addition;
pub use model::{BenchmarkResult, ResultSet, SampleStats, Value};
pub use problem::{Problem, ProblemKind, problem_lines};
pub use provenance::{BenchmarkProvenance, Failure, FailureKind, Provenance, VERSION_STAMPS};
pub use raw::{RawNumbers, RawResults};
pub use read::Detail;

pub use recover::Recovery;
pub use row::axes;
pub use save::{Refusal, SaveError, Saved, added_to, move_aside};
pub use store::{Found, Loaded, MachineFolder, ResultFile, Store};
pub use surroundings::{COMPILERS, DEVICE_FACTS, MACHINE_FACTS};
