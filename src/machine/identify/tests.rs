use fs_err as fs;

use super::*;
use crate::json;

fn detected() -> Detected {
    Detected {
        host: "runner".to_owned(),
        arch: "x86_64".to_owned(),
        cpu: "Xeon".to_owned(),
        num_cpu: "8".to_owned(),
        os: "Linux 6.18".to_owned(),
        ram: Some(25_276_502_016),
    }
}

struct Home {
    folder: tempfile::TempDir,
    environment: Environment,
}

impl Home {
    fn with(content: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        if !content.is_empty() {
            fs::write(folder.path().join(".asv-machine.json"), content).unwrap();
        }
        let environment = [("HOME", folder.path())].into_iter().collect();
        Self {
            folder,
            environment,
        }
    }

    fn identify(&self, requested: Option<&str>) -> Identified {
        identify(requested, &self.environment, &detected()).unwrap()
    }

    fn register(&self, requested: Option<&str>, fields: &Fields) -> Machine {
        register(requested, fields, &self.environment, &detected()).unwrap()
    }

    fn file(&self) -> Json {
        let text = fs::read_to_string(self.folder.path().join(".asv-machine.json")).unwrap();
        json::parse(&text).unwrap()
    }
}

fn facts(machine: &Machine) -> Vec<(&str, &str)> {
    machine
        .facts
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect()
}

const DETECTED: [(&str, &str); 5] = [
    ("arch", "x86_64"),
    ("cpu", "Xeon"),
    ("num_cpu", "8"),
    ("os", "Linux 6.18"),
    ("ram", "25GB"),
];

#[test]
fn a_fresh_home_gets_the_host_as_detected() {
    let home = Home::with("");
    let machine = home.register(None, &Fields::default());
    assert_eq!(machine.name, "runner");
    assert_eq!(facts(&machine), DETECTED);
    let entry = home.file();
    let entry = entry.get("runner").unwrap();
    assert_eq!(entry.get("machine").unwrap().as_str(), Some("runner"));
    assert_eq!(entry.get("ram").unwrap().as_str(), Some("25GB"));
    assert_eq!(home.file().get("version").unwrap().as_i64(), Some(1));
}

#[test]
fn a_name_alone_gives_a_whole_entry() {
    let home = Home::with("");
    let machine = home.register(Some("gpu-01"), &Fields::default());
    assert_eq!(machine.name, "gpu-01");
    assert_eq!(facts(&machine), DETECTED);
}

#[test]
fn single_fields_change_only_themselves_and_the_rest_is_filled() {
    let home = Home::with(
        r#"{"runner": {"arch": "mine", "cpu": "My CPU", "machine": "runner", "ram": "3GB"},
            "other": {"machine": "other"}, "version": 1}"#,
    );
    let fields = Fields {
        os: Some("Plan 9".to_owned()),
        ..Fields::default()
    };
    let machine = home.register(None, &fields);
    assert_eq!(
        facts(&machine),
        [
            ("arch", "mine"),
            ("cpu", "My CPU"),
            ("num_cpu", "8"),
            ("os", "Plan 9"),
            ("ram", "3GB")
        ]
    );
    assert!(home.file().get("other").is_some());
}

#[test]
fn refreshing_follows_the_host_but_keeps_memory_within_a_gigabyte() {
    for (stored, kept) in [
        ("\"25276502016\"", "25276502016"),
        ("\"25GB\"", "25GB"),
        ("\"26GB\"", "26GB"),
        ("24684084", "24684084"),
        ("\"7GB\"", "25GB"),
        ("\"unknown\"", "25GB"),
    ] {
        let home = Home::with(&format!(
            r#"{{"runner": {{"arch": "old", "cpu": "Xeon", "gpu": "A100", "machine": "runner",
                "num_cpu": "4", "os": "Linux 5.4", "ram": {stored}}}, "version": 1}}"#
        ));
        let machine = home.register(None, &Fields::default());
        assert_eq!(machine.facts["ram"], kept);
        assert_eq!(machine.facts["arch"], "x86_64");
        assert_eq!(machine.facts["num_cpu"], "8");
        assert_eq!(machine.facts["os"], "Linux 6.18");
        assert_eq!(machine.facts["gpu"], "A100");
    }
}

#[test]
fn an_entry_that_agrees_is_not_touched_at_all() {
    let text = r#"{"runner": {"arch": "x86_64", "cpu": "Xeon", "machine": "runner", "num_cpu": "8", "os": "Linux 6.18", "ram": 25276502016}, "version": 1}"#;
    let home = Home::with(text);
    home.register(None, &Fields::default());
    home.identify(None);
    let path = home.folder.path().join(".asv-machine.json");
    assert_eq!(fs::read_to_string(path).unwrap(), text);
}

