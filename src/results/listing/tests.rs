use super::*;
use crate::results::problem_lines;
use crate::results::testing::temporary_store;

const MACHINE: &str = r#"{"arch": "x86_64", "machine": "vm", "ram": 8589934592, "version": 1}"#;

fn write(store: &Store, name: &str, text: &str) {
    let path = store.root().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn names(found: &Found<MachineFolder>) -> Vec<(&str, bool)> {
    found
        .items
        .iter()
        .map(|item| (item.machine.name.as_str(), item.is_described))
        .collect()
}

#[test]
fn folders_with_a_machine_file_count_at_any_depth() {
    let (_folder, store) = temporary_store();
    assert_eq!(store.machines(), Found::default());
    write(&store, "vm/machine.json", MACHINE);
    let other = r#"{"machine": "other.example", "version": 1}"#;
    write(&store, "deep/er/machine.json", other);
    write(&store, "none/0-x.json", "{}");
    write(&store, "none/deeper/01234567-x.json", "{}");
    let found = store.machines();
    assert_eq!(names(&found), [("other.example", true), ("vm", true)]);
    assert_eq!(found.problems, []);
    let vm = &found.items[1].machine;
    assert_eq!(vm.facts["ram"], "8589934592");
    assert_eq!(vm.facts.len(), 2);
}

#[test]
fn a_machine_file_that_says_nothing_takes_no_results_away() {
    let (_folder, store) = temporary_store();
    write(&store, "broken/machine.json", "{");
    write(&store, "broken/01234567-env.json", "{}");
    write(
        &store,
        "newer/machine.json",
        r#"{"machine": "m", "version": 2}"#,
    );
    write(&store, "gone/01234567-env.json", "{}");
    write(&store, "reports/01234567-compare.json", "{}");
    fs::create_dir_all(store.root().join("folder/machine.json")).unwrap();
    write(&store, "folder/01234567-env.json", "{}");
    let found = store.contents();
    let files: Vec<(&str, usize)> = found
        .items
        .iter()
        .map(|(folder, files)| (folder.machine.name.as_str(), files.len()))
        .collect();
    assert_eq!(
        files,
        [("broken", 1), ("folder", 1), ("gone", 1), ("newer", 0)]
    );
    assert_eq!(found.items[0].1[0].machine, "broken");
    assert!(found.items.iter().all(|(folder, _)| !folder.is_described));
    let root = store.root().display().to_string();
    let lines = problem_lines(&found.problems);
    assert_eq!(
        lines[0].replace(&root, "results"),
        "results/broken/machine.json is no JSON (line 1, column 2: the text ends inside an object); \
         the folder's name `broken` counts as the machine's. To mend it, bring the file back from \
         git, or measure there: `lcmbench run` writes it anew"
    );
    for (line, beginning) in lines[1..].iter().zip([
        "results/folder/machine.json is missing; the folder's name `folder` counts",
        "results/gone/machine.json is missing; the folder's name `gone` counts",
        "results/newer/machine.json is of a version that this does not read; the folder's name `newer`",
    ]) {
        let line = line.replace(&root, "results");
        assert!(line.starts_with(beginning), "{line}");
    }
    assert_eq!(lines.len(), 4);
}

#[test]
fn the_results_folder_itself_has_no_name_of_a_machine() {
    let (_folder, store) = temporary_store();
    write(&store, "machine.json", "[]");
    write(&store, "01234567-env.json", "{}");
    let found = store.machines();
    assert_eq!(names(&found), []);
    let line = found.problems[0].to_string();
    assert!(
        line.contains("machine.json has no version; results directly in "),
        "{line}"
    );
    assert!(line.ends_with("Move them into a folder that is named after their machine"));
}
