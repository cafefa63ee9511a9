//! The table of the comment and the lines right under it.

use std::collections::HashMap;

use crate::config::{Better, ReportSettings};
use crate::json::Json;
use crate::report::escape;
use crate::report::group::{Group, groups};
use crate::report::labels::Labels;
use crate::report::row::{Cell, Comparison, Estimator, Row, Verdict};
use crate::report::shorten::shorten;
use crate::report::units::{self, Scale};

/// Longer parameters are cut in the middle.
const MOST_OF_A_PARAMETER: usize = 40;

/// Longer units, and values that are no numbers, are cut in the middle.
const MOST_OF_A_VALUE: usize = 60;

/// Longer reasons are cut in the middle.
const MOST_OF_A_REASON: usize = 120;

const ALERT: &str = "⚠️";
const FLOOR: &str = "†";

/// What each row is called outside the table, escaped: `label (n=5) — statistic`.
#[derive(Debug)]
pub(super) struct Names<'a>(HashMap<(&'a str, usize), String>);

impl<'a> Names<'a> {
    pub(super) fn new(comparison: &'a Comparison, settings: &ReportSettings) -> Self {
        let mut names = HashMap::with_capacity(comparison.rows.len());
        let groups = groups(&comparison.rows, settings);
        for (group, params) in groups.iter().zip(shown_params(&groups)) {
            for line in &group.lines {
                let name = format!(
                    "{} — {}",
                    group_heading(group, &params),
                    escape::text(&line.statistic)
                );
                names.insert((line.row.benchmark.as_str(), line.row.combination), name);
            }
        }
        Self(names)
    }

    pub(super) fn of(&self, row: &Row) -> String {
        self.0
            .get(&(row.benchmark.as_str(), row.combination))
            .cloned()
            .unwrap_or_else(|| escape::text(&row.benchmark))
    }
}

/// The rows that HEAD ran. `None` when there is none.
pub(super) fn table(comparison: &Comparison, settings: &ReportSettings) -> Option<String> {
    let rows = comparison.rows.iter().filter(|row| ran_on_head(row));
    let groups = groups(rows, settings);
    if groups.is_empty() {
        return None;
    }
    let params = shown_params(&groups);
    let mut lines = Vec::new();
    if comparison.base.is_some() {
        lines.push("| Benchmark | Statistic | before | after | Ratio | Alert |".to_owned());
        lines.push("|---|---|---:|---:|---:|:-:|".to_owned());
    } else {
        lines.push("| Benchmark | Statistic | HEAD |".to_owned());
        lines.push("|---|---|---:|".to_owned());
    }
    let limits = limits(comparison);
    for (group, params) in groups.iter().zip(params) {
        for (index, line) in group.lines.iter().enumerate() {
            let heading = if index == 0 {
                group_heading(group, &params)
            } else {
                String::new()
            };
            let mut cells = vec![heading, statistic(&line.statistic, line.row)];
            let scale = scale(line.row);
            if comparison.base.is_some() {
                cells.push(cell(&line.row.base, &scale));
                cells.push(cell(&line.row.head, &scale));
                cells.push(ratio(line.row));
                cells.push(alert(line.row, &limits, comparison));
            } else {
                cells.push(cell(&line.row.head, &scale));
            }
            lines.push(format!("| {} |", cells.join(" | ")));
        }
    }
    Some(lines.join("\n"))
}

/// Whether HEAD ran the benchmark; one that failed or was skipped there counts as run.
pub(super) fn ran_on_head(row: &Row) -> bool {
    row.head != Cell::Missing
}

fn group_heading(group: &Group<'_>, params: &str) -> String {
    let label = escape::text(&group.label);
    if params.is_empty() {
        label
    } else {
        format!("{label} ({params})")
    }
}

