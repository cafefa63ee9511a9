//! Positions in the cartesian product of parameter axes; the last axis runs fastest.

/// Number of combinations: one without axes, none if an axis is empty. A number beyond all bounds
/// stays at the largest there is.
pub fn count(params: &[Vec<String>]) -> usize {
    params.iter().map(Vec::len).fold(1, usize::saturating_mul)
}

/// The parameter strings of combination `index`; empty strings where an axis is empty.
pub fn at(params: &[Vec<String>], mut index: usize) -> Vec<&str> {
    let mut values = vec![""; params.len()];
    for (slot, axis) in values.iter_mut().zip(params).rev() {
        if axis.is_empty() {
            continue;
        }
        *slot = &axis[index % axis.len()];
        index /= axis.len();
    }
    values
}

/// Where the combination of these strings stands, if it is there.
pub(super) fn position(params: &[Vec<String>], values: &[&str]) -> Option<usize> {
    if params.len() != values.len() {
        return None;
    }
    params
        .iter()
        .zip(values)
        .try_fold(0, |index, (axis, value)| {
            let place = axis.iter().position(|text| text == value)?;
            Some(index * axis.len() + place)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(axes: &[&[&str]]) -> Vec<Vec<String>> {
        axes.iter()
            .map(|axis| axis.iter().map(|&text| text.to_owned()).collect())
            .collect()
    }

    #[test]
    fn the_last_axis_runs_fastest() {
        let params = axes(&[&["1", "2"], &["a", "b", "c"]]);
        assert_eq!(count(&params), 6);
        assert_eq!(at(&params, 4), ["2", "b"]);
        for index in 0..6 {
            assert_eq!(position(&params, &at(&params, index)), Some(index));
        }
        assert_eq!(position(&params, &["2", "z"]), None);
        assert_eq!(position(&params, &["2"]), None);
    }

    #[test]
    fn no_axes_are_one_combination_and_an_empty_axis_none() {
        assert_eq!((count(&[]), position(&[], &[])), (1, Some(0)));
        let params = axes(&[&["1"], &[]]);
        assert_eq!(count(&params), 0);
        assert_eq!(at(&params, 0), ["1", ""]);
    }

    #[test]
    fn a_product_that_is_no_number_is_the_largest() {
        let axis = vec!["1".to_owned(); 1 << 16];
        assert_eq!(count(&vec![axis.clone(); 3]), 1 << 48);
        assert_eq!(count(&vec![axis.clone(); 4]), usize::MAX);
        assert_eq!(count(&[vec![axis; 4], vec![Vec::new()]].concat()), 0);
    }
}
