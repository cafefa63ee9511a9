//! Exact pairs of scenarios: evidence for one change against one exact base (`docs/paired.md`).

mod agreement;
mod answer;
mod checkout;
mod error;
mod evidence;
mod exchange;
mod hlo;
mod judge;
mod measure;
mod npy;
mod options;
mod parity;
mod python;
mod raw;
mod show;
mod summary;
mod watch;

pub use agreement::{DEFAULT_LOCK_FILES, agree};
pub use answer::{Answer, Probe, ScenarioEntry};
pub use checkout::{Checkout, Role, check_apart, check_output};
pub use error::PairError;
pub use evidence::{Core, DeviceMemory, Leaf, Measured};
pub use hlo::{collectives, normalised};
pub use judge::judge;
pub use measure::{Progress, run_pairs};
pub use options::{Backend, CacheState, PairOptions, Precision, full_hash};
pub use parity::{LeafParity, Tolerance};
pub use python::{Python, PythonSide};
pub use raw::{Raw, Record, Run};
pub use show::document;
pub use summary::{PairSummary, ScenarioSummary, State, Status};
pub use watch::PairWatch;
