//! What normalising did, rule by rule.

use std::collections::{BTreeMap, BTreeSet};

/// Counts are of result files, unless something else is said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NormaliseReport {
    /// Files that were read.
    pub files: usize,
    /// Files that were written.
    pub written: usize,
    /// By machine: files that took its present description, and the facts that changed.
    pub machines: BTreeMap<String, (usize, BTreeSet<String>)>,
    /// Stamps of versions that were taken off.
    pub stamps: usize,
    /// By old and new name.
    pub renamed: BTreeMap<(String, String), usize>,
    /// Files that hold different results under the old and the new name; both stay.
    pub kept_apart: BTreeMap<(String, String), usize>,
    /// Old and new name of benchmarks that may be the same.
    pub suspects: Vec<(String, String)>,
    /// By old and new name of the environment.
    pub environments: BTreeMap<(String, String), usize>,
    /// Files whose environment's interpreter lay elsewhere.
    pub interpreters: usize,
    /// By name of the benchmark that was dropped.
    pub retired: BTreeMap<String, usize>,
}

impl NormaliseReport {
    /// Takes in what was done elsewhere.
    pub(super) fn absorb(&mut self, other: Self) {
        self.files += other.files;
        self.written += other.written;
        for (machine, (count, facts)) in other.machines {
            let known = self.machines.entry(machine).or_default();
            known.0 += count;
            known.1.extend(facts);
        }
        self.stamps += other.stamps;
        for (counts, others) in [
            (&mut self.renamed, other.renamed),
            (&mut self.kept_apart, other.kept_apart),
            (&mut self.environments, other.environments),
        ] {
            for (pair, count) in others {
                *counts.entry(pair).or_default() += count;
            }
        }
        self.suspects.extend(other.suspects);
        self.interpreters += other.interpreters;
        for (name, count) in other.retired {
            *self.retired.entry(name).or_default() += count;
        }
    }

    /// Whether there was nothing to do.
    pub fn is_unchanged(&self) -> bool {
        self.written == 0
    }

    /// A line for each thing that was done or should be known; none if there is nothing.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (machine, (count, facts)) in &self.machines {
            let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
            lines.push(format!(
                "{} of `{machine}` took its present description ({})",
                files(*count),
                facts.join(", ")
            ));
        }
        if self.stamps > 0 {
            lines.push(format!(
                "{} of versions taken off; they are kept under `lcmbench.versions`",
                counted(self.stamps, "stamp", "stamps")
            ));
        }
        for ((old, new), count) in &self.renamed {
            lines.push(format!("`{old}` goes on as `{new}` in {}", files(*count)));
        }
        for ((old, new), count) in &self.kept_apart {
            lines.push(format!(
                "`{old}` and `{new}` have different results in {}; both stay",
                files(*count)
            ));
        }
        for (old, new) in &self.suspects {
            lines.push(format!(
                "`{old}` ends where `{new}` begins; if they are the same, say so with \
                 `renamed = {{ \"{old}\" = \"{new}\" }}`"
            ));
        }
        for ((old, new), count) in &self.environments {
            let files = files(*count);
            lines.push(format!(
                "{files} of the environment `{old}` went to `{new}`"
            ));
        }
        if self.interpreters > 0 {
            lines.push(format!(
                "{} took the interpreter that the environment has now",
                files(self.interpreters)
            ));
        }
        for (name, count) in &self.retired {
            lines.push(format!(
                "`{name}` is retired: dropped from {}",
                files(*count)
            ));
        }
        lines
    }
}

fn files(count: usize) -> String {
    counted(count, "file", "files")
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
