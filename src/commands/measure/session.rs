//! What every command does that needs the suite: find Python, import the suite, list its
//! benchmarks.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::trust::require_trusted;
use crate::commands::progress::{one_line, plain};
use crate::commands::{CommandError, Context, Exit};
use crate::config::{PythonCommand, Settings, find_python};
use crate::run::module_name;
use crate::suite::{
    Benchmark, Selected, SelectionError, benchmarks_of, select, without_combinations,
};
use crate::sys::printer::Printer;
use crate::sys::signals::Signals;
use crate::vcs::Repository;
use crate::worker::{Discovery, Executor, ModuleError, PythonWorker, WorkerError, WorkerOptions};

/// A worker that has imported the suite, and what it found.
pub(in crate::commands) struct Session {
    pub(in crate::commands) worker: PythonWorker,
    pub(in crate::commands) discovery: Discovery,
    /// Sorted by name.
    pub(in crate::commands) benchmarks: Vec<Benchmark>,
    python: PythonCommand,
}

impl Session {
    /// Starts the Python of the settings and imports the suite. Says which modules failed.
    pub(in crate::commands) fn start(
        settings: &Settings,
        context: &Context,
        cpu_affinity: Option<Vec<usize>>,
    ) -> Result<Self, CommandError> {
        settings.require_benchmark_dir()?;
        require_trusted(settings, context)?;
        let python = find_python(
            settings.python.as_deref(),
            &context.environment,
            &settings.directory,
        )?;
        let words = python.words.iter();
        let words: Option<Vec<String>> =
            words.map(|word| word.to_str().map(str::to_owned)).collect();
        let words = words.ok_or_else(|| {
            anyhow::anyhow!("the path of Python, `{python}`, is not valid UTF-8; name another one")
        })?;
        let mut options = WorkerOptions::new(
            words,
            settings.asv.benchmark_dir.clone(),
            context.environment.clone(),
        );
        options.directory = Some(settings.directory.clone());
        options.launch = settings.launch;
        options.setup_scope = settings.setup_scope;
        options.device_sync = settings.device_sync;
        options.cpu_affinity = cpu_affinity;
        options.package.clone_from(&settings.package);
        let repository = Repository::discover(&settings.repository_folder());
        options.checkout = repository
            .ok()
            .and_then(|repository| repository.root().map(Path::to_owned).ok());
        options.benchmark_env.clone_from(&settings.benchmark_env);
        let signals = Signals::install()?;
        let mut worker = PythonWorker::new(options, Some(Arc::new(signals))).map_err(of_worker)?;
        let discovery = worker.discover().map_err(of_worker)?;
        tell_module_errors(&context.printer, &discovery.module_errors);
        Ok(Self {
            worker,
            benchmarks: benchmarks_of(&discovery),
            discovery,
            python,
        })
    }

    /// The benchmarks that any of the patterns selects, with their selected combinations. Those that
    /// have none are named.
    pub(in crate::commands) fn select(
        &self,
        patterns: &[String],
        printer: &Printer,
    ) -> Result<Vec<Selected>, SelectionError> {
        for (benchmark, axes) in without_combinations(&self.benchmarks, patterns) {
            printer.warn(&nothing_to_measure(benchmark.name(), &axes));
        }
        select(&self.benchmarks, patterns)
    }

    /// The error of a selection; a suite whose modules all fail could not be measured.
    pub(in crate::commands) fn of_selection(&self, error: SelectionError) -> CommandError {
        match error {
            SelectionError::Empty if !self.discovery.module_errors.is_empty() => {
                CommandError::failed(anyhow::anyhow!(
                    "no benchmark was found: modules of the suite cannot be imported"
                ))
            }
            SelectionError::NoMatch { .. } if !self.discovery.module_errors.is_empty() => {
                let failed = self.discovery.module_errors.iter().map(module_name);
                let failed: Vec<String> = failed.collect();
                CommandError::usage(error).hint(format!(
                    "what failed at import cannot be selected: {}",
                    failed.join(", ")
                ))
            }
            other => CommandError::usage(other),
        }
    }

    /// The exit code where nothing was measured: failed modules count as failures.
    pub(in crate::commands) fn exit(&self) -> Exit {
        if self.discovery.module_errors.is_empty() {
            Exit::Done
        } else {
            Exit::Failed
        }
    }

