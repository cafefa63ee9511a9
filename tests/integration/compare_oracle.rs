//! The marks of `compare` beside those of `asv compare`, on made-up result files.

mod cases;
mod files;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::{VENV, oracle};
use cases::{Case, Generator, cases};
use files::{MACHINE, project};

/// Mark and ratio of each row.
type Rows = BTreeMap<String, (String, String)>;

fn rows_of_asv(table: &str) -> Rows {
    table
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
        .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
        .filter(|cells| cells.len() == 5 && cells[4].starts_with("bench."))
        .map(|cells| {
            let mark = cells[0].to_owned();
            (cells[4].to_owned(), (mark, cells[3].to_owned()))
        })
        .collect()
}

fn our_rows(json: &str) -> Rows {
    let document: Value = serde_json::from_str(json).unwrap();
    document["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let mark = match row["mark"].as_str().unwrap() {
                "better" => "-",
                "fixed" => "*",
                "blank" => "",
                "worse" => "+",
                "broken" => "!",
                "incomparable" => "x",
                other => panic!("{other}"),
            };
            let params: Vec<&str> = row["params"]
                .as_array()
                .unwrap()
                .iter()
                .map(|param| param["value"].as_str().unwrap())
                .collect();
            let name = row["benchmark"].as_str().unwrap();
            let name = if params.is_empty() {
                name.to_owned()
            } else {
                format!("{name}({})", params.join(", "))
            };
            let sign = if row["uncertain"] == true { "~" } else { "" };
            let ratio = match row["ratio"].as_f64() {
                Some(ratio) => format!("{sign}{ratio}"),
                None => "n/a".to_owned(),
            };
            (name, (mark.to_owned(), ratio))
        })
        .collect()
}

/// The number of a ratio as asv prints it (two decimals) and whether it is marked as uncertain.
fn ratio(text: &str) -> (Option<f64>, bool) {
    let number = text.trim_start_matches('~').parse::<f64>().ok();
    let finite = number.filter(|number| number.is_finite());
    (finite, text.starts_with('~'))
}

/// Compares everything; returns how many rows got each mark.
fn same_marks(cases: &[Case], asv: &Rows, ours: &Rows) -> BTreeMap<String, usize> {
    let mut seen = BTreeMap::new();
    for (name, (mark, asv_ratio)) in asv {
        let (benchmark, param) = match name.split_once('(') {
            Some((benchmark, rest)) => (benchmark, rest.strip_suffix(')')),
            None => (name.as_str(), None),
        };
        let case = cases.iter().find(|case| case.name == benchmark).unwrap();
        let wrong = case.asv_is_wrong(param);
        let Some((our_mark, our_ratio)) = ours.get(name) else {
            assert!(!case.present[1] && (mark.is_empty() || wrong), "{name}");
            continue;
        };
        if wrong && mark != "x" {
            assert_eq!(our_mark, "", "{name}");
            continue;
        }
        assert_eq!(our_mark, mark, "{name}: {our_ratio}, asv {asv_ratio}");
        let ((our_number, our_sign), (asv_number, asv_sign)) = (ratio(our_ratio), ratio(asv_ratio));
        assert_eq!(our_sign, asv_sign, "{name}: {our_ratio}, asv {asv_ratio}");
        match (our_number, asv_number) {
            (Some(ours), Some(asv)) => assert!((ours - asv).abs() < 0.0051, "{name}"),
            (ours, asv) => assert_eq!(ours, asv, "{name}"),
        }
        *seen.entry(mark.clone()).or_default() += 1;
    }
    for name in ours.keys() {
        assert!(asv.contains_key(name), "asv has no {name}");
    }
    seen
}

#[test]
fn marks_are_those_of_asv() {
    let Some(venv) = oracle(VENV) else {
        return;
    };
    let mut generator = Generator(20_250_301);
    let cases = cases(&mut generator);
    let project = project(&cases);
    for options in [&[][..], &["--factor", "1.03"], &["--no-stats"]] {
        let asv = project
            .program(venv.join("bin/asv"))
            .args(["compare", "--machine", MACHINE, "HEAD~1", "HEAD"])
            .args(options)
            .run()
            .expect(0);
        let ours = project
            .lcmbench()
            .args(["compare", "--format", "json", "HEAD~1", "HEAD"])
            .args(options)
            .run()
            .expect(0);
        let seen = same_marks(&cases, &rows_of_asv(&asv.stdout), &our_rows(&ours.stdout));
        for mark in ["", "+", "-", "!", "*", "x"] {
            assert!(seen.get(mark).is_some_and(|count| *count >= 5), "{seen:?}");
        }
    }
}
