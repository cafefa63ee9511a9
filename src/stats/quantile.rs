//! Quantiles by linear interpolation, the median and the median absolute deviation.

/// A sorted copy; NaN sorts last.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut copy = values.to_vec();
    copy.sort_unstable_by(f64::total_cmp);
    copy
}

/// The quantile `q` (0 to 1) of sorted values by linear interpolation: position (n - 1) q, the
/// neighbours weighted as asv weights them (numpy's `linear`, Hyndman and Fan's type 7).
/// `None` for no values.
pub fn quantile_of_sorted(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    if last == 0 {
        return Some(sorted[0]);
    }
    let position = as_float(last) * q;
    let lower = floor_index(position).min(last - 1);
    let weight = position - as_float(lower);
    if weight == 0.0 {
        // An infinite neighbour without weight must not make the quantile NaN.
        return Some(sorted[lower]);
    }
    Some((1.0 - weight) * sorted[lower] + weight * sorted[lower + 1])
}

/// The median of sorted values; `None` for no values.
pub fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[half]),
        _ => Some(0.5 * sorted[half - 1] + 0.5 * sorted[half]),
    }
}

/// The median; reorders the values. `None` for no values.
pub fn median(values: &mut [f64]) -> Option<f64> {
    let half = values.len() / 2;
    if values.is_empty() {
        return None;
    }
    let odd = values.len() % 2 == 1;
    let (below, middle, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    let upper = *middle;
    if odd {
        return Some(upper);
    }
    let lower = below.iter().copied().max_by(f64::total_cmp)?;
    Some(0.5 * lower + 0.5 * upper)
}

/// The median absolute deviation from the median, unscaled; reorders and overwrites the values.
/// `None` for no values.
pub fn mad(values: &mut [f64]) -> Option<f64> {
    let centre = median(values)?;
    for value in &mut *values {
        *value = (*value - centre).abs();
    }
    median(values)
}

/// A count as a float; counts here are far below 2^52.
#[expect(
    clippy::cast_precision_loss,
    reason = "numbers of samples are far below 2^52"
)]
pub fn as_float(count: usize) -> f64 {
    count as f64
}

/// The whole part of a position that is not negative.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positions lie between zero and the number of values"
)]
pub(super) fn floor_index(position: f64) -> usize {
    position as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate_linearly() {
        let values = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(quantile_of_sorted(&values, 0.0), Some(1.0));
        assert_eq!(quantile_of_sorted(&values, 0.25), Some(1.75));
        assert_eq!(quantile_of_sorted(&values, 0.5), Some(3.0));
        assert_eq!(quantile_of_sorted(&values, 1.0), Some(8.0));
        assert_eq!(quantile_of_sorted(&[7.0], 0.25), Some(7.0));
        assert_eq!(quantile_of_sorted(&[], 0.25), None);
    }

    #[test]
    fn median_of_odd_even_and_none() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median(&mut []), None);
        assert_eq!(median_of_sorted(&[1.0, 2.0, 3.0, 4.0]), Some(2.5));
        assert_eq!(median_of_sorted(&[1.0, 2.0, 3.0]), Some(2.0));
        assert_eq!(median_of_sorted(&[]), None);
    }

    #[test]
    fn mad_is_the_median_distance_to_the_median() {
        assert_eq!(mad(&mut [1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0]), Some(1.0));
        assert_eq!(mad(&mut []), None);
    }
}
