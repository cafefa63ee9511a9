//! What asv writes we read and write to the byte, and what we write asv reads.

use fs_err as fs;
use lcmbench::results::{
    Addition, BenchmarkProvenance, BenchmarkResult, Failure, FailureKind, Provenance, Store, Value,
};

use crate::common::{VENV, oracle};

use super::measured::{Measured, TRACK, nothing};

#[test]
fn files_of_asv_come_back_to_the_byte() {
    let Some(venv) = oracle(VENV) else { return };
    let measured = Measured::new(venv);
    let (set, text) = (measured.set(), measured.text());
    assert_eq!(set.results.len(), 8);
    let times = &set.results["bench.Times.time_it"];
    assert_eq!(times.values[1], Value::Skipped);
    assert_eq!(times.values[3], Value::Failed);
    assert_eq!(times.samples[0].as_ref().map(Vec::len), Some(4));
    assert!(times.profile.is_some());
    assert_eq!(set.results["bench.track_none"].values, [Value::Failed]);
    assert_eq!(set.to_text(), text);

    let saved = measured.store().save(&nothing(&set)).unwrap();
    assert_eq!((saved.path, saved.problems), (measured.path(), vec![]));
    assert_eq!(measured.text(), text);

    // Written afresh elsewhere: the same folder, file name and bytes, machine and suite included.
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = Store::new(elsewhere.path());
    copy.save_machine(&measured.folder().machine).unwrap();
    copy.save_benchmarks(&measured.store().load_benchmarks().unwrap())
        .unwrap();
    let addition = Addition {
        set,
        ..Addition::default()
    };
    copy.save(&addition).unwrap();
    let root = measured.store().root().to_owned();
    for path in [
        root.join("benchmarks.json"),
        root.join("box/machine.json"),
        measured.path(),
    ] {
        let ours = elsewhere.path().join(path.strip_prefix(&root).unwrap());
        assert_eq!(
            fs::read_to_string(&ours).unwrap(),
            fs::read_to_string(&path).unwrap(),
            "{}",
            path.display()
        );
    }
}

#[test]
fn asv_reads_what_we_add() {
    let Some(venv) = oracle(VENV) else { return };
    let measured = Measured::new(venv);
    let store = measured.store();
    let mut addition = nothing(&measured.set());
    let failure = Failure {
        kind: FailureKind::Timeout,
        message: "took \u{b5}s too long".to_owned(),
        details: "line\nline".to_owned(),
    };
    let known = BenchmarkProvenance {
        failures: vec![Some(failure)],
        flags: vec!["compiled-while-timed".to_owned()],
        ..BenchmarkProvenance::default()
    };
    let mut provenance = Provenance {
        lcmbench: "0.1.0".to_owned(),
        head: measured.commit.clone(),
        ..Provenance::default()
    };
    provenance
        .benchmarks
        .insert("bench.track_float".to_owned(), known);
    addition.set.provenance = Some(provenance.clone());
    let result = BenchmarkResult {
        values: vec![Value::Number(123_456_789_i64.into())],
        ..measured.set().results["bench.track_float"].clone()
    };
    addition
        .set
        .results
        .insert("bench.track_float".to_owned(), result);
    let mut journal = store.begin(&nothing(&addition.set)).unwrap();
    for (name, result) in &addition.set.results {
        journal
            .record(name, result, None, provenance.benchmarks.get(name))
            .unwrap();
    }
    // asv passes over the journal that lies there.
    assert!(measured.asv(&["show"], 0).contains(&measured.commit[..8]));
    store.fold(journal).unwrap();
    assert!(measured.text().ends_with(r#""version": 2}"#));
    assert_eq!(measured.set().provenance, Some(provenance));

    let shown = measured.asv(&["show", "--details", &measured.commit], 0);
    assert!(shown.contains("123456789"), "{shown}");
    measured.project.commit("Nothing");
    let compared = measured.asv(
        &["compare", "--machine", "box", &measured.commit, "HEAD~1"],
        0,
    );
    assert!(compared.contains("bench.track_float"), "{compared}");
    let published = measured.asv(&["publish", "--no-pull"], 0);
    assert!(!published.contains("Traceback"), "{published}");
    let graphs = measured
        .project
        .path("html/graphs/summary/bench.track_float.json");
    assert!(fs::read_to_string(graphs).unwrap().contains("123456789"));

    // asv re-saves the file: its own run loses our key and nothing else.
    measured.run(&["--bench", "track_(nan|fail)"]);
    let set = measured.set();
    assert_eq!(set.provenance, None);
    assert_eq!(set.results.len(), 8);
}

#[test]
fn combinations_merge_as_asv_merges_them() {
    let Some(venv) = oracle(VENV) else { return };
    let measured = Measured::new(venv);
    let own_version = measured.set().results[TRACK].version.clone();
    for (version, expected) in [
        (own_version, "[10, NaN, 2, 1, null, null]"),
        (Some("older".to_owned()), "[10, NaN, NaN, NaN, NaN, NaN]"),
    ] {
        // As if the last run had measured other values, of other parameters.
        let mut set = measured.set();
        let row = &mut set.results[TRACK];
        row.version = version;
        row.values = (1..=4_i64)
            .map(|value| Value::Number(value.into()))
            .collect();
        row.params = vec![
            vec!["2 (0)".to_owned(), "9".to_owned()],
            vec!["None".to_owned(), "'a'".to_owned()],
        ];
        let before = set.to_text();
        fs::write(measured.path(), &before).unwrap();
        measured.run_with(&["--bench", r"track_value\(1"], 0);
        let theirs = measured.text();
        assert!(
            theirs.contains(&format!("\"{TRACK}\": [{expected}")),
            "{theirs}"
        );

        // The same by us: what asv measured, with NaN where it did not.
        let after = measured.set();
        let mut addition = nothing(&after);
        addition.set.durations.clone_from(&after.durations);
        let mut row = after.results[TRACK].clone();
        row.values[2..].fill(Value::Skipped);
        addition.set.results.insert(TRACK.to_owned(), row);
        addition.selected.insert(TRACK.to_owned(), vec![0, 1]);
        fs::write(measured.path(), &before).unwrap();
        measured.store().save(&addition).unwrap();
        assert_eq!(measured.text(), theirs);
    }
}