#[test]
fn a_run_takes_the_entry_as_it_is_and_fills_what_it_lacks() {
    let home = Home::with(r#"{"runner": {"machine": "runner", "cpu": "My CPU", "os": null}}"#);
    let identified = home.identify(None);
    assert_eq!(identified.machine.facts["cpu"], "My CPU");
    assert_eq!(identified.machine.facts["os"], "Linux 6.18");
    assert_eq!(identified.machine.facts["ram"], "25GB");
    assert_eq!(
        identified.notes,
        [
            "the description of machine `runner` lacked arch, num_cpu, os, ram; filled with what is detected"
        ]
    );
    assert_eq!(
        home.file()
            .get("runner")
            .unwrap()
            .get("num_cpu")
            .unwrap()
            .as_str(),
        Some("8")
    );
    assert_eq!(home.identify(None).notes, Vec::<String>::new());
}

#[test]
fn numbers_in_the_file_become_text() {
    let home = Home::with(
        r#"{"runner": {"arch": "x86_64", "cpu": "Xeon", "machine": "runner", "num_cpu": 8,
            "os": "x", "ram": 25276502016}}"#,
    );
    let identified = home.identify(None);
    assert_eq!(identified.machine.facts["num_cpu"], "8");
    assert_eq!(identified.machine.facts["ram"], "25276502016");
    assert_eq!(identified.notes, Vec::<String>::new());
}

#[test]
fn a_requested_name_wins_over_the_host_and_over_the_only_entry() {
    let home = Home::with(r#"{"gpu-01": {"machine": "gpu-01", "cpu": "A"}, "version": 1}"#);
    assert_eq!(home.identify(Some("gpu-02")).machine.name, "gpu-02");
    assert!(home.file().get("gpu-02").is_some());
}

#[test]
fn the_only_entry_stands_in_for_a_host_without_one() {
    let home = Home::with(r#"{"gpu-01": {"machine": "gpu-01", "cpu": "A"}, "version": 1}"#);
    let identified = home.identify(None);
    assert_eq!(identified.machine.name, "gpu-01");
    assert_eq!(identified.machine.facts["cpu"], "A");
    assert!(home.file().get("runner").is_none());

    let home = Home::with(r#"{"a": {"machine": "a"}, "b": {"machine": "b"}}"#);
    let identified = home.identify(None);
    assert_eq!(identified.machine.name, "runner");
    assert!(identified.notes[0].contains("was not described yet"));

    let home = Home::with(r#"{"runner": {"machine": "gpu-01"}, "b": {"machine": "b"}}"#);
    assert_eq!(
        home.identify(None).machine.name,
        "gpu-01",
        "asv takes the name inside"
    );
}

#[test]
fn a_description_of_another_machine_is_pointed_out() {
    let home = Home::with(
        r#"{"gpu-01": {"arch": "x86_64", "cpu": "free text", "machine": "gpu-01", "num_cpu": "64",
            "os": "old", "ram": "512GB"}}"#,
    );
    let notes = home.identify(Some("gpu-01")).notes;
    assert_eq!(
        notes,
        [
            "machine `gpu-01` is described with num_cpu 64 (here 8), ram 512GB (here 25GB); if this is that \
          machine, `lcmbench machine --yes` updates it, else name this one with --machine"
        ]
    );
}

#[test]
fn a_home_that_is_missing_or_closed_does_not_stop_a_run() {
    let identified = identify(None, &Environment::default(), &detected()).unwrap();
    assert_eq!(identified.machine.name, "runner");
    assert_eq!(facts(&identified.machine), DETECTED);

    let folder = tempfile::tempdir().unwrap();
    // A file where the home folder should be: nothing can be written below it, whoever runs the test.
    let home = folder.path().join("home");
    fs::write(&home, "").unwrap();
    let environment: Environment = [("HOME", &home)].into_iter().collect();
    assert!(register(None, &Fields::default(), &environment, &detected()).is_err());
}

#[test]
fn bad_names_are_refused_before_anything_is_written() {
    let home = Home::with("");
    let error = identify(Some("a/b"), &home.environment, &detected()).unwrap_err();
    assert!(
        error.to_string().contains("`a/b` cannot be the name"),
        "{error}"
    );
    assert!(!home.folder.path().join(".asv-machine.json").exists());
}
