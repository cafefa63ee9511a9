//! The results folder of a project.

use std::collections::BTreeSet;
use std::path::Path;

use crate::commands::CommandError;
use crate::config::Settings;
use crate::report::grid::plain_line;
use crate::results::{
    Detail, Found, Loaded, MachineFolder, Problem, ResultFile, ResultSet, Store, problem_lines,
};
use crate::sys::printer::Printer;
use crate::vcs::{Repository, VcsError};

use super::commit::{NamedCommit, short};
use super::error::StoredError;
use super::place::{Place, canonical, is_wanted};

/// So many measured commits are named where the wanted one is missing.
const MOST_SUGGESTIONS: usize = 5;

/// So far back the history is searched for them.
const FARTHEST_SUGGESTION: usize = 2000;

/// The results folder of a project, listed once.
pub(in crate::commands) struct Stored<'a> {
    pub(in crate::commands) store: Store,
    pub(in crate::commands) repository: Option<Repository>,
    pub(super) settings: &'a Settings,
    pub(super) printer: &'a Printer,
    folders: Vec<(MachineFolder, Vec<ResultFile>)>,
}

impl<'a> Stored<'a> {
    /// Lists the machines and their files; reads no result. A run that was killed is folded in
    /// first.
    pub(in crate::commands) fn open(settings: &'a Settings, printer: &'a Printer) -> Self {
        let store = Store::new(&settings.asv.results_dir);
        let (recoveries, contents) = store.open();
        for recovery in recoveries {
            printer.note(&format!("note: {recovery}"));
        }
        Self::with(store, contents, settings, printer)
    }

    /// Lists another folder of results, which is only read.
    pub(in crate::commands) fn of_folder(
        folder: &Path,
        settings: &'a Settings,
        printer: &'a Printer,
    ) -> Self {
        let store = Store::new(folder);
        let contents = store.contents();
        Self::with(store, contents, settings, printer)
    }

    fn with(
        store: Store,
        contents: Found<(MachineFolder, Vec<ResultFile>)>,
        settings: &'a Settings,
        printer: &'a Printer,
    ) -> Self {
        let repository = match Repository::discover(&settings.repository_folder()) {
            Ok(repository) => Some(repository),
            Err(VcsError::NotARepository { .. }) => None,
            Err(error) => {
                printer.warn(&format!(
                    "{error}; names of commits and their history are unknown"
                ));
                None
            }
        };
        let stored = Self {
            repository,
            settings,
            printer,
            folders: contents.items,
            store,
        };
        stored.warn(&contents.problems);
        stored
    }

    /// Asks git what `text` means.
    pub(in crate::commands) fn commit(&self, text: &str) -> NamedCommit {
        NamedCommit::resolve(text, self.repository.as_ref())
    }

    /// Whether a file's name may be of this commit on this machine; nothing is read.
    pub(in crate::commands) fn may_have(&self, machine: &str, commit: &NamedCommit) -> bool {
        self.folders
            .iter()
            .filter(|(folder, _)| folder.machine.name == machine)
            .any(|(_, files)| files.iter().any(|file| commit.may_be_in(file)))
    }

    /// The files of all machines, or of the wanted one.
    pub(in crate::commands) fn files(
        &self,
        machine: Option<&str>,
    ) -> Result<Vec<(&MachineFolder, &[ResultFile])>, CommandError> {
        let machine = machine.or(self.settings.machine.as_deref());
        let found: Vec<_> = self
            .folders
            .iter()
            .filter(|(folder, _)| machine.is_none_or(|name| folder.machine.name == name))
            .map(|(folder, files)| (folder, files.as_slice()))
            .collect();
        if self.folders.iter().all(|(_, files)| files.is_empty()) {
            let folder = self.store.root().to_owned();
            return Err(CommandError::usage(StoredError::Empty { folder }).hint(
                "measure with `lcmbench run`, or fetch the results of others into that folder: each \
                 machine's in a folder of its own, named after it",
            ));
        }
        match machine {
            Some(machine) if found.is_empty() => {
                Err(CommandError::usage(StoredError::UnknownMachine {
                    machine: machine.to_owned(),
                    known: self
                        .folders
                        .iter()
                        .map(|(folder, _)| folder.machine.name.clone())
                        .collect(),
                })
                .hint("choose one of them with --machine"))
            }
            _ => Ok(found),
        }
    }

    /// The files in one machine's folder.
    pub(in crate::commands) fn files_in(&self, folder: &MachineFolder) -> &[ResultFile] {
        self.folders
            .iter()
            .find(|(known, _)| known.path == folder.path)
            .map_or(&[], |(_, files)| files)
    }

    /// The name under which an environment counts.
    pub(in crate::commands) fn counts_as<'e>(&'e self, env_name: &'e str) -> &'e str {
        canonical(env_name, &self.settings.environment)
    }

    /// Whether the environment of a result is the wanted one; without a wish every one is.
    pub(in crate::commands) fn is_wanted(&self, loaded: &Loaded, place: &Place) -> bool {
        self.is_wanted_set(&loaded.set, place)
    }

    /// As [`Stored::is_wanted`], for what lies in a result file.
    pub(in crate::commands) fn is_wanted_set(&self, set: &ResultSet, place: &Place) -> bool {
        place
            .environment
            .as_deref()
            .is_none_or(|wanted| is_wanted(wanted, set, &self.settings.environment))
    }

    /// Reads one file; what is wrong with it is said.
    pub(in crate::commands) fn load(&self, file: &ResultFile, detail: Detail) -> Option<Loaded> {
        match self.store.load(file, detail) {
            Ok((loaded, problems)) => {
                self.warn(&problems);
                Some(loaded)
            }
            Err(problem) => {
                self.warn(&[problem]);
                None
            }
        }
    }

    pub(in crate::commands) fn warn(&self, problems: &[Problem]) {
        for line in problem_lines(problems) {
            self.printer.warn(&plain_line(&line));
        }
    }

    /// Short hashes of some measured commits, those nearest to HEAD first.
    pub(super) fn measured(&self, machine: Option<&str>) -> Vec<String> {
        let mut all: BTreeSet<&str> = self
            .folders
            .iter()
            .filter(|(folder, _)| machine.is_none_or(|name| folder.machine.name == name))
            .flat_map(|(_, files)| files.iter().map(|file| file.commit.as_str()))
            .filter(|commit| !commit.is_empty())
            .collect();
        let count = all.len();
        let mut shown: Vec<String> = Vec::new();
        let walk = self
            .repository
            .iter()
            .filter_map(|repository| repository.first_parents("HEAD").ok());
        for commit in walk.flatten().flatten().take(FARTHEST_SUGGESTION) {
            let hash = short(&commit.hash);
            if all.remove(hash.as_str()) {
                shown.push(hash);
            }
            if shown.len() == MOST_SUGGESTIONS {
                break;
            }
        }
        shown.extend(
            all.into_iter()
                .take(MOST_SUGGESTIONS - shown.len())
                .map(str::to_owned),
        );
        if count > shown.len() {
            shown.push(format!("and {} more", count - shown.len()));
        }
        shown
    }
}
