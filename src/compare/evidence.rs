//! From two sides and their history to an estimate of the change with an interval.
//!
//! Everything here is on the log scale: a change of 0.01 is about one per cent.

use crate::config::Better;
use crate::report::{Estimator, Strength};
use crate::stats::{self, ShiftTest};

use super::asv_rule::THRESHOLD;
use super::history::Point;
use super::measured::Measured;
use super::noise::{FEWEST_POINTS, LEVEL, Noise, Thresholds};

/// What an interval rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Basis {
    /// The benchmark's own history.
    History { points: usize },
    /// The history of the machine's other benchmarks.
    Prior { points: usize },
    /// The spread between the processes of both sides.
    Processes { same_session: bool },
    /// The samples of both sides, taken for independent.
    Samples,
    /// The 99 % intervals that are stored with both medians.
    Intervals,
}

impl Basis {
    pub(super) fn strength(self) -> Strength {
        match self {
            Self::History { .. } | Self::Processes { same_session: true } => Strength::Firm,
            _ => Strength::Weak,
        }
    }

    /// Points of the benchmark's own history.
    pub(super) fn points(self) -> usize {
        match self {
            Self::History { points } | Self::Prior { points } => points,
            _ => 0,
        }
    }
}

/// An interval of the change and what it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) level: f64,
    pub(super) basis: Basis,
}

/// The change of one row, before it is known how much noise to expect.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub(super) estimator: Estimator,
    /// log(head / base) by the estimator.
    pub(super) size: f64,
    /// Variance of the two sides' estimates by the spread of their processes; zero if unknown.
    within: f64,
    pub(super) noise: Noise,
}

impl Change {
    /// The change between two positive, finite numbers; `None` for others. `history` are the points
    /// of the same series, oldest first.
    pub(super) fn of(
        base: &Measured,
        head: &Measured,
        history: &[Point],
        better: Better,
    ) -> Option<Self> {
        if !base.is_positive() || !head.is_positive() {
            return None;
        }
        // The floor is the fast end, which is the good end only where lower is better.
        let all_have_floors =
            better == Better::Lower && history.iter().all(|point| !point.floor.is_nan());
        let floors = || {
            let base = Estimate::of(base.log_by_process(Estimator::Floor)?)?;
            let head = Estimate::of(head.log_by_process(Estimator::Floor)?)?;
            Some((base, head))
        };
        let (estimator, base, head) = match floors().filter(|_| all_have_floors) {
            Some((base, head)) => (Estimator::Floor, base, head),
            None => (
                Estimator::Median,
                Estimate::stored(base),
                Estimate::stored(head),
            ),
        };
        let series: Vec<f64> = history
            .iter()
            .map(|point| match estimator {
                Estimator::Floor => point.floor,
                Estimator::Median => point.median,
            })
            .collect();
        Some(Self {
            estimator,
            size: head.log - base.log,
            within: base.variance + head.variance,
            noise: Noise::of(&series),
        })
    }
}

/// The estimate of one side.
struct Estimate {
    log: f64,
    /// Variance of `log` by the spread of the processes; zero if unknown.
    variance: f64,
}

impl Estimate {
    /// From the logarithms of the processes.
    fn of(mut processes: Vec<f64>) -> Option<Self> {
        let log = stats::median(&mut processes)?;
        Some(Self {
            log,
            variance: variance_of(processes),
        })
    }

    /// The stored value, and the spread of the processes' medians if there are enough processes.
    fn stored(side: &Measured) -> Self {
        Self {
            log: side.value.ln(),
            variance: side
                .log_by_process(Estimator::Median)
                .map_or(0.0, variance_of),
        }
    }
}

/// s^2 / R for the robust standard deviation s of R processes.
#[expect(clippy::cast_precision_loss, reason = "a number of processes")]
fn variance_of(mut processes: Vec<f64>) -> f64 {
    let count = processes.len() as f64;
    stats::robust_sd(&mut processes).map_or(0.0, |sd| sd * sd / count)
}

