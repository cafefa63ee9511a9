//! The Mann-Whitney U test as asv's `compare` uses it.

use super::quantile::{as_float, sorted};
use super::special::erfc;

/// Outcome of the test of two samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MannWhitney {
    /// Pairs in which the first sample is larger; ties are counted so that the test is conservative.
    pub u: usize,
    /// Two-sided probability of a U at least as far from the middle.
    pub p: f64,
}

/// Largest sample size for which the distribution of U is counted exactly.
const EXACT_LIMIT: usize = 20;

/// Two-sided Mann-Whitney U test; exact up to 20 samples a side, else by the normal approximation
/// without continuity correction. Tied pairs are counted on whichever side brings U closest to the
/// middle, so that ties never make a difference. `None` if a side is empty.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<MannWhitney> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let u = conservative_u(first, second);
    let (m, n) = (first.len(), second.len());
    let pairs = m * n;
    let lower = u.min(pairs - u);
    let p = if m.max(n) <= EXACT_LIMIT {
        let beyond = (pairs / 2).max(pairs - lower - 1);
        at_most(m, n, lower) + 1.0 - at_most(m, n, beyond)
    } else {
        normal_p(m, n, lower)
    };
    Some(MannWhitney { u, p })
}

/// The smallest two-sided p that samples of these sizes can give: 1 / C(m + n, min(m, n)), which
/// is what asv compares with its threshold. One for an empty side.
pub fn smallest_p(m: usize, n: usize) -> f64 {
    let mut combinations = 1.0;
    for k in 1..=m.min(n) {
        combinations *= as_float(m + n + 1 - k) / as_float(k);
    }
    1.0 / combinations
}

/// The largest U at which two samples of these sizes differ at level `alpha` (two-sided p below
/// it), if there is one. `z` is the normal quantile of that level: erfc(z / sqrt 2) = alpha.
pub(super) fn critical_u(m: usize, n: usize, alpha: f64, z: f64) -> Option<usize> {
    if m.max(n) > EXACT_LIMIT {
        let middle = as_float(m * n) / 2.0;
        let bound = middle - z * normal_sd(m, n);
        return (1..=m * n / 2)
            .map(|up| m * n / 2 - up)
            .find(|&u| as_float(u) < bound);
    }
    let counts = counts(m, n);
    let total: f64 = counts.iter().sum();
    let mut below = 0.0;
    let mut critical = None;
    for (u, count) in counts.iter().enumerate() {
        below += count;
        if 2.0 * below / total >= alpha {
            break;
        }
        critical = Some(u);
    }
    critical
}

/// U with ties broken towards the middle.
fn conservative_u(first: &[f64], second: &[f64]) -> usize {
    let ordered = sorted(second);
    let (mut larger, mut larger_or_equal) = (0, 0);
    for &x in first {
        larger += ordered.partition_point(|&y| y < x);
        larger_or_equal += ordered.partition_point(|&y| y <= x);
    }
    (first.len() * second.len() / 2).clamp(larger, larger_or_equal)
}

/// P(U <= u) under the hypothesis of no difference.
fn at_most(m: usize, n: usize, u: usize) -> f64 {
    let counts = counts(m, n);
    let total: f64 = counts.iter().sum();
    counts.iter().take(u + 1).sum::<f64>() / total
}

/// In how many of the C(m + n, m) orders U takes each value 0 to m n: the coefficients of the
/// Gaussian binomial, built up as the product of
/// `(1 - q^(n + i)) / (1 - q^i)` over i from 1 to m. Exact, as every
/// number stays below 2^53 for 20 a side.
fn counts(m: usize, n: usize) -> Vec<f64> {
    let length = m * n + 1;
    let mut coefficients = vec![0.0; length];
    coefficients[0] = 1.0;
    for i in 1..=m {
        for power in (n + i..length).rev() {
            coefficients[power] -= coefficients[power - n - i];
        }
        for power in i..length {
            coefficients[power] += coefficients[power - i];
        }
    }
    coefficients
}

fn normal_sd(m: usize, n: usize) -> f64 {
    (as_float(m * n) * as_float(m + n + 1) / 12.0).sqrt()
}

fn normal_p(m: usize, n: usize, lower: usize) -> f64 {
    let z = (as_float(lower) - as_float(m * n) / 2.0) / normal_sd(m, n);
    erfc(-z / std::f64::consts::SQRT_2)
}
