use super::*;
use crate::results::{Failure, FailureKind, Value};

/// As asv wrote it, with hashes cut.
const V2: &str = r#"{"commit_hash": "01fbbb5bb5a6e2052a4c9966a2aaeee8ab48b3a5", "env_name": "existing-py_opt_venv_bin_python3", "date": 1796055776000, "params": {"arch": "x86_64", "machine": "vm", "ram": "25276502016", "python": "/opt/venv/bin/python3"}, "python": "/opt/venv/bin/python3", "requirements": {}, "env_vars": {}, "result_columns": ["result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_number", "stats_repeat", "samples", "profile"], "results": {"bench.time_simple": [[4.345095200005744e-06], [], "v1", 1796056332333, 0.65648, [-Infinity], [Infinity], [4.3451e-06], [4.3451e-06], [10000], [1], [[4.345095200005744e-06]], "eJx="], "bench.track_nan": [[NaN], [], "d3", 1796055798509, 0.16229]}, "durations": {"<build>": 4.220008850097656e-05, "<setup_cache bench:79>": 0.694407}, "version": 2}"#;

fn read(text: &str) -> ResultSet {
    read_results(text, Detail::Full).unwrap().set
}

fn refused(text: &str) -> NotAResult {
    read_results(text, Detail::Full).unwrap_err()
}

#[test]
fn a_file_of_asv_is_read_and_written_to_the_byte() {
    let set = read(V2);
    assert_eq!(set.commit_hash, "01fbbb5bb5a6e2052a4c9966a2aaeee8ab48b3a5");
    assert_eq!(set.date, Some(1_796_055_776_000));
    assert_eq!(
        set.params.get("ram").and_then(Json::as_str),
        Some("25276502016")
    );
    assert_eq!(set.results.len(), 2);
    assert_eq!(set.results["bench.track_nan"].values, [Value::Skipped]);
    assert_eq!(
        set.durations.get("<setup_cache bench:79>"),
        Some(&0.694_407)
    );
    assert_eq!(set.to_text(), V2);
}

#[test]
fn what_is_not_wanted_is_skipped() {
    let detail = |detail| read_results(V2, detail).unwrap().set;
    let header = detail(Detail::Header);
    assert!(header.results.is_empty());
    assert_eq!(header.durations.len(), 2);
    let values = &detail(Detail::Values).results["bench.time_simple"];
    assert!(values.samples.is_empty() && values.profile.is_none());
    assert_eq!(values.stats[0].as_ref().unwrap().number, 10_000);
    let samples = &detail(Detail::Samples).results["bench.time_simple"];
    assert_eq!(samples.samples.len(), 1);
    assert!(samples.profile.is_none());
}

#[test]
fn the_order_of_keys_does_not_matter() {
    let json = json::parse(V2).unwrap();
    let Json::Object(mut members) = json else {
        panic!("an object");
    };
    members.reverse();
    assert_eq!(read(&json::to_compact(&members.into())), read(V2));
    // A person put comments in.
    let edited = V2.replacen("\"env_name\"", "// the environment\n\"env_name\"", 1);
    assert_eq!(read(&edited), read(V2));
    assert_eq!(read(&format!("\u{FEFF}{V2}\r\n")), read(V2));
}

#[test]
fn a_file_may_have_its_own_columns() {
    let text = r#"{"commit_hash": "ab", "env_name": "e", "result_columns": ["version", "stats_x", "result"], "results": {"b": ["v", [7], [1.5]], "c": ["w"]}, "version": 2}"#;
    let set = read(text);
    assert_eq!(set.results["b"].values, [Value::Number(1.5.into())]);
    assert_eq!(set.results["b"].extra_columns["stats_x"], vec![7].into());
    assert_eq!(set.results["c"].version.as_deref(), Some("w"));
}

