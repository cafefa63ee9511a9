//! Many tests at once.

use crate::stats::quantile::as_float;

/// Which of these probabilities are discoveries, if at most the share `rate` of all discoveries may
/// be false: the step-up procedure of Benjamini and Hochberg (1995), exact for independent tests.
pub fn discoveries(probabilities: &[f64], rate: f64) -> Vec<bool> {
    let mut ordered = probabilities.to_vec();
    ordered.sort_unstable_by(f64::total_cmp);
    let count = as_float(ordered.len());
    let bound = ordered
        .iter()
        .enumerate()
        .rev()
        .find(|(index, p)| **p <= rate * as_float(index + 1) / count)
        .map(|(_, p)| *p);
    probabilities
        .iter()
        .map(|p| bound.is_some_and(|bound| *p <= bound))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_benjamini_and_hochberg() {
        // Section 4.1 of the paper: fifteen hypotheses, four discoveries at 0.05.
        let p = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 0.7590, 1.0,
        ];
        let found = discoveries(&p, 0.05);
        assert_eq!(found.iter().filter(|found| **found).count(), 4);
        assert!(found[..4].iter().all(|found| *found));
    }

    #[test]
    fn order_does_not_matter_and_nothing_is_nothing() {
        assert_eq!(discoveries(&[0.9, 0.001, 0.8], 0.05), [false, true, false]);
        assert_eq!(discoveries(&[0.9], 0.05), [false]);
        assert_eq!(discoveries(&[], 0.05), Vec::<bool>::new());
    }
}
