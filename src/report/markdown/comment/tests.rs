use proptest::prelude::*;

use super::*;
use crate::config::{BenchmarkLabel, Better, StatisticLabel};
use crate::json::Json;
use crate::report::row::{
    Absence, AbsentBenchmark, Alert, Cell, Confidence, Difference, Estimator, MetricKind, Row,
    Strength, Verdict,
};
use crate::report::testing::{acceptance, changed, comparison, number, row};

fn settings() -> ReportSettings {
    ReportSettings {
        benchmarks: vec![BenchmarkLabel {
            matches: vec!["AcaBaseline".into(), "AcaBaselineGpuPeakMem".into()],
            label: "aca-baseline".into(),
        }],
        statistics: vec![
            StatisticLabel {
                matches: vec!["track_execution_time".into()],
                label: "Warm solve + simulate".into(),
                explanation: Some("reuses compiled code".into()),
            },
            StatisticLabel {
                matches: vec!["track_gpu_peak".into()],
                label: "GPU peak memory".into(),
                explanation: None,
            },
        ],
    }
}

fn at(benchmark: &str, combination: usize, n: &str) -> Row {
    Row {
        combination,
        params: vec![("n_periods".into(), n.into())],
        ..row(benchmark)
    }
}

fn seen(strength: Strength) -> Confidence {
    Confidence {
        low: 1.09,
        high: 1.17,
        level: 0.99,
        resolution: 0.018,
        strength,
        history: 30,
    }
}

/// What pylcm's suite looks like, with one row of each verdict.
fn example() -> Comparison {
    let gpu = |combination: usize, n: &str, base: i64, head: i64| Row {
        kind: MetricKind::GpuMemory,
        unit: "bytes".into(),
        base: Cell::Number {
            value: Json::Int(base),
            spread: None,
        },
        head: Cell::Number {
            value: Json::Int(head),
            spread: None,
        },
        ..at(
            "bench_gpu.AcaBaselineGpuPeakMem.track_gpu_peak",
            combination,
            n,
        )
    };
    let slower = Row {
        base: number(1.2345),
        head: number(1.3951),
        ratio: Some(1.13),
        verdict: Verdict::Slower,
        reason: "the whole interval lies above 1".into(),
        confidence: Some(seen(Strength::Firm)),
        alert: Some(Alert { limit: 1.1 }),
        estimator: Estimator::Floor,
        ..at("bench_aca.AcaBaseline.track_execution_time", 0, "3")
    };
    let inconclusive = Row {
        base: number(12.3),
        head: number(12.9),
        ratio: Some(1.05),
        verdict: Verdict::Inconclusive,
        reason: "the interval holds 1".into(),
        confidence: Some(seen(Strength::Weak)),
        flags: vec!["compiled-while-timed".into()],
        ..at("bench_aca.AcaBaseline.track_execution_time", 1, "6")
    };
    let failed = Row {
        head: Cell::Failed {
            reason: Some("RuntimeError: out of\nmemory | see @octocat #1".into()),
        },
        ratio: None,
        verdict: Verdict::Failed,
        kind: MetricKind::Compile,
        ..at("bench_aca.AcaBaseline.track_warmup", 0, "3")
    };
    let throughput = Row {
        unit: "agents / second".into(),
        kind: MetricKind::Track,
        better: Better::Higher,
        base: number(1000.0),
        head: number(1250.0),
        ratio: Some(1.25),
        verdict: Verdict::Faster,
        ..row("bench_sim.track_throughput")
    };
    let skipped = Row {
        base: Cell::Missing,
        head: Cell::Skipped {
            reason: Some("needs four devices".into()),
        },
        ratio: None,
        verdict: Verdict::Skipped,
        ..row("bench_sim.time_sharded")
    };
    let gone = Row {
        head: Cell::Missing,
        ratio: None,
        verdict: Verdict::Gone,
        ..at("bench_aca.AcaBaseline.track_execution_time", 2, "12")
    };
    let absent = |benchmark: &str, absence: Absence| AbsentBenchmark {
        benchmark: benchmark.into(),
        absence,
    };
    Comparison {
        accepted: Vec::new(),
        absent: vec![
            absent(
                "bench_aca.AcaBaselineDebugLog.track_execution_time",
                Absence::NotSelected,
            ),
            absent("bench_old.time_gone", Absence::Gone),
            absent("bench_old.time_also_gone", Absence::Gone),
            absent("bench_sim.time_crashed", Absence::NotRun),
        ],
        differences: vec![Difference {
            what: "jaxlib".into(),
            base: "0.10.1".into(),
            head: "0.10.2".into(),
        }],
        remarks: vec!["HEAD was measured with uncommitted changes.".into()],
        ..comparison(vec![
            slower,
            inconclusive,
            gone,
            failed,
            gpu(0, "3", 950_000_000, 1_050_000_000),
            gpu(1, "6", 24_838_144, 24_838_144),
            skipped,
            throughput,
        ])
    }
}

