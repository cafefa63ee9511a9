use super::*;
use crate::results::testing::{addition, result, temporary_store};
use crate::results::{Detail, ResultSet};

fn header() -> Addition {
    let mut header = addition("b.x", &[1.0]);
    header.set.results.clear();
    header
}

fn saved_set(store: &Store) -> ResultSet {
    let path = store.root().join("vm/01234567-existing-py3.json");
    let text = fs::read_to_string(path).unwrap();
    crate::results::read::read_results(&text, Detail::Full)
        .unwrap()
        .set
}

fn journals(store: &Store) -> usize {
    let names = ListedFolder::read(store.root().join("vm"), &mut Vec::new()).names;
    journals_in(Path::new(""), &names).len()
}

/// A journal as a killed process leaves it: cut at the end, its lock gone.
fn killed(store: &Store, name: &str, rest: &str) -> PathBuf {
    let mut journal = store.begin(&header()).unwrap();
    journal.record(name, &result(&[1.0]), None, None).unwrap();
    let path = journal.path().to_owned();
    drop(journal);
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str(rest);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_run_that_ends_folds_its_journal() {
    let (_folder, store) = temporary_store();
    let mut journal = store.begin(&header()).unwrap();
    journal.record("b.x", &result(&[1.0]), None, None).unwrap();
    let saved = store.fold(journal).unwrap().unwrap();
    assert_eq!(saved.problems, []);
    assert_eq!(saved_set(&store), addition("b.x", &[1.0]).set);
    assert_eq!(journals(&store), 0);
}

#[test]
fn a_run_without_a_result_leaves_nothing() {
    let (_folder, store) = temporary_store();
    let journal = store.begin(&header()).unwrap();
    assert!(store.fold(journal).unwrap().is_none());
    assert_eq!(fs::read_dir(store.root().join("vm")).unwrap().count(), 0);
}

#[test]
fn journals_of_killed_runs_are_folded_and_those_of_living_ones_are_not() {
    let (_folder, store) = temporary_store();
    assert!(store.recover().is_empty());
    killed(&store, "b.killed", "{\"benchmark\": \"b.half\", \"ro");
    let mut living = store.begin(&header()).unwrap();
    living
        .record("b.living", &result(&[2.0]), None, None)
        .unwrap();
    let recoveries = store.recover();
    assert_eq!(recoveries.len(), 1);
    assert_eq!(
        recoveries[0].to_string(),
        format!(
            "saved 1 benchmark of a run that was killed, in {}",
            store.root().join("vm/01234567-existing-py3.json").display()
        )
    );
    assert_eq!(
        saved_set(&store).results.keys().collect::<Vec<_>>(),
        ["b.killed"]
    );
    assert_eq!(journals(&store), 1);
    store.fold(living).unwrap();
    assert_eq!(saved_set(&store).results.len(), 2);
    assert!(store.recover().is_empty());
}

#[test]
fn several_recoverers_fold_each_journal_once() {
    let (_folder, store) = temporary_store();
    for index in 0..6 {
        killed(&store, &format!("b.x{index}"), "");
    }
    let folded: usize = std::thread::scope(|scope| {
        let recover = || scope.spawn(|| store.recover().len());
        let handles = [recover(), recover(), recover()];
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap())
            .sum()
    });
    assert_eq!(folded, 6);
    assert_eq!(saved_set(&store).results.len(), 6);
    assert_eq!(journals(&store), 0);
}

#[test]
fn what_cannot_be_folded_stays_and_is_said() {
    let (_folder, store) = temporary_store();
    let path = killed(&store, "b.x", "");
    fs::write(&path, "{\"journal\": 9}\n").unwrap();
    let told: Vec<String> = store.recover().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [format!(
            "left {} as it is: it was written by a later version",
            path.display()
        )]
    );
    assert!(path.exists());
    fs::write(&path, "{\"jour").unwrap();
    assert!(matches!(&store.recover()[..], [Recovery::Empty { .. }]));
    assert!(!path.exists());
}

#[test]
fn a_journal_outlives_a_save_that_fails() {
    let (_folder, store) = temporary_store();
    let mut journal = store.begin(&header()).unwrap();
    journal.record("b.x", &result(&[1.0]), None, None).unwrap();
    let target = store.root().join("vm/01234567-existing-py3.json");
    fs::write(
        &target,
        format!(
            "{{\"commit_hash\": \"{}\", \"version\": 7}}",
            "0".repeat(40)
        ),
    )
    .unwrap();
    assert!(matches!(store.fold(journal), Err(SaveError::Newer { .. })));
    let told = store.recover()[0].to_string();
    assert!(
        told.contains("could not be folded in") && told.contains("version 7"),
        "{told}"
    );
    fs::remove_file(&target).unwrap();
    assert!(matches!(&store.recover()[..], [Recovery::Folded { .. }]));
    assert_eq!(saved_set(&store).results.len(), 1);
}

#[test]
fn temporary_files_of_a_kill_are_swept_up_when_they_are_old() {
    let (_folder, store) = temporary_store();
    let folder = store.root().join("vm");
    fs::create_dir_all(&folder).unwrap();
    let old = folder.join(".lcmbench-a.tmp");
    let young = folder.join(".lcmbench-b.tmp");
    fs::write(&old, "").unwrap();
    fs::write(&young, "").unwrap();
    let yesterday = std::time::SystemTime::now() - Duration::from_hours(24);
    let file = fs::OpenOptions::new().write(true).open(&old).unwrap();
    file.file().set_modified(yesterday).unwrap();
    store.recover();
    assert!(!old.exists() && young.exists());
}
