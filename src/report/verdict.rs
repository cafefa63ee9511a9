//! One sentence for a whole comparison, and what it amounts to.

use std::collections::HashSet;

use super::row::{Comparison, Row, Strength, Verdict};
use super::units::{percent, ratio};

/// More names than this are counted instead of listed.
const MOST_NAMES: usize = 3;

/// How many rows got each verdict, and what could have been seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Rows of the comparison.
    pub rows: usize,
    /// In the order of [`Verdict::ALL`], those that occur.
    pub counts: Vec<(Verdict, usize)>,
    /// Ratios beyond their limit, whatever their verdict.
    pub alerts: usize,
    pub resolution: Option<Resolution>,
    /// Verdicts from a prior or from one process a side.
    pub weak: usize,
}

/// The smallest changes that would have been called, over all rows that have one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resolution {
    pub smallest: f64,
    pub median: f64,
    pub largest: f64,
    /// Rows with a resolution.
    pub rows: usize,
}

impl Summary {
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Self {
        let mut summary = Self {
            rows: 0,
            counts: Verdict::ALL.map(|verdict| (verdict, 0)).to_vec(),
            alerts: 0,
            resolution: None,
            weak: 0,
        };
        let mut resolutions = Vec::new();
        for row in rows {
            summary.rows += 1;
            summary.alerts += usize::from(row.alert.is_some());
            summary.weak += usize::from(is_weak(row));
            for (verdict, count) in &mut summary.counts {
                *count += usize::from(*verdict == row.verdict);
            }
            resolutions.extend(row.confidence.map(|confidence| confidence.resolution));
        }
        summary.counts.retain(|(_, count)| *count > 0);
        summary.resolution = Resolution::of(resolutions);
        summary
    }

    /// Rows with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.counts
            .iter()
            .find(|(counted, _)| *counted == verdict)
            .map_or(0, |(_, count)| *count)
    }
}

impl Resolution {
    fn of(mut resolutions: Vec<f64>) -> Option<Self> {
        resolutions.retain(|resolution| resolution.is_finite());
        resolutions.sort_by(f64::total_cmp);
        let (first, last) = (*resolutions.first()?, *resolutions.last()?);
        let count = resolutions.len();
        let median = f64::midpoint(resolutions[(count - 1) / 2], resolutions[count / 2]);
        Some(Self {
            smallest: first,
            median,
            largest: last,
            rows: count,
        })
    }
}

fn is_weak(row: &Row) -> bool {
    row.confidence
        .is_some_and(|confidence| confidence.strength == Strength::Weak)
}

/// The verdict that needs most attention. Without a single row nothing was measured, and that is
/// the verdict: an empty comparison is never good.
pub fn worst(rows: &[Row]) -> Verdict {
    rows.iter()
        .map(|row| row.verdict)
        .max_by_key(|verdict| verdict.severity())
        .unwrap_or(Verdict::NotMeasured)
}

/// Whether at least one row says something about HEAD: it has a value there.
pub fn measured_something(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.head.is_value())
}

/// The sentence that heads a report. `name` says what a row is called where the sentence goes.
pub fn sentence(comparison: &Comparison, name: impl Fn(&Row) -> String) -> String {
    let rows = &comparison.rows;
    let noun = noun(rows);
    if comparison.base.is_none() {
        return without_baseline(rows, noun);
    }
    if !measured_something(rows) {
        return nothing_measured(rows, noun);
    }
    let summary = Summary::of(rows);
    let mut clauses = Vec::new();
    for &(verdict, count) in &summary.counts {
        let of = if clauses.is_empty() {
            format!(" of {} {}", rows.len(), plural(noun, rows.len()))
        } else {
            String::new()
        };
        let mut clause = format!("{count}{of} {}", predicate(verdict, count));
        if names_its_rows(verdict) {
            clause.push_str(": ");
            clause.push_str(&names(rows, verdict, &name));
        }
        clauses.push(clause);
    }
    if summary.alerts > 0 {
        clauses.push(format!(
            "{} beyond {} limit",
            counted(summary.alerts, "ratio is", "ratios are"),
            if summary.alerts == 1 { "its" } else { "their" }
        ));
    }
    let accepted = comparison.count_accepted();
    if accepted > 0 {
        clauses.push(counted(
            accepted,
            "regression is accepted",
            "regressions are accepted",
        ));
    }
    clauses.push(resolution_clause(&summary));
    let judged = [Verdict::Slower, Verdict::Faster, Verdict::Same]
        .iter()
        .any(|verdict| summary.count(*verdict) > 0);
    let start = if judged { "" } else { "No verdict: " };
    format!("{start}{}.", clauses.join("; "))
}

