//! Which regressions of a comparison are wanted.

use jiff::civil::Date;

use crate::config::{AcceptedRegression, Better};
use crate::report::{Acceptance, Comparison, Row, RowKey, Verdict, matches_benchmark};

/// Differences far below what anybody declares: 15 % is still 15 % after a division.
const ROUNDING: f64 = 1e-9;

/// Applies the declarations of the project to a comparison. `today` is the day in UTC; a declaration
/// counts on its last day.
pub fn accept(comparison: &mut Comparison, declared: &[AcceptedRegression], today: Date) {
    let rows = &comparison.rows;
    let accepted = declared
        .iter()
        .map(|one| applied(one, rows, today))
        .collect();
    comparison.accepted = accepted;
}

fn applied(declared: &AcceptedRegression, rows: &[Row], today: Date) -> Acceptance {
    let is_expired = declared.expires < today;
    let about: Vec<&Row> = rows.iter().filter(|row| is_about(declared, row)).collect();
    let (mut accepted, mut beyond) = (Vec::new(), Vec::new());
    if !is_expired {
        for row in about.iter().filter(|row| is_regression(row)) {
            if worsening(row).is_some_and(|share| share <= declared.up_to + ROUNDING) {
                accepted.push(RowKey::of(row));
            } else {
                beyond.push(RowKey::of(row));
            }
        }
    }
    Acceptance {
        benchmarks: declared.benchmarks.clone(),
        params: declared.params.clone(),
        up_to: declared.up_to,
        reason: declared.reason.clone(),
        expires: declared.expires,
        is_expired,
        is_about_something: !about.is_empty(),
        rows: accepted,
        beyond,
    }
}

/// What could gate: a verdict, or a ratio beyond its limit.
fn is_regression(row: &Row) -> bool {
    row.verdict == Verdict::Slower || row.alert.is_some()
}

fn is_about(declared: &AcceptedRegression, row: &Row) -> bool {
    let by_name = declared
        .benchmarks
        .iter()
        .any(|pattern| matches_benchmark(pattern, &row.benchmark));
    let by_params = declared.params.as_ref().is_none_or(|wanted| {
        wanted.len() == row.params.len()
            && wanted
                .iter()
                .zip(&row.params)
                .all(|(wanted, (_, value))| wanted == "*" || wanted == value)
    });
    by_name && by_params
}

