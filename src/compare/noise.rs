//! How much a benchmark varies from session to session, by its history.

use std::collections::HashMap;

use crate::stats;

/// From this many points on a benchmark's own history decides.
pub(super) const FEWEST_POINTS: usize = 10;

/// Fewer points than this have no scale at all.
const FEWEST_FOR_SCALE: usize = 3;

/// The level of all intervals.
pub(super) const LEVEL: f64 = 0.99;

/// A prior must come from at least this many benchmarks.
const FEWEST_BENCHMARKS: usize = 3;

/// More degrees of freedom are not believed.
const MOST_FREEDOM: u32 = 30;

/// The prior is the median over benchmarks times this.
const PRIOR_FACTOR: f64 = 1.5;

/// The noise of one series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Noise {
    /// Standard deviation of one session on the log scale; `None` for too few points.
    pub(super) scale: Option<f64>,
    /// Points of history.
    pub(super) points: usize,
}

impl Noise {
    /// The noise of a series of logarithms, oldest first.
    pub(super) fn of(series: &[f64]) -> Self {
        Self {
            scale: (series.len() >= FEWEST_FOR_SCALE)
                .then(|| stats::neighbour_scale(series))
                .flatten(),
            points: series.len(),
        }
    }

    /// The scale, if the history is long enough to decide alone.
    pub(super) fn own(&self) -> Option<f64> {
        self.scale.filter(|_| self.points >= FEWEST_POINTS)
    }
}

/// The prior for benchmarks with little history: the median scale over the benchmarks of one kind
/// on this machine, times 1.5. Those with ten points or more decide; where too few have them, those
/// with any scale.
pub(super) fn prior(noises: &[Noise]) -> Option<f64> {
    let median_of = |scales: Vec<f64>| {
        let mut scales = scales;
        if scales.len() < FEWEST_BENCHMARKS {
            return None;
        }
        stats::median(&mut scales)
    };
    let long = noises.iter().filter_map(Noise::own).collect();
    let any = || noises.iter().filter_map(|noise| noise.scale).collect();
    Some(PRIOR_FACTOR * median_of(long).or_else(|| median_of(any()))?)
}

/// Student's t for a two-sided interval, by points of history; each computed once.
#[derive(Debug, Clone, Default)]
pub(super) struct Thresholds {
    by_points: HashMap<usize, f64>,
}

impl Thresholds {
    /// Degrees of freedom: one less than there are differences, at most thirty. (Together with the
    /// careful scale this holds the false-alarm rate at one per cent from ten points on, which
    /// `compare::tests::simulation` checks.)
    pub(super) fn of(&mut self, points: usize) -> f64 {
        *self.by_points.entry(points).or_insert_with(|| {
            let freedom = u32::try_from(points.saturating_sub(2)).unwrap_or(MOST_FREEDOM);
            let freedom = f64::from(freedom.clamp(1, MOST_FREEDOM));
            stats::student_t_quantile(0.5 + LEVEL / 2.0, freedom)
        })
    }
}
