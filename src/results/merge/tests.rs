use super::*;
use crate::json::{parse, to_compact};
use crate::results::Value;
use crate::results::read::read_results;
use crate::results::testing::{COMMIT, addition, result, set};
use crate::results::{Detail, Failure, FailureKind, Provenance, SampleStats};

/// A file that asv wrote, with odd things put in by hand.
const FILE: &str = r#"{"commit_hash": "0123456789abcdef0123456789abcdef01234567", "env_name": "old-name", "date": 1000, "params": {"arch": "x86_64", "machine": "vm", "ram": 5}, "python": "3.11", "requirements": {}, "env_vars": {"V": "1"}, "foo": {"a": [1, NaN]}, "result_columns": ["result", "params", "version", "stats_gpu"], "results": {"b.first": [[1], [], "v", [3]], "b.other": [[1.0, 2], [["x", "y"]], "w"]}, "durations": {"<build>": 1}, "version": 2}"#;

fn document(text: &str) -> Document {
    Document::open(parse(text).unwrap()).unwrap()
}

fn text_with(document: &Document, addition: &Addition) -> String {
    let mut document = document.clone();
    document.add(addition);
    to_compact(&document.into_json())
}

fn numbers(result: &BenchmarkResult) -> Vec<Option<f64>> {
    result
        .values
        .iter()
        .map(|value| match value {
            Value::Skipped => Some(-1.0),
            value => value.as_f64(),
        })
        .collect()
}

#[test]
fn what_is_not_measured_stays_to_the_byte() {
    let document = document(FILE);
    let nothing = Addition {
        set: read_results(FILE, Detail::Full).unwrap().set,
        ..Addition::default()
    };
    let nothing = Addition {
        set: ResultSet {
            results: IndexMap::new(),
            durations: IndexMap::new(),
            ..nothing.set
        },
        ..nothing
    };
    let text = text_with(&document, &nothing);
    let columns = r#""stats_gpu", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_number", "stats_repeat", "samples", "profile"]"#;
    assert_eq!(text, FILE.replace("\"stats_gpu\"]", columns));
}