#[test]
fn a_full_comment() {
    insta::assert_snapshot!(comment(&example(), &settings()), @r##"
    <!-- benchmark-check -->
    <!-- head-sha:bbbbbbbb -->

    **1 of 8 results got slower: aca-baseline (n_periods=3) — Warm solve + simulate (1.13); 1 got faster: bench_sim — throughput (1.25); 2 stayed the same; 1 is inconclusive; 1 failed: aca-baseline (n_periods=3) — warmup; 1 was skipped; 1 is gone; 1 ratio is beyond its limit; could have seen 1.8 % in 2 of 8 (some of it weak: too little history or too few processes).**

    before: aaaaaaaa (main), after: bbbbbbbb (HEAD); machine gpu-01, environment existing-py_opt_python

    | Benchmark | Statistic | before | after | Ratio | Alert |
    |---|---|---:|---:|---:|:-:|
    | aca-baseline (n_periods=3) | Warm solve + simulate | 1.23 s | 1.40 s | **1.13†** | ⚠️ |
    |  | GPU peak memory | 0.950 GB | 1.05 GB | 1.00 |  |
    |  | warmup | 1.00 s | failed: RuntimeError: out of memory &#124; see &#64;&#8203;octocat &#35;&#8203;1 | n/a |  |
    | aca-baseline (n_periods=6) | Warm solve + simulate | 12.3 s | 12.9 s | 1.05 |  |
    |  | GPU peak memory | 24.8 MB | 24.8 MB | 1.00 |  |
    | bench_sim | sharded time | – | skipped: needs four devices | n/a |  |
    |  | throughput (higher is better) | 1000 agents / second | 1250 agents / second | 1.25 |  |

    - **Warm solve + simulate** — reuses compiled code
    - ⚠️ — the ratio is beyond its limit of 1.10
    - † — from the fastest samples of each process, so not exactly the ratio of the medians shown

    <details>
    <summary>Verdicts, intervals and reasons (without 2 that stayed the same)</summary>

    | Benchmark | Verdict | Interval of the ratio | Could have seen | Reason |
    |---|---|---|---:|---|
    | aca-baseline (n_periods=3) — Warm solve + simulate | slower | 1.09 to 1.17 (99 %) | 1.8 % | the whole interval lies above 1 |
    | aca-baseline (n_periods=6) — Warm solve + simulate | inconclusive | 1.09 to 1.17 (99 %, weak) | 1.8 % | the interval holds 1; compiled-while-timed |
    | aca-baseline (n_periods=3) — warmup | failed |  |  | RuntimeError: out of memory &#124; see &#64;&#8203;octocat &#35;&#8203;1 |
    | bench_sim — sharded time | skipped |  |  | needs four devices |
    | bench_sim — throughput | faster |  |  |  |

    </details>

    <details>
    <summary>5 benchmarks with a result before have none on HEAD</summary>

    **Not selected on pull requests (1):** bench_aca.AcaBaselineDebugLog.track_execution_time

    **Gone from the suite (3):** bench_old.time_gone, bench_old.time_also_gone, aca-baseline (n_periods=12) — Warm solve + simulate

    **Not run (1):** bench_sim.time_crashed

    </details>

    <details>
    <summary>1 difference of machine or environment between both sides</summary>

    | What | before | after |
    |---|---|---|
    | jaxlib | 0.10.1 | 0.10.2 |

    </details>

    - HEAD was measured with uncommitted changes.
    "##);
}

#[test]
fn without_a_baseline_heads_values_stand_alone() {
    let mut example = Comparison {
        base: None,
        accepted: Vec::new(),
        absent: Vec::new(),
        ..example()
    };
    example.rows.retain(|row| row.head != Cell::Missing);
    for row in &mut example.rows {
        row.base = Cell::Missing;
        row.ratio = None;
        row.alert = None;
        row.confidence = None;
        if row.head.is_value() {
            row.verdict = Verdict::New;
        }
    }
    insta::assert_snapshot!(comment(&example, &settings()), @r##"
    <!-- benchmark-check -->
    <!-- head-sha:bbbbbbbb -->

    **No comparison was possible, since there is no result to compare with; 5 results were measured on HEAD; 1 failed; 1 was skipped.**

    HEAD: bbbbbbbb (HEAD); machine gpu-01, environment existing-py_opt_python

    | Benchmark | Statistic | HEAD |
    |---|---|---:|
    | aca-baseline (n_periods=3) | Warm solve + simulate | 1.40 s |
    |  | GPU peak memory | 1.05 GB |
    |  | warmup | failed: RuntimeError: out of memory &#124; see &#64;&#8203;octocat &#35;&#8203;1 |
    | aca-baseline (n_periods=6) | Warm solve + simulate | 12.9 s |
    |  | GPU peak memory | 24.8 MB |
    | bench_sim | sharded time | skipped: needs four devices |
    |  | throughput (higher is better) | 1250 agents / second |

    - **Warm solve + simulate** — reuses compiled code

    - HEAD was measured with uncommitted changes.
    "##);
}

#[test]
fn the_first_two_lines_are_what_the_check_looks_for() {
    let mut example = example();
    let shown = comment(&example, &settings());
    assert!(shown.starts_with("<!-- benchmark-check -->\n<!-- head-sha:bbbbbbbb -->\n"));
    // Old files hold a tag's name where a hash should be.
    example.head.commit = "--> @x".into();
    let shown = comment(&example, &settings());
    assert!(shown.starts_with("<!-- benchmark-check -->\n<!-- head-sha:x -->\n"));
}

#[test]
fn an_empty_comparison_has_a_marker_and_is_not_good() {
    let shown = comment(&comparison(Vec::new()), &settings());
    assert!(shown.contains("**Nothing was measured: no benchmark has a result on HEAD"));
    assert!(!shown.contains("| Benchmark |"));
}

#[test]
fn several_limits_stand_next_to_their_marks() {
    let alerted = |name: &str, limit: f64| Row {
        alert: Some(Alert { limit }),
        ..changed(name, 1.0, 1.5, Verdict::Slower)
    };
    let rows = vec![alerted("m.time_a", 1.1), alerted("m.time_b", 1.25)];
    let shown = comment(&comparison(rows), &settings());
    assert!(shown.contains("| **1.50** | ⚠️ 1.10 |"));
    assert!(shown.contains("| **1.50** | ⚠️ 1.25 |"));
    assert!(shown.contains("⚠️ — the ratio is beyond the limit next to it"));
}

#[test]
fn long_parameters_are_cut_and_stay_apart() {
    let long = |middle: &str| format!("'{}{middle}{}'", "x".repeat(150), "y".repeat(150));
    let rows = vec![
        at("m.time_a", 0, &long("1")),
        at("m.time_a", 1, &long("2")),
        at("m.time_a", 2, "'ü'"),
    ];
    let shown = comment(&comparison(rows), &settings());
    assert!(shown.contains("combination 1)"));
    assert!(shown.contains("combination 2)"));
    assert!(shown.contains("m (n_periods='ü')"));
    assert!(shown.lines().all(|line| line.chars().count() < 200));
}

#[test]
fn an_integer_without_end_is_cut() {
    let mut odd = row("m.track_a");
    odd.head = Cell::Number {
        value: Json::BigInt(format!("1{}7", "0".repeat(400))),
        spread: None,
    };
    odd.unit = "unit".into();
    let shown = comment(&comparison(vec![odd]), &settings());
    // Forty digits would be taken for a hash.
    let (half, end) = ("0".repeat(20), "0".repeat(18));
    let cut = format!("| 1{}&#8203;{half}…{end}7 |", &half[1..]);
    assert!(shown.contains(&cut), "{shown}");
}

#[test]
fn sides_on_different_machines_are_both_named() {
    let mut example = comparison(vec![row("m.time_a")]);
    example.base.as_mut().unwrap().machine = "old_box".into();
    let shown = comment(&example, &settings());
    assert!(shown.contains(
        "before: aaaaaaaa (main) (machine old_box, environment existing-py_opt_python), after: \
         bbbbbbbb (HEAD) (machine gpu-01, environment existing-py_opt_python)"
    ));
}

/// Every text of a comparison that others write.
fn hostile(text: &str) -> (Comparison, ReportSettings) {
    let cell = Cell::Failed {
        reason: Some(text.into()),
    };
    let rows = vec![
        Row {
            params: vec![(text.into(), text.into())],
            unit: text.into(),
            reason: text.into(),
            flags: vec![text.into()],
            verdict: Verdict::Slower,
            ..row(text)
        },
        Row {
            head: cell,
            verdict: Verdict::Failed,
            reason: text.into(),
            ..row("m.C.time_x")
        },
        Row {
            base: Cell::Other(text.into()),
            ..row("m.C.time_y")
        },
    ];
    let mut comparison = comparison(rows);
    comparison.absent.push(AbsentBenchmark {
        benchmark: text.into(),
        absence: Absence::Gone,
    });
    comparison.differences.push(Difference {
        what: text.into(),
        base: text.into(),
        head: text.into(),
    });
    comparison.remarks.push(text.into());
    comparison.head.machine = text.into();
    comparison.head.name = Some(text.into());
    comparison.head.environment = text.into();
    let mut settings = settings();
    settings.benchmarks.push(BenchmarkLabel {
        matches: vec!["C".into()],
        label: text.into(),
    });
    settings.statistics.push(StatisticLabel {
        matches: vec!["time_x".into()],
        label: text.into(),
        explanation: Some(text.into()),
    });
    (comparison, settings)
}

proptest! {
    #[test]
    fn no_text_changes_the_shape_of_the_comment(
        text in "([|`<>@#*_\\[\\]\\\\~$&;:\n\r .a0-]|</details>|<!-- benchmark-check -->|-->|\\PC){0,12}"
    ) {
        let (comparison, settings) = hostile(&text);
        let shown = comment(&comparison, &settings);
        prop_assert_eq!(shown.matches(MARKER).count(), 1);
        prop_assert_eq!(shown.matches("<!--").count(), 2);
        prop_assert_eq!(shown.matches("<details>").count(), shown.matches("</details>").count());
        let mut columns = None;
        for line in shown.lines() {
            if !line.starts_with('|') {
                columns = None;
                continue;
            }
            let count = line.matches('|').count();
            prop_assert_eq!(*columns.get_or_insert(count), count, "{}", line);
        }
    }
}

#[test]
fn accepted_regressions_are_shown_with_their_reason_and_others_said() {
    let slow = Row {
        alert: Some(Alert { limit: 1.1 }),
        ..changed("m.time_a", 1.0, 1.2, Verdict::Slower)
    };
    let too_slow = changed("m.time_b", 1.0, 1.9, Verdict::Slower);
    let mut given = comparison(vec![slow, too_slow]);
    let mut wanted = acceptance("m.time_a", Some("m.time_a"));
    wanted.reason = "exact | now,\n<!-- @octocat".to_owned();
    let mut beyond = acceptance("m.time_b", Some("m.time_b"));
    std::mem::swap(&mut beyond.rows, &mut beyond.beyond);
    let mut expired = acceptance("m.time_c", None);
    expired.is_expired = true;
    given.accepted = vec![wanted, beyond, acceptance("m.time_d", None), expired];
    let shown = comment(&given, &settings());
    for text in [
        "2 of 2 benchmarks got slower",
        "1 regression is accepted",
        "| **1.20** | ⚠️ accepted |",
        "| **1.90** |  |",
        "Accepted, so no reason to fail:\n\n- m — a time (1.20): up to 30 % worse until 2027-01-31 — \
         exact &#124; now, &#60;!-- &#64;&#8203;octocat\n",
        "Declared as accepted, without effect:\n\n- m.time_b — more than 30 % worse, so not accepted: m — b time",
        "- m.time_d — nothing that it is about got worse, so it is not needed",
        "- m.time_c — expired on 2027-01-31, so it is ignored",
    ] {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
}
