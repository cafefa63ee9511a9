//! The rows of a comparison in the order of the report: groups of one label and one set of
//! parameters, and within a group its statistics.

use std::collections::HashMap;

use crate::config::ReportSettings;

use super::labels::{Labels, function_name, group_path, is_execution_time};
use super::row::{MetricKind, Row};

/// Rows that share a label and parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Group<'a> {
    pub label: String,
    /// Name and string of each parameter.
    pub params: &'a [(String, String)],
    pub lines: Vec<Line<'a>>,
}

/// One row and the name of its statistic.
#[derive(Debug, Clone, PartialEq)]
pub struct Line<'a> {
    pub statistic: String,
    pub row: &'a Row,
}

/// Groups the rows. Groups follow the configured labels, then their first appearance; combinations
/// of one group follow their position; in a group come the execution time, the other times, the
/// configured statistics and the rest by what they measure.
pub fn groups<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
    settings: &ReportSettings,
) -> Vec<Group<'a>> {
    let labels = Labels::new(settings);
    let mut sorted: Vec<Sorted<'a>> = Vec::new();
    let mut appearances: HashMap<String, usize> = HashMap::new();
    for row in rows {
        let label = labels.group(&row.benchmark);
        let next = appearances.len();
        let appearance = *appearances.entry(label.text.clone()).or_insert(next);
        let statistic = labels.statistic(&row.benchmark);
        sorted.push(Sorted {
            group: (label.place, appearance),
            label: label.text,
            statistic: (order(row, statistic.place), row.benchmark.as_str()),
            statistic_label: statistic.text,
            row,
        });
    }
    collect(sorted)
}

/// A row with its keys.
struct Sorted<'a> {
    group: (usize, usize),
    label: String,
    statistic: (StatisticOrder, &'a str),
    statistic_label: String,
    row: &'a Row,
}

/// Smaller comes first.
type StatisticOrder = (u8, usize, MetricKind);

fn order(row: &Row, configured: usize) -> StatisticOrder {
    let rank = if is_execution_time(&row.benchmark, row.kind) {
        0
    } else if row.kind == MetricKind::Time {
        1
    } else {
        2
    };
    (rank, configured, row.kind)
}

fn collect(rows: Vec<Sorted<'_>>) -> Vec<Group<'_>> {
    type Key<'a> = ((usize, usize), &'a [(String, String)]);
    let mut places: HashMap<Key<'_>, usize> = HashMap::new();
    let mut found: Vec<(Key<'_>, Vec<Sorted<'_>>)> = Vec::new();
    for sorted in rows {
        let key: Key<'_> = (sorted.group, &sorted.row.params);
        let place = *places.entry(key).or_insert_with(|| {
            found.push((key, Vec::new()));
            found.len() - 1
        });
        found[place].1.push(sorted);
    }
    // Classes of one label may have other parameters: those with the same names stay together.
    let mut names: Vec<Vec<&str>> = Vec::new();
    found.sort_by_cached_key(|((group, params), members)| {
        let own: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
        let appearance = names.iter().position(|known| *known == own);
        let appearance = appearance.unwrap_or_else(|| {
            names.push(own);
            names.len() - 1
        });
        let position = members.iter().map(|member| member.row.combination).min();
        (*group, appearance, position)
    });
    found
        .into_iter()
        .map(|((_, params), mut members)| {
            members.sort_by_key(|member| member.statistic);
            let names = distinct_names(&members);
            let label = members
                .first()
                .map(|member| member.label.clone())
                .unwrap_or_default();
            let lines = members
                .iter()
                .zip(names)
                .map(|(member, statistic)| Line {
                    statistic,
                    row: member.row,
                })
                .collect();
            Group {
                label,
                params,
                lines,
            }
        })
        .collect()
}