#[test]
fn a_benchmark_takes_its_place_and_a_new_one_the_last() {
    let document = document(FILE);
    let mut addition = addition("b.first", &[7.5]);
    addition
        .set
        .results
        .insert("b.new".to_owned(), result(&[1.0]));
    addition.set.durations.insert("<build>".to_owned(), 2.5);
    addition
        .set
        .durations
        .insert("<setup_cache b:1>".to_owned(), 0.5);
    let text = text_with(&document, &addition);
    let set = read_results(&text, Detail::Full).unwrap().set;
    assert_eq!(
        set.results.keys().collect::<Vec<_>>(),
        ["b.first", "b.other", "b.new"]
    );
    assert!(text.contains(r#""b.other": [[1.0, 2], [["x", "y"]], "w"]"#));
    assert!(text.contains(r#""durations": {"<build>": 2.5, "<setup_cache b:1>": 0.5}"#));
    // The header is the run's, but for the environment's name and variables.
    assert_eq!(
        (set.python.as_str(), set.env_name.as_str()),
        ("3.12", "old-name")
    );
    assert_eq!(set.env_vars["V"], "1".into());
    assert!(!set.params.contains_key("ram"));
    assert!(text.ends_with(r#", "version": 2}"#));
    assert!(text.contains(r#""foo": {"a": [1, NaN]}"#));
}

#[test]
fn combinations_that_were_not_measured_keep_their_values() {
    let stats = |q_25: f64| SampleStats {
        ci_99: (0.0, 1.0),
        q_25,
        q_75: 2.0,
        number: 1,
        repeat: 2,
    };
    let mut old = result(&[1.0, 2.0, 3.0]);
    old.params = vec![vec!["1".to_owned(), "0".to_owned(), "gone".to_owned()]];
    old.stats = vec![Some(stats(0.1)), Some(stats(0.2)), None];
    old.samples = vec![Some(vec![1.0]), Some(vec![2.0]), None];
    let mut new = result(&[9.0, 9.0, 8.0]);
    new.stats = vec![None, None, Some(stats(0.8))];
    new.samples = vec![None, None, Some(vec![8.0])];
    let merge = |old: &BenchmarkResult, new: &BenchmarkResult| merged(Some(old), new, Some(&[2]));

    let kept = merge(&old, &new);
    assert_eq!(numbers(&kept), [Some(2.0), Some(1.0), Some(8.0)]);
    let quartiles: Vec<f64> = kept
        .stats
        .iter()
        .flatten()
        .map(|stats| stats.q_25)
        .collect();
    assert_eq!(to_compact(&quartiles.into()), "[0.2, 0.1, 0.8]");
    assert_eq!(kept.samples[0], Some(vec![2.0]));

    // As in asv: a run that records no samples drops the benchmark's old ones.
    new.samples.clear();
    assert!(merge(&old, &new).samples.iter().all(Option::is_none));

    // A combination that the file does not have has failed; one of another version is as given.
    old.params = vec![vec!["0".to_owned(), "8".to_owned(), "9".to_owned()]];
    assert_eq!(numbers(&merge(&old, &new)), [Some(1.0), None, Some(8.0)]);
    old.version = None;
    assert_eq!(
        numbers(&merge(&old, &new)),
        [Some(9.0), Some(9.0), Some(8.0)]
    );
}

#[test]
fn a_profile_is_kept_for_the_same_version() {
    let mut old = result(&[1.0]);
    old.profile = Some("eJx=".to_owned());
    assert_eq!(
        merged(Some(&old), &result(&[2.0]), None).profile,
        old.profile
    );
    old.version = Some("other".to_owned());
    assert_eq!(merged(Some(&old), &result(&[2.0]), None).profile, None);
}

fn failure(message: &str) -> Failure {
    Failure {
        kind: FailureKind::Exception,
        message: message.to_owned(),
        details: String::new(),
    }
}

fn with_provenance(name: &str, values: &[f64], known: BenchmarkProvenance) -> Addition {
    let mut addition = addition(name, values);
    let mut provenance = Provenance {
        head: COMMIT.to_owned(),
        ..Provenance::default()
    };
    provenance.benchmarks.insert(name.to_owned(), known);
    addition.set.provenance = Some(provenance);
    addition
}

#[test]
fn provenance_merges_by_benchmark_and_keeps_what_it_does_not_know() {
    let mut document = document(FILE);
    let first = BenchmarkProvenance {
        failures: vec![Some(failure("a")), Some(failure("b"))],
        process_sizes: vec![vec![3], vec![4]],
        ..BenchmarkProvenance::default()
    };
    document.add(&with_provenance("b.first", &[1.0, 2.0], first));
    let other = BenchmarkProvenance {
        flags: vec!["x".to_owned()],
        ..BenchmarkProvenance::default()
    };
    document.add(&with_provenance("b.other", &[1.0], other));
    document.edit("lcmbench", |lcmbench| {
        lcmbench.insert("newer".to_owned(), "later".into());
        lcmbench.insert("host".to_owned(), Object::new().into());
    });
    let second = BenchmarkProvenance {
        failures: vec![None, Some(failure("new"))],
        process_sizes: vec![vec![], vec![6]],
        ..BenchmarkProvenance::default()
    };
    let mut addition = with_provenance("b.first", &[1.0, 2.0], second);
    addition.selected.insert("b.first".to_owned(), vec![1]);
    let once = text_with(&document, &addition);
    document.add(&addition);
    assert_eq!(
        text_with(&document, &addition),
        once,
        "saving twice changes nothing"
    );

    let set = read_results(&once, Detail::Full).unwrap().set;
    let provenance = set.provenance.unwrap();
    assert_eq!(provenance.head, COMMIT);
    assert_eq!(provenance.extra["newer"], "later".into());
    let known = &provenance.benchmarks["b.first"];
    let messages: Vec<&str> = known
        .failures
        .iter()
        .flatten()
        .map(|f| f.message.as_str())
        .collect();
    assert_eq!(messages, ["a", "new"]);
    assert_eq!(known.process_sizes, [[3], [6]]);
    assert_eq!(provenance.benchmarks["b.other"].flags, ["x"]);
}

#[test]
fn a_benchmark_without_remarks_loses_those_of_its_last_run() {
    let mut document = document(FILE);
    let known = BenchmarkProvenance {
        flags: vec!["x".to_owned()],
        ..BenchmarkProvenance::default()
    };
    document.add(&with_provenance("b.first", &[1.0], known));
    document.add(&with_provenance(
        "b.first",
        &[1.0],
        BenchmarkProvenance::default(),
    ));
    let text = to_compact(&document.into_json());
    assert!(text.contains(r#""lcmbench": {"format": 1"#) && !text.contains("\"benchmarks\""));
}

#[test]
fn a_new_document_is_what_the_writer_writes() {
    let addition = addition("b.x", &[1.0]);
    let mut document = Document::of(&set(COMMIT, "existing-py3"));
    document.add(&addition);
    assert_eq!(to_compact(&document.into_json()), addition.set.to_text());
}

#[test]
fn what_has_not_the_shape_of_results_is_no_document() {
    for text in [
        "[]",
        "{}",
        r#"{"results": []}"#,
        r#"{"results": {"a": []}}"#,
    ] {
        assert!(Document::open(parse(text).unwrap()).is_none(), "{text}");
    }
    assert!(Document::open(parse(r#"{"results": {}}"#).unwrap()).is_some());
}
