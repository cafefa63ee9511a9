use super::*;
use crate::results::testing::{COMMIT, addition, set, temporary_store};

const MACHINE: &str = r#"{"arch": "x86_64", "machine": "vm", "ram": 8589934592, "version": 1}"#;

fn write(store: &Store, name: &str, text: &str) {
    let path = store.root().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn folder(store: &Store) -> MachineFolder {
    let found = store.machines();
    assert_eq!(found.problems, []);
    found.items.into_iter().next().unwrap()
}

fn environments(found: &Found<Loaded>) -> Vec<&str> {
    found
        .items
        .iter()
        .map(|loaded| loaded.set.env_name.as_str())
        .collect()
}

#[test]
fn files_are_listed_by_name_alone() {
    let (_folder, store) = temporary_store();
    write(&store, "vm/machine.json", MACHINE);
    for name in [
        "benchmarks.json",
        "a.py",
        "0123-a-b.json",
        "v0.1-py3.json",
        "x.json",
        "y.json.1-2.journal",
    ] {
        write(&store, &format!("vm/{name}"), "");
    }
    let files = store.files(&folder(&store)).items;
    let parts: Vec<(&str, &str)> = files
        .iter()
        .map(|file| (file.commit.as_str(), file.environment.as_str()))
        .collect();
    assert_eq!(parts, [("0123", "a-b"), ("v0.1", "py3"), ("x", "")]);
}

#[test]
fn one_bad_file_is_named_and_passed_over() {
    let (_folder, store) = temporary_store();
    write(&store, "vm/machine.json", MACHINE);
    write(
        &store,
        "vm/88ce51dc-compare.json",
        r#"{"base_commit": "88ce51dc"}"#,
    );
    write(&store, "vm/00000000-empty.json", "");
    write(&store, "vm/00000001-cut.json", r#"{"commit_hash": "0000"#);
    fs::write(store.root().join("vm/00000002-bytes.json"), b"{\xff}").unwrap();
    write(
        &store,
        "vm/00000003-moved.json",
        &set(COMMIT, "e")
            .to_text()
            .replace("\"vm\"", "\"elsewhere\""),
    );
    let mut odd = set(COMMIT, "good");
    odd.extra.insert("lcmbench".to_owned(), Json::Int(1));
    write(&store, "vm/01234567-good.json", &odd.to_text());
    let folder = folder(&store);
    let found = store.load_all(&store.files(&folder).items, Detail::Full);
    assert_eq!(environments(&found), ["good"]);
    let kinds: Vec<ProblemKind> = found.problems.iter().map(|problem| problem.kind).collect();
    assert_eq!(
        kinds,
        [
            ProblemKind::Unreadable,
            ProblemKind::Unreadable,
            ProblemKind::Unreadable,
            ProblemKind::OtherMachine,
            ProblemKind::Provenance,
            ProblemKind::Foreign,
        ]
    );
    assert!(
        found.problems[2]
            .message
            .starts_with("is no UTF-8 text (byte 1)")
    );
}

#[test]
fn a_commit_is_found_by_its_beginning_and_environment() {
    let (_folder, store) = temporary_store();
    write(&store, "vm/machine.json", MACHINE);
    for env_name in ["existing-a", "existing-b"] {
        let mut addition = addition("b.x", &[1.0]);
        env_name.clone_into(&mut addition.set.env_name);
        store.save(&addition).unwrap();
    }
    // The name says nothing about the environment within.
    write(
        &store,
        "vm/01234567-strange.json",
        &set(COMMIT, "existing-c").to_text(),
    );
    // Another commit with the same beginning.
    let other = format!("01234567{}", "f".repeat(32));
    write(
        &store,
        "vm/01234567-d.json",
        &set(&other, "existing-a").to_text(),
    );
    let folder = folder(&store);
    let find = |commit: &str, name: Option<&str>| {
        let names = name.map(EnvironmentNames::only);
        let found = store.find(&folder, commit, names.as_ref(), Detail::Full);
        assert_eq!(found.problems, []);
        found
    };
    assert_eq!(
        environments(&find(COMMIT, None)),
        ["existing-a", "existing-b", "existing-c"]
    );
    assert_eq!(find("0123", None).items.len(), 4);
    assert_eq!(
        environments(&find("012345678", Some("existing-b"))),
        ["existing-b"]
    );
    assert_eq!(
        environments(&find(COMMIT, Some("existing-c"))),
        ["existing-c"]
    );
    assert_eq!(environments(&find(COMMIT, Some("existing"))), [""; 0]);
    assert_eq!(environments(&find("0124", None)), [""; 0]);
    let names = EnvironmentNames {
        name: "gpu".to_owned(),
        aliases: vec!["existing-b".to_owned()],
    };
    let found = store.find(&folder, COMMIT, Some(&names), Detail::Full);
    assert_eq!(environments(&found), ["existing-b"]);
}

#[test]
fn what_is_no_file_is_named_and_never_opened() {
    let (_folder, store) = temporary_store();
    write(&store, "vm/machine.json", MACHINE);
    std::os::unix::fs::symlink("/dev/zero", store.root().join("vm/00000001-endless.json")).unwrap();
    let folder = folder(&store);
    let found = store.load_all(&store.files(&folder).items, Detail::Full);
    assert_eq!(found.items, []);
    let kinds: Vec<ProblemKind> = found.problems.iter().map(|problem| problem.kind).collect();
    assert_eq!(kinds, [ProblemKind::Unreadable]);
    assert_eq!(
        found.problems[0].message,
        "is no file, but a pipe, a socket or a device"
    );
}