/// How much worse HEAD is, as a share of the base; `None` without a ratio.
fn worsening(row: &Row) -> Option<f64> {
    let ratio = row.ratio?;
    Some(match row.better {
        Better::Lower => ratio - 1.0,
        Better::Higher => 1.0 - ratio,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{AcceptanceState, Alert, Cell, Estimator, Gate, Mark, MetricKind, Side};

    fn row(benchmark: &str, ratio: f64, better: Better, params: &[&str]) -> Row {
        Row {
            benchmark: benchmark.to_owned(),
            combination: 0,
            params: params
                .iter()
                .map(|value| ("n".to_owned(), (*value).to_owned()))
                .collect(),
            kind: MetricKind::Time,
            unit: "seconds".to_owned(),
            better,
            base: Cell::Missing,
            head: Cell::Missing,
            ratio: Some(ratio),
            estimator: Estimator::Median,
            verdict: Verdict::Slower,
            reason: String::new(),
            confidence: None,
            alert: Some(Alert { limit: 1.1 }),
            mark: Mark::Blank,
            uncertain: false,
            flags: Vec::new(),
        }
    }

    fn accepted(rows: Vec<Row>, declared: &[AcceptedRegression]) -> Comparison {
        let mut comparison = Comparison {
            base: None,
            head: Side::default(),
            rows,
            absent: Vec::new(),
            accepted: Vec::new(),
            differences: Vec::new(),
            remarks: Vec::new(),
        };
        accept(&mut comparison, declared, "2027-01-31".parse().unwrap());
        comparison
    }

    fn declared(pattern: &str) -> AcceptedRegression {
        AcceptedRegression {
            benchmarks: vec![pattern.to_owned()],
            params: None,
            up_to: 0.15,
            reason: "exact now".to_owned(),
            expires: "2027-01-31".parse().unwrap(),
        }
    }

    fn states(comparison: &Comparison) -> Vec<AcceptanceState> {
        comparison.accepted.iter().map(Acceptance::state).collect()
    }

    fn objections(comparison: &Comparison) -> (usize, usize) {
        let of = |word: &str| Gate::of_word(word).unwrap().objections(comparison);
        (of("slower"), of("alert"))
    }

    #[test]
    fn an_accepted_regression_does_not_gate_up_to_its_limit() {
        let comparison = accepted(
            vec![
                row("m.time_a", 1.15, Better::Lower, &[]),
                row("m.time_b", 1.16, Better::Lower, &[]),
            ],
            &[declared("m.*")],
        );
        assert_eq!(objections(&comparison), (1, 1));
        assert_eq!(states(&comparison), [AcceptanceState::Used]);
        assert!(comparison.is_accepted(&comparison.rows[0]));
        assert_eq!(comparison.accepted[0].beyond[0].benchmark, "m.time_b");
        let complaint = comparison.accepted[0].complaint(|key| key.benchmark.clone());
        assert_eq!(
            complaint.as_deref(),
            Some("more than 15 % worse, so not accepted: m.time_b")
        );
    }

    #[test]
    fn where_more_is_better_less_is_worse() {
        let comparison = accepted(
            vec![
                row("m.track_a", 0.85, Better::Higher, &[]),
                row("m.track_b", 0.84, Better::Higher, &[]),
            ],
            &[declared("m.track_a"), declared("m.track_b")],
        );
        assert_eq!(
            states(&comparison),
            [AcceptanceState::Used, AcceptanceState::Exceeded]
        );
    }

    #[test]
    fn the_last_day_counts_and_the_next_does_not() {
        let late = AcceptedRegression {
            expires: "2027-01-30".parse().unwrap(),
            ..declared("m.time_a")
        };
        let rows = vec![row("m.time_a", 1.12, Better::Lower, &[])];
        let comparison = accepted(rows.clone(), &[late, declared("m.other")]);
        assert_eq!(
            states(&comparison),
            [AcceptanceState::Expired, AcceptanceState::Unused]
        );
        assert_eq!(objections(&comparison), (1, 1));
        assert_eq!(objections(&accepted(rows, &[declared("m.time_a")])), (0, 0));
    }

    #[test]
    fn parameters_narrow_it_down() {
        let with = |params: &[&str]| AcceptedRegression {
            params: Some(params.iter().map(|&value| value.to_owned()).collect()),
            ..declared("m.time_a")
        };
        let one = row("m.time_a", 1.12, Better::Lower, &["5", "'x'"]);
        for (params, accepts) in [
            (vec!["5", "'x'"], true),
            (vec!["5", "*"], true),
            (vec!["6", "*"], false),
            (vec!["5"], false),
            (vec![], false),
        ] {
            let comparison = accepted(vec![one.clone()], &[with(&params)]);
            assert_eq!(comparison.is_accepted(&one), accepts, "{params:?}");
        }
    }

    #[test]
    fn what_did_not_get_worse_or_has_no_ratio_is_not_accepted() {
        let same = Row {
            verdict: Verdict::Same,
            alert: None,
            ..row("m.time_a", 1.01, Better::Lower, &[])
        };
        let without = Row {
            ratio: None,
            ..row("m.time_b", 1.0, Better::Lower, &[])
        };
        let comparison = accepted(
            vec![same, without],
            &[declared("m.time_a"), declared("m.time_b")],
        );
        assert_eq!(
            states(&comparison),
            [AcceptanceState::Unused, AcceptanceState::Exceeded]
        );
        assert_eq!(comparison.count_accepted(), 0);
    }
}
