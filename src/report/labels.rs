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
mod tests {
    use super::*;
    use crate::config::{BenchmarkLabel, StatisticLabel};

    fn settings() -> ReportSettings {
        let benchmark = |matches: &[&str], label: &str| BenchmarkLabel {
            matches: matches.iter().map(|&text| text.to_owned()).collect(),
            label: label.to_owned(),
        };
        let statistic = |matches: &str, label: &str, explanation: Option<&str>| StatisticLabel {
            matches: vec![matches.to_owned()],
            label: label.to_owned(),
            explanation: explanation.map(str::to_owned),
        };
        ReportSettings {
            benchmarks: vec![
                benchmark(
                    &["AcaBaseline", "bench_gpu.AcaBaselineGpuPeakMem"],
                    "aca-baseline",
                ),
                benchmark(&["bench_io.*"], "files"),
                benchmark(&["bench_sum.time_builtin"], "built-in sum"),
                benchmark(&["AcaOld"], "aca-baseline"),
            ],
            statistics: vec![
                statistic(
                    "track_execution_time",
                    "Warm solve + simulate",
                    Some("reuses compiled code"),
                ),
                statistic("*peakmem*", "Peak memory", None),
            ],
        }
    }

    fn group(benchmark: &str) -> (String, usize) {
        let settings = settings();
        let label = Labels::new(&settings).group(benchmark);
        (label.text, label.place)
    }

    fn statistic(benchmark: &str) -> (String, usize) {
        let settings = settings();
        let label = Labels::new(&settings).statistic(benchmark);
        (label.text, label.place)
    }

    #[test]
    fn many_classes_go_to_one_label() {
        let aca = ("aca-baseline".to_owned(), 0);
        assert_eq!(group("bench_aca.AcaBaseline.track_execution_time"), aca);
        assert_eq!(group("bench_gpu.AcaBaselineGpuPeakMem.track_gpu"), aca);
        assert_eq!(group("bench_aca.AcaOld.track_x"), aca);
    }

    #[test]
    fn a_dotted_name_matches_its_own_module_only() {
        let name = "other.AcaBaselineGpuPeakMem.track_gpu";
        assert_eq!(group(name).0, "other.AcaBaselineGpuPeakMem");
        let inner = "sub.bench_gpu.AcaBaselineGpuPeakMem.track_gpu";
        assert_eq!(group(inner).0, "aca-baseline");
    }

    #[test]
    fn patterns_and_functions_match() {
        assert_eq!(group("bench_io.Read.time_csv"), ("files".to_owned(), 1));
        assert_eq!(group("bench_io.time_csv"), ("files".to_owned(), 1));
        assert_eq!(
            group("bench_sum.time_builtin"),
            ("built-in sum".to_owned(), 2)
        );
        assert_eq!(
            group("bench_sum.time_other"),
            ("bench_sum".to_owned(), usize::MAX)
        );
    }

    #[test]
    fn statistics_take_the_first_label_that_matches() {
        let warm = ("Warm solve + simulate".to_owned(), 0);
        assert_eq!(
            statistic("bench_aca.AcaBaseline.track_execution_time"),
            warm
        );
        assert_eq!(
            statistic("m.C.peakmem_solve"),
            ("Peak memory".to_owned(), 1)
        );
        let settings = settings();
        let labels = Labels::new(&settings);
        assert_eq!(
            labels.explanation("m.C.track_execution_time"),
            Some("reuses compiled code")
        );
        assert_eq!(labels.explanation("m.C.peakmem_solve"), None);
        assert_eq!(labels.explanation("m.C.time_other"), None);
    }

    #[test]
    fn default_labels_are_plain_words() {
        let cases = [
            ("time_solve", "solve time"),
            ("time_execution", "execution time"),
            ("timeraw_import_lcm", "import lcm time"),
            ("peakmem_solve", "solve peak memory"),
            ("mem_list_of_lists", "list of lists memory"),
            ("track_execution_time", "execution time"),
            ("time_solve_time", "solve time"),
            ("TimeSolve", "Solve time"),
            ("Time_solve", "solve time"),
            ("Timefoo", "Timefoo"),
            ("track_", "track_"),
            ("odd name", "odd name"),
        ];
        for (function, expected) in cases {
            assert_eq!(readable(function), expected, "{function}");
        }
    }

    #[test]
    fn stars_stand_for_any_text() {
        assert!(glob("a*c", "abc"));
        assert!(glob("a*c", "ac"));
        assert!(glob("*", ""));
        assert!(glob("*b*", "abc"));
        assert!(glob("a*b*c", "a b b c"));
        assert!(!glob("a*c", "abcd"));
        assert!(!glob("ab", "abc"));
        assert!(!glob("a*bc*bc", "abc"));
        assert!(glob("a*bc*bc", "abcbc"));
    }
}
