//! The files of one commit and machine: local results are added, and all are made alike.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::config::EnvironmentSettings;
use crate::history::HistoryError;
use crate::history::merge::{Merged, add_missing, other_names};
use crate::history::normaliser::Place;
use crate::history::report::NormaliseReport;
use crate::history::values::FileValues;
use crate::machine::Machine;
use crate::results::{
    Addition, Detail, Loaded, Refusal, ResultFile, ResultSet, added_to, move_aside,
    result_file_name,
};
use crate::sys::files::{FileError, Stamp, write_whole};

use super::ledger::{Ledger, Settled, Taken, digest};
use super::text::{Normalised, Rules};

/// A machine's folder in the history.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) machine: Machine,
    pub(super) path: PathBuf,
    /// Whether anything is known of the machine but its name.
    pub(super) is_described: bool,
    /// Digest of the machine's description.
    pub(super) digest: String,
}

/// The files of one commit in one folder, by the digits in their names.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) targets: Vec<ResultFile>,
    pub(super) locals: Vec<ResultFile>,
}

/// What became of a group.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// By path below the root of the history.
    pub(super) settled: Vec<(String, Settled)>,
    pub(super) taken: Vec<(String, Taken)>,
    /// Local files of a commit with other digits than their names have: they belong elsewhere.
    pub(super) strays: Vec<(String, ResultFile)>,
    /// Files that the rules changed.
    pub(super) written: BTreeSet<String>,
    pub(super) merged: Merged,
    pub(super) report: NormaliseReport,
}

/// What settling needs to know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settler<'a> {
    pub(super) root: &'a Path,
    pub(super) rules: Rules<'a>,
    pub(super) environment: &'a EnvironmentSettings,
    pub(super) ledger: &'a Ledger,
}

/// A file of the history while it is worked on.
#[derive(Debug)]
struct Item {
    path: PathBuf,
    state: State,
    /// Local files whose results are in it, with the digests of their contents.
    locals: Vec<(ResultFile, String)>,
    /// Files that go when this one is written.
    replaces: Vec<PathBuf>,
}

#[derive(Debug)]
enum State {
    /// As it was left the last time; not read.
    Known(Settled),
    /// Cannot be used; stays as it is.
    Broken,
    Open(Box<Open>),
    /// Went into another item.
    Gone,
}

#[derive(Debug)]
struct Open {
    /// What is on the disk under the path.
    on_disk: Option<String>,
    text: String,
    /// What the rules make of the text, and the report, if they were applied to it already.
    done: Option<(Normalised, NormaliseReport)>,
}

impl Open {
    fn of_disk(text: String) -> State {
        State::Open(Box::new(Self {
            on_disk: Some(text.clone()),
            text,
            done: None,
        }))
    }
}

