//! The posterior of the location of a Laplace distribution, for intervals from very few samples.

use super::quantile::{as_float, median_of_sorted, sorted};

/// The posterior density of the location b, `p(b) ~ (sum over j of |y_j - b|)^-(v + 1)` with
/// `v = n - 1`: a Laplace likelihood whose scale is integrated out under a flat prior of its
/// logarithm. asv uses it where the binomial interval of the median is unbounded.
#[derive(Debug, Clone)]
pub(super) struct LaplacePosterior {
    /// Samples shifted by `location` and divided by `scale`, ascending.
    points: Vec<f64>,
    location: f64,
    scale: f64,
    /// Degrees of freedom, n - 1.
    freedom: f64,
    /// Unnormalised mass of each interval between neighbouring points, the two ends included.
    masses: Vec<f64>,
}

impl LaplacePosterior {
    /// The posterior after `samples`; `None` for fewer than two.
    pub(super) fn new(samples: &[f64]) -> Option<Self> {
        if samples.len() < 2 {
            return None;
        }
        let mut points = sorted(samples);
        let location = median_of_sorted(&points)?;
        let freedom = as_float(points.len() - 1);
        for point in &mut points {
            *point -= location;
        }
        // The scale keeps the masses near one whatever the unit of the samples is.
        let scale =
            points.iter().map(|y| y.abs()).sum::<f64>() * freedom.powf(1.0 / (freedom + 1.0));
        for point in &mut points {
            *point /= scale;
        }
        let mut posterior = Self {
            points,
            location,
            scale,
            freedom,
            masses: Vec::new(),
        };
        if scale > 0.0 {
            posterior.masses = (0..=posterior.points.len())
                .map(|k| posterior.mass(k))
                .collect();
        }
        Some(posterior)
    }

    /// The location below which the probability is `p`.
    pub(super) fn quantile(&self, p: f64) -> f64 {
        if self.masses.is_empty() {
            // All samples are equal, or one is no number.
            return self.location + self.scale;
        }
        let mut rest = p * self.masses.iter().sum::<f64>();
        for (k, mass) in self.masses.iter().enumerate() {
            if rest <= *mass {
                return self.invert(k, rest) * self.scale + self.location;
            }
            rest -= mass;
        }
        rest + self.right(self.points.len())
    }

    /// On interval `k`, between points k - 1 and k, the sum of distances is `slope * beta + rise`.
    fn line(&self, k: usize) -> (f64, f64) {
        let slope = 2.0 * as_float(k) - as_float(self.points.len());
        let (below, above) = self.points.split_at(k);
        (slope, above.iter().sum::<f64>() - below.iter().sum::<f64>())
    }

    /// The left end of interval `k`.
    fn left(&self, k: usize) -> f64 {
        k.checked_sub(1)
            .map_or(f64::NEG_INFINITY, |before| self.points[before])
    }

    /// The right end of interval `k`.
    fn right(&self, k: usize) -> f64 {
        self.points.get(k).copied().unwrap_or(f64::INFINITY)
    }

    fn mass(&self, k: usize) -> f64 {
        let (slope, rise) = self.line(k);
        let (left, right) = (self.left(k), self.right(k));
        let mass = if slope == 0.0 {
            (right - left) / rise.powf(self.freedom + 1.0)
        } else {
            // An end at infinity contributes nothing: its sum of distances is infinite.
            let end = |beta: f64| {
                if beta.is_finite() {
                    (slope * beta + rise).powf(-self.freedom)
                } else {
                    0.0
                }
            };
            (end(left) - end(right)) / (self.freedom * slope)
        };
        mass.max(0.0)
    }

    /// The point of interval `k` that has the mass `rest` to its left within the interval.
    fn invert(&self, k: usize, rest: f64) -> f64 {
        let (slope, rise) = self.line(k);
        let left = self.left(k);
        let beta = if slope == 0.0 {
            left + rest * rise.powf(self.freedom + 1.0)
        } else {
            let start = if left.is_finite() {
                (slope * left + rise).powf(-self.freedom)
            } else {
                0.0
            };
            let power = start - self.freedom * slope * rest;
            if power > 0.0 {
                (power.powf(-1.0 / self.freedom) - rise) / slope
            } else if k == 0 {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            }
        };
        beta.min(self.right(k))
    }
}
