//! Loading the history: which files count, the cache, damage and change.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::build::{Case, number, set};
use crate::compare::{Cache, History, HistoryRequest};
use crate::machine::Machine;
use crate::report::Verdict;
use crate::results::{
    Loaded, MachineFolder, Problem, ProblemKind, Provenance, ResultFile, ResultSet, Store,
};
use crate::sys::env::Environment;

/// A results folder whose files hold one number, and a reader of them that counts.
struct Folder {
    root: tempfile::TempDir,
    read: RefCell<Vec<String>>,
    /// What the file of a commit says beside its number.
    change: fn(usize, &mut ResultSet),
}

const ENDING: &str = "env.json";

fn hash(commit: usize) -> String {
    format!("{commit:08x}{:032x}", commit * 31)
}

fn name(commit: usize) -> String {
    format!("{commit:08x}-{ENDING}")
}

impl Folder {
    fn new() -> Self {
        let folder = Self {
            root: tempfile::tempdir().unwrap(),
            read: RefCell::new(Vec::new()),
            change: |_, _| {},
        };
        fs::create_dir(folder.results()).unwrap();
        folder
    }

    fn results(&self) -> PathBuf {
        self.root.path().join("results")
    }

    fn write(&self, commit: usize, value: f64) {
        fs::write(
            self.results().join(name(commit)),
            format!("{commit} {value}"),
        )
        .unwrap();
    }

    fn cache(&self) -> Cache {
        let variables = [("XDG_CACHE_HOME", self.root.path().join("cache"))];
        Cache::for_results(&variables.into_iter().collect(), &self.results()).unwrap()
    }

    /// The files of the cache.
    fn cached(&self) -> Vec<PathBuf> {
        let all = self.root.path().join("cache/lcmbench/history");
        let Ok(folders) = fs::read_dir(all) else {
            return Vec::new();
        };
        let mut files: Vec<PathBuf> = folders
            .flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap())
            .flat_map(|machine| fs::read_dir(machine.unwrap().path()).unwrap())
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        files
    }

    /// Loads the history along commits 100, 99, … and says which files were read.
    fn load(&self, cache: Option<&Cache>) -> (History, Vec<String>) {
        self.load_before(&base(), cache)
    }

    fn load_before(&self, base: &Loaded, cache: Option<&Cache>) -> (History, Vec<String>) {
        self.read.borrow_mut().clear();
        let folder = MachineFolder {
            machine: Machine {
                name: "m".to_owned(),
                ..Machine::default()
            },
            path: self.results(),
            is_described: true,
        };
        let store = Store::new(self.root.path());
        let request = HistoryRequest {
            files: &store.files(&folder).items,
            folder: &folder,
            environments: &["env".to_owned()],
            base,
            head: &hash(100),
        };
        let walk = (0..=100).rev().map(hash);
        let history = History::load_with(&request, walk, cache, |file| self.read(file));
        (history, self.read.borrow().clone())
    }

    fn read(&self, file: &ResultFile) -> Result<ResultSet, Problem> {
        let name = file.path.file_name().unwrap().to_str().unwrap();
        assert_eq!(name, format!("{}-{}.json", file.commit, file.environment));
        self.read.borrow_mut().push(name.to_owned());
        let text = fs::read_to_string(&file.path).unwrap();
        let Some((commit, value)) = text.split_once(' ') else {
            return Err(Problem {
                path: file.path.clone(),
                kind: ProblemKind::Unreadable,
                message: "is broken".to_owned(),
            });
        };
        let commit = commit.parse().unwrap();
        let mut set = set(&[("bench.time_x", &number(value.parse().unwrap()))]);
        set.commit_hash = hash(commit);
        (self.change)(commit, &mut set);
        Ok(set)
    }
}

/// The base is commit 90.
fn base() -> Loaded {
    let mut set = set(&[("bench.time_x", &number(1.0))]);
    set.commit_hash = hash(90);
    Loaded {
        file: ResultFile {
            path: PathBuf::new(),
            machine: "m".to_owned(),
            commit: String::new(),
            environment: "env".to_owned(),
        },
        set,
    }
}

