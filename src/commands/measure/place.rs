//! Where results go: machine, environment and results folder, settled before anything is measured.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::commands::{CommandError, Context};
use crate::config::Settings;
use crate::machine::{Detected, Machine, identify};
use crate::results::{
    EnvironmentNames, LeftOut, Provenance, Recovery, Store, existing_environment_name,
};
use crate::run::{Attributes, Filing, Identity, Tree, header, provenance};

use crate::suite::{Benchmark, Selected};

use super::session::Session;

/// The machine and the store that results are filed in.
pub(super) struct Place {
    machine: Machine,
    store: Store,
}

impl Place {
    /// Identifies the machine, looks whether its results can be written, and folds in what a run
    /// that was killed has left behind.
    pub(super) fn find(settings: &Settings, context: &Context) -> Result<Self, CommandError> {
        let printer = &context.printer;
        let identified = identify(
            settings.machine.as_deref(),
            &context.environment,
            &Detected::of_host(),
        )?;
        for warning in &identified.warnings {
            printer.warn(warning);
        }
        for note in &identified.notes {
            printer.note(&format!("note: {note}"));
        }
        let store = Store::new(&settings.asv.results_dir);
        store
            .check_writable(&identified.machine.name)
            .map_err(|error| {
                CommandError::usage(error)
                    .hint("results are saved there; `lcmbench quick` saves nothing")
            })?;
        for recovery in store.recover() {
            match recovery {
                Recovery::Left { .. } => printer.warn(&recovery.to_string()),
                Recovery::Folded { .. } | Recovery::Empty { .. } => {
                    printer.note(&format!("note: {recovery}"));
                }
            }
        }
        Ok(Self {
            machine: identified.machine,
            store,
        })
    }

    /// The file of this commit, machine and environment.
    pub(super) fn filing(
        &self,
        settings: &Settings,
        session: &Session,
        tree: &Tree,
    ) -> Result<Filing, CommandError> {
        let names = names(settings, session);
        let python = python(session);
        let header = header(&self.identity(&names, &python, tree));
        Ok(Filing::new(
            self.store.clone(),
            &self.machine,
            names,
            header,
        )?)
    }

    /// What is known about the measurement beyond asv's format.
    pub(super) fn provenance(
        &self,
        settings: &Settings,
        session: &Session,
        tree: &Tree,
        attributes: &Attributes,
        left_out: &LeftOut,
    ) -> Provenance {
        let names = names(settings, session);
        let python = python(session);
        let identity = self.identity(&names, &python, tree);
        let mut provenance = provenance(&identity, &session.discovery, settings, attributes);
        left_out.record(&mut provenance);
        provenance
    }

    /// Benchmarks that get no result: those that were not selected, and those that
    /// `benchmarks.json` keeps although they left the suite.
    pub(super) fn left_out(&self, session: &Session, selected: &[Selected]) -> LeftOut {
        let name = |benchmark: &Benchmark| benchmark.name().to_owned();
        let suite: BTreeSet<String> = session.benchmarks.iter().map(name).collect();
        let selected: BTreeSet<String> = selected.iter().map(|one| name(&one.benchmark)).collect();
        let index = self.store.load_benchmarks().unwrap_or_default();
        LeftOut {
            departed: index
                .benchmarks
                .into_keys()
                .filter(|name| !suite.contains(name))
                .collect(),
            not_selected: suite
                .into_iter()
                .filter(|name| !selected.contains(name))
                .collect(),
        }
    }

    fn identity<'a>(
        &'a self,
        names: &'a EnvironmentNames,
        python: &'a str,
        tree: &'a Tree,
    ) -> Identity<'a> {
        Identity {
            commit: &tree.commit,
            dirty: tree.is_dirty(),
            machine: &self.machine,
            environment: &names.name,
            python,
        }
    }
}

/// The configured name of the environment, or the one that asv takes from the interpreter's path.
fn names(settings: &Settings, session: &Session) -> EnvironmentNames {
    let path: PathBuf = session.python_path();
    let named = settings.environment.name.clone();
    EnvironmentNames {
        name: named.unwrap_or_else(|| existing_environment_name(&path)),
        aliases: settings.environment.aliases.clone(),
    }
}

fn python(session: &Session) -> String {
    session.python_path().to_string_lossy().into_owned()
}
