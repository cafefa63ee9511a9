//! What a benchmark measures.

use crate::report::MetricKind;
use crate::results::BenchmarkRecord;

/// Kind and unit of a benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    pub kind: MetricKind,
    /// `seconds`, `bytes` or the text of the suite.
    pub unit: String,
}

const TIME_UNITS: [&str; 20] = [
    "s",
    "sec",
    "secs",
    "second",
    "seconds",
    "ms",
    "msec",
    "millisecond",
    "milliseconds",
    "us",
    "µs",
    "μs",
    "microsecond",
    "microseconds",
    "ns",
    "nanosecond",
    "nanoseconds",
    "min",
    "minutes",
    "hours",
];

const BYTE_UNITS: [&str; 10] = [
    "byte", "bytes", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib",
];

const COUNT_UNITS: [&str; 12] = [
    "allocations",
    "calls",
    "compilations",
    "count",
    "counts",
    "evaluations",
    "flops",
    "instructions",
    "iterations",
    "nfev",
    "programs",
    "steps",
];

/// Kind and unit of a benchmark, from its record in `benchmarks.json`, or from its name alone where
/// the file no longer has it.
///
/// | type of the record | unit | kind |
/// |---|---|---|
/// | `time` | – | time |
/// | `memory`, `peakmemory` | – | memory |
/// | anything else | a unit of time | compile if the function's name says `compil`, `warmup`, `warm_up` or `cold`, else time |
/// | | bytes | GPU memory if the name says `gpu` or `vram`, else memory |
/// | | a unit of counts (`calls`, `iterations`, …) | count |
/// | | anything else | track; or the kind whose word is the type (`count`, `compile`, …) |
pub fn metric_of(name: &str, record: Option<&BenchmarkRecord>) -> Metric {
    let (kind, unit) = match record {
        Some(record) => (record.kind.as_str(), record.unit.as_str()),
        None => type_by_prefix(name),
    };
    let of = |kind, unit: &str| Metric {
        kind,
        unit: unit.to_owned(),
    };
    match kind {
        "time" => of(MetricKind::Time, non_empty(unit, "seconds")),
        "memory" | "peakmemory" => of(MetricKind::Memory, non_empty(unit, "bytes")),
        word => of(tracked(name, word, unit), non_empty(unit, "unit")),
    }
}

fn tracked(name: &str, word: &str, unit: &str) -> MetricKind {
    let unit = unit.trim().to_lowercase();
    let is = |units: &[&str]| units.contains(&unit.as_str());
    if is(&TIME_UNITS) {
        return if says_compile(name) {
            MetricKind::Compile
        } else {
            MetricKind::Time
        };
    }
    if is(&BYTE_UNITS) {
        let name = name.to_lowercase();
        return if name.contains("gpu") || name.contains("vram") {
            MetricKind::GpuMemory
        } else {
            MetricKind::Memory
        };
    }
    if is(&COUNT_UNITS) {
        return MetricKind::Count;
    }
    [
        MetricKind::Time,
        MetricKind::Memory,
        MetricKind::GpuMemory,
        MetricKind::Compile,
        MetricKind::Count,
    ]
    .into_iter()
    .find(|kind| kind.key() == word)
    .unwrap_or(MetricKind::Track)
}

fn says_compile(name: &str) -> bool {
    let function = function_of(name).to_lowercase();
    ["compil", "warmup", "warm_up"]
        .iter()
        .any(|part| function.contains(part))
        || function.split('_').any(|word| word == "cold")
}

fn function_of(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, function)| function)
}

/// asv's types by the prefix of the function's name.
fn type_by_prefix(name: &str) -> (&'static str, &'static str) {
    let function = function_of(name);
    let starts = |words: [&str; 2]| words.iter().any(|word| function.starts_with(word));
    if starts(["time", "Time"]) {
        ("time", "seconds")
    } else if starts(["peakmem_", "PeakMem"]) {
        ("peakmemory", "bytes")
    } else if starts(["mem_", "Mem"]) {
        ("memory", "bytes")
    } else {
        ("track", "unit")
    }
}

fn non_empty<'a>(text: &'a str, default: &'a str) -> &'a str {
    if text.is_empty() { default } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, word: &str, unit: &str) -> MetricKind {
        let record = BenchmarkRecord {
            name: name.to_owned(),
            kind: word.to_owned(),
            unit: unit.to_owned(),
            ..BenchmarkRecord::default()
        };
        metric_of(name, Some(&record)).kind
    }

    #[test]
    fn kinds_by_type_unit_and_name() {
        let cases = [
            ("b.T.time_solve", "time", "seconds", MetricKind::Time),
            ("b.T.time_compile", "time", "seconds", MetricKind::Time),
            ("b.T.mem_x", "memory", "bytes", MetricKind::Memory),
            ("b.T.peakmem_x", "peakmemory", "bytes", MetricKind::Memory),
            (
                "b.T.track_execution_time",
                "track",
                "seconds",
                MetricKind::Time,
            ),
            (
                "b.T.track_compilation_time",
                "track",
                "seconds",
                MetricKind::Compile,
            ),
            ("b.T.track_warmup", "track", "s", MetricKind::Compile),
            ("b.T.track_cold_start", "track", "ms", MetricKind::Compile),
            ("b.T.track_scolding", "track", "ms", MetricKind::Time),
            ("b.ColdT.track_run", "track", "ms", MetricKind::Time),
            (
                "b.AcaBaselineGpuPeakMem.track_peak",
                "track",
                "bytes",
                MetricKind::GpuMemory,
            ),
            ("b.T.track_gpu_peak", "track", "GB", MetricKind::GpuMemory),
            ("b.T.track_peak", "track", "MB", MetricKind::Memory),
            ("b.T.track_nfev", "track", "calls", MetricKind::Count),
            ("b.T.track_x", "track", "unit", MetricKind::Track),
            ("b.T.track_x", "count", "unit", MetricKind::Count),
            (
                "b.T.track_x",
                "speed",
                "actual/optimal ratio",
                MetricKind::Track,
            ),
        ];
        for (name, word, unit, expected) in cases {
            assert_eq!(kind(name, word, unit), expected, "{name} {word} {unit}");
        }
    }

    #[test]
    fn a_benchmark_without_a_record_is_known_by_its_prefix() {
        let of = |name| {
            let metric = metric_of(name, None);
            (metric.kind, metric.unit)
        };
        assert_eq!(of("b.T.time_x"), (MetricKind::Time, "seconds".to_owned()));
        assert_eq!(of("b.TimeX"), (MetricKind::Time, "seconds".to_owned()));
        assert_eq!(of("b.timeraw_x"), (MetricKind::Time, "seconds".to_owned()));
        assert_eq!(of("b.peakmem_x"), (MetricKind::Memory, "bytes".to_owned()));
        assert_eq!(of("b.mem_x"), (MetricKind::Memory, "bytes".to_owned()));
        assert_eq!(of("b.track_x"), (MetricKind::Track, "unit".to_owned()));
    }
}