#[test]
fn missing_keys_and_unknown_ones_are_fine() {
    let text = r#"{"commit_hash": "ab", "python": 3.5, "requirements": {"numpy": "1.9", "x": null}, "system_metadata": {"gpu": [1, NaN]}, "result_columns": [], "results": {}, "version": 2}"#;
    let set = read(text);
    assert_eq!(
        (set.env_name.as_str(), set.date),
        ("py3.5-numpy1.9-x", None)
    );
    assert!(set.extra.contains_key("system_metadata"));
    let again = read(&set.to_text());
    assert_eq!(again.to_text(), set.to_text());
    assert!(again.extra.contains_key("system_metadata"));
}

#[test]
fn what_is_no_result_is_named_for_what_it_is() {
    let compare = r#"{"base_commit": "88ce51dc", "comparison": "a \u00b1 b"}"#;
    for text in [compare, "{}", "[1]", "3", "null", "\"x\"", "true", "1.5"] {
        assert_eq!(refused(text).kind, ProblemKind::Foreign, "{text}");
    }
    assert_eq!(refused("").message, "is empty");
    assert_eq!(refused(" \n").message, "is empty");
    assert_eq!(
        refused("{\"commit_hash\": \"ab\",\n \"res").message,
        "is no JSON of results (line 2, column 6: the text ends inside a string)"
    );
    let newer = refused(r#"{"commit_hash": "ab", "results": {}, "version": 3}"#);
    assert_eq!(newer.kind, ProblemKind::Newer);
    assert_eq!(
        newer.message,
        "is of version 3 of asv's format; this reads versions 1 and 2"
    );
    for (text, message) in [
        (r#"{"version": "2"}"#, "has a version that is no number"),
        (r#"{"version": 2, "results": {}}"#, "has no `commit_hash`"),
        (r#"{"version": 2, "commit_hash": "a"}"#, "has no `results`"),
        (
            r#"{"version": 2, "commit_hash": "a", "results": []}"#,
            "has `results` that are no object",
        ),
        (
            r#"{"version": 2, "commit_hash": "a", "results": {"b": [1]}}"#,
            "has no list `result_columns`",
        ),
    ] {
        assert_eq!(refused(text).message, message, "{text}");
    }
}

#[test]
fn a_row_that_is_none_is_passed_over_and_the_others_count() {
    let columns = r#""result_columns": ["result", "params", "version"]"#;
    let rest = r#""commit_hash": "ab", "env_name": "e", "version": 2"#;
    for odd in ["null", "1", "true", "1.5", "\"text\"", "{\"a\": [1]}"] {
        let rows = format!(r#""results": {{"a": [[1.0], []], "b": {odd}, "c": [[2.0], []]}}"#);
        for text in [
            format!("{{{columns}, {rows}, {rest}}}"),
            format!("{{{rows}, {columns}, {rest}}}"),
        ] {
            let reading = read_results(&text, Detail::Full).unwrap();
            let names: Vec<&String> = reading.set.results.keys().collect();
            assert_eq!(names, ["a", "c"], "{text}");
            assert_eq!(
                reading.remarks,
                ["has no usable row for `b`, which is passed over; the other rows count"]
            );
        }
    }
}

/// Whether the only row is passed over.
fn passed_over(text: &str) -> bool {
    let reading = read_results(text, Detail::Full).unwrap();
    reading.set.results.is_empty() && reading.remarks.len() == 1
}

#[test]
fn axes_that_multiply_beyond_all_bounds_fill_no_memory() {
    let axis = vec!["1".to_owned(); 1001];
    for axes in [2, 8] {
        let params = json::to_compact(&vec![Json::from(axis.clone()); axes].into());
        let values = format!(r#"{{"b": [[1.0], {params}, "v"]}}"#);
        let rest = r#""commit_hash": "ab", "env_name": "e", "version": 2"#;
        let columns = r#""result_columns": ["result", "params", "version"]"#;
        for text in [
            format!(r#"{{{columns}, "results": {values}, {rest}}}"#),
            format!(r#"{{"results": {values}, {columns}, {rest}}}"#),
        ] {
            assert!(passed_over(&text), "{axes}");
        }
        let old = format!(
            r#"{{"commit_hash": "ab", "version": 1, "results": {{"b": {{"result": [1.0], "params": {params}}}}}}}"#
        );
        assert!(passed_over(&old), "{axes}");
    }
}

#[test]
fn version_one_is_read_as_asv_converts_it() {
    let text = r#"{"commit_hash": "aaaa", "date": 1000, "env_name": "conda-py2.7", "params": {"machine": "m", "ram": 8589934592}, "python": "2.7", "requirements": {"numpy": null}, "version": 1, "ended_at": {"b.time_a": 2005}, "foo": 1,
      "results": {"b.time_a": 0.1, "b.x": null,
        "b.p": {"params": [["1", "2"]], "result": [1.0, null], "stats": [{"ci_99": [0.5, 1.5], "q_25": 0.9123456, "q_75": 1.1, "number": 3, "repeat": 10, "mean": 1}, null], "samples": [[1.0, 1.0], null]},
        "b.s": {"result": 2.5, "stats": {"ci_99": [-Infinity, Infinity], "q_25": 1.0, "q_75": 2.0, "number": 1, "repeat": 1}},
        "b.list": {"params": [["1", "2"]], "result": null}, "b.text": "hello", "b.lst": [1, 2]},
      "started_at": {"b.time_a": 5, "b.p": 6}, "duration": {"b.s": 1.23456789, "<build>": 3.123456789, "b.gone": 4}, "profiles": {"b.time_a": "eJx=", "b.gone": "x"}, "benchmark_version": {"b.time_a": "abc"}}"#;
    let set = read(text);
    let rows = crate::results::write::to_object(&set);
    let rows = rows["results"].as_object().unwrap();
    let shown: Vec<String> = rows
        .iter()
        .map(|(name, row)| format!("{name} {}", json::to_compact(row)))
        .collect();
    // As `asv update` wrote them.
    assert_eq!(
        shown,
        [
            r#"b.list [null, [["1", "2"]]]"#,
            "b.lst [[[1, 2]], []]",
            r#"b.p [[1.0, null], [["1", "2"]], null, 6, null, [0.5, null], [1.5, null], [0.91235, null], [1.1, null], [3, null], [10, null], [[1.0, 1.0], null]]"#,
            "b.s [[2.5], [], null, null, 1.2346, [-Infinity], [Infinity], [1.0], [2.0], [1], [1]]",
            r#"b.text [["hello"], []]"#,
            r#"b.time_a [[0.1], [], "abc", 5, null, null, null, null, null, null, null, null, "eJx="]"#,
            "b.x [null, []]",
        ]
    );
    assert_eq!(set.durations.len(), 1);
    assert_eq!(set.durations.get("<build>"), Some(&3.123_456_789));
    assert!(set.extra.contains_key("foo"));
    assert!(!set.extra.contains_key("ended_at"));
}

#[test]
fn a_malformed_provenance_is_a_remark() {
    let text = r#"{"commit_hash": "ab", "results": {}, "lcmbench": 5, "version": 2}"#;
    let reading = read_results(text, Detail::Full).unwrap();
    assert!(reading.set.provenance.is_none());
    assert_eq!(
        reading.remarks,
        ["has an `lcmbench` key that is no object; it is ignored"]
    );
}

#[test]
fn provenance_comes_before_the_version() {
    let mut set = read(V2);
    let failure = Failure {
        kind: FailureKind::Timeout,
        message: "took too long".to_owned(),
        details: String::new(),
    };
    let mut provenance = Provenance {
        format: 1,
        lcmbench: "0.1.0".to_owned(),
        ..Provenance::default()
    };
    let known = provenance
        .benchmarks
        .entry("bench.time_simple".to_owned())
        .or_default();
    known.failures = vec![Some(failure)];
    set.provenance = Some(provenance);
    let text = set.to_text();
    assert!(text.ends_with(r#""lcmbench": {"format": 1, "lcmbench": "0.1.0", "head": "", "dirty": false, "benchmarks": {"bench.time_simple": {"failures": [{"kind": "timeout", "message": "took too long"}]}}}, "version": 2}"#));
    assert_eq!(read(&text), set);
}
