//! Command line over environment over file over default: the one place where they meet.

mod tables;

use std::path::{Path, PathBuf};

use toml::Spanned;

use crate::sys::env::Environment;

use super::asv_file::AsvFile;
use super::benchmark_env;
use super::gpu::gpu_settings;
use super::toml_file::TomlFile;
use super::toml_limits::default_limits;
use super::variables;
use super::{
    AsvSettings, ConfigError, EnvironmentSettings, LaunchMethod, Loaded, Origin, Origins,
    Overrides, Settings, SiteSettings,
};

use tables::{continuous_settings, history_settings, pair_settings, pull_request_patterns};

pub use tables::estimator_of;

/// The files of a project, read.
#[derive(Debug, Clone, Default)]
pub(super) struct Files {
    /// Relative paths are below this folder.
    pub(super) directory: PathBuf,
    pub(super) asv: Option<AsvFile>,
    pub(super) toml: Option<TomlFile>,
}

/// Says what is wrong with a regular expression of benchmarks, if anything is.
pub type CheckPattern<'a> = &'a dyn Fn(&str) -> Result<(), String>;

/// Resolves the settings. `start` is the folder that the command was started in: relative paths of
/// arguments and environment variables are below it, those of files below `files.directory`.
pub(super) fn resolve(
    start: &Path,
    overrides: &Overrides,
    environment: &Environment,
    files: &Files,
    check_pattern: CheckPattern<'_>,
) -> Result<Loaded, ConfigError> {
    let no_toml = TomlFile::default();
    let toml = files.toml.as_ref().unwrap_or(&no_toml);
    let given = variables::read(environment)?;
    let file = &toml.settings;
    let gpu_given = (given.gpu, given.gpu_wait, given.compile_cache);

    let (machine, machine_origin) = first([
        (Origin::CommandLine, overrides.machine.clone()),
        (Origin::Environment, given.machine),
        (Origin::File, toml.filled("machine", file.machine.as_ref())?),
    ]);
    let (python, python_origin) = first([
        (
            Origin::CommandLine,
            overrides.python.as_deref().map(|text| below(start, text)),
        ),
        (
            Origin::Environment,
            given.python.as_deref().map(|text| below(start, text)),
        ),
        (Origin::File, toml.filled("python", file.python.as_ref())?),
        (
            Origin::File,
            files.asv.as_ref().and_then(|asv| asv.python.clone()),
        ),
    ]);
    let launch = overrides
        .launch
        .or(given.launch)
        .or(file.launch)
        .or_else(|| launch_of_asv(files.asv.as_ref()));
    let environment_name = given.environment_name.map_or_else(
        || toml.filled("name", file.environment.name.as_ref()),
        |name| Ok(Some(name)),
    )?;
    let benchmark_env = benchmark_env::resolve(environment, toml)?;

    let asv = asv_settings(&files.directory, files.asv.as_ref());
    let main_branch = toml
        .filled("main-branch", file.main_branch.as_ref())?
        .or_else(|| asv.branches.iter().flatten().next().cloned())
        .unwrap_or_else(|| "main".to_owned());
    let (report, limits) = match &files.toml {
        Some(toml) => (toml.report()?, toml.limits()?),
        None => (super::ReportSettings::default(), default_limits()),
    };
    let settings = Settings {
        directory: files.directory.clone(),
        asv,
        package: toml.filled("package", file.package.as_ref())?,
        main_branch,
        environment: EnvironmentSettings {
            name: environment_name,
            aliases: file.environment.aliases.clone(),
        },
        report,
        limits,
        site: SiteSettings {
            repo: toml.filled("repo", file.site.repo.as_ref())?,
            branch: toml.filled("branch", file.site.branch.as_ref())?,
            subdir: toml.filled("subdir", file.site.subdir.as_ref())?,
        },
        history: history_settings(toml)?,
        accepted: toml.accepted()?,
        not_needed: match &file.pr.not_needed {
            Some(paths) => toml.patterns("not-needed", paths)?,
            None => Vec::new(),
        },
        pr_bench: pull_request_patterns(toml, check_pattern)?,
        pr_mode: file.pr.mode.unwrap_or_default(),
        pair: pair_settings(toml)?,
        continuous: continuous_settings(toml)?,
        machine,
        python,
        fork_code_is_allowed: overrides.fork_code_is_allowed,
        launch: launch.unwrap_or_default(),
        setup_scope: overrides
            .setup_scope
            .or(given.setup_scope)
            .or(file.setup_scope)
            .unwrap_or_default(),
        share_setup: overrides
            .share_setup
            .or(given.share_setup)
            .or(file.share_setup)
            .unwrap_or(false),
        device_sync: overrides
            .device_sync
            .or(given.device_sync)
            .or(file.device_sync)
            .unwrap_or(false),
        gpu: gpu_settings(overrides, gpu_given, toml)?,
        benchmark_env: benchmark_env.values,
        origins: Origins {
            machine: machine_origin,
            python: python_origin,
            benchmark_env: benchmark_env.origins,
        },
    };
    let (mut notes, warnings) = match &files.asv {
        Some(asv) => (asv.notes.clone(), asv.warnings.clone()),
        None => (Vec::new(), Vec::new()),
    };
    notes.extend(benchmark_env.notes);
    Ok(Loaded {
        settings,
        warnings,
        notes,
    })
}

