use std::sync::Barrier;

use super::*;
use crate::results::Value;
use crate::results::testing::{COMMIT, addition, result, set, temporary_store};

fn read(path: &Path) -> ResultSet {
    read::read_results(&fs::read_to_string(path).unwrap(), Detail::Full)
        .unwrap()
        .set
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_machine_is_written_as_asv_does() {
    let (_folder, store) = temporary_store();
    let machine = Machine {
        name: "vm".to_owned(),
        facts: [("ram", "25GB"), ("arch", "x86_64")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
    };
    store.save_machine(&machine).unwrap();
    assert_eq!(
        fs::read_to_string(store.root().join("vm/machine.json")).unwrap(),
        "{\n    \"arch\": \"x86_64\",\n    \"machine\": \"vm\",\n    \"ram\": \"25GB\",\n    \"version\": 1\n}"
    );
    assert_eq!(store.machines().items[0].machine, machine);
}

#[test]
fn a_new_file_has_asv_s_name_and_bytes() {
    let (_folder, store) = temporary_store();
    let addition = addition("b.x", &[1.0]);
    let saved = store.save(&addition).unwrap();
    assert_eq!(
        saved.path,
        store.root().join("vm/01234567-existing-py3.json")
    );
    assert_eq!(saved.problems, []);
    assert_eq!(
        fs::read_to_string(&saved.path).unwrap(),
        addition.set.to_text()
    );
    assert_eq!(
        names(&store.root().join("vm")),
        ["01234567-existing-py3.json"]
    );
}

#[test]
fn names_that_lead_out_of_the_store_are_refused() {
    let (_folder, store) = temporary_store();
    for name in ["", "..", "../x", "/x", "a/../.."] {
        assert!(
            matches!(store.machine_path(name), Err(SaveError::MachineName(_))),
            "{name}"
        );
    }
    let mut nameless = addition("b.x", &[1.0]);
    nameless.set.params.shift_remove("machine");
    assert!(matches!(
        store.save(&nameless),
        Err(SaveError::MachineName(_))
    ));
    assert!(store.machine_path("Some-MBP.example.club").is_ok());
}

#[test]
fn a_file_under_an_alias_is_added_to() {
    let (_folder, store) = temporary_store();
    let mut old = addition("b.x", &[1.0]);
    old.set.env_name = "existing-py_old_path".to_owned();
    let path = store.save(&old).unwrap().path;
    let mut new = addition("b.y", &[2.0]);
    new.set.env_name = "existing-gpu".to_owned();
    new.aliases = vec!["existing-py_old_path".to_owned()];
    assert_eq!(store.save(&new).unwrap().path, path);
    let set = read(&path);
    assert_eq!(set.env_name, "existing-py_old_path");
    assert_eq!(set.results.len(), 2);
    new.aliases.clear();
    assert_ne!(store.save(&new).unwrap().path, path);
}

#[test]
fn a_file_of_version_one_becomes_version_two() {
    let (_folder, store) = temporary_store();
    let path = store.root().join("vm/01234567-existing-py3.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let old = format!(
        r#"{{"commit_hash": "{COMMIT}", "env_name": "existing-py3", "date": 1000, "params": {{"machine": "vm"}}, "python": "3.12", "requirements": {{}}, "results": {{"b.old": 0.5}}, "version": 1}}"#
    );
    fs::write(&path, old).unwrap();
    store.save(&addition("b.x", &[1.0])).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(r#""results": {"b.old": [[0.5], []], "b.x": [[1.0], [], "v", 5, 0.5]}"#));
    assert!(text.ends_with(r#""version": 2}"#));
}

#[test]
fn a_file_that_cannot_be_read_is_moved_aside() {
    let (_folder, store) = temporary_store();
    let path = store.root().join("vm/01234567-existing-py3.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    for (content, number) in [("{\"commit", ""), ("{}", "2"), (r#"{"version": 2}"#, "3")] {
        fs::write(&path, content).unwrap();
        let saved = store.save(&addition("b.x", &[1.0])).unwrap();
        assert_eq!(saved.problems[0].kind, ProblemKind::MovedAside);
        let aside = path.with_extension(format!("json.unreadable{number}"));
        assert_eq!(fs::read_to_string(aside).unwrap(), content);
        assert_eq!(read(&path).results.len(), 1);
    }
}

#[test]
fn files_of_others_are_left_alone() {
    let (_folder, store) = temporary_store();
    let path = store.root().join("vm/01234567-existing-py3.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let newer = format!(r#"{{"commit_hash": "{COMMIT}", "version": 3}}"#);
    let other = set(&format!("01234567{}", "f".repeat(32)), "existing-py3").to_text();
    for content in [newer, other] {
        fs::write(&path, &content).unwrap();
        let error = store.save(&addition("b.x", &[1.0])).unwrap_err();
        assert!(matches!(
            error,
            SaveError::Newer { .. } | SaveError::OtherCommit { .. }
        ));
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
}

#[test]
fn many_savers_at_once_lose_nothing() {
    const SAVERS: usize = 8;
    const TIMES: usize = 5;
    let (_folder, store) = temporary_store();
    let barrier = Barrier::new(SAVERS);
    std::thread::scope(|scope| {
        for saver in 0..SAVERS {
            let (store, barrier) = (&store, &barrier);
            scope.spawn(move || {
                barrier.wait();
                for time in 0..TIMES {
                    let name = format!("b.saver{saver}_{time}");
                    store.save(&addition(&name, &[1.0])).unwrap();
                }
            });
        }
    });
    let set = read(&store.root().join("vm/01234567-existing-py3.json"));
    assert_eq!(set.results.len(), SAVERS * TIMES);
    assert_eq!(names(&store.root().join("vm")).len(), 1);
}

#[test]
fn combinations_of_two_processes_come_together() {
    let (_folder, store) = temporary_store();
    for index in 0..3 {
        let mut values = [f64::NAN; 3];
        values[index] = 1.5;
        let mut addition = addition("b.p", &values);
        addition.selected.insert("b.p".to_owned(), vec![index]);
        store.save(&addition).unwrap();
    }
    let set = read(&store.root().join("vm/01234567-existing-py3.json"));
    assert_eq!(
        set.results["b.p"].values,
        vec![Value::Number(1.5.into()); 3]
    );
    assert_eq!(set.results["b.p"].params, result(&[0.0; 3]).params);
}

#[test]
fn a_folder_that_cannot_be_written_is_said_before_measuring() {
    let (folder, store) = temporary_store();
    store.check_writable("vm").unwrap();
    assert_eq!(names(&store.root().join("vm")), [""; 0]);
    // A file in the place of the results folder.
    let occupied = Store::new(folder.path().join("occupied"));
    fs::write(occupied.root(), "").unwrap();
    let error = occupied.check_writable("vm").unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "cannot make the results folder {}",
            occupied.root().join("vm").display()
        )
    );
    assert!(occupied.save(&addition("b.x", &[1.0])).is_err());
}

#[test]
fn a_read_only_folder_is_said_before_measuring() {
    let (_folder, store) = temporary_store();
    let addition = addition("b.x", &[1.0]);
    let path = store.save(&addition).unwrap().path;
    let Some(_mount) = ReadOnly::mount(store.root()) else {
        eprintln!("skipped: a read-only file system cannot be mounted here");
        return;
    };
    let error = store.check_writable("vm").unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(source.contains("Read-only"), "{source}");
    assert!(
        store
            .save(&super::super::testing::addition("b.y", &[1.0]))
            .is_err()
    );
    assert_eq!(read(&path).results.len(), 1);
    assert_eq!(store.recover().len(), 0);
}

/// A folder mounted on itself, read-only: even root cannot write there.
struct ReadOnly<'p> {
    path: &'p Path,
}

impl<'p> ReadOnly<'p> {
    fn mount(path: &'p Path) -> Option<Self> {
        let mount = |arguments: &[&str]| {
            std::process::Command::new("mount")
                .args(arguments)
                .arg(path)
                .output()
                .is_ok_and(|output| output.status.success())
        };
        let own = path.to_str()?;
        if !mount(&["--bind", own]) {
            return None;
        }
        let mounted = Self { path };
        mount(&["-o", "remount,ro,bind"]).then_some(mounted)
    }
}

impl Drop for ReadOnly<'_> {
    fn drop(&mut self) {
        std::process::Command::new("umount")
            .arg(self.path)
            .status()
            .ok();
    }
}