fn set_scope(set: &mut ResultSet, scope: &str) {
    let provenance = set.provenance.get_or_insert_default();
    provenance
        .worker
        .insert("setup_scope".to_owned(), scope.into());
}

/// A verdict that needs the history that [`Folder::zigzag`] writes.
fn verdict(history: History) -> Verdict {
    let case = Case {
        history,
        ..Case::default()
    };
    case.row(&number(1.0), &number(1.05)).verdict
}

impl Folder {
    fn zigzag(&self, commits: std::ops::RangeInclusive<usize>) {
        for commit in commits {
            self.write(commit, if commit % 2 == 0 { 1.0 } else { 1.001 });
        }
    }
}

#[test]
fn at_most_sixty_neighbours_are_read_and_not_the_compared_ones() {
    let folder = Folder::new();
    folder.zigzag(0..=100);
    let (history, read) = folder.load(None);
    assert_eq!(history.len(), 60);
    let expected: Vec<String> = (39..=99)
        .rev()
        .filter(|commit| *commit != 90)
        .map(name)
        .collect();
    assert_eq!(read, expected);
    assert_eq!(verdict(history), Verdict::Slower);
    assert!(folder.cached().is_empty());
}

#[test]
fn what_was_read_once_comes_from_the_cache() {
    let folder = Folder::new();
    folder.zigzag(80..=99);
    let cache = folder.cache();
    let (history, read) = folder.load(Some(&cache));
    assert_eq!((history.len(), read.len()), (19, 19));
    let (history, read) = folder.load(Some(&cache));
    assert_eq!((history.len(), read), (19, Vec::new()));
    assert_eq!(verdict(history), Verdict::Slower);
}

#[test]
fn a_changed_file_is_read_again_and_a_lost_one_forgotten() {
    let folder = Folder::new();
    folder.zigzag(80..=99);
    let cache = folder.cache();
    folder.load(Some(&cache));
    folder.write(85, 1.25);
    fs::remove_file(folder.results().join(name(86))).unwrap();
    let (history, read) = folder.load(Some(&cache));
    assert_eq!((history.len(), read), (18, vec![name(85)]));
    assert_eq!(folder.cached().len(), 18);
}

#[test]
fn a_damaged_cache_is_rebuilt() {
    let folder = Folder::new();
    folder.zigzag(80..=99);
    let cache = folder.cache();
    folder.load(Some(&cache));
    let files = folder.cached();
    let whole = fs::read(&files[0]).unwrap();
    let truncated = |length: usize| whole[..length].to_vec();
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x40;
        bytes
    };
    let damages = [
        Vec::new(),
        b"something else".to_vec(),
        truncated(79),
        truncated(80),
        truncated(whole.len() - 1),
        flipped(0),
        flipped(9),
        flipped(41),
        flipped(57),
        flipped(85),
        flipped(whole.len() - 20),
    ];
    for (file, bytes) in files.iter().zip(&damages) {
        fs::write(file, bytes).unwrap();
    }
    let (history, read) = folder.load(Some(&cache));
    // The keys at the end are only looked at where the layout is not known yet.
    assert!(
        (damages.len() - 1..=damages.len()).contains(&read.len()),
        "{read:?}"
    );
    assert_eq!(verdict(history), Verdict::Slower);
    assert_eq!(folder.load(Some(&cache)).1, Vec::<String>::new());
}

#[test]
fn a_cache_of_nothing_but_damage_is_rebuilt() {
    let folder = Folder::new();
    folder.zigzag(80..=99);
    let cache = folder.cache();
    folder.load(Some(&cache));
    for file in folder.cached() {
        let mut bytes = fs::read(&file).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(&file, bytes).unwrap();
    }
    let (history, read) = folder.load(Some(&cache));
    assert_eq!(read.len(), 19);
    assert_eq!(verdict(history), Verdict::Slower);
}

#[test]
fn without_a_writable_cache_it_works_too() {
    let folder = Folder::new();
    folder.zigzag(80..=99);
    fs::write(
        folder.root.path().join("cache"),
        "a file where a folder should be",
    )
    .unwrap();
    let cache = folder.cache();
    for _ in 0..2 {
        let (history, read) = folder.load(Some(&cache));
        assert_eq!((history.len(), read.len()), (19, 19));
    }
}

