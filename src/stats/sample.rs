//! asv's statistics of the samples of one combination of parameters.

use super::laplace::LaplacePosterior;
use super::quantile::{as_float, median_of_sorted, quantile_of_sorted, sorted};
use super::round::round_significant;

/// What asv stores about a set of samples, in their unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// The value that is stored as the result.
    pub median: f64,
    /// Bounds of the 99 % confidence interval of the median; may be infinite.
    pub ci_99: (f64, f64),
    pub q_25: f64,
    pub q_75: f64,
    /// Number of samples.
    pub repeat: usize,
}

impl Summary {
    /// Interval and quartiles rounded to five significant digits, as asv's files hold them. The
    /// median keeps its full precision.
    #[must_use]
    pub fn rounded(self) -> Self {
        let round = |value| round_significant(value, 5);
        Self {
            ci_99: (round(self.ci_99.0), round(self.ci_99.1)),
            q_25: round(self.q_25),
            q_75: round(self.q_75),
            ..self
        }
    }
}

/// Median, quartiles (linear interpolation) and 99 % interval; `None` for no samples.
pub fn summarise(samples: &[f64]) -> Option<Summary> {
    let ordered = sorted(samples);
    Some(Summary {
        median: median_of_sorted(&ordered)?,
        ci_99: median_ci_99(&ordered)?,
        q_25: quantile_of_sorted(&ordered, 0.25)?,
        q_75: quantile_of_sorted(&ordered, 0.75)?,
        repeat: ordered.len(),
    })
}

/// The 99 % confidence interval of the median of sorted samples; `None` for no samples.
///
/// Order statistics by the binomial distribution B(n, 1/2), which assumes nothing about the
/// samples. It is unbounded for fewer than eight; a side without a bound is then taken from the
/// posterior of a Laplace location, but never inside the samples. A single sample says nothing:
/// the whole line.
pub fn median_ci_99(sorted: &[f64]) -> Option<(f64, f64)> {
    let (first, last) = (*sorted.first()?, *sorted.last()?);
    let (mut low, mut high) = binomial_bounds(sorted);
    if sorted.len() > 1 && (low.is_infinite() || high.is_infinite()) {
        let posterior = LaplacePosterior::new(sorted)?;
        if low.is_infinite() {
            low = lower_of(posterior.quantile(0.005), first);
        }
        if high.is_infinite() {
            high = -lower_of(-posterior.quantile(0.995), -last);
        }
    }
    Some((low, high))
}

/// The smaller of two numbers, NaN if one is NaN.
fn lower_of(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        a.min(b)
    }
}

/// With F(k) the probability of at most k samples below the median: the lower bound is the last
/// y\[k\] with F(k) <= 0.005, the upper bound the first y\[k\] with F(k) >= 0.995.
fn binomial_bounds(sorted: &[f64]) -> (f64, f64) {
    let count = as_float(sorted.len());
    let mut bounds = (f64::NEG_INFINITY, f64::INFINITY);
    // ln C(n, k) - n ln 2, carried from k to k + 1.
    let mut log_mass = -count * std::f64::consts::LN_2;
    let mut distribution = 0.0;
    for (k, &value) in sorted.iter().enumerate() {
        distribution += log_mass.exp();
        if distribution <= 0.005 {
            bounds.0 = value;
        }
        if distribution >= 0.995 {
            bounds.1 = value;
            break;
        }
        log_mass += ((count - as_float(k)) / as_float(k + 1)).ln();
    }
    bounds
}
