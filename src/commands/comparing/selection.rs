//! Which benchmarks HEAD's run could have measured, and which of them pull requests leave out.

use crate::config::Settings;
use crate::results::{BenchmarkIndex, LeftOut, ResultSet};
use crate::suite::Pattern;

/// What HEAD's record says about benchmarks without a result or, where it says nothing, what
/// `pr.bench` and `benchmarks.json` make likely.
pub(super) struct Selection<'a> {
    recorded: Option<LeftOut>,
    index: &'a BenchmarkIndex,
    pr_bench: Vec<Pattern>,
}

impl<'a> Selection<'a> {
    pub(super) fn new(head: &ResultSet, index: &'a BenchmarkIndex, settings: &Settings) -> Self {
        Self {
            recorded: head.provenance.as_ref().and_then(LeftOut::of),
            index,
            pr_bench: settings
                .pr_bench
                .iter()
                .map(|text| Pattern::new(text))
                .collect(),
        }
    }

    /// Whether HEAD's suite has the benchmark of this name.
    pub(super) fn is_in_suite(&self, name: &str) -> bool {
        match &self.recorded {
            Some(left_out) if left_out.not_selected.contains(name) => true,
            Some(left_out) if left_out.departed.contains(name) => false,
            _ => self.index.benchmarks.contains_key(name),
        }
    }

    /// Whether `name` or `name(p1, p2)` is one that is measured on pull requests. What a run left
    /// out for another reason, such as its `--bench`, counts as selected: it was not run.
    pub(super) fn is_for_pull_requests(&self, display_name: &str) -> bool {
        if let Some(left_out) = &self.recorded {
            let names = &left_out.not_selected;
            let is_named = names.contains(display_name)
                || display_name
                    .match_indices('(')
                    .any(|(at, _)| names.contains(&display_name[..at]));
            if !is_named {
                return true;
            }
        }
        let found = |pattern: &Pattern| {
            pattern.is_literally(display_name) || pattern.found_in(display_name).unwrap_or(false)
        };
        self.pr_bench.is_empty() || self.pr_bench.iter().any(found)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::results::{BenchmarkRecord, Provenance};

    fn index() -> BenchmarkIndex {
        let mut index = BenchmarkIndex::default();
        for name in ["m.time_a", "m.time_old"] {
            index
                .benchmarks
                .insert(name.to_owned(), BenchmarkRecord::default());
        }
        index
    }

    fn head(left_out: Option<LeftOut>) -> ResultSet {
        let mut provenance = Provenance::default();
        if let Some(left_out) = left_out {
            left_out.record(&mut provenance);
        }
        ResultSet {
            provenance: Some(provenance),
            ..ResultSet::default()
        }
    }

    #[test]
    fn the_record_knows_best() {
        let names = |names: &[&str]| -> BTreeSet<String> {
            names.iter().map(|&name| name.to_owned()).collect()
        };
        let left_out = LeftOut {
            not_selected: names(&["m.time_log"]),
            departed: names(&["m.time_old"]),
        };
        let index = index();
        let settings = Settings {
            pr_bench: vec!["^(?!.*log)".to_owned()],
            ..Settings::default()
        };
        let selection = Selection::new(&head(Some(left_out.clone())), &index, &settings);
        assert!(selection.is_in_suite("m.time_a"));
        assert!(selection.is_in_suite("m.time_log"));
        assert!(!selection.is_in_suite("m.time_old"));
        assert!(!selection.is_in_suite("m.time_never"));
        assert!(selection.is_for_pull_requests("m.time_a"));
        assert!(!selection.is_for_pull_requests("m.time_log"));
        assert!(!selection.is_for_pull_requests("m.time_log(1)"));
        assert!(selection.is_for_pull_requests("m.time_logarithm"));
        // Left out by `--bench` alone.
        let settings = Settings::default();
        let selection = Selection::new(&head(Some(left_out)), &index, &settings);
        assert!(selection.is_for_pull_requests("m.time_log(1)"));
    }

    #[test]
    fn without_a_record_the_configuration_decides() {
        let index = index();
        let settings = Settings {
            pr_bench: vec!["^(?!.*old)".to_owned()],
            ..Settings::default()
        };
        let selection = Selection::new(&head(None), &index, &settings);
        assert!(selection.is_in_suite("m.time_old"));
        assert!(selection.is_for_pull_requests("m.time_a"));
        assert!(!selection.is_for_pull_requests("m.time_old"));
        let all = Selection::new(&head(None), &index, &Settings::default());
        assert!(all.is_for_pull_requests("m.time_old"));
    }
}
