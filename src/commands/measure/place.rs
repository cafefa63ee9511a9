//! Where results go: machine, environment and results folder, settled before anything is measured.

use std::collections::BTreeSet;
use std::path::Path;

use crate::commands::{CommandError, Context};
use crate::config::Settings;
use crate::machine::{Detected, Machine, identify};
use crate::paths::is_of_paths;
use crate::results::{
    EnvironmentNames, LeftOut, Provenance, Recovery, ResultSet, Store, existing_environment_name,
};
use crate::run::{Attributes, Filing, Identity, Outcome, Tree, header, provenance};

use crate::suite::{Benchmark, Selected};

use super::session::Session;

/// The machine and the store that results are filed in.
pub(in crate::commands) struct Place {
    machine: Machine,
    store: Store,
}

impl Place {
    /// Identifies the machine, and writes nothing.
    pub(in crate::commands) fn look(
        settings: &Settings,
        context: &Context,
    ) -> Result<Self, CommandError> {
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
        Ok(Self {
            machine: identified.machine,
            store: Store::new(&settings.asv.results_dir),
        })
    }

    /// Identifies the machine, looks whether its results can be written, and folds in what a run
    /// that was killed has left behind.
    pub(in crate::commands) fn find(
        settings: &Settings,
        context: &Context,
    ) -> Result<Self, CommandError> {
        let printer = &context.printer;
        let place = Self::look(settings, context)?;
        place
            .store
            .check_writable(&place.machine.name)
            .map_err(|error| {
                CommandError::usage(error)
                    .hint("results are saved there; `lcmbench quick` saves nothing")
            })?;
        for recovery in place.store.recover() {
            match recovery {
                Recovery::Left { .. } => printer.warn(&recovery.to_string()),
                Recovery::Folded { .. } | Recovery::Empty { .. } => {
                    printer.note(&format!("note: {recovery}"));
                }
            }
        }
        Ok(place)
    }

    /// The file of this commit, machine and environment.
    pub(in crate::commands) fn filing(
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
    pub(in crate::commands) fn provenance(
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

    /// The results of an outcome as they would be filed.
    pub(in crate::commands) fn result_set(
        &self,
        settings: &Settings,
        session: &Session,
        tree: &Tree,
        attributes: &Attributes,
        outcome: &Outcome,
    ) -> ResultSet {
        let names = names(settings, session);
        let python = python(session);
        let mut set = header(&self.identity(&names, &python, tree));
        let left_out = LeftOut::default();
        let mut provenance = self.provenance(settings, session, tree, attributes, &left_out);
        for finished in &outcome.finished {
            let name = finished.benchmark.name().to_owned();
            let known = finished.provenance.clone();
            provenance.benchmarks.insert(name.clone(), known);
            set.results.insert(name, finished.result.clone());
        }
        set.provenance = Some(provenance);
        set
    }

    /// Benchmarks that get no result: those that were not selected, and those that
    /// `benchmarks.json` keeps although they left the suite. What `lcmbench paths` saved never was in it.
    pub(super) fn left_out(&self, session: &Session, selected: &[Selected]) -> LeftOut {
        let name = |benchmark: &Benchmark| benchmark.name().to_owned();
        let suite: BTreeSet<String> = session.benchmarks.iter().map(name).collect();
        let selected: BTreeSet<String> = selected.iter().map(|one| name(&one.benchmark)).collect();
        let index = self.store.load_benchmarks().unwrap_or_default();
        LeftOut {
            departed: index
                .benchmarks
                .into_iter()
                .filter(|(name, record)| !suite.contains(name) && !is_of_paths(record))
                .map(|(name, _)| name)
                .collect(),
            not_selected: suite
                .into_iter()
                .filter(|name| !selected.contains(name))
                .collect(),
        }
    }

    /// The machine.
    pub(in crate::commands) fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Where results are kept.
    pub(in crate::commands) fn store(&self) -> &Store {
        &self.store
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
    environment_names(settings, &session.python_path())
}

/// The names of the environment that an interpreter belongs to.
pub(in crate::commands) fn environment_names(
    settings: &Settings,
    python: &Path,
) -> EnvironmentNames {
    let named = settings.environment.name.clone();
    EnvironmentNames {
        name: named.unwrap_or_else(|| existing_environment_name(python)),
        aliases: settings.environment.aliases.clone(),
    }
}

fn python(session: &Session) -> String {
    session.python_path().to_string_lossy().into_owned()
}
