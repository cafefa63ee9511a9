//! Local results into a history, and all of it made alike: each file is gone through once, several
//! at a time, and one that was left as it is now is not read again.

mod folder;
mod gathered;
mod ledger;
mod settle;
mod suite;
mod text;
mod unexplained;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fs_err as fs;

use crate::config::{EnvironmentSettings, HistorySettings};
use crate::results::{ResultFile, Store};
use crate::sys::files::{FileError, Lock, Stamp, write_whole};

use super::HistoryError;
use super::lifetimes::Lifetimes;
use super::renames::Renames;
use super::values::KeptValues;

pub use gathered::{Gathered, Identity};
pub use unexplained::unexplained;

use folder::folders;
pub(super) use ledger::digest;
use ledger::{Ledger, Settled};
use settle::{Folder, Group, Outcome, Settler, file_of};
use text::Rules;

/// What is gathered, and how.
#[derive(Debug, Clone, Copy)]
pub struct Gathering<'a> {
    /// The history. Nobody else writes into it meanwhile.
    pub target: &'a Store,
    /// Results that are added to it. Where both have results of a machine, commit, environment and
    /// benchmark these count; everything else of the target stays.
    pub local: Option<&'a Store>,
    pub settings: &'a HistorySettings,
    pub environment: &'a EnvironmentSettings,
    /// Where to remember what was done; a file that may be deleted at any time.
    pub ledger: Option<&'a Path>,
    /// Whether the numbers of the files are wanted afterwards, too ([`Gathered::values_of`]).
    pub values: bool,
}

impl Gathering<'_> {
    /// Digest of the rules that are followed.
    fn rules(&self) -> String {
        digest(format!("{:?}\n{:?}", self.settings, self.environment).as_bytes())
    }
}

/// Adds the local results and makes the history alike: every rule that is on, file by file, each
/// written whole or not at all. A repetition writes nothing.
pub fn gather(gathering: &Gathering<'_>) -> Result<Gathered, HistoryError> {
    let Gathering {
        target,
        settings,
        environment,
        ..
    } = *gathering;
    let rules = gathering.rules();
    let ledger = gathering
        .ledger
        .map(|path| Ledger::read(path, &rules))
        .unwrap_or_default();
    let values = gathering.values.then(|| {
        let path = gathering.ledger.map(|path| path.with_extension("values"));
        KeptValues::open(path.as_deref(), &rules)
    });
    let mut all = Outcome::default();
    let work = folders(gathering, &mut all)?;
    let _locks: Vec<Lock> = work
        .iter()
        .map(|(folder, _)| Lock::wait(&folder.path))
        .collect::<Result<_, _>>()?;
    let none = Renames::default();
    let settler = Settler {
        root: target.root(),
        rules: Rules {
            settings,
            environment,
            renames: &none,
            values: values.as_ref(),
        },
        environment,
        ledger: &ledger,
    };
    let mut folders = Vec::new();
    let mut groups = Vec::new();
    for (at, (folder, of_folder)) in work.into_iter().enumerate() {
        folders.push(folder);
        groups.extend(of_folder.into_values().map(|group| (at, group)));
    }
    let outcomes = on_all_processors(groups, |(at, group)| {
        let outcome = settler.settle(&folders[at], group)?;
        Ok((at, outcome))
    })?;
    let mut strays: BTreeMap<(usize, String), Vec<ResultFile>> = BTreeMap::new();
    for (at, mut outcome) in outcomes {
        for (commit, file) in std::mem::take(&mut outcome.strays) {
            let digits = commit.chars().take(8).collect();
            strays.entry((at, digits)).or_default().push(file);
        }
        all.add(outcome);
    }
    for ((at, digits), locals) in strays {
        let renamed = |file: ResultFile| ResultFile {
            commit: digits.clone(),
            ..file
        };
        let folder = &folders[at];
        let group = Group {
            targets: folder::files_of(target, folder, &digits),
            locals: locals.into_iter().map(renamed).collect(),
        };
        all.settled.retain(|(path, _)| {
            !group
                .targets
                .iter()
                .any(|file| settler.relative(&file.path) == *path)
        });
        all.report.files -= group.targets.len().min(all.report.files);
        all.add(settler.settle(folder, group)?);
    }
    let mut settled: BTreeMap<String, Settled> = all.settled.drain(..).collect();
    let renames = follow(gathering, &folders, &mut settled, &mut all)?;
    suite::combine(gathering, &renames, &mut all)?;
    let files = settled
        .iter()
        .map(|(path, entry)| {
            let identity = Identity {
                digest: entry.digest.clone(),
                commit: entry.facts.commit.clone(),
                environment: entry.facts.environment.clone(),
            };
            (target.root().join(path), identity)
        })
        .collect();
    if let Some(path) = gathering.ledger {
        let mut taken: BTreeMap<_, _> = all.taken.drain(..).collect();
        taken.retain(|_, entry| match settled.get(&entry.target) {
            Some(target) => {
                entry.target_digest.clone_from(&target.digest);
                true
            }
            None => false,
        });
        let known = Ledger {
            settled,
            taken,
            ..Ledger::default()
        };
        known.write(path, &rules);
    }
    all.report.written += all.written.len();
    let problems = &mut all.merged.problems;
    problems.sort_by(|one, other| one.path.cmp(&other.path));
    problems.dedup();
    Ok(Gathered {
        merged: all.merged,
        report: all.report,
        files,
        rules: settings.rules,
        values,
        ledger: gathering.ledger.map(Path::to_owned),
    })
}

