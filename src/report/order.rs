//! Which rows a table shows, and in which order.

use std::cmp::Ordering;

use super::row::{Mark, Row, Verdict};

/// The order of a table's rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Sort {
    /// Benchmarks by name, combinations by position.
    #[default]
    Default,
    /// By name with parameters, numbers in it by their size.
    Name,
    /// The largest ratio first; rows without one last.
    Ratio,
}

/// Sorts rows; those that compare equal keep their order.
pub fn sort(rows: &mut [&Row], sort: Sort) {
    match sort {
        Sort::Default => {}
        Sort::Name => {
            let mut named: Vec<(String, &Row)> =
                rows.iter().map(|row| (display_name(row), *row)).collect();
            named.sort_by(|(a, _), (b, _)| natural(a, b));
            for (slot, (_, row)) in rows.iter_mut().zip(named) {
                *slot = row;
            }
        }
        Sort::Ratio => rows.sort_by(|a, b| larger_first(a.ratio, b.ratio)),
    }
}

fn larger_first(a: Option<f64>, b: Option<f64>) -> Ordering {
    let known = |ratio: Option<f64>| ratio.filter(|ratio| !ratio.is_nan());
    match (known(a), known(b)) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

/// `name` or `name(p1, p2)`, as asv shows it.
pub fn display_name(row: &Row) -> String {
    if row.params.is_empty() {
        return row.benchmark.clone();
    }
    let params: Vec<&str> = row.params.iter().map(|(_, value)| value.as_str()).collect();
    format!("{}({})", row.benchmark, params.join(", "))
}

/// Compares texts by their characters, and runs of digits in them as numbers.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (Some(first), Some(second)) = (a.chars().next(), b.chars().next()) else {
            return a.len().cmp(&b.len());
        };
        let step = if first.is_ascii_digit() && second.is_ascii_digit() {
            let (left, right) = (digits(a), digits(b));
            a = &a[left.len()..];
            b = &b[right.len()..];
            let (left, right) = (left.trim_start_matches('0'), right.trim_start_matches('0'));
            left.len().cmp(&right.len()).then_with(|| left.cmp(right))
        } else {
            a = &a[first.len_utf8()..];
            b = &b[second.len_utf8()..];
            first.cmp(&second)
        };
        if step != Ordering::Equal {
            return step;
        }
    }
}

fn digits(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    &text[..end]
}

/// Whether `--only-changed` keeps a row: asv marks it, a verdict says so, or its ratio is beyond
/// the limit.
pub fn is_changed(row: &Row) -> bool {
    matches!(
        row.mark,
        Mark::Better | Mark::Worse | Mark::Broken | Mark::Fixed
    ) || matches!(row.verdict, Verdict::Slower | Verdict::Faster)
        || row.alert.is_some()
}

/// The parts of a table that is split: asv's four and one for what has no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    Improved,
    Same,
    Worse,
    NotComparable,
    NoVerdict,
}