    /// The command that starts Python, in words.
    pub(in crate::commands) fn python_words(&self) -> Vec<String> {
        let words = self.python.words.iter();
        words
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }

    /// The interpreter's path as asv files it: as it was named, links not followed. For a longer
    /// command only the interpreter itself knows.
    pub(in crate::commands) fn python_path(&self) -> PathBuf {
        self.python.executable().map_or_else(
            || self.discovery.interpreter.executable.clone(),
            ToOwned::to_owned,
        )
    }

    /// Which variables the benchmarks do not get, if any.
    pub(in crate::commands) fn withheld(&self) -> Option<String> {
        let names = self.worker.withheld();
        (!names.is_empty()).then(|| {
            format!(
                "note: these variables give access to something, so the benchmarks do not get them: {}",
                names.join(", ")
            )
        })
    }

    /// One sentence on who measures and how.
    pub(in crate::commands) fn sentence(&self) -> String {
        let interpreter = &self.discovery.interpreter;
        let runner = match &interpreter.asv_runner {
            Some(version) => format!("asv_runner {version}"),
            None => "no asv_runner".to_owned(),
        };
        let launch = if self.discovery.forks {
            "forked"
        } else {
            "started afresh"
        };
        format!(
            "Python {} ({}), {runner}; processes are {launch}: {}",
            interpreter.version,
            self.python_path().display(),
            one_line(&self.discovery.launch_reason)
        )
    }
}

/// Exit codes of what a worker cannot do: a suite that crashes Python is a failure to measure, all
/// else an error of the environment.
fn of_worker(error: WorkerError) -> CommandError {
    match error {
        WorkerError::Interrupted(signal) => CommandError::interrupted(signal),
        WorkerError::Died { .. } => CommandError::failed(error),
        other => CommandError::usage(other),
    }
}

/// `a.time_x is not measured: its parameter n has no values`.
fn nothing_to_measure(name: &str, axes: &[&str]) -> String {
    let which = match axes {
        [axis] => format!("its parameter {} has", one_line(axis)),
        axes => format!("its parameters {} have", one_line(&axes.join(", "))),
    };
    format!("{} is not measured: {which} no values", one_line(name))
}

/// Says what failed at import, each error once: a class attribute of the wrong type is one for every
/// method.
fn tell_module_errors(printer: &Printer, errors: &[ModuleError]) {
    let mut told: Vec<&ModuleError> = Vec::new();
    for failed in errors {
        if told.iter().any(|known| is_same(known, failed)) {
            continue;
        }
        told.push(failed);
        let same: Vec<String> = errors
            .iter()
            .filter(|other| is_same(other, failed))
            .skip(1)
            .map(module_name)
            .collect();
        tell_module_error(printer, failed, &same);
    }
}

fn is_same(one: &ModuleError, other: &ModuleError) -> bool {
    one.object.is_some() && other.object.is_some() && one.error == other.error
}

fn tell_module_error(printer: &Printer, failed: &ModuleError, same: &[String]) {
    const SHOWN: usize = 5;
    let ModuleError { object, error, .. } = failed;
    let what = if object.is_some() {
        "cannot be used"
    } else {
        "cannot be imported"
    };
    let message = one_line(&error.message);
    printer.warn(&format!(
        "{} of the suite {what}: {}: {message}",
        module_name(failed),
        one_line(&error.class),
    ));
    let traceback = plain(&error.traceback);
    // A single line says no more than the message.
    if traceback.trim_end().lines().count() > 1 || message.ends_with('…') {
        for line in traceback.lines() {
            printer.note(format!("    {line}").trim_end());
        }
    }
    if !same.is_empty() {
        let names = same.iter().take(SHOWN).map(|name| one_line(name));
        let mut names: Vec<String> = names.collect();
        if same.len() > SHOWN {
            names.push("...".to_owned());
        }
        printer.note(&format!(
            "    the same for {} more: {}",
            same.len(),
            names.join(", ")
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_axes_are_named() {
        assert_eq!(
            nothing_to_measure("a.time_x", &["n"]),
            "a.time_x is not measured: its parameter n has no values"
        );
        assert_eq!(
            nothing_to_measure("a.time_x", &["n", "m"]),
            "a.time_x is not measured: its parameters n, m have no values"
        );
    }
}