impl Settler<'_> {
    /// Settles a group. Its files are held in memory, one group at a time and processor.
    pub(super) fn settle(&self, folder: &Folder, group: Group) -> Result<Outcome, HistoryError> {
        let mut outcome = Outcome::default();
        let mut items: Vec<Item> = group
            .targets
            .iter()
            .map(|file| self.item(folder, file, &mut outcome))
            .collect();
        for local in group.locals {
            self.take(folder, local, &mut items, &mut outcome)?;
        }
        for at in 0..items.len() {
            self.move_item(folder, at, &mut items);
        }
        for item in items {
            self.finish(folder, item, &mut outcome)?;
        }
        Ok(outcome)
    }

    fn item(&self, folder: &Folder, file: &ResultFile, outcome: &mut Outcome) -> Item {
        let known = self.ledger.settled.get(&self.relative(&file.path));
        let known = known
            .filter(|entry| entry.machine == folder.digest)
            .and_then(|entry| {
                let stamp = self
                    .ledger
                    .is_still(&file.path, entry.stamp, &entry.digest)?;
                Some(Settled {
                    stamp,
                    ..entry.clone()
                })
            });
        let state = match known {
            Some(entry) => State::Known(entry),
            None => file.text().map_or_else(
                |problem| {
                    outcome.merged.problems.push(problem);
                    State::Broken
                },
                Open::of_disk,
            ),
        };
        Item {
            path: file.path.clone(),
            state,
            locals: Vec::new(),
            replaces: Vec::new(),
        }
    }

    /// Adds a local file's results, unless they are known to be there.
    fn take(
        &self,
        folder: &Folder,
        local: ResultFile,
        items: &mut Vec<Item>,
        outcome: &mut Outcome,
    ) -> Result<(), HistoryError> {
        if let Some(taken) = self.taken_before(&local, items) {
            outcome.merged.same += 1;
            outcome.taken.push(taken);
            return Ok(());
        }
        let text = match local.text() {
            Ok(text) => text,
            Err(problem) => {
                outcome.merged.problems.push(problem);
                return Ok(());
            }
        };
        let mut report = NormaliseReport::default();
        let alone = match self.rules.apply(&text, &local, place(folder), &mut report) {
            Ok(alone) => alone,
            Err(problem) => {
                outcome.merged.problems.push(problem);
                return Ok(());
            }
        };
        if alone.commit.starts_with(&local.commit) {
            self.add(folder, (local, text), (alone, report), items, outcome)
        } else {
            outcome.strays.push((alone.commit, local));
            Ok(())
        }
    }

    fn taken_before(&self, local: &ResultFile, items: &[Item]) -> Option<(String, Taken)> {
        let key = local.path.to_str()?;
        let entry = self.ledger.taken.get(key)?;
        items.iter().find(|item| match &item.state {
            State::Known(settled) => {
                settled.digest == entry.target_digest && self.relative(&item.path) == entry.target
            }
            _ => false,
        })?;
        let stamp = self
            .ledger
            .is_still(&local.path, entry.stamp, &entry.digest)?;
        let taken = Taken {
            stamp,
            ..entry.clone()
        };
        Some((key.to_owned(), taken))
    }

    fn add(
        &self,
        folder: &Folder,
        (local, text): (ResultFile, String),
        (alone, report): (Normalised, NormaliseReport),
        items: &mut Vec<Item>,
        outcome: &mut Outcome,
    ) -> Result<(), HistoryError> {
        let mark = digest(text.as_bytes());
        let environment = alone.stored_environment.clone();
        let names = other_names(&environment, self.environment);
        let own = folder
            .path
            .join(result_file_name(&alone.commit, &environment));
        let found = items
            .iter()
            .position(|item| item.path == own)
            .or_else(|| items.iter().position(|item| is_of(item, &alone, &names)));
        let Some(at) = found else {
            items.push(Item {
                path: own,
                locals: vec![(local, mark)],
                replaces: Vec::new(),
                state: State::Open(Box::new(Open {
                    on_disk: None,
                    text: alone.plain.clone().unwrap_or(text),
                    done: Some((alone, report)),
                })),
            });
            return Ok(());
        };
        let item = &mut items[at];
        if let State::Known(_) | State::Broken = item.state {
            item.state = Open::of_disk(fs::read_to_string(&item.path).unwrap_or_default());
        }
        let State::Open(open) = &mut item.state else {
            return Ok(());
        };
        let target = ResultFile {
            path: item.path.clone(),
            ..local.clone()
        };
        let mut scratch = NormaliseReport::default();
        let rules = Rules {
            values: None,
            ..self.rules
        };
        let there = rules.apply(&open.text, &target, place(folder), &mut scratch);
        let is_there =
            there.is_ok_and(|there| there.outcome_of(&open.text) == alone.outcome_of(&text));
        if !is_there {
            let set = match local.read(&text, Detail::Full) {
                Ok((Loaded { set, .. }, _)) => set,
                Err(problem) => {
                    outcome.merged.problems.push(problem);
                    return Ok(());
                }
            };
            let addition = Addition {
                aliases: names,
                set,
                ..Addition::default()
            };
            match added_to(&item.path, open.text.clone(), &addition) {
                Ok(text) => open.text = text,
                Err(Refusal::Unusable(message)) => {
                    let problem = move_aside(&item.path, &message)?;
                    outcome.merged.problems.push(problem);
                    open.on_disk = None;
                    open.text = text;
                }
                Err(Refusal::Kept(problem)) => {
                    outcome.merged.problems.push(problem);
                    return Ok(());
                }
            }
            open.done = None;
        }
        item.locals.push((local, mark));
        Ok(())
    }

    /// Gives an item whose environment has another name now its new path. Where results of that name
    /// are there already they count, and it adds what they lack. Something unreadable or another
    /// commit with the same digits in the way leaves it where it is.
    fn move_item(&self, folder: &Folder, at: usize, items: &mut [Item]) {
        let State::Open(open) = &items[at].state else {
            return;
        };
        let file = file_of(folder, &items[at].path);
        let (Some(set), Some(name)) = (file.header(&open.text), &self.environment.name) else {
            return;
        };
        let is_alias = self.rules.settings.rules.environments
            && self.environment.aliases.contains(&set.env_name)
            && set.env_name != *name;
        if !is_alias {
            return;
        }
        let path = folder.path.join(result_file_name(&set.commit_hash, name));
        let Some(other) = items.iter().position(|item| item.path == path) else {
            let item = &mut items[at];
            if let State::Open(open) = &mut item.state
                && open.on_disk.take().is_some()
            {
                item.replaces.push(item.path.clone());
            }
            item.path = path;
            return;
        };
        if other == at {
            return;
        }
        let text = open.text.clone();
        let was_on_disk = open.on_disk.is_some();
        if let State::Known(_) = items[other].state {
            items[other].state = Open::of_disk(fs::read_to_string(&path).unwrap_or_default());
        }
        let State::Open(there) = &mut items[other].state else {
            return;
        };
        let read = |text: &str| file.read(text, Detail::Full).ok();
        let (Some((target, _)), Some((moved, _))) = (read(&there.text), read(&text)) else {
            return;
        };
        let mut target: ResultSet = target.set;
        if target.commit_hash != moved.set.commit_hash {
            return;
        }
        add_missing(&mut target, moved.set);
        there.text = target.to_text();
        there.done = None;
        items[at].state = State::Gone;
        let locals = std::mem::take(&mut items[at].locals);
        items[other].locals.extend(locals);
        if was_on_disk {
            let old = items[at].path.clone();
            items[other].replaces.push(old);
        }
    }

    /// Makes an item what it is to be, and writes it if it is not.
    fn finish(
        &self,
        folder: &Folder,
        item: Item,
        outcome: &mut Outcome,
    ) -> Result<(), HistoryError> {
        let key = self.relative(&item.path);
        let open = match item.state {
            State::Known(entry) => {
                outcome.report.files += 1;
                outcome.settled.push((key, entry));
                return Ok(());
            }
            State::Broken | State::Gone => return Ok(()),
            State::Open(open) => *open,
        };
        let file = file_of(folder, &item.path);
        let done = open.done.map_or_else(
            || {
                let mut report = NormaliseReport::default();
                let applied = self
                    .rules
                    .apply(&open.text, &file, place(folder), &mut report);
                applied.map(|normalised| (normalised, report))
            },
            Ok,
        );
        let (normalised, report) = match done {
            Ok(done) => done,
            Err(problem) => {
                outcome.merged.problems.push(problem);
                return Ok(());
            }
        };
        outcome.report.absorb(report);
        outcome.report.files += 1;
        outcome.merged.problems.extend(normalised.problems.clone());
        let finished = normalised.outcome_of(&open.text);
        if open.on_disk.as_deref() == Some(finished) {
            outcome.merged.same += item.locals.len();
        } else {
            outcome.merged.added += item.locals.len();
            if normalised.finished.is_some() {
                outcome.written.insert(key.clone());
            }
            write_whole(&item.path, finished.as_bytes())?;
        }
        for old in &item.replaces {
            remove(old)?;
        }
        let mark = digest(finished.as_bytes());
        self.keep_values(&file, finished, &mark, normalised.values.as_ref());
        for (local, digest) in item.locals {
            let (Some(stamp), Some(name)) = (Stamp::of(&local.path), local.path.to_str()) else {
                continue;
            };
            let taken = Taken {
                stamp,
                digest,
                target: key.clone(),
                target_digest: mark.clone(),
            };
            outcome.taken.push((name.to_owned(), taken));
        }
        if let Some(stamp) = Stamp::of(&item.path) {
            let entry = Settled {
                stamp,
                digest: mark,
                machine: folder.digest.clone(),
                facts: normalised.facts,
            };
            outcome.settled.push((key, entry));
        }
        Ok(())
    }

    /// Keeps the numbers of a file with this text, whose digest is `mark`.
    fn keep_values(&self, file: &ResultFile, text: &str, mark: &str, values: Option<&FileValues>) {
        let Some(kept) = self.rules.values.filter(|kept| !kept.has(mark)) else {
            return;
        };
        if let Some(values) = values {
            kept.add(mark, values);
        } else if let Ok((loaded, _)) = file.read(text, Detail::Values) {
            kept.add(
                mark,
                &FileValues::of(&loaded.set, self.rules.settings.rules),
            );
        }
    }

    pub(super) fn relative(&self, path: &Path) -> String {
        let relative = path.strip_prefix(self.root).unwrap_or(path);
        relative.to_string_lossy().into_owned()
    }
}