impl Section {
    pub const ALL: [Self; 5] = [
        Self::Improved,
        Self::Same,
        Self::Worse,
        Self::NotComparable,
        Self::NoVerdict,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Self::Improved => "Benchmarks that have improved:",
            Self::Same => "Benchmarks that have stayed the same:",
            Self::Worse => "Benchmarks that have got worse:",
            Self::NotComparable => "Benchmarks that are not comparable:",
            Self::NoVerdict => "Benchmarks without a verdict:",
        }
    }

    /// asv's mark decides where there is one, since its titles are asv's; else the verdict does.
    pub fn of(row: &Row) -> Self {
        match (row.mark, row.verdict) {
            (Mark::Incomparable, _) | (Mark::Blank, Verdict::NotComparable) => Self::NotComparable,
            (Mark::Worse | Mark::Broken, _) | (Mark::Blank, Verdict::Slower) => Self::Worse,
            (Mark::Better | Mark::Fixed, _) | (Mark::Blank, Verdict::Faster) => Self::Improved,
            (Mark::Blank, Verdict::Same) => Self::Same,
            (Mark::Blank, _) => Self::NoVerdict,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::row::{Alert, Cell};
    use crate::report::testing::{changed, row};

    fn names(rows: &[&Row]) -> Vec<String> {
        rows.iter().map(|row| display_name(row)).collect()
    }

    fn with_ratio(name: &str, ratio: Option<f64>) -> Row {
        Row { ratio, ..row(name) }
    }

    #[test]
    fn ratios_sort_as_numbers_and_stably() {
        let rows = [
            with_ratio("nine", Some(9.0)),
            with_ratio("none", None),
            with_ratio("ten", Some(10.0)),
            with_ratio("nan", Some(f64::NAN)),
            with_ratio("also nine", Some(9.0)),
            with_ratio("half", Some(0.5)),
        ];
        let mut sorted: Vec<&Row> = rows.iter().collect();
        sort(&mut sorted, Sort::Ratio);
        assert_eq!(
            names(&sorted),
            ["ten", "nine", "also nine", "half", "none", "nan"]
        );
    }

    #[test]
    fn names_sort_with_their_numbers() {
        let with_param = |name: &str, value: &str| Row {
            params: vec![("n".to_owned(), value.to_owned())],
            ..row(name)
        };
        let rows = [
            with_param("m.time_x", "100"),
            with_param("m.time_x", "20"),
            with_param("m.time_x", "3"),
            row("m.time_x"),
            row("m.time_10"),
            row("m.time_9"),
            row("m.time_009"),
            row("a.time"),
        ];
        let mut sorted: Vec<&Row> = rows.iter().collect();
        sort(&mut sorted, Sort::Name);
        assert_eq!(
            names(&sorted),
            [
                "a.time",
                "m.time_9",
                "m.time_009",
                "m.time_10",
                "m.time_x",
                "m.time_x(3)",
                "m.time_x(20)",
                "m.time_x(100)"
            ]
        );
        let mut kept: Vec<&Row> = rows.iter().collect();
        sort(&mut kept, Sort::Default);
        assert_eq!(kept, rows.iter().collect::<Vec<_>>());
    }

    #[test]
    fn only_what_changed_is_kept() {
        let with_mark = |mark: Mark| Row {
            mark,
            ..row("m.time")
        };
        assert!(!is_changed(&row("m.time")));
        assert!(is_changed(&changed("m.time", 1.0, 1.05, Verdict::Slower)));
        assert!(is_changed(&with_mark(Mark::Fixed)));
        assert!(is_changed(&with_mark(Mark::Broken)));
        assert!(!is_changed(&with_mark(Mark::Incomparable)));
        assert!(!is_changed(&changed(
            "m.time",
            1.0,
            1.3,
            Verdict::Inconclusive
        )));
        let alert = Some(Alert { limit: 1.1 });
        let alerted = Row {
            alert,
            ..changed("m.time", 1.0, 1.3, Verdict::Inconclusive)
        };
        assert!(is_changed(&alerted));
    }

    #[test]
    fn sections_follow_marks_then_verdicts() {
        let section = |mark: Mark, verdict: Verdict| {
            Section::of(&Row {
                mark,
                verdict,
                base: Cell::Missing,
                ..row("m.time")
            })
        };
        assert_eq!(section(Mark::Blank, Verdict::Same), Section::Same);
        assert_eq!(section(Mark::Blank, Verdict::Slower), Section::Worse);
        assert_eq!(section(Mark::Worse, Verdict::Inconclusive), Section::Worse);
        assert_eq!(section(Mark::Broken, Verdict::Failed), Section::Worse);
        assert_eq!(section(Mark::Blank, Verdict::Failed), Section::NoVerdict);
        assert_eq!(section(Mark::Fixed, Verdict::New), Section::Improved);
        assert_eq!(
            section(Mark::Blank, Verdict::Inconclusive),
            Section::NoVerdict
        );
        assert_eq!(
            section(Mark::Incomparable, Verdict::NotComparable),
            Section::NotComparable
        );
    }
}
