//! The command `machine`, alone and beside asv on the same file.

use fs_err as fs;
use serde_json::Value;

use crate::common::{Project, VENV, oracle};

/// `~/.asv-machine.json` of the project's private home.
fn machine_file(project: &Project) -> Value {
    let text = fs::read_to_string(project.home().join(".asv-machine.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn fact<'a>(file: &'a Value, machine: &str, key: &str) -> &'a str {
    file[machine][key].as_str().unwrap()
}

#[test]
fn it_describes_this_machine_and_prints_what_it_stored() {
    let project = Project::without_git();
    let output = project
        .lcmbench()
        .args(["machine", "--yes", "--machine", "gpu-01"])
        .run()
        .expect(0);
    let file = machine_file(&project);
    for key in ["machine", "arch", "cpu", "num_cpu", "os", "ram"] {
        let value = fact(&file, "gpu-01", key);
        let line = format!("{key:<8} {value}");
        assert!(
            output.stdout.lines().any(|printed| printed == line),
            "{line}"
        );
    }
    let ram = fact(&file, "gpu-01", "ram").strip_suffix("GB").unwrap();
    assert!(ram.parse::<u32>().is_ok(), "{ram}");
    assert_eq!(file["version"], 1);
    assert!(!output.stderr.contains("asks no questions"));
    let _output = project
        .lcmbench()
        .arg("machine")
        .run()
        .expect(0)
        .says("lcmbench asks no questions");
}

#[test]
fn one_field_can_be_changed_alone() {
    let project = Project::without_git();
    let describe = |arguments: &[&str]| {
        project
            .lcmbench()
            .args(["machine", "--machine", "vm"])
            .args(arguments)
            .run()
            .expect(0)
    };
    let _first = describe(&["--os", "Plan 9", "--num_cpu", "64"]);
    let before = machine_file(&project);
    assert_eq!(fact(&before, "vm", "os"), "Plan 9");
    assert_eq!(fact(&before, "vm", "num_cpu"), "64");
    assert!(!fact(&before, "vm", "arch").is_empty());
    let _second = describe(&["--ram", "7GB"]);
    let after = machine_file(&project);
    assert_eq!(fact(&after, "vm", "ram"), "7GB");
    assert_eq!(fact(&after, "vm", "os"), "Plan 9");
    assert_eq!(fact(&after, "vm", "num_cpu"), "64");
}

#[test]
fn the_name_comes_from_flag_then_variable_then_file() {
    let project = Project::without_git();
    project.write("lcmbench.toml", "machine = \"of-file\"\n");
    let named = |flag: &[&str], variable: &str| {
        let output = project
            .lcmbench()
            .args(["machine", "--yes"])
            .args(flag)
            .env("LCMBENCH_MACHINE", variable)
            .run()
            .expect(0);
        let line = output.stdout.lines().next().unwrap().to_owned();
        line.trim_start_matches("machine").trim().to_owned()
    };
    assert_eq!(named(&[], ""), "of-file");
    assert_eq!(named(&[], "of-variable"), "of-variable");
    assert_eq!(named(&["--machine", "of-flag"], "of-variable"), "of-flag");
    let _output = project
        .lcmbench()
        .args(["machine", "--machine", "a/b"])
        .run()
        .expect(3)
        .says("`a/b` cannot be the name of a machine");
}

#[test]
fn a_broken_machine_file_is_named_and_left_alone() {
    let project = Project::without_git();
    let path = project.home().join(".asv-machine.json");
    fs::write(&path, "{\"vm\": {\n").unwrap();
    let _output = project
        .lcmbench()
        .args(["machine", "--yes"])
        .run()
        .expect(3)
        .says(".asv-machine.json is no JSON");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"vm\": {\n");
}

#[test]
fn asv_and_lcmbench_read_and_write_the_same_file() {
    let Some(venv) = oracle(VENV) else { return };
    let project = Project::without_git();
    project.write("asv.conf.json", "{\"version\": 1, \"repo\": \".\"}");
    let path = project.home().join(".asv-machine.json");
    let asv = |arguments: &[&str]| {
        project
            .program(venv.join("bin/asv"))
            .args(arguments)
            .run()
            .expect(0)
    };

    // What asv detects is what we detect; memory is within a gigabyte and so stays as asv wrote it.
    let _described = asv(&["machine", "--yes"]);
    let of_asv = fs::read_to_string(&path).unwrap();
    let _described = project
        .lcmbench()
        .args(["machine", "--yes"])
        .run()
        .expect(0);
    assert_eq!(fs::read_to_string(&path).unwrap(), of_asv);

    // From nothing, all but the memory is the same, to the byte.
    fs::remove_file(&path).unwrap();
    let _described = project
        .lcmbench()
        .args(["machine", "--yes"])
        .run()
        .expect(0);
    let ours = fs::read_to_string(&path).unwrap();
    let without_ram = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.contains("\"ram\""));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(without_ram(&ours), without_ram(&of_asv));

    // asv takes our entry, and keeps it, when it describes another machine.
    let _described = asv(&["machine", "--yes", "--machine", "other", "--os", "Z"]);
    let file = machine_file(&project);
    assert_eq!(fact(&file, "other", "os"), "Z");
    let ours: Value = serde_json::from_str(&ours).unwrap();
    let name = ours.as_object().unwrap().keys().next().unwrap();
    assert_eq!(file[name], ours[name]);

    // The entry that asv left incomplete is filled.
    let _described = project
        .lcmbench()
        .args(["machine", "--machine", "other", "--cpu", "Y"])
        .run()
        .expect(0);
    let file = machine_file(&project);
    assert_eq!(fact(&file, "other", "os"), "Z");
    assert_eq!(fact(&file, "other", "cpu"), "Y");
    assert!(!fact(&file, "other", "ram").is_empty());
}
