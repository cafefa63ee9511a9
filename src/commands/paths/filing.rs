//! `--save`: the results under machine and commit.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::commands::measure::{Place, environment_names};
use crate::commands::{CommandError, Context};
use crate::config::Settings;
use crate::json::{Json, Object};
use crate::machine::{HostFacts, host_record};
use crate::paths::{PythonRunner, Records, Report};
use crate::results::{Provenance, problem_lines};
use crate::run::{Identity, Tree, TreeError, fingerprint, header, short};
use crate::sys::printer::Printer;

use super::{interpreter, python};

/// What is kept of the GPUs.
pub(super) struct Known {
    pub(super) gpu: Object,
    pub(super) fingerprint: Object,
}

/// Where the results go, settled before anything is measured.
pub(super) struct Filing {
    tree: Tree,
    place: Place,
    python: PathBuf,
    /// The command is more than an interpreter: only the running Python knows its path.
    wrapped: bool,
    before: HostFacts,
    started_at: i64,
}

impl Filing {
    /// Refuses a tree with changes, and a results folder that cannot be written.
    pub(super) fn open(settings: &Settings, context: &Context) -> Result<Self, CommandError> {
        let tree = Tree::open(settings).map_err(of_tree)?;
        tree.require_clean().map_err(of_tree)?;
        let place = Place::find(settings, context)?;
        let command = python::command(settings, context)?;
        let executable = command.executable().map(PathBuf::from);
        Ok(Self {
            tree,
            place,
            wrapped: executable.is_none(),
            python: executable.unwrap_or_default(),
            before: HostFacts::now(),
            started_at: milliseconds_since_1970(),
        })
    }

    /// Refuses a package that is not the one that is checked out, as `run` does.
    pub(super) fn check_package(
        &self,
        settings: &Settings,
        runner: &PythonRunner,
    ) -> Result<(), CommandError> {
        let Some(package) = &settings.package else {
            return Ok(());
        };
        let prefix = interpreter(runner).prefix;
        self.tree
            .check_imported(package, runner.package_file(), &prefix)
            .map_err(|error| {
                let hint = error.hint();
                CommandError::usage(error).hint(hint)
            })
    }

    /// Adds what was measured to the file of this commit, machine and environment.
    pub(super) fn save(
        self,
        report: &Report,
        settings: &Settings,
        runner: &PythonRunner,
        known: Known,
        printer: &Printer,
    ) -> Result<(), CommandError> {
        let records = Records::of(report, self.started_at);
        if records.is_empty() {
            printer.note("nothing is saved, since nothing was measured that is kept");
            return Ok(());
        }
        let interpreter = interpreter(runner);
        let python = if self.wrapped {
            interpreter.executable.clone()
        } else {
            self.python
        };
        let names = environment_names(settings, &python);
        let python = python.to_string_lossy().into_owned();
        let identity = Identity {
            commit: &self.tree.commit,
            dirty: false,
            machine: self.place.machine(),
            environment: &names.name,
            python: &python,
        };
        let mut header = header(&identity);
        let mut environment = fingerprint(&interpreter, &settings.benchmark_env);
        environment.extend(known.fingerprint);
        header.provenance = Some(Provenance {
            lcmbench: env!("CARGO_PKG_VERSION").to_owned(),
            head: self.tree.commit.hash.clone(),
            worker: worker(),
            environment,
            gpu: known.gpu,
            host: host_record(&self.before, &HostFacts::now()),
            ..Provenance::default()
        });
        let store = self.place.store();
        self.place.machine().save(store.root())?;
        let mut index = store.load_benchmarks().unwrap_or_default();
        index.benchmarks.extend(records.index.benchmarks.clone());
        let mut problems = store.save_benchmarks(&index)?;
        let saved = store.save(&records.addition(header, names.aliases))?;
        problems.extend(saved.problems);
        for problem in problem_lines(&problems) {
            printer.warn(&problem);
        }
        printer.note(&format!("saved in {}", saved.path.display()));
        if !self.tree.is_still_there() {
            printer.warn(&format!(
                "another commit was checked out while {} was measured",
                short(&self.tree.commit.hash)
            ));
        }
        Ok(())
    }
}

/// How the processes were started, beside what `run` notes there.
fn worker() -> Object {
    [("launch", Json::from("spawn")), ("command", "paths".into())]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

fn of_tree(error: TreeError) -> CommandError {
    let is_dirty = matches!(error, TreeError::Dirty { .. });
    let error = CommandError::usage(error);
    if is_dirty {
        error.hint("commit or remove them; without --save the tree is measured as it is")
    } else {
        error
    }
}

fn milliseconds_since_1970() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}
