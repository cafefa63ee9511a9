//! The Python that evaluates and fits.

use std::path::PathBuf;
use std::sync::Arc;

use crate::commands::measure::require_trusted;
use crate::commands::{CommandError, Context};
use crate::config::{PythonCommand, Settings, find_python};
use crate::paths::{PythonRunner, RunnerOptions};
use crate::sys::signals::Signals;

use super::Arguments;

/// The environment's folder that is tried where none is active.
const USUAL_ENVIRONMENT: &str = ".venv";

/// A runner of the project's Python; nothing is started yet.
pub(super) fn runner(
    arguments: &Arguments,
    settings: &Settings,
    context: &Context,
) -> Result<PythonRunner, CommandError> {
    require_trusted(settings, context)?;
    let python = command(settings, context)?;
    let words: Option<Vec<String>> = python
        .words
        .iter()
        .map(|word| word.to_str().map(str::to_owned))
        .collect();
    let words = words.ok_or_else(|| not_unicode(&python.to_string()))?;
    let examples = arguments.examples.as_ref();
    let examples = examples
        .map(|folder| unicode(&context.directory.join(folder)))
        .transpose()?;
    unicode(&settings.directory)?;
    let options = RunnerOptions {
        python: words,
        directory: settings.directory.clone(),
        fixture: arguments.fixture.clone(),
        examples,
        package: settings.package.clone(),
        environment: context.environment.clone(),
        benchmark_env: settings.benchmark_env.clone(),
    };
    let signals = Signals::install()?;
    Ok(PythonRunner::new(options, Some(Arc::new(signals)))?)
}

/// The command that starts Python. Where none is named and no environment is active, `.venv` of the
/// project is taken before what is on PATH.
pub(super) fn command(
    settings: &Settings,
    context: &Context,
) -> Result<PythonCommand, CommandError> {
    let environment = &context.environment;
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"]
        .iter()
        .any(|name| environment.is_set(name));
    let usual = settings.directory.join(USUAL_ENVIRONMENT);
    let usual = (!active && usual.join("bin/python").is_file()).then_some(USUAL_ENVIRONMENT);
    let named = settings.python.as_deref().or(usual);
    Ok(find_python(named, environment, &settings.directory)?)
}

fn unicode(path: &std::path::Path) -> Result<String, CommandError> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| not_unicode(&PathBuf::from(path).display().to_string()))
}

fn not_unicode(path: &str) -> CommandError {
    CommandError::usage(anyhow::anyhow!(
        "`{path}` is not valid UTF-8; use another path"
    ))
}
