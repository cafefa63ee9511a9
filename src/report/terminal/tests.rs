use super::*;
use crate::report::row::{
    Absence, AbsentBenchmark, Alert, Confidence, Difference, Estimator, Mark, Strength, Verdict,
};
use crate::report::testing::{acceptance, changed, comparison, row};

fn spread(value: f64, spread: f64) -> Cell {
    Cell::Number {
        value: Json::Float(value),
        spread: Some(spread),
    }
}

/// One row of each sort.
fn example() -> Comparison {
    let confidence = Some(Confidence {
        low: 1.8,
        high: 2.0,
        level: 0.99,
        resolution: 0.018,
        strength: Strength::Firm,
        history: 30,
    });
    let mut slower = Row {
        params: vec![("n".into(), "2".into()), ("s".into(), "'x'".into())],
        combination: 1,
        base: spread(0.001_11, 0.000_01),
        head: spread(0.002_10, 0.000_01),
        mark: Mark::Worse,
        confidence,
        alert: Some(Alert { limit: 1.1 }),
        reason: "slower by 89 %, beyond the smallest effect of 2 %".into(),
        ..changed("b.P.time_p", 1.0, 1.89, Verdict::Slower)
    };
    slower.estimator = Estimator::Floor;
    let uncertain = Row {
        params: vec![("n".into(), "1".into()), ("s".into(), "'x'".into())],
        base: spread(0.001_13, 0.002),
        head: spread(0.002_67, 0.0002),
        uncertain: true,
        reason: "both sides have one process and no history".into(),
        ..changed("b.P.time_p", 1.0, 2.37, Verdict::Inconclusive)
    };
    let same = Row {
        unit: "bytes".into(),
        base: Cell::Number {
            value: Json::Int(24_838_144),
            spread: None,
        },
        head: Cell::Number {
            value: Json::Int(24_900_000),
            spread: None,
        },
        confidence,
        ..changed("b.peakmem_p", 1.0, 1.0025, Verdict::Same)
    };
    let faster = Row {
        mark: Mark::Better,
        confidence,
        ..changed("b.time_fast", 0.2, 0.05, Verdict::Faster)
    };
    let broken = Row {
        head: Cell::Failed {
            reason: Some("ValueError: boom".into()),
        },
        ratio: None,
        mark: Mark::Broken,
        verdict: Verdict::Failed,
        ..row("b.time_broken")
    };
    let skipped = Row {
        base: Cell::Missing,
        head: Cell::Skipped {
            reason: Some("needs a GPU".into()),
        },
        ratio: None,
        verdict: Verdict::Skipped,
        ..row("b.time_gpu")
    };
    let text = Row {
        unit: "unit".into(),
        base: Cell::Other("a|b".into()),
        head: Cell::Other(Json::Array(vec![Json::Int(1)])),
        ratio: None,
        mark: Mark::Incomparable,
        verdict: Verdict::NotComparable,
        reason: "the benchmark's version differs".into(),
        ..row("b.track_text")
    };
    let absent = |benchmark: &str, absence: Absence| AbsentBenchmark {
        benchmark: benchmark.into(),
        absence,
    };
    Comparison {
        accepted: Vec::new(),
        absent: vec![
            absent("b.time_old", Absence::Gone),
            absent("b.time_log", Absence::NotSelected),
        ],
        differences: vec![Difference {
            what: "jaxlib".into(),
            base: "0.4.1".into(),
            head: "0.4.2".into(),
        }],
        remarks: vec!["HEAD was measured with uncommitted changes.".into()],
        ..comparison(vec![uncertain, slower, same, broken, faster, skipped, text])
    }
}

