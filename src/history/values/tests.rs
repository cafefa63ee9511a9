//! Values to bytes and back.

use fs_err as fs;

use super::*;
use crate::history::borders::fact_named;
use crate::json::testing::object;
use crate::results::{Provenance, RawResults, SampleStats};

fn result(values: Vec<Value>, params: &[&[&str]]) -> BenchmarkResult {
    BenchmarkResult {
        values,
        params: params
            .iter()
            .map(|axis| axis.iter().map(|&text| text.to_owned()).collect())
            .collect(),
        ..BenchmarkResult::default()
    }
}

fn set() -> ResultSet {
    let mut set = ResultSet {
        commit_hash: "c".repeat(40),
        env_name: "env".to_owned(),
        params: object(r#"{"cpu": "A \"fast\" one", "num_cpu": 8}"#),
        provenance: Some(Provenance {
            environment: object(r#"{"driver": "570"}"#),
            extra: object(r#"{"versions": {"b.grid": "v1"}}"#),
            ..Provenance::default()
        }),
        ..ResultSet::default()
    };
    let numbers = vec![
        Value::Number(Json::Float(0.1)),
        Value::Failed,
        Value::Skipped,
        Value::Other("text".into()),
        Value::Number(Json::Int(7)),
        Value::Number(Json::Float(f64::INFINITY)),
    ];
    let mut grid = result(numbers, &[&["1", "2"], &["a", "b", "é"]]);
    let interval = |low, high| {
        Some(SampleStats {
            ci_99: (low, high),
            q_25: 0.0,
            q_75: 0.0,
            number: 1,
            repeat: 2,
        })
    };
    grid.stats = vec![
        interval(0.05, 0.2),
        None,
        None,
        None,
        interval(f64::NEG_INFINITY, 8.0),
    ];
    set.results.insert("b.grid".to_owned(), grid);
    let alone = BenchmarkResult {
        version: Some("v2".to_owned()),
        ..result(vec![Value::Number(Json::Float(-0.0))], &[])
    };
    set.results.insert("b.alone".to_owned(), alone);
    set
}

/// Everything, gaps and unknown bounds included.
fn shown(values: &FileValues) -> String {
    format!("{values:?}")
}

#[test]
fn numbers_gaps_bounds_versions_and_facts_are_taken() {
    let values = FileValues::of(&set(), NormaliseRules::default());
    let grid = &values.rows[0];
    let gaps: Vec<_> = grid.values.iter().map(|value| gap(*value)).collect();
    let (failed, skipped, other) = (Gap::Failed, Gap::Skipped, Gap::Other);
    assert_eq!(
        gaps,
        [
            None,
            Some(failed),
            Some(skipped),
            Some(other),
            None,
            Some(other)
        ]
    );
    assert_eq!(format!("{:?}", grid.bounds[0]), "[0.05, 0.2]");
    assert!(grid.bounds[4][0].is_nan(), "half an interval is none");
    assert_eq!(grid.version.as_deref(), Some("v1"));
    assert_eq!(values.rows[1].version.as_deref(), Some("v2"));
    assert!(values.rows[1].bounds.is_empty());
    let facts: Vec<_> = values.facts.iter().map(|(a, b)| (*a, b.as_str())).collect();
    assert_eq!(
        facts,
        [
            ("cpu", "A \"fast\" one"),
            ("driver", "570"),
            ("num_cpu", "8")
        ]
    );
    assert!(
        facts
            .iter()
            .all(|(name, _)| fact_named(name) == Some(*name))
    );
}

#[test]
fn what_is_read_of_the_text_is_what_is_read_in_full() {
    let mut set = set();
    let numbers = set.results["b.grid"].values.clone();
    let only_numbers: Vec<Value> = numbers
        .into_iter()
        .map(|value| match value {
            Value::Other(_) => Value::Failed,
            value => value,
        })
        .collect();
    set.results["b.grid"].values = only_numbers;
    let failed = result(vec![Value::Failed; 2], &[&["1", "2"]]);
    set.results.insert("b.failed".to_owned(), failed);
    let rules = NormaliseRules::default();
    let kept = KeptValues::open(None, "rules");
    let of_raw = |set: &ResultSet| {
        let text = set.to_text();
        FileValues::of_raw(&RawResults::read(&text).unwrap(), rules, &kept)
    };
    let raw = of_raw(&set).unwrap();
    assert_eq!(shown(&raw), shown(&FileValues::of(&set, rules)));
    let again = of_raw(&set).unwrap();
    assert!(Arc::ptr_eq(&raw.rows[0].key, &again.rows[0].key));
    set.results["b.grid"].values[3] = Value::Other("text".into());
    assert!(of_raw(&set).is_none(), "a text is for the other reader");
}

#[test]
fn kept_values_come_back_also_from_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept");
    let (one, two) = ("1".repeat(32), "2".repeat(32));
    let values = FileValues::of(&set(), NormaliseRules::default());
    {
        let kept = KeptValues::open(Some(&path), "rules");
        assert!(kept.get(&one).is_none());
        kept.add(&one, &values);
        kept.add(&two, &FileValues::default());
        assert_eq!(shown(&kept.get(&one).unwrap()), shown(&values));
    }
    let again = KeptValues::open(Some(&path), "rules");
    let first = again.get(&one).unwrap();
    assert_eq!(shown(&first), shown(&values));
    assert!(again.has(&two) && !again.has("3"));
    // Rows of other files are of the same benchmark if they have the same key.
    again.add("33333333333333333333333333333333", &values);
    let third = again.get(&"3".repeat(32)).unwrap();
    assert!(Arc::ptr_eq(&first.rows[0].key, &third.rows[0].key));
    drop(again);
    let others = KeptValues::open(Some(&path), "other rules");
    assert!(
        !others.has(&one),
        "what was made by other rules is of no use"
    );
}

#[test]
fn a_damaged_piece_ends_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept");
    let names: Vec<String> = (1..=3).map(|digit| digit.to_string().repeat(32)).collect();
    let values = FileValues::of(&set(), NormaliseRules::default());
    let whole = {
        let kept = KeptValues::open(Some(&path), "rules");
        for name in &names {
            kept.add(name, &values);
        }
        drop(kept);
        fs::read(&path).unwrap()
    };
    let known = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let kept = KeptValues::open(Some(&path), "rules");
        let known: Vec<bool> = names.iter().map(|name| kept.has(name)).collect();
        // Whatever was damaged, more can be added, and is there the next time.
        kept.add(&"9".repeat(32), &values);
        drop(kept);
        let again = KeptValues::open(Some(&path), "rules");
        assert_eq!(shown(&again.get(&"9".repeat(32)).unwrap()), shown(&values));
        known
    };
    assert_eq!(known(&whole), [true, true, true]);
    assert_eq!(known(&whole[..whole.len() - 1]), [true, true, false]);
    let mut flipped = whole.clone();
    let last = flipped.len() - 3;
    flipped[last] ^= 1;
    assert_eq!(known(&flipped), [true, true, false]);
    assert_eq!(known(&[]), [false, false, false]);
    assert_eq!(known(&whole[..40]), [false, false, false]);
}
