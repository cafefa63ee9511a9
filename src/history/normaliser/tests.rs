//! Each rule on one set of results, and all of them twice.

use proptest::prelude::*;

use super::*;
use crate::config::NormaliseRules;
use crate::history::lifetimes::Lifetimes;
use crate::history::testing::{machine, set, value};
use crate::json::testing::object;

struct Bench {
    settings: HistorySettings,
    environment: EnvironmentSettings,
    renames: Renames,
}

impl Bench {
    /// All rules; `time_x` became `track_x`, `Old` is retired, `cuda` was called `old-env`.
    fn new() -> Self {
        let mut lifetimes = Lifetimes::default();
        for (name, time) in [("b.A.time_x", 0), ("b.A.time_x", 4), ("b.A.track_x", 5)] {
            lifetimes.add(name, time);
        }
        let settings = HistorySettings {
            retired: vec!["Old".to_owned()],
            ..HistorySettings::default()
        };
        Self {
            renames: Renames::find(&lifetimes, &settings.renamed),
            settings,
            environment: EnvironmentSettings {
                name: Some("cuda".to_owned()),
                aliases: vec!["old-env".to_owned()],
            },
        }
    }

    fn only(rules: NormaliseRules) -> Self {
        let mut bench = Self::new();
        bench.settings.rules = rules;
        bench
    }

    fn apply(&self, set: &mut ResultSet) -> (bool, NormaliseReport) {
        let mut report = NormaliseReport::default();
        let normaliser = Normaliser {
            settings: &self.settings,
            environment: &self.environment,
            renames: &self.renames,
        };
        let place = Place {
            machine: Some(&machine()),
            python: Some("/new/python"),
        };
        let changed = normaliser.apply(set, place, &mut report);
        (changed, report)
    }
}

const NONE: NormaliseRules = NormaliseRules {
    machine: false,
    versions: false,
    renames: false,
    environments: false,
    retired: false,
};

fn sample() -> ResultSet {
    let mut set = set(1, "old-env");
    set.results
        .insert("b.A.time_x".to_owned(), value(1.0, Some("v1")));
    set.results
        .insert("b.A.time_y".to_owned(), value(2.0, Some("v2")));
    set.results
        .insert("b.Old.time_z".to_owned(), value(3.0, None));
    set
}

#[test]
fn without_rules_nothing_changes() {
    let mut set = sample();
    assert!(!Bench::only(NONE).apply(&mut set).0);
    assert_eq!(set, sample());
}

#[test]
fn results_take_the_present_machine_with_whole_gigabytes() {
    let rules = NormaliseRules {
        machine: true,
        ..NONE
    };
    let mut set = sample();
    set.params.insert("numpy".to_owned(), "2.0".into());
    let (changed, report) = Bench::only(rules).apply(&mut set);
    assert!(changed);
    let expected = object(
        r#"{"arch": "x86_64", "machine": "vm", "os": "Linux 6.9", "ram": "17GB", "python": "3.12", "numpy": "2.0"}"#,
    );
    assert_eq!(set.params, expected);
    assert_eq!(
        report.lines(),
        ["1 file of `vm` took its present description (os, ram)"]
    );
}

