//! Child processes: each in a session of its own, watched by sleeping in `poll(2)`, waited for with
//! its own resource usage, and swept up after.

mod child;
mod exit;
mod mark;
mod orphans;
mod run;
mod spawn;
mod waiting;
mod watch;

#[cfg(test)]
mod tests;

pub use child::{Process, signal_group};
pub use exit::{Exit, ExitStatus};
pub use mark::Mark;
pub use orphans::{Sweep, adopt_orphans};
pub use run::{Finished, GRACE, run};
pub use spawn::{Program, hide_memory, spawn};
pub use waiting::run_queue_delay;
pub use watch::{Wake, Watched};