/// What a folder says of its files; their interpreter is looked after when all are known.
fn place(folder: &Folder) -> Place<'_> {
    folder.place(None)
}

impl Folder {
    /// What the folder says of its files, and the interpreter of the configured environment.
    pub(super) fn place<'a>(&'a self, python: Option<&'a str>) -> Place<'a> {
        Place {
            machine: self.is_described.then_some(&self.machine),
            python,
        }
    }
}

pub(super) fn file_of(folder: &Folder, path: &Path) -> ResultFile {
    ResultFile {
        path: path.to_owned(),
        machine: folder.machine.name.clone(),
        commit: String::new(),
        environment: String::new(),
    }
}

/// Whether an item is of the same commit and environment, whatever its name.
fn is_of(item: &Item, local: &Normalised, names: &[String]) -> bool {
    let is_named = |environment: &str| {
        environment == local.stored_environment || names.iter().any(|name| name == environment)
    };
    match &item.state {
        State::Known(entry) => is_named(&entry.facts.environment),
        State::Open(open) => {
            let file = ResultFile {
                path: item.path.clone(),
                machine: String::new(),
                commit: String::new(),
                environment: String::new(),
            };
            file.header(&open.text)
                .is_some_and(|set| set.commit_hash == local.commit && is_named(&set.env_name))
        }
        State::Broken | State::Gone => false,
    }
}

fn remove(path: &Path) -> Result<(), HistoryError> {
    fs::remove_file(path).map_err(|source| FileError::new("remove", path, source).into())
}
