//! What benchmarks and statistics are called in a report.

use crate::config::ReportSettings;

use super::row::MetricKind;

/// The prefixes by which asv knows what a function measures, and the words that say so in a label.
const PREFIXES: [(&str, &str, &str); 5] = [
    ("timeraw_", "Timeraw", " time"),
    ("time_", "Time", " time"),
    ("peakmem_", "PeakMem", " peak memory"),
    ("mem_", "Mem", " memory"),
    ("track_", "Track", ""),
];

/// Looks labels up in the settings; what has none gets a readable default.
#[derive(Debug, Clone, Copy)]
pub struct Labels<'a> {
    settings: &'a ReportSettings,
}

/// The label of something and its place among the configured ones (`usize::MAX` for none).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub text: String,
    pub place: usize,
}

impl<'a> Labels<'a> {
    pub fn new(settings: &'a ReportSettings) -> Self {
        Self { settings }
    }

    /// The group that a benchmark belongs to; without a configured label its module and class.
    pub fn group(self, benchmark: &str) -> Label {
        let group = group_path(benchmark);
        let configured = self.settings.benchmarks.iter().position(|label| {
            label
                .matches
                .iter()
                .any(|pattern| matches_benchmark(pattern, benchmark))
        });
        match configured {
            Some(place) => Label {
                text: self.settings.benchmarks[place].label.clone(),
                // Several entries may share one label: the first of them gives the place.
                place: self.place_of_label(place),
            },
            None => Label {
                text: group.to_owned(),
                place: usize::MAX,
            },
        }
    }

    fn place_of_label(self, found: usize) -> usize {
        let label = &self.settings.benchmarks[found].label;
        self.settings
            .benchmarks
            .iter()
            .position(|candidate| candidate.label == *label)
            .unwrap_or(found)
    }

    /// What a benchmark's function is called; without a configured label its name in plain words.
    pub fn statistic(self, benchmark: &str) -> Label {
        let function = function_name(benchmark);
        match self.statistic_place(benchmark) {
            Some(place) => Label {
                text: self.settings.statistics[place].label.clone(),
                place,
            },
            None => Label {
                text: readable(function),
                place: usize::MAX,
            },
        }
    }

    /// The line that explains a benchmark's statistic under the table, if one is configured.
    pub fn explanation(self, benchmark: &str) -> Option<&'a str> {
        let place = self.statistic_place(benchmark)?;
        self.settings.statistics[place].explanation.as_deref()
    }

    fn statistic_place(self, benchmark: &str) -> Option<usize> {
        let function = function_name(benchmark);
        self.settings
            .statistics
            .iter()
            .position(|label| label.matches.iter().any(|pattern| glob(pattern, function)))
    }
}

/// `module.Class` of `module.Class.function`; the name itself where there is no dot.
pub(super) fn group_path(benchmark: &str) -> &str {
    benchmark
        .rsplit_once('.')
        .map_or(benchmark, |(group, _)| group)
}

/// `function` of `module.Class.function`.
pub(super) fn function_name(benchmark: &str) -> &str {
    benchmark
        .rsplit_once('.')
        .map_or(benchmark, |(_, function)| function)
}

/// Whether this is the statistic that a group starts with: a time called `execution_time`.
pub(super) fn is_execution_time(benchmark: &str, kind: MetricKind) -> bool {
    kind == MetricKind::Time && function_name(benchmark).contains("execution_time")
}

/// Whether a configured pattern means this benchmark: its name, its class, a dotted name below the
/// suite, or a pattern with `*` over either.
pub fn matches_benchmark(pattern: &str, benchmark: &str) -> bool {
    let group = group_path(benchmark);
    [benchmark, group, function_name(group)]
        .iter()
        .any(|candidate| glob(pattern, candidate))
        || ends_with_dotted(group, pattern)
}

/// `Class` and `inner.Class` are dotted ends of `sub.inner.Class`.
fn ends_with_dotted(name: &str, end: &str) -> bool {
    name.strip_suffix(end)
        .is_some_and(|rest| rest.ends_with('.'))
}

/// Matches the whole of `text`; `*` stands for any characters, also none.
fn glob(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// A function's name in plain words: `time_solve` → `solve time`, `track_n_iter` → `n iter`.
fn readable(function: &str) -> String {
    let (stem, words) = PREFIXES
        .iter()
        .find_map(|(lower, upper, words)| {
            let stem = function.strip_prefix(lower).or_else(|| {
                function
                    .strip_prefix(upper)
                    .filter(|stem| stem.starts_with(|c: char| c.is_ascii_uppercase() || c == '_'))
            })?;
            Some((stem, *words))
        })
        .unwrap_or((function, ""));
    let plain = stem.replace('_', " ");
    let plain = plain.trim();
    if plain.is_empty() {
        return function.to_owned();
    }
    if plain.ends_with(words.trim_start()) {
        plain.to_owned()
    } else {
        format!("{plain}{words}")
    }
}

#[cfg(test)]
mod tests;