/// Two benchmarks of a group never go by the same name: those that would are told apart by class
/// and function.
fn distinct_names(members: &[Sorted<'_>]) -> Vec<String> {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for member in members {
        *uses.entry(&member.statistic_label).or_default() += 1;
    }
    members
        .iter()
        .map(|member| {
            let label = &member.statistic_label;
            if uses[label.as_str()] == 1 {
                return label.clone();
            }
            let benchmark = &member.row.benchmark;
            let class = function_name(group_path(benchmark));
            format!("{label} ({class}.{})", function_name(benchmark))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{BenchmarkLabel, StatisticLabel};
    use crate::report::testing::row;

    fn settings(benchmarks: &[(&str, &str)], statistics: &[(&str, &str)]) -> ReportSettings {
        ReportSettings {
            benchmarks: benchmarks
                .iter()
                .map(|(pattern, label)| BenchmarkLabel {
                    matches: vec![(*pattern).to_owned()],
                    label: (*label).to_owned(),
                })
                .collect(),
            statistics: statistics
                .iter()
                .map(|(pattern, label)| StatisticLabel {
                    matches: vec![(*pattern).to_owned()],
                    label: (*label).to_owned(),
                    explanation: None,
                })
                .collect(),
        }
    }

    fn of_kind(benchmark: &str, kind: MetricKind) -> Row {
        Row {
            kind,
            ..row(benchmark)
        }
    }

    fn with_param(benchmark: &str, combination: usize, value: &str) -> Row {
        Row {
            combination,
            params: vec![("n".to_owned(), value.to_owned())],
            kind: if benchmark.contains("gpu") {
                MetricKind::GpuMemory
            } else {
                MetricKind::Time
            },
            ..row(benchmark)
        }
    }

    fn shown(rows: &[Row], settings: &ReportSettings) -> Vec<String> {
        groups(rows, settings)
            .iter()
            .map(|group| {
                let lines: Vec<&str> = group.lines.iter().map(|l| l.statistic.as_str()).collect();
                let params: Vec<&str> = group.params.iter().map(|(_, v)| v.as_str()).collect();
                format!(
                    "{}({}): {}",
                    group.label,
                    params.join(","),
                    lines.join(", ")
                )
            })
            .collect()
    }

    #[test]
    fn execution_time_comes_first_then_the_configured_order() {
        let rows = [
            of_kind("m.C.peakmem_run", MetricKind::Memory),
            of_kind("m.C.time_other", MetricKind::Time),
            of_kind("m.C.track_execution_time", MetricKind::Time),
            of_kind("m.C.track_gpu", MetricKind::GpuMemory),
            of_kind("m.C.track_n", MetricKind::Count),
            of_kind("m.C.track_warmup", MetricKind::Compile),
        ];
        assert_eq!(
            shown(&rows, &ReportSettings::default()),
            ["m.C(): execution time, other time, run peak memory, gpu, warmup, n"]
        );
        let configured = settings(&[], &[("track_warmup", "Compile"), ("track_gpu", "GPU")]);
        assert_eq!(
            shown(&rows, &configured),
            ["m.C(): execution time, other time, Compile, GPU, run peak memory, n"]
        );
    }

    #[test]
    fn label_and_parameters_make_a_group() {
        let rows = [
            with_param("a.Gpu.track_gpu", 0, "1"),
            with_param("a.Gpu.track_gpu", 1, "10"),
            row("a.Solo.time_x"),
            with_param("b.Cpu.time_run", 0, "1"),
            with_param("b.Cpu.time_run", 1, "10"),
        ];
        let configured = settings(&[("Cpu", "model"), ("Gpu", "model")], &[]);
        assert_eq!(
            shown(&rows, &configured),
            [
                "model(1): run time, gpu",
                "model(10): run time, gpu",
                "a.Solo(): x time"
            ]
        );
    }

    #[test]
    fn other_parameters_of_one_label_do_not_mix() {
        let with_name = |benchmark: &str, name: &str, combination: usize| Row {
            combination,
            params: vec![(name.to_owned(), combination.to_string())],
            ..row(benchmark)
        };
        let rows = [
            with_name("a.Precision.time_x", "tolerance", 0),
            with_name("a.Precision.time_x", "tolerance", 1),
            with_name("a.Solve.time_x", "points", 0),
            with_name("a.Solve.time_x", "points", 1),
        ];
        let configured = settings(&[("a.*", "solver")], &[]);
        let groups = groups(&rows, &configured);
        let names: Vec<&str> = groups.iter().map(|g| g.params[0].0.as_str()).collect();
        assert_eq!(names, ["tolerance", "tolerance", "points", "points"]);
    }

    #[test]
    fn unconfigured_groups_keep_the_order_of_appearance() {
        let rows = [row("z.time_a"), row("a.time_a"), row("m.C.time_a")];
        let configured = settings(&[("C", "first")], &[]);
        assert_eq!(
            shown(&rows, &configured),
            ["first(): a time", "z(): a time", "a(): a time"]
        );
    }

    #[test]
    fn equal_names_in_one_group_are_told_apart() {
        let rows = [row("m.A.time_run"), row("m.B.time_run"), row("m.B.time_x")];
        let configured = settings(&[("m.*", "all")], &[]);
        assert_eq!(
            shown(&rows, &configured),
            ["all(): run time (A.time_run), run time (B.time_run), x time"]
        );
    }
}
