use fs_err as fs;

use super::*;
use crate::results::testing::{addition, result, temporary_store};
use crate::results::{Failure, FailureKind, Value};

fn header() -> Addition {
    let mut header = addition("b.x", &[1.0]);
    header.set.results.clear();
    header.set.provenance = Some(Provenance {
        head: "abc".to_owned(),
        ..Provenance::default()
    });
    header.aliases = vec!["old".to_owned()];
    header
}

fn known(message: &str) -> BenchmarkProvenance {
    let failure = Failure {
        kind: FailureKind::Timeout,
        message: message.to_owned(),
        details: String::new(),
    };
    BenchmarkProvenance {
        failures: vec![Some(failure)],
        ..BenchmarkProvenance::default()
    }
}

/// A journal with a benchmark noted twice, another one, durations and provenance.
fn text() -> String {
    let (_folder, store) = temporary_store();
    let mut journal = store.begin(&header()).unwrap();
    journal
        .record("b.x", &result(&[1.0]), None, Some(&known("slow")))
        .unwrap();
    journal
        .record("b.p", &result(&[1.0, f64::NAN]), Some(&[0]), None)
        .unwrap();
    journal.record("b.x", &result(&[2.0]), None, None).unwrap();
    let durations = IndexMap::from([("<build>".to_owned(), 0.5)]);
    journal.record_durations(&durations).unwrap();
    let provenance = Provenance {
        head: "def".to_owned(),
        ..Provenance::default()
    };
    journal.record_provenance(&provenance).unwrap();
    fs::read_to_string(journal.path()).unwrap()
}

#[test]
fn the_last_note_about_a_benchmark_counts() {
    let content = read_journal(&text()).unwrap();
    let Addition {
        set,
        aliases,
        selected,
    } = content.addition;
    assert_eq!((content.damaged, aliases), (0, vec!["old".to_owned()]));
    assert_eq!(set.results["b.x"], result(&[2.0]));
    assert_eq!(set.results["b.p"].values[1], Value::Skipped);
    assert_eq!(selected, IndexMap::from([("b.p".to_owned(), vec![0])]));
    assert_eq!(set.durations.get("<build>"), Some(&0.5));
    let provenance = set.provenance.unwrap();
    assert_eq!(provenance.head, "def");
    assert!(
        provenance.benchmarks.is_empty(),
        "replaced by the note without remarks"
    );
    assert_eq!(set.params, header().set.params);
}

#[test]
fn a_journal_cut_at_any_byte_holds_all_lines_before() {
    let text = text();
    let mut counts = Vec::new();
    for end in 0..=text.len() {
        let Some(cut) = text.get(..end) else {
            continue;
        };
        let whole_lines = cut.matches('\n').count();
        match read_journal(cut) {
            Ok(content) => {
                assert_eq!(content.damaged, 0);
                counts.push((whole_lines, content.addition.set.results.len()));
            }
            Err(refusal) => {
                assert_eq!(refusal, NotAJournal::Empty);
                assert_eq!(whole_lines, 0);
            }
        }
    }
    counts.dedup();
    assert_eq!(counts, [(1, 0), (2, 1), (3, 2), (4, 2), (5, 2), (6, 2)]);
}

#[test]
fn damaged_lines_are_counted_and_passed_over() {
    let mut lines: Vec<String> = text().lines().map(str::to_owned).collect();
    lines.insert(2, "{\"benchmark\": \"b.y".to_owned());
    lines.insert(3, "[]".to_owned());
    lines.insert(4, "{}".to_owned());
    let content = read_journal(&(lines.join("\n") + "\n")).unwrap();
    assert_eq!(content.damaged, 3);
    assert_eq!(content.addition.set.results.len(), 2);
}

#[test]
fn what_is_no_journal_is_refused() {
    let refused = |text: &str| match read_journal(text) {
        Err(NotAJournal::Unreadable(reason)) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused("{}\n"), "is no journal");
    assert_eq!(
        refused("{\"journal\": 2}\n"),
        "was written by a later version"
    );
    assert!(refused("{\n").starts_with("is damaged (line 1"));
    assert_eq!(refused("{\"journal\": 1}\n"), "has a header that is empty");
    assert_eq!(read_journal("\n").unwrap_err(), NotAJournal::Empty);
}

#[test]
fn two_journals_of_one_file_have_names_of_their_own() {
    let (_folder, store) = temporary_store();
    let first = store.begin(&header()).unwrap();
    let second = store.begin(&header()).unwrap();
    assert_ne!(first.path(), second.path());
    let name = first.path().file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("01234567-existing-py3.json.") && name.ends_with(EXTENSION));
    let folder = first.path().parent().unwrap();
    assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
}

#[test]
fn values_survive_the_journal() {
    let (_folder, store) = temporary_store();
    let mut journal = store.begin(&header()).unwrap();
    let mut odd = result(&[1.0, 2.0]);
    odd.values = vec![Value::Failed, Value::Other("a\nb\u{2028}".into())];
    odd.samples = vec![None, Some(vec![0.1, f64::INFINITY])];
    journal.record("b.\"odd\"", &odd, None, None).unwrap();
    let content = read_journal(&fs::read_to_string(journal.path()).unwrap()).unwrap();
    assert_eq!(content.addition.set.results["b.\"odd\""], odd);
    assert!(to_compact(&content.writer.to_json()).contains("\"pid\""));
}
