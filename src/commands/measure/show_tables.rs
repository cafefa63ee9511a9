//! The results of a run that files nothing, and the slowest benchmarks of any run.

use crate::commands::progress::{one_line, spread};
use crate::json::to_compact;
use crate::report::units;
use crate::results::Value;
use crate::run::{Finished, Outcome};

/// A line for each selected combination: its value and its name.
pub(super) fn results_table(outcome: &Outcome) -> String {
    let mut finished: Vec<&Finished> = outcome.finished.iter().collect();
    finished.sort_by(|a, b| a.benchmark.name().cmp(b.benchmark.name()));
    let rows: Vec<(String, String)> = finished
        .into_iter()
        .flat_map(|finished| {
            finished.combinations.iter().map(|index| {
                let name = finished.benchmark.record.display_name(*index);
                (cell(finished, *index), one_line(&name))
            })
        })
        .collect();
    aligned(&rows)
}

/// The `most` slowest benchmarks and the sum of all, as asv's `--durations`.
pub(super) fn durations_table(outcome: &Outcome, most: usize) -> String {
    let mut durations: Vec<(&str, f64)> = outcome
        .finished
        .iter()
        .filter_map(|finished| Some((finished.benchmark.name(), finished.result.duration?)))
        .chain(outcome.durations.iter().map(|(key, s)| (key.as_str(), *s)))
        .collect();
    durations.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let total: f64 = durations.iter().map(|(_, seconds)| seconds).sum();
    let mut rows: Vec<(String, String)> = durations
        .iter()
        .take(most)
        .map(|(name, seconds)| (units::asv::time(*seconds, None), one_line(name)))
        .collect();
    if durations.len() > most {
        rows.push(("...".to_owned(), "...".to_owned()));
    }
    rows.push((units::asv::time(total, None), "total".to_owned()));
    aligned(&rows)
}

fn cell(finished: &Finished, index: usize) -> String {
    let stats = finished.result.stats.get(index).and_then(Option::as_ref);
    let spread = stats.and_then(spread);
    match finished.result.values.get(index) {
        Some(Value::Number(number)) => {
            units::asv::value(Some(number), &finished.benchmark.record.unit, spread)
        }
        Some(Value::Other(value)) => one_line(&to_compact(value)),
        Some(Value::Skipped) => "skipped".to_owned(),
        Some(Value::Failed) | None => "failed".to_owned(),
    }
}

/// Two columns, the first to the right.
fn aligned(rows: &[(String, String)]) -> String {
    let width = rows.iter().map(|(left, _)| left.chars().count()).max();
    let width = width.unwrap_or(0);
    let lines: Vec<String> = rows
        .iter()
        .map(|(left, right)| format!("{left:>width$}  {right}"))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;
    use crate::results::{BenchmarkProvenance, BenchmarkRecord, BenchmarkResult};
    use crate::suite::Benchmark;

    fn finished(name: &str, values: Vec<Value>, duration: f64) -> Finished {
        let params = (1..=values.len()).map(|value| value.to_string()).collect();
        Finished {
            combinations: (0..values.len()).collect(),
            benchmark: Benchmark {
                record: BenchmarkRecord {
                    name: name.to_owned(),
                    unit: "seconds".to_owned(),
                    params: if values.len() > 1 {
                        vec![params]
                    } else {
                        vec![]
                    },
                    ..BenchmarkRecord::default()
                },
                ..Benchmark::default()
            },
            result: BenchmarkResult {
                values,
                duration: Some(duration),
                ..BenchmarkResult::default()
            },
            provenance: BenchmarkProvenance::default(),
            output: String::new(),
        }
    }

    fn outcome() -> Outcome {
        let seconds = |value: f64| Value::Number(Json::Float(value));
        Outcome {
            finished: vec![
                finished("b", vec![Value::Failed], 5.0),
                finished("a", vec![seconds(0.5), Value::Skipped], 2.0),
            ],
            durations: [("<setup_cache m:1>".to_owned(), 3.0)]
                .into_iter()
                .collect(),
            ..Outcome::default()
        }
    }

    #[test]
    fn every_selected_combination_has_a_line() {
        assert_eq!(
            results_table(&outcome()),
            "  500ms  a(1)\nskipped  a(2)\n failed  b"
        );
    }

    #[test]
    fn the_slowest_come_first() {
        assert_eq!(
            durations_table(&outcome(), 2),
            "5.00s  b\n3.00s  <setup_cache m:1>\n  ...  ...\n10.0s  total"
        );
        assert_eq!(durations_table(&outcome(), usize::MAX).lines().count(), 4);
    }
}
