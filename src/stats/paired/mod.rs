//! Base against head in pairs of processes: the estimate, the evidence, the verdict.
//!
//! The unit of replication is the process. A pair is one process of each side, run back to back in
//! an order that a coin decides; what is looked at is d = log head - log base.

mod coin;
mod decision;
mod e_bh;
mod e_process;
mod floor;
mod hodges_lehmann;
mod pair_evidence;
mod sign_flip;
#[cfg(test)]
mod tests;

pub use coin::{Coin, Random};
pub use decision::{Conclusion, PairedVerdict, Rule, conclude, pairs_needed};
pub use e_bh::e_discoveries;
pub use e_process::{EProcess, PRIOR_SCALE};
pub use floor::{Estimator as LowEstimator, log_low};
pub use hodges_lehmann::{Interval, hodges_lehmann, signed_rank_interval};
pub use pair_evidence::{PairedEvidence, paired_evidence};
pub use sign_flip::sign_flip;
