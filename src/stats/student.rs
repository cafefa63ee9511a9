//! Student's t distribution.

use super::special::incomplete_beta;

/// The quantile of Student's t distribution with `df` > 0 degrees of freedom (not necessarily
/// whole): the t with P(T <= t) = `p`.
///
/// The distribution function is the regularised incomplete beta function (DLMF 8.17); its inverse
/// is found by bisection, which takes microseconds and cannot fail.
pub fn student_t_quantile(p: f64, df: f64) -> f64 {
    if p.is_nan() || df.is_nan() || df <= 0.0 || !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if p < 0.5 {
        return -student_t_quantile(1.0 - p, df);
    }
    let tail = 1.0 - p;
    if tail == 0.0 {
        return f64::INFINITY;
    }
    let mut low = 0.0;
    let mut high = 1.0;
    while upper_tail(high, df) > tail && high < 1e300 {
        low = high;
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if upper_tail(middle, df) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// P(T > t) for t >= 0.
fn upper_tail(t: f64, df: f64) -> f64 {
    0.5 * incomplete_beta(0.5 * df, 0.5, df / (df + t * t))
}
