//! Special functions in double precision.

use std::f64::consts::PI;

/// The complementary error function, to about 1e-14 relative.
///
/// Below 2 the Maclaurin series of erf (DLMF 7.6.2, all terms positive), above it the continued
/// fraction of erfc (DLMF 7.9.1) evaluated from its far end.
pub fn erfc(x: f64) -> f64 {
    if x.is_nan() {
        x
    } else if x < 0.0 {
        2.0 - erfc(-x)
    } else if x < 2.0 {
        1.0 - erf_series(x)
    } else {
        erfc_fraction(x)
    }
}

fn erf_series(x: f64) -> f64 {
    // erf x = 2/sqrt(pi) exp(-x^2) sum_n 2^n x^(2n+1) / (2n+1)!!
    let mut term = x;
    let mut sum = x;
    let mut n = 0.0;
    while term > sum * 1e-17 {
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

fn erfc_fraction(x: f64) -> f64 {
    // erfc x = exp(-x^2)/sqrt(pi) / (x + (1/2)/(x + 1/(x + (3/2)/(x + ...)))); 120 terms are more
    // than enough from x = 2 on.
    let mut tail = x;
    for k in (1..=120).rev() {
        tail = x + f64::from(k) / 2.0 / tail;
    }
    (-x * x).exp() / PI.sqrt() / tail
}

/// ln Gamma(x) for x > 0, to about 1e-14: Stirling's series (DLMF 5.11.1) after shifting the
/// argument above 10 by the recurrence.
pub(super) fn ln_gamma(x: f64) -> f64 {
    let mut shift = 0.0;
    let mut z = x;
    while z < 10.0 {
        shift += z.ln();
        z += 1.0;
    }
    let inverse = 1.0 / (z * z);
    // B_2k / (2k (2k - 1)): 1/12, -1/360, 1/1260, -1/1680, 1/1188, -691/360360.
    let series = (1.0 / 12.0
        + inverse
            * (-1.0 / 360.0
                + inverse
                    * (1.0 / 1260.0
                        + inverse
                            * (-1.0 / 1680.0
                                + inverse * (1.0 / 1188.0 - inverse * 691.0 / 360_360.0)))))
        / z;
    (z - 0.5) * z.ln() - z + 0.5 * (2.0 * PI).ln() + series - shift
}

/// The regularised incomplete beta function `I_x(a, b)`, by its continued fraction (DLMF 8.17.22)
/// with Lentz's method; the symmetry `I_x(a, b) = 1 - I_(1-x)(b, a)` keeps it convergent.
pub(super) fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(a, b, x) / a
    } else {
        1.0 - front * beta_fraction(b, a, 1.0 - x) / b
    }
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut numerator = 1.0;
    let mut inverse = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut result = inverse;
    for step in 1..500 {
        let term = f64::from(step);
        let twice = a + 2.0 * term;
        let even = term * (b - term) * x / ((twice - 1.0) * twice);
        let odd = -(a + term) * (a + b + term) * x / (twice * (twice + 1.0));
        for coefficient in [even, odd] {
            inverse = 1.0 / away(1.0 + coefficient * inverse);
            numerator = away(1.0 + coefficient / numerator);
            result *= inverse * numerator;
        }
        if (inverse * numerator - 1.0).abs() < 1e-16 {
            break;
        }
    }
    result
}
