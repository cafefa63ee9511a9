//! NVIDIA GPUs: what they are, what state they are in, and who has them.

mod choice;
mod device;
mod holder;
mod journal;
mod lease;
mod library;
mod observation;
mod observer;
mod owner;
mod probe;
mod queue;
mod reading;
mod reasons;
mod selection;
mod stack;
mod state;
mod watch;

pub use choice::{ChoiceError, Wanted};
pub use device::{Device, Slice, Target};
pub use holder::{Holder, how_long};
pub use journal::{Journal, identity, state_record};
pub use lease::{Lease, LeaseError, Waiting, described};
pub use library::{LIBRARY_VARIABLE, Library, LibraryError, Versions};
pub use observation::{Observation, Seen, is_lost, is_voiding, void_reason};
pub use observer::{Around, Observer};
pub use owner::Owner;
pub use probe::{Figures, Judgement, ProbeError, ProbeHistory, measure};
pub use queue::{FOLDER_VARIABLE, Place, Queue};
pub use reading::{Absence, Reading};
pub use reasons::Reasons;
pub use selection::{GpuError, Needs, Selection};
pub use state::{Process, State, Violations};
pub use watch::Watch;
