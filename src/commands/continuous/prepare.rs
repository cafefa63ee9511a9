//! Makes a side ready: its settings, its setup command, its Python.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::commands::measure::{Session, check_package};
use crate::commands::{CommandError, Context};
use crate::config::{LaunchMethod, Settings};
use crate::run::Tree;
use crate::sys::process::{ExitStatus, Program, Wake, run};
use crate::sys::signals::Signals;
use crate::worker::ChildEnvironment;

use super::sides::SideTree;

/// How much of what a setup command prints is kept.
const KEPT_OUTPUT: usize = 1024 * 1024;

/// A side that can be measured.
pub(super) struct Ready {
    pub(super) settings: Settings,
    pub(super) tree: Tree,
    pub(super) session: Session,
}

impl Ready {
    /// Runs the setup command, starts Python, imports the suite at `suite`, and checks what is imported.
    pub(super) fn new(
        side: &SideTree,
        project: &Settings,
        context: &Context,
        suite: &Path,
        log_folder: &Path,
        cpu_affinity: Option<Vec<usize>>,
    ) -> Result<Self, CommandError> {
        let mut settings = settings_of(side, project, suite)?;
        // Before the setup, whose products are no change of the code.
        let tree = Tree::open(&settings)?;
        if let Some(command) = &project.continuous.setup {
            let log = log_folder.join(format!("setup-{}.log", side.side.word()));
            set_up(command, side, &settings, context, &log)?;
        }
        let session = Session::start(&settings, context, cpu_affinity).map_err(|error| {
            error.hint(format!(
                "this was the side of {}, {}",
                side.side.word(),
                side.root.display()
            ))
        })?;
        check_package(&settings, Some(&tree), &session)?;
        // Where a side lies is no part of its environment.
        settings.benchmark_env.clone_from(&project.benchmark_env);
        Ok(Self {
            settings,
            tree,
            session,
        })
    }
}

/// The settings of the project as they are on a side: its folders, its Python, fresh processes.
fn settings_of(
    side: &SideTree,
    project: &Settings,
    suite: &Path,
) -> Result<Settings, CommandError> {
    let mut settings = project.clone();
    let top = Tree::open(project)?.root().to_owned();
    let inside = project
        .directory
        .strip_prefix(&top)
        .unwrap_or(Path::new(""));
    settings.directory = side.root.join(inside);
    settings.asv.repo = None;
    suite.clone_into(&mut settings.asv.benchmark_dir);
    // Forked processes of one server share its layout in memory, so that they are no replicates.
    settings.launch = LaunchMethod::Spawn;
    let python = side
        .python
        .as_ref()
        .or(project.continuous.python.as_ref())
        .or(project.python.as_ref());
    let checkout = side.root.to_string_lossy();
    settings.python = python.map(|command| command.replace("{checkout}", &checkout));
    if !settings.benchmark_env.contains_key("ASV_PYTHONPATH") {
        let usual = ["src".to_owned(), ".".to_owned()];
        let named = &project.continuous.python_path;
        let folders = if named.is_empty() { &usual[..] } else { named };
        let paths: Vec<String> = folders
            .iter()
            .map(|folder| settings.directory.join(folder))
            .filter(|folder| folder.is_dir())
            .map(|folder| normal(&folder).to_string_lossy().into_owned())
            .collect();
        settings
            .benchmark_env
            .insert("ASV_PYTHONPATH".to_owned(), paths.join(":"));
    }
    settings
        .benchmark_env
        .entry("JAX_COMPILATION_CACHE_DIR".to_owned())
        .or_insert_with(|| {
            let cache = side.root.join(".lcmbench-cache");
            cache.to_string_lossy().into_owned()
        });
    Ok(settings)
}

/// `/a/.` is `/a`.
fn normal(path: &Path) -> PathBuf {
    path.components().collect()
}

/// Runs the setup command of a side by the shell; what it printed is kept in a file.
fn set_up(
    command: &str,
    side: &SideTree,
    settings: &Settings,
    context: &Context,
    log: &Path,
) -> Result<(), CommandError> {
    let command = command
        .replace("{checkout}", &side.root.to_string_lossy())
        .replace("{side}", side.side.word());
    context
        .printer
        .note(&format!("setting up {}: {command}", side.side.word()));
    let environment = ChildEnvironment::new(&context.environment, &settings.benchmark_env);
    let signals = Signals::install()?;
    let finished = run(
        &Program {
            name: &OsString::from("sh"),
            arguments: &["-c".into(), command.clone().into()],
            environment: &environment.variables,
            directory: Some(&side.root),
            inherited: &[],
            death_signal: None,
            kept_bytes: KEPT_OUTPUT,
        },
        None,
        Some(&signals),
    )?;
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(
        log,
        format!("$ {command}\n{}{}", finished.stdout, finished.stderr),
    )?;
    if let Some(Wake::Interrupted(signal)) = finished.cut {
        return Err(CommandError::interrupted(signal));
    }
    let status = finished.exit.map(|exit| exit.status);
    if matches!(status, Some(ExitStatus::Code(0))) {
        return Ok(());
    }
    let last: Vec<&str> = finished.stderr.lines().rev().take(10).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    Err(CommandError::failed(anyhow::anyhow!(
        "the setup command of {} failed ({}): {command}\n{}",
        side.side.word(),
        status.map_or_else(
            || "it cannot be ended".to_owned(),
            |status| status.to_string()
        ),
        last.join("\n")
    ))
    .hint(format!("all that it printed is in {}", log.display())))
}
