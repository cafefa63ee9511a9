//! Pure mathematics: values in, values out. Each function names the source of its formula and is
//! checked against numbers made with scipy or asv (`tests/fixtures/make_stats.py`).

mod change_points;
mod intervals;
mod laplace;
mod mann_whitney;
mod noise;
mod paired;
mod quantile;
mod round;
mod sample;
mod shift;
mod special;
mod student;
#[cfg(test)]
mod tests;

pub use change_points::{
    ChangePoint, FEWEST_POINTS, SHORTEST_SEGMENT, change_points, discoveries, levels,
};
pub use intervals::overlap;
pub use mann_whitney::{MannWhitney, mann_whitney, smallest_p};
pub use noise::{NORMAL_CONSISTENCY, neighbour_scale, robust_sd};
pub use paired::{
    Coin, Conclusion, EProcess, Interval, LowEstimator, PRIOR_SCALE, PairedEvidence, PairedVerdict,
    Random, Rule, conclude, e_discoveries, hodges_lehmann, log_low, paired_evidence, pairs_needed,
    sign_flip, signed_rank_interval,
};
pub use quantile::{as_float, mad, median, median_of_sorted, quantile_of_sorted, sorted};
pub use round::round_significant;
pub use sample::{Summary, median_ci_99, summarise};
pub use shift::{Shift, ShiftTest, shift_interval};
pub use special::erfc;
pub use student::student_t_quantile;
