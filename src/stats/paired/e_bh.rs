//! Many benchmarks at once.

use crate::stats::quantile::as_float;

/// Which of these e-values are discoveries, if at most the share `rate` of all discoveries may be
/// false: the largest k whose k-th largest e-value is at least m / (rate k) (Wang and Ramdas, 2022).
/// Holds whatever the dependence between them, and at any stopping time.
pub fn e_discoveries(e_values: &[f64], rate: f64) -> Vec<bool> {
    let mut ordered = e_values.to_vec();
    ordered.sort_unstable_by(|a, b| b.total_cmp(a));
    let count = as_float(ordered.len());
    let bound = ordered
        .iter()
        .enumerate()
        .rev()
        .find(|(index, e)| **e >= count / (rate * as_float(index + 1)))
        .map(|(_, e)| *e);
    e_values
        .iter()
        .map(|e| bound.is_some_and(|bound| *e >= bound))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_e_value_needs_all_and_several_help_each_other() {
        // m = 4, rate 0.05: 80 alone, 40 each of two, 26.7 each of three.
        assert_eq!(e_discoveries(&[79.0, 1.0, 1.0, 1.0], 0.05), [false; 4]);
        assert_eq!(
            e_discoveries(&[81.0, 1.0, 39.0, 0.0], 0.05),
            [true, false, false, false]
        );
        assert_eq!(
            e_discoveries(&[41.0, 1.0, 41.0, 0.0], 0.05),
            [true, false, true, false]
        );
        assert_eq!(
            e_discoveries(&[27.0, 27.0, 500.0, 0.1], 0.05),
            [true, true, true, false]
        );
        assert_eq!(e_discoveries(&[], 0.05), Vec::<bool>::new());
    }
}
