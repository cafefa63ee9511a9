//! Benchmarks that an earlier discovery knew and that this one cannot see, since their module (or
//! their class) fails when it is imported. They have failed, and that is filed like any failure.

use crate::results::{
    BenchmarkIndex, BenchmarkProvenance, BenchmarkResult, Failure, FailureKind, Value,
};
use crate::suite::{Benchmark, select};
use crate::worker::ModuleError;

use super::event::Finished;
use super::failure::one_line;
use super::record::module_name;

/// The benchmarks of `known` that lie in what could not be imported, as far as the patterns select
/// them. `present` are those that were discovered.
pub fn unimportable(
    known: &BenchmarkIndex,
    present: &[Benchmark],
    errors: &[ModuleError],
    patterns: &[String],
    unix_millis: i64,
) -> Vec<Finished> {
    let gone: Vec<(Benchmark, &ModuleError)> = known
        .benchmarks
        .values()
        .filter(|record| !present.iter().any(|one| one.name() == record.name))
        .filter_map(|record| {
            let error = errors.iter().find(|error| holds(error, &record.name))?;
            let benchmark = Benchmark {
                record: record.clone(),
                ..Benchmark::default()
            };
            Some((benchmark, error))
        })
        .collect();
    let benchmarks: Vec<Benchmark> = gone.iter().map(|(one, _)| one.clone()).collect();
    // Patterns that are wrong were said to be so when the suite itself was searched.
    let selected = select(&benchmarks, patterns).unwrap_or_default();
    selected
        .into_iter()
        .filter_map(|one| {
            let (_, error) = gone
                .iter()
                .find(|(gone, _)| gone.name() == one.benchmark.name())?;
            Some(failed(one.benchmark, one.combinations, error, unix_millis))
        })
        .collect()
}

/// Whether a benchmark of this name lies in what failed.
fn holds(error: &ModuleError, name: &str) -> bool {
    let outer = module_name(error);
    // An error of the package itself has no name, and then there is no discovery at all.
    !outer.is_empty()
        && name
            .strip_prefix(outer.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn failed(
    benchmark: Benchmark,
    combinations: Vec<usize>,
    error: &ModuleError,
    unix_millis: i64,
) -> Finished {
    let failure = Failure {
        kind: FailureKind::Import,
        message: format!(
            "{} cannot be imported: {}",
            module_name(error),
            one_line(&error.error)
        ),
        details: error.error.traceback.trim_end().to_owned(),
    };
    let all = benchmark.combinations();
    let chosen = |index: &usize| combinations.contains(index);
    Finished {
        result: BenchmarkResult {
            values: (0..all)
                .map(|index| {
                    if chosen(&index) {
                        Value::Failed
                    } else {
                        Value::Skipped
                    }
                })
                .collect(),
            params: benchmark.record.params.clone(),
            version: benchmark.record.version.clone(),
            started_at: Some(unix_millis),
            ..BenchmarkResult::default()
        },
        provenance: BenchmarkProvenance {
            failures: (0..all)
                .map(|index| chosen(&index).then(|| failure.clone()))
                .collect(),
            ..BenchmarkProvenance::default()
        },
        benchmark,
        combinations,
        output: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::testing::{axis, selected};
    use crate::worker::PythonError;

    fn index(names: &[&str]) -> BenchmarkIndex {
        let record = |name: &str| {
            selected(name, |b| b.record.params = vec![axis(&["1", "2"])])
                .benchmark
                .record
        };
        BenchmarkIndex {
            benchmarks: names
                .iter()
                .map(|name| ((*name).to_owned(), record(name)))
                .collect(),
        }
    }

    fn error(module: &str, object: Option<&str>) -> ModuleError {
        ModuleError {
            module: module.to_owned(),
            object: object.map(str::to_owned),
            error: PythonError {
                class: "ImportError".to_owned(),
                message: "no".to_owned(),
                traceback: "Traceback\n".to_owned(),
            },
        }
    }

    fn names(known: &[&str], errors: &[ModuleError], patterns: &[&str]) -> Vec<String> {
        let present = [selected("bad.still_here", |_| {}).benchmark];
        let patterns: Vec<String> = patterns.iter().map(|p| (*p).to_owned()).collect();
        unimportable(&index(known), &present, errors, &patterns, 7)
            .iter()
            .map(|finished| finished.benchmark.name().to_owned())
            .collect()
    }

    #[test]
    fn what_the_failed_module_held_has_failed() {
        let known = [
            "bad.time_x",
            "bad.still_here",
            "badly.time_y",
            "good.time_z",
        ];
        assert_eq!(names(&known, &[error("bad", None)], &[]), ["bad.time_x"]);
        assert_eq!(names(&known, &[error("", None)], &[]), [""; 0]);
        let classes = ["m.A.time_x", "m.B.time_x"];
        let errors = [error("m", Some("A"))];
        assert_eq!(names(&classes, &errors, &[]), ["m.A.time_x"]);
        assert_eq!(names(&classes, &errors, &["B"]), [""; 0]);
    }

    #[test]
    fn the_selected_combinations_carry_the_reason() {
        let patterns = [r"\(2\)".to_owned()];
        let found = unimportable(
            &index(&["bad.time_x"]),
            &[],
            &[error("bad", None)],
            &patterns,
            7,
        );
        assert_eq!(found[0].combinations, [1]);
        assert_eq!(found[0].result.values, [Value::Skipped, Value::Failed]);
        let failure = found[0].provenance.failures[1].as_ref().unwrap();
        assert_eq!(failure.kind, FailureKind::Import);
        assert_eq!(failure.message, "bad cannot be imported: ImportError: no");
        assert_eq!(failure.details, "Traceback");
        assert_eq!(found[0].provenance.failures[0], None);
    }
}
