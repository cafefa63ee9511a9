use super::*;
use crate::json::Json;
use crate::results::{BenchmarkProvenance, BenchmarkResult, Failure, Value};
use crate::run::testing::{axis, selected};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn filing(&self) -> Filing {
        let machine = Machine {
            name: "vm".to_owned(),
            ..Machine::default()
        };
        let header = ResultSet {
            commit_hash: COMMIT.to_owned(),
            env_name: "existing-py".to_owned(),
            params: machine.params(),
            ..ResultSet::default()
        };
        let names = EnvironmentNames::only("existing-py");
        Filing::new(Store::new(self.folder.path()), &machine, names, header).unwrap()
    }

    fn open(&self) -> Opened {
        let filing = self.filing();
        filing.describe(&[]).unwrap();
        filing.open(Provenance::default()).unwrap()
    }

    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.folder.path().join("vm"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        names
    }

    fn stored(&self) -> ResultSet {
        self.filing().existing().0.unwrap()
    }
}

fn finished(name: &str, values: &[i64]) -> Finished {
    let one = selected(name, |b| {
        if values.len() > 1 {
            b.record.params = vec![axis(&["1", "2", "3"][..values.len()])];
        }
    });
    Finished {
        result: BenchmarkResult {
            values: values
                .iter()
                .map(|value| Value::Number(Json::Int(*value)))
                .collect(),
            params: one.benchmark.record.params.clone(),
            version: one.benchmark.record.version.clone(),
            started_at: Some(1),
            duration: Some(0.5),
            ..BenchmarkResult::default()
        },
        benchmark: one.benchmark,
        combinations: one.combinations,
        provenance: BenchmarkProvenance::default(),
        output: String::new(),
    }
}

fn outcome(finished: Vec<Finished>) -> Outcome {
    Outcome {
        finished,
        durations: [("<setup_cache m:1>".to_owned(), 2.5)]
            .into_iter()
            .collect(),
        ..Outcome::default()
    }
}

const FILE: &str = "01234567-existing-py.json";

#[test]
fn finished_benchmarks_are_in_the_journal_at_once_and_in_the_file_at_the_end() {
    let place = Place::new();
    let mut opened = place.open();
    let benchmark = finished("a", &[4]);
    opened.keep(&benchmark);
    let journal = place
        .files()
        .into_iter()
        .find(|name| name.ends_with(".journal"));
    let text = fs::read_to_string(place.folder.path().join("vm").join(journal.unwrap())).unwrap();
    assert!(text.contains("\"benchmark\": \"a\""), "{text}");

    let saved = opened.save(&outcome(vec![benchmark])).unwrap().unwrap();
    assert!(saved.path.ends_with(format!("vm/{FILE}")));
    assert_eq!(place.files(), [FILE, "machine.json"]);
    let set = place.stored();
    assert_eq!(set.results["a"].values, [Value::Number(Json::Int(4))]);
    assert_eq!(set.durations["<setup_cache m:1>"].to_string(), "2.5");
    assert!(!set.provenance.unwrap().host.is_empty());
}

#[test]
fn a_killed_run_is_folded_in_by_whoever_comes_next() {
    let place = Place::new();
    let mut opened = place.open();
    opened.keep(&finished("a", &[4]));
    drop(opened);
    assert_eq!(place.filing().existing().0, None);
    let recoveries = Store::new(place.folder.path()).recover();
    assert_eq!(recoveries.len(), 1);
    let stored = place.stored();
    assert_eq!(stored.results["a"].values.len(), 1);
    // What was known of the host when it began.
    let host = stored.provenance.unwrap().host;
    assert_eq!(host.keys().collect::<Vec<_>>(), ["before"]);
}

#[test]
fn a_broken_journal_costs_nothing_but_safety() {
    let place = Place::new();
    let mut opened = place.open();
    opened.keep(&finished("a", &[1]));
    opened.broken = Some(FileError::new(
        "write",
        place.folder.path(),
        std::io::Error::other("full"),
    ));
    let outcome = outcome(vec![finished("a", &[1]), finished("b", &[2])]);
    opened.save(&outcome).unwrap().unwrap();
    assert_eq!(place.files(), [FILE, "machine.json"]);
    let names: Vec<String> = place.stored().results.into_keys().collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn nothing_measured_leaves_no_file() {
    let place = Place::new();
    assert_eq!(place.open().save(&Outcome::default()).unwrap(), None);
    // Not even when a cache was set up before an interruption.
    assert_eq!(place.open().save(&outcome(vec![])).unwrap(), None);
    assert_eq!(place.files(), ["machine.json"]);
    assert!(!place.filing().has_commit());
}

#[test]
fn what_an_interruption_cut_off_keeps_its_older_value() {
    let place = Place::new();
    let mut first = place.open();
    first.keep(&finished("a", &[1, 2]));
    first.save(&outcome(vec![finished("a", &[1, 2])])).unwrap();
    assert!(place.filing().has_commit());

    let mut partly = finished("a", &[7, 0]);
    partly.result.values[1] = Value::Failed;
    partly.provenance.failures = vec![
        None,
        Some(Failure {
            kind: FailureKind::Interrupted,
            message: String::new(),
            details: String::new(),
        }),
    ];
    let outcome = Outcome {
        interrupted: Some(15),
        ..outcome(vec![partly])
    };
    place.open().save(&outcome).unwrap();
    let number = |value| Value::Number(Json::Int(value));
    assert_eq!(place.stored().results["a"].values, [number(7), number(2)]);
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_before_anything_is_measured() {
    let place = Place::new();
    fs::write(place.folder.path().join("vm"), "a file").unwrap();
    assert!(place.filing().describe(&[]).is_err());
    assert!(place.filing().open(Provenance::default()).is_err());
}