impl Outcome {
    fn add(&mut self, other: Self) {
        self.settled.extend(other.settled);
        self.taken.extend(other.taken);
        self.strays.extend(other.strays);
        self.written.extend(other.written);
        self.merged.added += other.merged.added;
        self.merged.same += other.merged.same;
        self.merged.problems.extend(other.merged.problems);
        self.report.absorb(other.report);
    }
}

/// Does the work on all items, shared among the processors; the order of the outcome is any.
fn on_all_processors<T: Send, O: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> Result<O, HistoryError> + Sync,
) -> Result<Vec<O>, HistoryError> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let items: Vec<_> = items
        .into_iter()
        .map(|item| std::sync::Mutex::new(Some(item)))
        .collect();
    let one_share = || -> Result<Vec<O>, HistoryError> {
        let mut done = Vec::new();
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            let item = item.lock().ok().and_then(|mut item| item.take());
            if let Some(item) = item {
                done.push(work(item)?);
            }
        }
        Ok(done)
    };
    thread::scope(|scope| {
        let parts: Vec<_> = (0..workers).map(|_| scope.spawn(one_share)).collect();
        let mut all = Vec::new();
        for part in parts {
            match part.join() {
                Ok(done) => all.extend(done?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(all)
    })
}

/// What can only be done when all results are known: renamed benchmarks take their results along, and
/// the configured environment has the interpreter of its newest result. Few files need it.
fn follow(
    gathering: &Gathering<'_>,
    folders: &[Folder],
    settled: &mut BTreeMap<String, Settled>,
    all: &mut Outcome,
) -> Result<Renames, HistoryError> {
    let (settings, environment) = (gathering.settings, gathering.environment);
    let mut lifetimes = Lifetimes::default();
    for entry in settled.values() {
        for name in &*entry.facts.names {
            lifetimes.add(name, entry.facts.date);
        }
    }
    let renames = if settings.rules.renames {
        Renames::find(&lifetimes, &settings.renamed)
    } else {
        Renames::default()
    };
    all.report.suspects.clone_from(&renames.suspects);
    let rules = Rules {
        settings,
        environment,
        renames: &renames,
        values: None,
    };
    for folder in folders {
        let root = gathering.target.root();
        let prefix = folder.path.strip_prefix(root).unwrap_or(&folder.path);
        let is_here = |path: &str| Path::new(path).parent() == Some(prefix);
        let named = environment
            .name
            .as_ref()
            .filter(|_| settings.rules.environments);
        let newest = settled
            .iter()
            .filter(|(path, entry)| is_here(path) && Some(&entry.facts.environment) == named)
            .map(|(_, entry)| (entry.facts.date, &entry.facts.python))
            .max();
        let python = newest.map(|(_, python)| python.clone());
        let place = folder.place(python.as_deref());
        for (path, entry) in settled.iter_mut().filter(|(path, _)| is_here(path)) {
            let facts = &entry.facts;
            let renamed = facts
                .names
                .iter()
                .any(|name| renames.new_name(name).is_some());
            let elsewhere =
                Some(&facts.environment) == named && python.as_ref() != Some(&facts.python);
            if !renamed && !elsewhere {
                continue;
            }
            let file = file_of(folder, &root.join(path));
            let text = match file.text() {
                Ok(text) => text,
                Err(problem) => {
                    all.merged.problems.push(problem);
                    continue;
                }
            };
            let Ok(normalised) = rules.apply(&text, &file, place, &mut all.report) else {
                continue;
            };
            if let Some(finished) = &normalised.finished {
                write_whole(&file.path, finished.as_bytes())?;
                all.written.insert(path.clone());
                entry.digest = digest(finished.as_bytes());
            }
            entry.facts = normalised.facts;
            if let Some(stamp) = Stamp::of(&file.path) {
                entry.stamp = stamp;
            }
        }
    }
    Ok(renames)
}

/// Makes a folder.
fn make_folder(path: &Path) -> Result<(), HistoryError> {
    fs::create_dir_all(path).map_err(|source| FileError::new("make", path, source).into())
}