#[test]
fn the_whole_table() {
    insta::assert_snapshot!(table(&example(), TableOptions::default()), @r#"
    All benchmarks:

    | Change | Before [aaaaaaaa] <main> | After [bbbbbbbb] <HEAD> | Ratio | Verdict              | Benchmark (Parameter) |
    |--------|--------------------------|-------------------------|------:|----------------------|-----------------------|
    |        | 1.13±2ms                 | 2.67±0.2ms              | ~2.37 | inconclusive         | b.P.time_p(1, 'x')    |
    | +      | 1.11±0.01ms              | 2.10±0.01ms             |  1.89 | slower (alert: 1.10) | b.P.time_p(2, 'x')    |
    |        | 24.8M                    | 24.9M                   |  1.00 | same                 | b.peakmem_p           |
    | !      | 1.00s                    | failed                  |   n/a | failed               | b.time_broken         |
    | -      | 200ms                    | 50.0ms                  |  0.25 | faster               | b.time_fast           |
    |        | n/a                      | skipped                 |   n/a | skipped              | b.time_gpu            |
    | x      | "a\|b"                   | [1]                     |   n/a | not comparable       | b.track_text          |

    1 of 7 results got slower: b.P.time_p(2, 'x') (1.89); 1 got faster: b.time_fast (0.25); 1 stayed the same; 1 is inconclusive; 1 is not comparable; 1 failed: b.time_broken; 1 was skipped; 1 ratio is beyond its limit; could have seen 1.8 % in 3 of 7.

    Failed (ValueError: boom): b.time_broken
    Not comparable (the benchmark's version differs): b.track_text
    Inconclusive (both sides have one process and no history): b.P.time_p(1, 'x')
    Skipped (needs a GPU): b.time_gpu
    Ratios come from the fastest samples of each process where both sides have six processes, so they can differ a little from those of the medians shown.
    ~: the ratio passes the factor and is not significant.
    With a result before alone, not selected on pull requests: b.time_log.
    With a result before alone, gone from the suite: b.time_old.
    Differs: jaxlib was 0.4.1 and is 0.4.2.
    Note: HEAD was measured with uncommitted changes.
    "#);
}

#[test]
fn equal_reasons_are_said_once_and_many_are_counted() {
    let mut rows: Vec<Row> = (0..40)
        .map(|index| Row {
            reason: if index < 7 {
                "noise".into()
            } else {
                format!("reason {index:02}")
            },
            ..changed(&format!("m.time_{index}"), 1.0, 1.0, Verdict::Inconclusive)
        })
        .collect();
    rows[39].ratio = Some(0.5);
    rows.push(Row {
        head: Cell::Failed {
            reason: Some("boom".into()),
        },
        verdict: Verdict::Failed,
        ..row("m.time_broken")
    });
    let shown = table(&comparison(rows), TableOptions::default());
    let lines: Vec<&str> = shown.lines().rev().take(12).collect();
    assert_eq!(lines[11], "Failed (boom): m.time_broken");
    assert_eq!(lines[10], "Inconclusive (reason 39): m.time_39");
    assert_eq!(
        lines[9],
        "Inconclusive (noise): m.time_0, m.time_1, m.time_2, m.time_3, m.time_4 and 2 more"
    );
    assert_eq!(
        lines[0],
        "Inconclusive: 24 more reasons are in --format json."
    );
}

#[test]
fn what_is_hidden_is_counted() {
    let options = TableOptions {
        only_changed: true,
        sort: Sort::Ratio,
        ..TableOptions::default()
    };
    let shown = table(&example(), options);
    assert!(!shown.contains("All benchmarks:"));
    let names: Vec<&str> = shown
        .lines()
        .filter(|line| line.starts_with("| ") && !line.contains("Change"))
        .map(|line| {
            line.trim_end_matches(['|', ' '])
                .rsplit("| ")
                .next()
                .unwrap()
        })
        .collect();
    assert_eq!(
        names,
        ["b.P.time_p(2, 'x')", "b.time_fast", "b.time_broken"]
    );
    assert!(shown.contains(
        "Hidden by --only-changed: 1 same, 1 inconclusive, 1 not comparable, 1 skipped."
    ));
}

#[test]
fn a_split_table_has_asvs_sections_and_loses_no_row() {
    let options = TableOptions {
        split: true,
        ..TableOptions::default()
    };
    let shown = table(&example(), options);
    let titles: Vec<&str> = shown.lines().filter(|line| line.ends_with(':')).collect();
    assert_eq!(
        titles,
        [
            "Benchmarks that have improved:",
            "Benchmarks that have stayed the same:",
            "Benchmarks that have got worse:",
            "Benchmarks that are not comparable:",
            "Benchmarks without a verdict:",
        ]
    );
    let rows = shown
        .lines()
        .filter(|line| line.starts_with("| ") && !line.contains("| Verdict"))
        .count();
    assert_eq!(rows, example().rows.len());
}

#[test]
fn colour_is_never_the_only_sign() {
    let plain = table(&example(), TableOptions::default());
    let colored = table(
        &example(),
        TableOptions {
            color: true,
            ..TableOptions::default()
        },
    );
    assert!(!plain.contains('\x1b'));
    let mut stripped = colored.clone();
    for code in ["\x1b[31m", "\x1b[32m", "\x1b[90m", "\x1b[0m"] {
        assert!(colored.contains(code));
        stripped = stripped.replace(code, "");
    }
    assert_eq!(stripped, plain);
}

#[test]
fn long_and_hostile_parameters_stay_on_their_line() {
    let rows = vec![Row {
        params: vec![(
            "p".into(),
            format!("'{}\x1b[2J\n{}'", "é".repeat(200), "中".repeat(100)),
        )],
        ..row("m.time_x")
    }];
    let shown = table(&comparison(rows), TableOptions::default());
    assert!(!shown.contains('\x1b'));
    let widths: Vec<usize> = shown
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(unicode_width::UnicodeWidthStr::width)
        .collect();
    assert_eq!(widths.len(), 3);
    assert!(
        widths
            .iter()
            .all(|width| *width == widths[0] && *width < 200),
        "{widths:?}"
    );
}

#[test]
fn an_empty_comparison_has_no_table() {
    let shown = table(&comparison(Vec::new()), TableOptions::default());
    assert!(shown.starts_with("Nothing was measured"));
}

#[test]
fn accepted_regressions_stand_below_the_table() {
    let slow = changed("m.time_a", 1.0, 1.2, Verdict::Slower);
    let mut given = comparison(vec![slow]);
    given.accepted = vec![
        acceptance("m.time_a", Some("m.time_a")),
        acceptance("m.time_d", None),
    ];
    let shown = table(&given, TableOptions::default());
    for line in [
        "Accepted up to 30 % until 2027-01-31 (exact now): m.time_a.",
        "Declared as accepted, without effect: m.time_d (nothing that it is about got worse, so it is \
         not needed).",
    ] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
}
