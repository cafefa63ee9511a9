//! asv's statistics in the form that results are kept in.

use crate::results::SampleStats;
use crate::stats;

/// The median of the samples and what is stored beside it; `None` without samples.
pub fn summarise(samples: &[f64], number: i64) -> Option<(f64, SampleStats)> {
    let summary = stats::summarise(samples)?;
    let stats = SampleStats {
        ci_99: summary.ci_99,
        q_25: summary.q_25,
        q_75: summary.q_75,
        number,
        repeat: i64::try_from(summary.repeat).unwrap_or(i64::MAX),
    };
    Some((summary.median, stats))
}
