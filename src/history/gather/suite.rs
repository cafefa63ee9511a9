//! `benchmarks.json` of a history: what either suite has, without what was renamed or retired.

use crate::history::HistoryError;
use crate::history::normaliser::is_retired;
use crate::history::renames::Renames;
use crate::results::{BenchmarkIndex, Store};

use super::Gathering;
use super::settle::Outcome;

/// Writes the benchmarks of both; the local records count.
pub(super) fn combine(
    gathering: &Gathering<'_>,
    renames: &Renames,
    all: &mut Outcome,
) -> Result<(), HistoryError> {
    let stored = match gathering.target.load_benchmarks() {
        Ok(index) => index,
        Err(problem) => {
            all.merged.problems.push(problem);
            return Ok(());
        }
    };
    let mut index = stored.clone();
    match gathering.local.map(Store::load_benchmarks) {
        Some(Ok(local)) => index.benchmarks.extend(local.benchmarks),
        Some(Err(problem)) => all.merged.problems.push(problem),
        None => {}
    }
    let rules = gathering.settings.rules;
    let apart: Vec<&String> = all.report.kept_apart.keys().map(|(old, _)| old).collect();
    let before = index.benchmarks.len();
    let kept: BenchmarkIndex = index
        .benchmarks
        .values()
        .filter(|record| {
            let retired = rules.retired && is_retired(&record.name, &gathering.settings.retired);
            let new_name = renames.new_name(&record.name).filter(|_| rules.renames);
            let renamed = new_name.is_some_and(|new| index.benchmarks.contains_key(new))
                && !apart.contains(&&record.name);
            !retired && !renamed
        })
        .cloned()
        .collect();
    if kept != stored {
        gathering.target.replace_benchmarks(&kept)?;
        all.report.written += usize::from(kept.benchmarks.len() < before);
    }
    Ok(())
}
