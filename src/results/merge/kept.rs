//! What a run did not measure and the file has: it is kept, combination by combination.

use crate::results::{BenchmarkProvenance, BenchmarkResult, Value};

/// A new row in which combinations that were not measured are what the old one of the same version
/// has for the same parameters: failed where it does not have them.
pub(super) fn merged(
    old: Option<&BenchmarkResult>,
    new: &BenchmarkResult,
    selected: Option<&[usize]>,
) -> BenchmarkResult {
    let mut merged = new.clone();
    let Some(old) = old.filter(|old| old.version == new.version) else {
        return merged;
    };
    merged.profile = new.profile.clone().or_else(|| old.profile.clone());
    let Some(selected) = selected else {
        return merged;
    };
    let has_samples = merged.samples.iter().any(Option::is_some);
    let combinations = new.combinations();
    let kept: Vec<(usize, Option<usize>)> = unselected(combinations, selected)
        .map(|index| (index, position_in(old, new, index)))
        .collect();
    merged.values.resize(combinations, Value::Failed);
    merged.stats.resize(combinations, None);
    merged.samples.resize(combinations, None);
    for (index, position) in kept {
        let kept = position.and_then(|position| old.values.get(position));
        merged.values[index] = kept.cloned().unwrap_or(Value::Failed);
        merged.stats[index] = cell(&old.stats, position);
        // Without new samples the benchmark's old ones go too, as in asv.
        merged.samples[index] = cell(&old.samples, position).filter(|_| has_samples);
    }
    merged
}

fn cell<T: Clone>(cells: &[Option<T>], position: Option<usize>) -> Option<T> {
    cells.get(position?).cloned().flatten()
}

/// The facts of a benchmark, with those of combinations that were not measured from the file.
pub(super) fn merged_provenance(
    old: Option<(&BenchmarkResult, BenchmarkProvenance)>,
    new_row: &BenchmarkResult,
    mut new: BenchmarkProvenance,
    selected: Option<&[usize]>,
) -> BenchmarkProvenance {
    let Some((old_row, old)) = old.filter(|(row, _)| row.version == new_row.version) else {
        return new;
    };
    let Some(selected) = selected else {
        return new;
    };
    let combinations = new_row.combinations();
    new.failures.resize(combinations, None);
    new.process_sizes.resize(combinations, Vec::new());
    for index in unselected(combinations, selected) {
        let position = position_in(old_row, new_row, index);
        new.failures[index] = cell(&old.failures, position);
        new.process_sizes[index] = position
            .and_then(|position| old.process_sizes.get(position).cloned())
            .unwrap_or_default();
    }
    for flag in old.flags {
        if !new.flags.contains(&flag) {
            new.flags.push(flag);
        }
    }
    for (name, fact) in old.facts {
        new.facts.entry(name).or_insert(fact);
    }
    new
}

/// Where the old row has the combination that stands at `index` in the new one.
fn position_in(old: &BenchmarkResult, new: &BenchmarkResult, index: usize) -> Option<usize> {
    if old.params == new.params {
        return Some(index);
    }
    old.position(&new.combination(index))
}

fn unselected(combinations: usize, selected: &[usize]) -> impl Iterator<Item = usize> {
    (0..combinations).filter(|index| !selected.contains(index))
}