#[test]
fn stamps_come_off_and_are_kept() {
    let rules = NormaliseRules {
        versions: true,
        ..NONE
    };
    let mut set = sample();
    let (_, report) = Bench::only(rules).apply(&mut set);
    assert!(set.results.values().all(|row| row.version.is_none()));
    assert_eq!(
        stamps(&set),
        Some(&object(r#"{"b.A.time_x": "v1", "b.A.time_y": "v2"}"#))
    );
    assert_eq!(report.stamps, 2);
    // A new measurement of the same commit has a stamp again.
    set.results
        .insert("b.A.time_x".to_owned(), value(1.0, Some("v3")));
    Bench::only(rules).apply(&mut set);
    assert_eq!(
        stamps(&set),
        Some(&object(r#"{"b.A.time_x": "v3", "b.A.time_y": "v2"}"#))
    );
}

#[test]
fn a_renamed_benchmark_keeps_its_place_and_its_stamp() {
    let rules = NormaliseRules {
        renames: true,
        ..NONE
    };
    let mut set = sample();
    Bench::only(rules).apply(&mut set);
    let names: Vec<&String> = set.results.keys().collect();
    assert_eq!(names, ["b.A.track_x", "b.A.time_y", "b.Old.time_z"]);
    assert_eq!(set.results["b.A.track_x"].version, None);
    assert_eq!(set.results["b.A.time_y"].version.as_deref(), Some("v2"));
    assert_eq!(stamps(&set), Some(&object(r#"{"b.A.track_x": "v1"}"#)));
}

#[test]
fn different_results_under_both_names_stay_and_the_same_become_one() {
    let rules = NormaliseRules {
        renames: true,
        ..NONE
    };
    let mut set = sample();
    set.results
        .insert("b.A.track_x".to_owned(), value(9.0, None));
    let before = set.clone();
    let (changed, report) = Bench::only(rules).apply(&mut set);
    assert!(!changed);
    assert_eq!(set, before);
    assert_eq!(report.kept_apart.len(), 1);

    set.results
        .insert("b.A.track_x".to_owned(), value(1.0, None));
    assert!(Bench::only(rules).apply(&mut set).0);
    assert!(!set.results.contains_key("b.A.time_x"));
}

#[test]
fn an_alias_takes_name_and_interpreter_of_the_environment() {
    let rules = NormaliseRules {
        environments: true,
        ..NONE
    };
    let mut set = sample();
    Bench::only(rules).apply(&mut set);
    assert_eq!(
        (set.env_name.as_str(), set.python.as_str()),
        ("cuda", "/new/python")
    );
    assert_eq!(set.params["python"], "/new/python".into());
    let mut other = sample();
    other.env_name = "conda-py3.12".to_owned();
    assert!(!Bench::only(rules).apply(&mut other).0);
}

#[test]
fn retired_benchmarks_leave_nothing_behind() {
    let rules = NormaliseRules {
        retired: true,
        ..NONE
    };
    let mut set = sample();
    keep_stamp(&mut set, "b.Old.time_z", "v".to_owned());
    let (_, report) = Bench::only(rules).apply(&mut set);
    assert!(!set.results.contains_key("b.Old.time_z"));
    assert_eq!(stamps(&set), Some(&Object::new()));
    assert_eq!(
        report.lines(),
        ["`b.Old.time_z` is retired: dropped from 1 file"]
    );
}

fn rules() -> impl Strategy<Value = NormaliseRules> {
    prop::array::uniform5(any::<bool>()).prop_map(
        |[machine, versions, renames, environments, retired]| NormaliseRules {
            machine,
            versions,
            renames,
            environments,
            retired,
        },
    )
}

fn sets() -> impl Strategy<Value = ResultSet> {
    let names: &'static [&'static str] = &[
        "b.A.time_x",
        "b.A.track_x",
        "b.A.time_y",
        "b.Old.time_z",
        "c.t",
    ];
    let rows = prop::collection::vec(
        (
            prop::sample::select(names),
            0..3_u8,
            prop::option::of("v[12]"),
        ),
        0..7,
    );
    let environments = prop::sample::select(vec!["old-env", "cuda", "conda-py3.12"]);
    let rams = prop::sample::select(vec!["17GB", "16416652", "16GB", "odd"]);
    (rows, environments, rams).prop_map(|(rows, environment, ram)| {
        let mut set = set(1, environment);
        set.params.insert("ram".to_owned(), ram.into());
        for (name, number, version) in rows {
            let row = value(f64::from(number), version.as_deref());
            set.results.insert(name.to_owned(), row);
        }
        set
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn repeating_changes_nothing(rules in rules(), mut set in sets()) {
        let bench = Bench::only(rules);
        let before = set.clone();
        let (changed, _) = bench.apply(&mut set);
        prop_assert_eq!(changed, set != before);
        let once = set.clone();
        let (again, _) = bench.apply(&mut set);
        prop_assert!(!again);
        prop_assert_eq!(set, once);
    }

    #[test]
    fn no_measurement_is_forgotten_but_retired_ones(rules in rules(), mut set in sets()) {
        let numbers = |set: &ResultSet| {
            let mut numbers: Vec<String> = set
                .results
                .iter()
                .filter(|(name, _)| !name.contains("Old"))
                .map(|(_, row)| format!("{:?}", row.values))
                .collect();
            numbers.sort();
            numbers.dedup();
            numbers
        };
        let before = numbers(&set);
        Bench::only(rules).apply(&mut set);
        prop_assert_eq!(numbers(&set), before);
    }
}
