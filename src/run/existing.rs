//! `--skip-existing-successful` and `--skip-existing-failed`: what the result file has already.

use crate::results::{ResultSet, Value};
use crate::suite::{Benchmark, Selected};

use super::earlier::{positions, same_version};

/// Which benchmarks are passed over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SkipExisting {
    pub successful: bool,
    pub failed: bool,
}

/// Takes out of `selected` what is not to be measured again. Returns the names taken out.
///
/// As in asv a benchmark counts as a whole: as failed if any of its combinations failed; one that
/// was skipped or not selected is no failure.
pub fn take_out_existing(
    selected: &mut Vec<Selected>,
    existing: &ResultSet,
    skip: SkipExisting,
) -> Vec<String> {
    let mut taken = Vec::new();
    selected.retain(|one| {
        let out = match failed_before(existing, &one.benchmark) {
            Some(true) => skip.failed,
            Some(false) => skip.successful,
            None => false,
        };
        if out {
            taken.push(one.benchmark.name().to_owned());
        }
        !out
    });
    taken
}

/// Whether the stored result of `benchmark` holds a failure; `None` if there is no result of its
/// version.
fn failed_before(existing: &ResultSet, benchmark: &Benchmark) -> Option<bool> {
    let result = existing.results.get(benchmark.name())?;
    if !same_version(result, benchmark) {
        return None;
    }
    Some(positions(result, benchmark).into_iter().any(|position| {
        position
            .and_then(|at| result.values.get(at))
            .is_none_or(|value| *value == Value::Failed)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;
    use crate::results::BenchmarkResult;
    use crate::run::testing::{axis, selected};

    fn existing() -> ResultSet {
        let result = |values: Vec<Value>, version: &str| BenchmarkResult {
            values,
            version: Some(version.to_owned()),
            ..BenchmarkResult::default()
        };
        let number = || Value::Number(Json::Int(1));
        ResultSet {
            results: [
                ("bad".to_owned(), result(vec![Value::Failed], "v")),
                ("good".to_owned(), result(vec![number()], "v")),
                ("old".to_owned(), result(vec![number()], "older")),
                ("skipped".to_owned(), result(vec![Value::Skipped], "v")),
                ("grown".to_owned(), {
                    let mut result = result(vec![number()], "v");
                    result.params = vec![axis(&["1"])];
                    result
                }),
            ]
            .into_iter()
            .collect(),
            ..ResultSet::default()
        }
    }

    fn left(skip: SkipExisting) -> Vec<String> {
        let names = ["bad", "good", "new", "old", "skipped"];
        let mut chosen: Vec<Selected> = names.iter().map(|name| selected(name, |_| {})).collect();
        chosen.push(selected("grown", |b| {
            b.record.params = vec![axis(&["1", "2"])];
        }));
        take_out_existing(&mut chosen, &existing(), skip);
        chosen
            .iter()
            .map(|one| one.benchmark.name().to_owned())
            .collect()
    }

    #[test]
    fn takes_out_what_is_there_and_asked_for() {
        let skip = |successful, failed| SkipExisting { successful, failed };
        assert_eq!(
            left(skip(true, false)),
            ["bad", "new", "old", "grown"],
            "a benchmark with a combination that has no value yet counts as failed, as in asv"
        );
        assert_eq!(left(skip(false, true)), ["good", "new", "old", "skipped"]);
        assert_eq!(left(skip(true, true)), ["new", "old"]);
        assert_eq!(left(skip(false, false)).len(), 6);
    }
}
