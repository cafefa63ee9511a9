//! The shift of paired differences: the median of Walsh averages and the signed-rank interval.

use crate::stats::quantile::{as_float, median};

/// Bounds of the shift at a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
    /// 1 - alpha, for example 0.99.
    pub level: f64,
}

/// The median of all averages (x\[i\] + x\[j\]) / 2 with i <= j (Hodges and Lehmann, 1963). `None` for no
/// values.
pub fn hodges_lehmann(differences: &[f64]) -> Option<f64> {
    median(&mut walsh_averages(differences))
}

/// The shifts that the two-sided Wilcoxon signed-rank test does not reject at `alpha`: the k-th
/// smallest to the k-th largest Walsh average, where k comes from the exact distribution of the rank
/// sum (Lehmann, Nonparametrics, 4.4). `None` where there are too few pairs to reject anything: fewer
/// than eight at 0.01. The level holds for a number of pairs that was fixed beforehand.
pub fn signed_rank_interval(differences: &[f64], alpha: f64) -> Option<Interval> {
    let critical = critical_rank_sum(differences.len(), alpha)?;
    let mut averages = walsh_averages(differences);
    let last = averages.len() - 1;
    let low = *averages.select_nth_unstable_by(critical, f64::total_cmp).1;
    let high = *averages
        .select_nth_unstable_by(last - critical, f64::total_cmp)
        .1;
    Some(Interval {
        low,
        high,
        level: 1.0 - alpha,
    })
}

fn walsh_averages(values: &[f64]) -> Vec<f64> {
    let mut averages = Vec::with_capacity(values.len() * (values.len() + 1) / 2);
    for (index, first) in values.iter().enumerate() {
        averages.extend(
            values[index..]
                .iter()
                .map(|second| 0.5 * first + 0.5 * second),
        );
    }
    averages
}

/// The largest rank sum that the test rejects: the last w with 2 P(W <= w) <= alpha.
fn critical_rank_sum(count: usize, alpha: f64) -> Option<usize> {
    // counts[w]: share of the 2^n sign patterns with rank sum w, grown rank by rank.
    let total = count * (count + 1) / 2;
    let mut shares = vec![0.0; total + 1];
    shares[0] = 1.0;
    for rank in 1..=count {
        for sum in (0..=rank * (rank + 1) / 2).rev() {
            let without = shares[sum];
            let with = if sum >= rank { shares[sum - rank] } else { 0.0 };
            shares[sum] = 0.5 * without + 0.5 * with;
        }
    }
    let mut below = 0.0;
    let mut critical = None;
    for (sum, share) in shares.iter().enumerate() {
        below += share;
        // A hair of room: the shares are sums of powers of two and as good as exact.
        if 2.0 * below > alpha * (1.0 + 1e-12) || as_float(sum) > as_float(total) / 2.0 {
            break;
        }
        critical = Some(sum);
    }
    critical
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_pairs_are_the_fewest_at_one_per_cent() {
        let values: Vec<f64> = (1..=8).map(f64::from).collect();
        assert_eq!(signed_rank_interval(&values[..7], 0.01), None);
        // 2 / 2^8 = 0.0078: only the most extreme average on each side is left out.
        let interval = signed_rank_interval(&values, 0.01).unwrap();
        assert_eq!((interval.low, interval.high), (1.0, 8.0));
    }

    #[test]
    fn no_values_have_no_shift() {
        assert_eq!(hodges_lehmann(&[]), None);
        assert_eq!(hodges_lehmann(&[0.5]), Some(0.5));
        assert_eq!(signed_rank_interval(&[], 0.01), None);
    }
}
