//! From arguments and settings to the options of a run.

use std::path::{Path, PathBuf};

use crate::commands::{CommandError, Context};
use crate::config::{Settings, find_python};
use crate::pair::{DEFAULT_LOCK_FILES, PairError, PairOptions, PythonSide, Role, full_hash};
use crate::vcs::Repository;

use super::arguments::Arguments;
use super::of_pair;

/// Where scenarios are looked for when nothing names them.
const USUAL_SCENARIOS: [&str; 3] = [
    "benchmarks/pair_scenarios.py",
    "pair_scenarios.py",
    "scenarios.py",
];

/// The options of a new run.
pub(super) fn options(
    arguments: &Arguments,
    settings: &Settings,
    context: &Context,
) -> Result<PairOptions, CommandError> {
    let hash = |option, text: &Option<String>| {
        full_hash(option, text.as_deref().unwrap_or_default()).map_err(of_pair)
    };
    let folder = |path: &Option<PathBuf>| context.directory.join(path.clone().unwrap_or_default());
    let harness = harness(context)?;
    let scenario_files = scenario_files(arguments, settings, &harness)?;
    let pair = &settings.pair;
    let mut sources = scenario_files.clone();
    sources.extend(
        pair.sources
            .iter()
            .filter(|path| !scenario_files.contains(path))
            .cloned(),
    );
    let lock_files = if pair.lock_files.is_empty() {
        DEFAULT_LOCK_FILES.map(str::to_owned).to_vec()
    } else {
        pair.lock_files.clone()
    };
    let command = |own: &Option<String>| {
        let named = own
            .as_ref()
            .or(arguments.python.as_ref())
            .or(pair.python.as_ref());
        python_command(named.map(String::as_str), settings, context)
    };
    Ok(PairOptions {
        base_checkout: folder(&arguments.base_checkout),
        base_revision: hash("--base-revision", &arguments.base_revision)?,
        head_checkout: folder(&arguments.head_checkout),
        head_revision: hash("--head-revision", &arguments.head_revision)?,
        harness_checkout: harness,
        harness_revision: hash("--harness-revision", &arguments.harness_revision)?,
        precision: arguments.precision(),
        backend: arguments.backend(),
        repeats: usize::from(arguments.repeats),
        scenarios: arguments.scenario.clone(),
        scenario_files,
        sources,
        lock_files,
        package: settings.package.clone(),
        base_python: command(&arguments.base_python)?,
        head_python: command(&arguments.head_python)?,
        python_path: python_path(settings),
        cache: arguments.cache(),
        seed: arguments.seed,
        samples: usize::from(arguments.samples),
        seconds: arguments.seconds,
        timeout: arguments.timeout,
        allow_different_jaxlib: arguments.allow_different_jaxlib,
    })
}

fn python_path(settings: &Settings) -> Vec<String> {
    if settings.pair.python_path.is_empty() {
        vec!["src".to_owned(), ".".to_owned()]
    } else {
        settings.pair.python_path.clone()
    }
}

/// The top of the checkout that the command runs in.
fn harness(context: &Context) -> Result<PathBuf, CommandError> {
    Ok(Repository::discover(&context.directory)?.root()?.to_owned())
}

fn scenario_files(
    arguments: &Arguments,
    settings: &Settings,
    harness: &Path,
) -> Result<Vec<String>, CommandError> {
    let named = if arguments.scenarios.is_empty() {
        &settings.pair.scenarios
    } else {
        &arguments.scenarios
    };
    if !named.is_empty() {
        return Ok(named.clone());
    }
    USUAL_SCENARIOS
        .iter()
        .find(|path| harness.join(path).is_file())
        .map(|path| vec![(*path).to_owned()])
        .ok_or_else(|| of_pair(PairError::NoScenarios))
}

/// The words of a command; one with `{checkout}` is taken as it is written, another is looked up.
fn python_command(
    named: Option<&str>,
    settings: &Settings,
    context: &Context,
) -> Result<Vec<String>, CommandError> {
    if let Some(template) = named.filter(|text| text.contains("{checkout}")) {
        return shlex::split(template)
            .filter(|words| !words.is_empty())
            .ok_or_else(|| {
                anyhow::anyhow!("the command `{template}` has a quote that is not closed").into()
            });
    }
    let python = find_python(
        named.or(settings.python.as_deref()),
        &context.environment,
        &context.directory,
    )?;
    let words: Vec<String> = python
        .words
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    Ok(words)
}

/// Both sides of a run.
pub(super) fn sides(asked: &PairOptions) -> [PythonSide; 2] {
    let side = |role, command: &[String], checkout: &Path| PythonSide {
        role,
        command: filled(command, checkout),
        checkout: checkout.to_owned(),
        path: asked.python_path.clone(),
        package: asked.package.clone(),
        scenarios: asked
            .scenario_files
            .iter()
            .map(|file| asked.harness_checkout.join(file))
            .collect(),
    };
    [
        side(Role::Base, &asked.base_python, &asked.base_checkout),
        side(Role::Head, &asked.head_python, &asked.head_checkout),
    ]
}

fn filled(command: &[String], checkout: &Path) -> Vec<String> {
    let checkout = checkout.to_string_lossy();
    command
        .iter()
        .map(|word| word.replace("{checkout}", &checkout))
        .collect()
}

/// The harness as a side, to list its scenarios.
pub(super) fn harness_side(
    arguments: &Arguments,
    settings: &Settings,
    context: &Context,
) -> Result<PythonSide, CommandError> {
    let harness = harness(context)?;
    let named = arguments.python.as_ref().or(settings.pair.python.as_ref());
    let command = python_command(named.map(String::as_str), settings, context)?;
    let files = scenario_files(arguments, settings, &harness)?;
    Ok(PythonSide {
        role: Role::Harness,
        command: filled(&command, &harness),
        path: python_path(settings),
        package: settings.package.clone(),
        scenarios: files.iter().map(|file| harness.join(file)).collect(),
        checkout: harness,
    })
}