/// What could have been seen: `could have seen 1.8 %`.
fn resolution_clause(summary: &Summary) -> String {
    let Some(resolution) = summary.resolution else {
        return "how small a change could have been seen is unknown, for want of statistics"
            .to_owned();
    };
    let median = percent(resolution.median);
    let (smallest, largest) = (percent(resolution.smallest), percent(resolution.largest));
    let mut clause = format!("could have seen {median}");
    if smallest != largest {
        clause = format!("{clause} (the median of {smallest} to {largest})");
    }
    if resolution.rows < summary.rows {
        clause = format!("{clause} in {} of {}", resolution.rows, summary.rows);
    }
    if summary.weak > 0 {
        let which = if summary.weak == summary.rows {
            "weak: "
        } else {
            "some of it weak: "
        };
        clause = format!("{clause} ({which}too little history or too few processes)");
    }
    clause
}

fn without_baseline(rows: &[Row], noun: &str) -> String {
    let summary = Summary::of(rows);
    let values = rows.iter().filter(|row| row.head.is_value()).count();
    let mut clauses = vec![if values == 0 {
        "nothing was measured on HEAD".to_owned()
    } else {
        format!(
            "{values} {} measured on HEAD",
            if values == 1 {
                format!("{noun} was")
            } else {
                format!("{noun}s were")
            }
        )
    }];
    for verdict in [Verdict::Failed, Verdict::Skipped] {
        let count = summary.count(verdict);
        if count > 0 {
            clauses.push(format!("{count} {}", predicate(verdict, count)));
        }
    }
    format!(
        "No comparison was possible, since there is no result to compare with; {}.",
        clauses.join("; ")
    )
}

fn nothing_measured(rows: &[Row], noun: &str) -> String {
    if rows.is_empty() {
        return "Nothing was measured: no benchmark has a result on HEAD, so nothing can be said \
                about its speed."
            .to_owned();
    }
    let counts: Vec<String> = Summary::of(rows)
        .counts
        .iter()
        .map(|(verdict, count)| format!("{count} {}", predicate(*verdict, *count)))
        .collect();
    format!(
        "Nothing was measured: of {} {}, {}, so nothing can be said about the speed of HEAD.",
        rows.len(),
        plural(noun, rows.len()),
        counts.join(", ")
    )
}

fn predicate(verdict: Verdict, count: usize) -> &'static str {
    let one = count == 1;
    match verdict {
        Verdict::Slower => "got slower",
        Verdict::Faster => "got faster",
        Verdict::Same => "stayed the same",
        Verdict::Inconclusive if one => "is inconclusive",
        Verdict::Inconclusive => "are inconclusive",
        Verdict::NotComparable if one => "is not comparable",
        Verdict::NotComparable => "are not comparable",
        Verdict::NotMeasured if one => "was not measured",
        Verdict::NotMeasured => "were not measured",
        Verdict::NotNeeded if one => "was not needed",
        Verdict::NotNeeded => "were not needed",
        Verdict::Failed => "failed",
        Verdict::Skipped if one => "was skipped",
        Verdict::Skipped => "were skipped",
        Verdict::New if one => "is new",
        Verdict::New => "are new",
        Verdict::Gone if one => "is gone",
        Verdict::Gone => "are gone",
    }
}

/// The verdicts whose rows the sentence names.
fn names_its_rows(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Slower | Verdict::Faster | Verdict::Failed)
}

/// The rows of a verdict, those that changed most first: `a (1.30), b (1.10) and 2 more`.
fn names(rows: &[Row], verdict: Verdict, name: &impl Fn(&Row) -> String) -> String {
    let mut found: Vec<&Row> = rows.iter().filter(|row| row.verdict == verdict).collect();
    let effect = |row: &Row| row.ratio.map_or(0.0, |ratio| ratio.ln().abs());
    found.sort_by(|a, b| effect(b).total_cmp(&effect(a)));
    let mut listed: Vec<String> = found
        .iter()
        .take(MOST_NAMES)
        .map(|row| match row.ratio {
            Some(value) => format!("{} ({})", name(row), ratio(Some(value))),
            None => name(row),
        })
        .collect();
    if found.len() > MOST_NAMES {
        return format!(
            "{} and {} more",
            listed.join(", "),
            found.len() - MOST_NAMES
        );
    }
    match listed.pop() {
        Some(last) if !listed.is_empty() => format!("{} and {last}", listed.join(", ")),
        Some(last) => last,
        None => String::new(),
    }
}

/// Rows are benchmarks unless one of them has several combinations of parameters.
fn noun(rows: &[Row]) -> &'static str {
    let distinct: HashSet<&str> = rows.iter().map(|row| row.benchmark.as_str()).collect();
    if distinct.len() == rows.len() {
        "benchmark"
    } else {
        "result"
    }
}

fn plural(noun: &str, count: usize) -> String {
    if count == 1 {
        noun.to_owned()
    } else {
        format!("{noun}s")
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests;