#[test]
fn the_cache_lies_where_the_environment_says() {
    let folder = Folder::new();
    let of = |variables: &[(&str, &str)]| {
        let environment: Environment = variables.iter().copied().collect();
        Cache::for_results(&environment, &folder.results())
    };
    assert!(of(&[]).is_none());
    assert!(of(&[("XDG_CACHE_HOME", "relative")]).is_none());
    assert!(of(&[("HOME", "/home/somebody")]).is_some());
    assert!(
        Cache::for_results(
            &[("HOME", "/h")].into_iter().collect(),
            Path::new("/no/such")
        )
        .is_none()
    );
}

#[test]
fn files_that_say_something_else_than_their_name_are_no_history() {
    let mut folder = Folder::new();
    folder.change = |commit, set| match commit {
        81 => set.commit_hash = hash(7),
        82 => set.env_name = "other".to_owned(),
        83 => {
            set.params.insert("machine".to_owned(), "other".into());
        }
        84 => {
            set.provenance = Some(Provenance {
                dirty: true,
                ..Provenance::default()
            });
        }
        85 => set_scope(set, "call"),
        _ => {}
    };
    folder.zigzag(80..=89);
    assert_eq!(folder.load(None).0.len(), 6);
    let mut strict = base();
    set_scope(&mut strict.set, "sample");
    assert_eq!(folder.load_before(&strict, None).0.len(), 5);
}

#[test]
fn files_called_like_the_bases_count_whatever_they_are_called() {
    let folder = Folder::new();
    folder.zigzag(80..=89);
    for commit in 80..=84 {
        let old = folder.results().join(name(commit));
        let new = folder
            .results()
            .join(format!("{commit:08x}-long-name.json"));
        fs::rename(old, new).unwrap();
    }
    assert_eq!(folder.load(None).0.len(), 5);
    let mut odd = base();
    odd.file.environment = "long-name".to_owned();
    assert_eq!(folder.load_before(&odd, None).0.len(), 10);
}

#[test]
fn an_unreadable_file_is_named_and_passed_over() {
    let folder = Folder::new();
    folder.zigzag(80..=89);
    fs::write(folder.results().join(name(85)), "broken").unwrap();
    let cache = folder.cache();
    for _ in 0..2 {
        let (history, _) = folder.load(Some(&cache));
        assert_eq!(history.len(), 9);
        let shown = format!("{} is broken", folder.results().join(name(85)).display());
        assert_eq!(history.problems.len(), 1);
        assert_eq!(history.problems[0].to_string(), shown);
    }
}

#[test]
fn a_missing_folder_has_no_history() {
    let folder = Folder::new();
    fs::remove_dir(folder.results()).unwrap();
    assert!(folder.load(None).0.is_empty());
}

#[test]
fn series_survive_the_cache_bit_by_bit() {
    let mut folder = Folder::new();
    // Another benchmark in half of the files: two layouts.
    folder.change = |commit, set| {
        if commit % 2 == 0 {
            let all = super::build::set(&[("a.time_first", &number(1.0 / 3.0))]);
            set.results.extend(all.results);
            set.results.move_index(1, 0);
        }
    };
    folder.zigzag(70..=99);
    let cache = folder.cache();
    let (cold, _) = folder.load(Some(&cache));
    let (warm, read) = folder.load(Some(&cache));
    assert!(read.is_empty());
    let points = |history: &History, name: &str| {
        let mut points = Vec::new();
        let key = crate::compare::entry::SeriesKey::of(name, Some("v1"));
        history.series(key, &mut points);
        points
            .iter()
            .map(|point| point.median.to_bits())
            .collect::<Vec<_>>()
    };
    for name in ["a.time_first", "bench.time_x", "none"] {
        assert_eq!(points(&cold, name), points(&warm, name));
    }
    assert_eq!(points(&warm, "bench.time_x").len(), 29);
    assert_eq!(points(&warm, "a.time_first").len(), 14);
}
