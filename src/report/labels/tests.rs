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