/// The first value that there is, with its origin.
fn first<T, const N: usize>(candidates: [(Origin, Option<T>); N]) -> (Option<T>, Origin) {
    for (origin, value) in candidates {
        if value.is_some() {
            return (value, origin);
        }
    }
    (None, Origin::Default)
}

/// A path that is relative to where the user typed it, made absolute; a command or a bare name stays.
fn below(start: &Path, text: &str) -> String {
    let (prefix, path) = match text.split_once(':') {
        Some((prefix @ ("existing" | ""), path)) => (&text[..=prefix.len()], path),
        _ => ("", text),
    };
    let is_relative_path = path.contains('/') && !path.starts_with(['/', '~']);
    let joined = start.join(path);
    match joined.to_str() {
        Some(joined) if is_relative_path && Path::new(joined).exists() => {
            format!("{prefix}{joined}")
        }
        _ => text.to_owned(),
    }
}

/// asv's fork server forks where it can, which is what `auto` does here, with more care.
fn launch_of_asv(asv: Option<&AsvFile>) -> Option<LaunchMethod> {
    match asv?.launch_method.as_deref()? {
        "spawn" => Some(LaunchMethod::Spawn),
        _ => Some(LaunchMethod::Auto),
    }
}

fn asv_settings(directory: &Path, asv: Option<&AsvFile>) -> AsvSettings {
    let file = asv.map(|asv| asv.path.clone());
    let absent = AsvFile::default();
    let asv = asv.unwrap_or(&absent);
    let folder =
        |value: &Option<String>, default: &str| directory.join(value.as_deref().unwrap_or(default));
    let text =
        |value: &Option<String>, default: &str| value.clone().unwrap_or_else(|| default.to_owned());
    AsvSettings {
        file,
        project: text(&asv.project, "project"),
        project_url: text(&asv.project_url, "#"),
        repo: asv.repo.clone(),
        branches: asv.branches.clone().unwrap_or_else(|| vec![None]),
        benchmark_dir: folder(&asv.benchmark_dir, "benchmarks"),
        results_dir: folder(&asv.results_dir, "results"),
        html_dir: folder(&asv.html_dir, "html"),
        env_dir: folder(&asv.env_dir, "env"),
        show_commit_url: text(&asv.show_commit_url, "#"),
        hash_length: asv.hash_length.unwrap_or(8),
        default_benchmark_timeout: asv.default_benchmark_timeout.unwrap_or(60.0),
    }
}

impl TomlFile {
    /// The text of a key, which must not be empty.
    pub(super) fn filled(
        &self,
        key: &str,
        value: Option<&Spanned<String>>,
    ) -> Result<Option<String>, ConfigError> {
        match value {
            Some(text) if text.get_ref().trim().is_empty() => Err(self.wrong(
                &text.span(),
                format!("`{key}` is empty; fill it or leave it out"),
            )),
            Some(text) => Ok(Some(text.get_ref().clone())),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests;
