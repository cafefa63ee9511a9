use super::*;
use crate::config::Better;
use crate::json::Json;
use crate::report::markdown::MARKER;
use crate::report::{Cell, Difference, Estimator, Mark, MetricKind, Side};

fn row(benchmark: String, ratio: f64, verdict: Verdict) -> Row {
    let number = |value: f64| Cell::Number {
        value: Json::Float(value),
        spread: None,
    };
    Row {
        benchmark,
        combination: 0,
        params: Vec::new(),
        kind: MetricKind::Time,
        unit: "seconds".to_owned(),
        better: Better::Lower,
        base: number(1.0),
        head: number(ratio),
        ratio: Some(ratio),
        estimator: Estimator::Median,
        verdict,
        reason: String::new(),
        confidence: None,
        alert: None,
        mark: Mark::Blank,
        uncertain: false,
        flags: Vec::new(),
    }
}

fn comparison(rows: Vec<Row>) -> Comparison {
    let side = |digit: &str| Side {
        commit: digit.repeat(40),
        name: None,
        machine: "gpu-01".to_owned(),
        environment: "cuda12".to_owned(),
    };
    Comparison {
        base: Some(side("a")),
        head: side("b"),
        rows,
        absent: Vec::new(),
        accepted: Vec::new(),
        differences: vec![Difference {
            what: "driver".to_owned(),
            base: "1".to_owned(),
            head: "2".to_owned(),
        }],
        remarks: vec!["a remark".to_owned()],
    }
}

fn rendered(comparison: &Comparison) -> String {
    let text = for_comment(&Report {
        comparison,
        blocks: &["<!-- block -->".to_owned()],
        notes: &["a note".to_owned()],
        whole: "see the run",
        settings: &ReportSettings::default(),
    });
    assert!(
        text.chars().count() <= COMMENT_LIMIT,
        "{}",
        text.chars().count()
    );
    let start = format!("{MARKER}\n<!-- head-sha:bbbbbbbb -->\n<!-- block -->\n\n**");
    assert!(text.starts_with(&start), "{}", &text[..200]);
    assert!(text.contains("- a note"), "{}", &text[text.len() - 300..]);
    // Every table row is whole and every fold is closed.
    for line in text.lines().filter(|line| line.starts_with('|')) {
        assert!(line.ends_with('|'), "{line}");
    }
    assert_eq!(
        text.matches("<details>").count(),
        text.matches("</details>").count()
    );
    text
}

fn many(count: usize, ratio: f64, verdict: Verdict) -> Vec<Row> {
    (0..count)
        .map(|index| row(format!("m.time_{verdict:?}_{index:05}"), ratio, verdict))
        .collect()
}

#[test]
fn what_fits_is_whole() {
    let text = rendered(&comparison(many(20, 1.0, Verdict::Same)));
    assert!(
        text.contains("time_Same_00019") || text.contains("Same"),
        "{text}"
    );
    assert!(!text.contains("left out"));
    assert!(text.contains("driver"));
}

#[test]
fn unchanged_rows_go_first_and_are_counted() {
    let mut rows = many(1500, 1.0, Verdict::Same);
    rows.extend(many(3, 1.5, Verdict::Slower));
    let text = rendered(&comparison(rows));
    assert!(text.contains("1500 unchanged rows are left out"), "{text}");
    assert!(text.contains("1500") && text.contains("driver"));
    assert!(text.contains("see the run"));
}

#[test]
fn then_the_environment_and_then_all_but_the_worst() {
    let mut rows = many(3000, 1.2, Verdict::Slower);
    rows.push(row("m.time_worst".to_owned(), 9.0, Verdict::Slower));
    let text = rendered(&comparison(rows));
    assert!(text.contains("more rows are left out"), "{text}");
    assert!(text.contains("worst"), "{text}");
    assert!(!text.contains("driver"));
}

#[test]
fn a_name_of_70000_characters_leaves_the_verdict() {
    let mut names: Vec<Row> = many(2, 1.5, Verdict::Slower);
    for character in ["@", "💥", "<!--"] {
        names.push(row(
            character.repeat(70_000 / character.chars().count()),
            1.5,
            Verdict::Slower,
        ));
    }
    let mut hostile = comparison(names);
    hostile.head.environment = "<".repeat(70_000);
    let text = rendered(&hostile);
    assert!(text.contains("rows are left out"), "{text}");
    assert!(text.contains("5 of 5"), "{}", &text[..300]);
}

#[test]
fn a_character_is_not_a_byte() {
    // About 60,000 characters that are 240,000 bytes.
    let rows = (0..300)
        .map(|index| {
            row(
                format!("m.time_{}{index}", "ü".repeat(60)),
                1.5,
                Verdict::Failed,
            )
        })
        .collect();
    let text = rendered(&comparison(rows));
    assert!(text.len() > text.chars().count());
}
