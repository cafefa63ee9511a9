use proptest::prelude::*;

use crate::json::Json;
use crate::results::read::read_results;
use crate::results::{BenchmarkResult, Detail, ResultSet, SampleStats, Value};

#[test]
fn an_empty_set_has_every_key_of_asv() {
    let set = ResultSet {
        commit_hash: "abc".to_owned(),
        env_name: "e".to_owned(),
        ..ResultSet::default()
    };
    assert_eq!(
        set.to_text(),
        r#"{"commit_hash": "abc", "env_name": "e", "date": null, "params": {}, "python": "", "requirements": {}, "env_vars": {}, "result_columns": ["result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_number", "stats_repeat", "samples", "profile"], "results": {}, "durations": {}, "version": 2}"#
    );
}

#[test]
fn unknown_columns_follow_those_of_asv() {
    let mut set = ResultSet {
        commit_hash: "abc".to_owned(),
        env_name: "e".to_owned(),
        ..ResultSet::default()
    };
    let mut result = BenchmarkResult {
        values: vec![Value::Number(1.into())],
        ..BenchmarkResult::default()
    };
    result
        .extra_columns
        .insert("stats_gpu".to_owned(), vec![3].into());
    set.results.insert("b".to_owned(), result);
    let text = set.to_text();
    assert!(text.contains(r#""profile", "stats_gpu"], "results""#));
    assert_eq!(read_results(&text, Detail::Full).unwrap().set, set);
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Failed),
        Just(Value::Skipped),
        any::<i64>().prop_map(|number| Value::Number(number.into())),
        (-1e300..1e300).prop_map(|number| Value::Number(Json::Float(number))),
        Just(Value::Number(f64::INFINITY.into())),
        ".{0,5}".prop_map(|text| Value::Other(text.into())),
    ]
}

fn stats() -> impl Strategy<Value = SampleStats> {
    (1e-9..1e3, 1..1000_i64, 1..100_i64, any::<bool>()).prop_map(|(q, number, repeat, open)| {
        let low = if open { f64::NEG_INFINITY } else { q * 0.5 };
        SampleStats {
            ci_99: (low, q * 3.0),
            q_25: q,
            q_75: q * 2.0,
            number,
            repeat,
        }
    })
}

fn result() -> impl Strategy<Value = BenchmarkResult> {
    prop::collection::vec(prop::collection::vec(".{0,9}", 1..4), 0..3).prop_flat_map(|params| {
        let combinations: usize = params.iter().map(Vec::len).product();
        (
            prop::collection::vec(value(), combinations),
            prop::option::of("[0-9a-f]{8}"),
            prop::option::of(0..i64::MAX),
            prop::collection::vec(prop::option::of(stats()), combinations),
            prop::collection::vec(
                prop::option::of(prop::collection::vec(-1e3..1e3, 0..5)),
                combinations,
            ),
        )
            .prop_map(move |(values, version, started_at, stats, samples)| {
                BenchmarkResult {
                    values,
                    params: params.clone(),
                    version,
                    started_at,
                    duration: started_at.map(|_| 0.25),
                    stats,
                    samples,
                    profile: None,
                    extra_columns: indexmap::IndexMap::new(),
                }
            })
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back(results in prop::collection::vec((".{0,9}", result()), 0..5)) {
        let set = ResultSet {
            commit_hash: "abc".to_owned(),
            env_name: "e".to_owned(),
            date: Some(5),
            results: results.into_iter().collect(),
            ..ResultSet::default()
        };
        let text = set.to_text();
        let again = read_results(&text, Detail::Full).unwrap().set;
        prop_assert_eq!(again.to_text(), text);
        for (name, result) in &set.results {
            let read = &again.results[name];
            prop_assert_eq!(&read.values, &result.values);
            prop_assert_eq!(&read.params, &result.params);
            prop_assert_eq!(read.version.as_ref(), result.version.as_ref());
        }
    }
}
