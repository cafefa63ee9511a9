use std::path::Path;

use super::*;

fn file(text: &str) -> TomlFile {
    TomlFile::of_own_file(Path::new("lcmbench.toml"), text.to_owned()).unwrap()
}

#[test]
fn labels_keep_their_order_and_may_hold_many_classes() {
    let report = file(
        r#"
        [[labels.benchmark]]
        match = ["AcaBaseline", "AcaBaselineGpuPeakMem"]
        label = "aca-baseline"
        [[labels.benchmark]]
        match = "Mahler*"
        label = "mahler"
        [[labels.statistic]]
        match = "track_execution_time"
        label = "Warm solve + simulate"
        explanation = "reuses compiled code"
        [[labels.statistic]]
        match = "peakmem_*"
        label = "CPU memory"
        "#,
    )
    .report()
    .unwrap();
    assert_eq!(
        report.benchmarks[0].matches,
        ["AcaBaseline", "AcaBaselineGpuPeakMem"]
    );
    assert_eq!(report.benchmarks[0].label, "aca-baseline");
    assert_eq!(report.benchmarks[1].matches, ["Mahler*"]);
    assert_eq!(
        report.statistics[0].explanation.as_deref(),
        Some("reuses compiled code")
    );
    assert_eq!(report.statistics[1].label, "CPU memory");
    assert_eq!(report.statistics[1].explanation, None);
}

#[test]
#[expect(clippy::float_cmp, reason = "the values are copied, not computed")]
fn limits_of_every_kind_arrive() {
    let limits = file(
        r#"
        [alert]
        default = 1.25
        time = 1.05
        gpu-memory = 1
        [[alert.benchmark]]
        match = ["bench.A.*", "bench.B"]
        ratio = 2.0
        [effect]
        minimum = 0.05
        [[effect.benchmark]]
        match = "bench.noisy"
        minimum = 0.2
        [[better]]
        match = "bench.track_speedup"
        direction = "higher"
        [[better]]
        unit = ["speedup", "particles / second"]
        direction = "higher"
        "#,
    )
    .limits()
    .unwrap();
    assert_eq!(limits.alert, 1.25);
    assert_eq!(limits.alert_by_kind["time"], 1.05);
    assert_eq!(limits.alert_by_kind["gpu-memory"], 1.0);
    assert_eq!(limits.alert_by_kind.len(), 2);
    assert_eq!(
        limits.alert_by_benchmark,
        [("bench.A.*".to_owned(), 2.0), ("bench.B".to_owned(), 2.0)]
    );
    assert_eq!(limits.minimum_effect, 0.05);
    assert_eq!(
        limits.minimum_effect_by_benchmark,
        [("bench.noisy".to_owned(), 0.2)]
    );
    assert_eq!(
        limits.better_by_benchmark,
        [("bench.track_speedup".to_owned(), Better::Higher)]
    );
    assert_eq!(limits.better_by_unit["speedup"], Better::Higher);
    assert_eq!(limits.better_by_unit["particles / second"], Better::Higher);
}

#[test]
fn an_empty_file_means_the_defaults() {
    let limits = file("").limits().unwrap();
    assert_eq!((limits.alert, limits.minimum_effect), (1.10, 0.02));
    assert!(file("").report().unwrap().benchmarks.is_empty());
}

#[test]
fn values_that_make_no_sense_name_their_line() {
    let error = |text: &str| file(text).limits().unwrap_err().to_string();
    assert_eq!(
        error("[alert]\n\ntime = 0.9\n"),
        "lcmbench.toml, line 3: `time` is 0.9; a ratio must be 1 or more (1.1 is ten per cent)"
    );
    assert!(error("[alert]\ndefault = nan\n").contains("line 2: `default` is NaN"));
    assert!(error("[effect]\nminimum = 2\n").contains("line 2: `minimum` is 2;"));
    assert!(error("[[better]]\ndirection = \"higher\"\n").contains("line 2: this [[better]]"));
    assert!(
        error("[[better]]\nmatch = \"a\"\nunit = \"b\"\ndirection = \"higher\"\n")
            .contains("either `match` or `unit`")
    );
    assert!(
        error("[[alert.benchmark]]\nmatch = []\nratio = 2\n").contains("line 2: `match` holds")
    );
}