/// Turns changes into intervals.
#[derive(Debug, Clone)]
pub(super) struct Judge {
    thresholds: Thresholds,
    by_processes: ShiftTest,
    by_samples: ShiftTest,
    /// Base and head were measured alternately in one sitting, so that drift hits both alike.
    same_session: bool,
}

impl Judge {
    pub(super) fn new(same_session: bool) -> Self {
        Self {
            thresholds: Thresholds::default(),
            by_processes: ShiftTest::new(1.0 - LEVEL),
            by_samples: ShiftTest::new(THRESHOLD),
            same_session,
        }
    }

    /// The best interval that the evidence allows: from the benchmark's own history, else from the
    /// prior of the machine, else from the samples of both sides; `None` without statistics.
    pub(super) fn interval(
        &mut self,
        change: &Change,
        prior: Option<f64>,
        base: &Measured,
        head: &Measured,
    ) -> Option<Interval> {
        let points = change.noise.points;
        if let Some(scale) = change.noise.own() {
            return Some(self.by_history(change, scale, points, Basis::History { points }));
        }
        if let Some(prior) = prior {
            let scale = prior.max(change.noise.scale.unwrap_or(0.0));
            let basis = Basis::Prior { points };
            return Some(self.by_history(change, scale, FEWEST_POINTS, basis));
        }
        self.by_processes(change.estimator, base, head)
            .or_else(|| self.by_samples(base, head))
            .or_else(|| by_intervals(base, head))
    }

    /// `size ± t sqrt(2) s` with `s^2 = s_hist^2 + s_b^2/R_b + s_h^2/R_h`.
    fn by_history(&mut self, change: &Change, scale: f64, points: usize, basis: Basis) -> Interval {
        let deviation = (2.0 * (scale * scale + change.within)).sqrt();
        let half = self.thresholds.of(points) * deviation;
        Interval {
            low: change.size - half,
            high: change.size + half,
            level: LEVEL,
            basis,
        }
    }

    fn by_processes(
        &mut self,
        estimator: Estimator,
        base: &Measured,
        head: &Measured,
    ) -> Option<Interval> {
        let (base, head) = (
            base.log_by_process(estimator)?,
            head.log_by_process(estimator)?,
        );
        let shift = self.by_processes.interval(&base, &head)?;
        Some(Interval {
            low: shift.low,
            high: shift.high,
            level: LEVEL,
            basis: Basis::Processes {
                same_session: self.same_session,
            },
        })
    }

    /// asv's Mann-Whitney test as an interval.
    fn by_samples(&mut self, base: &Measured, head: &Measured) -> Option<Interval> {
        let (base, head) = (logs(base.samples?)?, logs(head.samples?)?);
        if stats::smallest_p(base.len(), head.len()) >= THRESHOLD {
            return None;
        }
        let shift = self.by_samples.interval(&base, &head)?;
        Some(Interval {
            low: shift.low,
            high: shift.high,
            level: 1.0 - THRESHOLD,
            basis: Basis::Samples,
        })
    }
}

/// asv's rule of intervals that do not overlap, as an interval of the ratio.
fn by_intervals(base: &Measured, head: &Measured) -> Option<Interval> {
    let (base, head) = (base.stats?, head.stats?);
    if base.repeat == 1 || head.repeat == 1 {
        return None;
    }
    let bounds = [
        base.ci_99.0.max(0.0),
        base.ci_99.1,
        head.ci_99.0.max(0.0),
        head.ci_99.1,
    ];
    if bounds.iter().any(|bound| bound.is_nan()) {
        return None;
    }
    let [base_low, base_high, head_low, head_high] = bounds.map(f64::ln);
    Some(Interval {
        low: head_low - base_high,
        high: head_high - base_low,
        level: LEVEL,
        basis: Basis::Intervals,
    })
    .filter(|interval| !interval.low.is_nan() && !interval.high.is_nan())
}

/// The logarithms; `None` unless all are positive.
fn logs(values: &[f64]) -> Option<Vec<f64>> {
    values
        .iter()
        .map(|value| (*value > 0.0 && value.is_finite()).then(|| value.ln()))
        .collect()
}