/// The parameters of each group, escaped: `n=5, kind='a'`. Two groups of one label that would read
/// the same once long texts are cut are numbered.
fn shown_params(groups: &[Group<'_>]) -> Vec<String> {
    let shown: Vec<String> = groups
        .iter()
        .map(|group| {
            let params: Vec<String> = group
                .params
                .iter()
                .map(|(name, value)| {
                    format!(
                        "{}={}",
                        escape::text(&shorten(name, MOST_OF_A_PARAMETER)),
                        escape::text(&shorten(value, MOST_OF_A_PARAMETER))
                    )
                })
                .collect();
            params.join(", ")
        })
        .collect();
    let mut uses: HashMap<(&str, &str), usize> = HashMap::new();
    for (group, params) in groups.iter().zip(&shown) {
        *uses.entry((&group.label, params)).or_default() += 1;
    }
    groups
        .iter()
        .zip(&shown)
        .map(|(group, params)| {
            let number = group.lines.first().map_or(0, |line| line.row.combination) + 1;
            if uses[&(group.label.as_str(), params.as_str())] > 1 {
                format!("{params}, combination {number}")
            } else {
                params.clone()
            }
        })
        .collect()
}

fn statistic(label: &str, row: &Row) -> String {
    let label = escape::text(label);
    match row.better {
        Better::Lower => label,
        Better::Higher => format!("{label} (higher is better)"),
    }
}

/// One scale for both sides.
fn scale(row: &Row) -> Scale {
    let unit = shorten(&row.unit, MOST_OF_A_VALUE);
    Scale::fitting(
        &unit,
        [&row.base, &row.head].into_iter().filter_map(Cell::as_f64),
    )
}

fn cell(cell: &Cell, scale: &Scale) -> String {
    let with_reason = |word: &str, reason: Option<&str>| match reason.map(str::trim) {
        Some(reason) if !reason.is_empty() => {
            format!("{word}: {}", escape::text(&one_line(reason)))
        }
        _ => word.to_owned(),
    };
    match cell {
        Cell::Number {
            value: value @ Json::BigInt(_),
            ..
        } => escape::text(&shorten(&scale.show(value), MOST_OF_A_VALUE)),
        Cell::Number { value, .. } => escape::text(&scale.show(value)),
        Cell::Other(value) => escape::text(&shorten(&plain(value), MOST_OF_A_VALUE)),
        Cell::Failed { reason } => with_reason("failed", reason.as_deref()),
        Cell::Skipped { reason } => with_reason("skipped", reason.as_deref()),
        Cell::Missing => "–".to_owned(),
    }
}

/// A text without its quotes, anything else as JSON.
fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        _ => crate::json::to_compact(value),
    }
}

/// A reason on one line, cut to what a table bears.
pub(super) fn one_line(reason: &str) -> String {
    let words: Vec<&str> = reason.split_whitespace().collect();
    shorten(&words.join(" "), MOST_OF_A_REASON)
}

fn ratio(row: &Row) -> String {
    let mut shown = units::ratio(row.ratio);
    if row.ratio.is_some() && row.estimator == Estimator::Floor {
        shown.push_str(FLOOR);
    }
    if row.verdict == Verdict::Slower {
        shown = format!("**{shown}**");
    }
    shown
}

/// The mark, with the limit where the table has several, and whether the regression is accepted.
fn alert(row: &Row, limits: &[String], comparison: &Comparison) -> String {
    let mut words = Vec::new();
    if let Some(alert) = row.alert {
        words.push(ALERT.to_owned());
        if limits.len() > 1 {
            words.push(units::ratio(Some(alert.limit)));
        }
    }
    if comparison.is_accepted(row) {
        words.push("accepted".to_owned());
    }
    words.join(" ")
}

/// The limits that were passed, each once, smallest first.
fn limits(comparison: &Comparison) -> Vec<String> {
    let mut limits: Vec<f64> = comparison
        .rows
        .iter()
        .filter(|row| ran_on_head(row))
        .filter_map(|row| row.alert)
        .map(|alert| alert.limit)
        .collect();
    limits.sort_by(f64::total_cmp);
    let mut shown: Vec<String> = limits
        .into_iter()
        .map(|limit| units::ratio(Some(limit)))
        .collect();
    shown.dedup();
    shown
}

/// What the statistics and the signs of the table mean.
pub(super) fn legend(comparison: &Comparison, settings: &ReportSettings) -> Option<String> {
    let mut lines = explanations(comparison, settings);
    if comparison.base.is_some() {
        lines.extend(signs(comparison));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The configured explanations of the statistics, in the configured order.
fn explanations(comparison: &Comparison, settings: &ReportSettings) -> Vec<String> {
    let labels = Labels::new(settings);
    let mut found: Vec<(usize, String)> = comparison
        .rows
        .iter()
        .filter(|row| ran_on_head(row))
        .filter_map(|row| {
            let explanation = labels.explanation(&row.benchmark)?;
            let label = labels.statistic(&row.benchmark);
            let line = format!(
                "- **{}** — {}",
                escape::text(&label.text),
                escape::text(explanation)
            );
            Some((label.place, line))
        })
        .collect();
    found.sort();
    found.dedup();
    found.into_iter().map(|(_, line)| line).collect()
}

fn signs(comparison: &Comparison) -> Vec<String> {
    let mut lines = Vec::new();
    let limits = limits(comparison);
    if let [limit] = limits.as_slice() {
        lines.push(format!(
            "- {ALERT} — the ratio is beyond its limit of {limit}"
        ));
    } else if !limits.is_empty() {
        lines.push(format!(
            "- {ALERT} — the ratio is beyond the limit next to it"
        ));
    }
    let floor = |row: &Row| row.estimator == Estimator::Floor && row.ratio.is_some();
    if comparison
        .rows
        .iter()
        .any(|row| ran_on_head(row) && floor(row))
    {
        lines.push(format!(
            "- {FLOOR} — from the fastest samples of each process, so not exactly the ratio of the \
             medians shown"
        ));
    }
    lines
}
