//! Builds the dashboard from a folder of normalised results.

use std::collections::HashMap;
use std::path::Path;

use fs_err as fs;

use crate::compare::minimum_effect;
use crate::config::Settings;
use crate::history::{self, Criteria, SeriesSet, Wanted};
use crate::results::{
    BenchmarkIndex, Detail, MachineFolder, Problem, ResultFile, ResultSet, Store,
};
use crate::vcs::CommitInfo;

use super::names::checksum;
use super::{Drawn, File, Folder, Project, SiteError, draw, run_file, run_path, source_of};

/// Digits of a commit in the name of a result file.
const DIGITS: usize = 8;

/// More bytes than this are not before the checksum in a run's file.
const BEGINNING: usize = 400;

/// What was drawn, and what could not be read.
#[derive(Debug, Clone, Default)]
pub struct Built {
    pub drawn: Drawn,
    pub commits: usize,
    pub changes: usize,
    pub problems: Vec<Problem>,
}

/// Draws the dashboard of the results in `store` into the folder `output`. `commits` are those of the
/// main branch along first parents, oldest first. Files whose data did not change are not written.
pub fn build(
    store: &Store,
    output: &Path,
    commits: Vec<CommitInfo>,
    settings: &Settings,
) -> Result<Built, SiteError> {
    let mut folder = Folder::open(output)?;
    let machines = store.machines();
    let mut problems = machines.problems;
    let listed: Vec<(MachineFolder, Vec<ResultFile>)> = machines
        .items
        .into_iter()
        .map(|machine| {
            let files = store.files(&machine);
            problems.extend(files.problems);
            (machine, files.items)
        })
        .collect();
    let borrowed: Vec<(&MachineFolder, &[ResultFile])> = listed
        .iter()
        .map(|(machine, files)| (machine, files.as_slice()))
        .collect();
    let wanted = Wanted {
        settings: &settings.history,
        environment: &settings.environment,
        details: true,
        set: &|_: &ResultSet| true,
    };
    let mut set = history::load(store, &borrowed, commits, &wanted);
    problems.append(&mut set.problems);
    let index = store.load_benchmarks().unwrap_or_else(|problem| {
        problems.push(problem);
        BenchmarkIndex::default()
    });
    let limits = &settings.limits;
    let criteria = Criteria {
        minimum_effect: &|benchmark| minimum_effect(limits, benchmark),
        rules: settings.history.rules,
    };
    let changes = history::changes(&set, &criteria);
    let project = Project {
        name: &settings.asv.project,
        url: &settings.asv.project_url,
        commit_url: &settings.asv.show_commit_url,
        branch: &settings.main_branch,
        report: &settings.report,
        limits,
        index: &index,
        accepted: &settings.accepted,
    };
    let mut put = |file: File| folder.put(file);
    draw(&set, &changes, &project, &mut put)?;
    runs(store, &borrowed, &set, settings, &mut folder, &mut problems)?;
    Ok(Built {
        commits: set
            .lines
            .iter()
            .map(|line| line.measured.len())
            .max()
            .unwrap_or(0),
        changes: changes.len(),
        drawn: folder.finish()?,
        problems,
    })
}

/// Draws the run of each result file of the branch; one that was made of the same file stays.
fn runs(
    store: &Store,
    folders: &[(&MachineFolder, &[ResultFile])],
    set: &SeriesSet,
    settings: &Settings,
    folder: &mut Folder,
    problems: &mut Vec<Problem>,
) -> Result<(), SiteError> {
    let known: HashMap<&str, &str> = set
        .commits
        .iter()
        .map(|commit| {
            (
                commit.hash.get(..DIGITS).unwrap_or(&commit.hash),
                commit.hash.as_str(),
            )
        })
        .collect();
    for (machine, files) in folders {
        for file in *files {
            let Some(hash) = known.get(file.commit.as_str()) else {
                continue;
            };
            let Ok(bytes) = fs::read(&file.path) else {
                continue;
            };
            let source = checksum(&bytes);
            drop(bytes);
            // The name of the file tells the environment well enough where nothing changed.
            let name = &machine.machine.name;
            let likely = run_path(hash, name, &file.environment);
            if is_of(folder, &likely, &source) && folder.keep(&likely) {
                continue;
            }
            match store.load(file, Detail::Full) {
                Ok((loaded, _)) if loaded.set.commit_hash == **hash => {
                    let environment = counts_as(&loaded.set.env_name, settings);
                    folder.put(run_file(&loaded.set, &source, name, environment))?;
                }
                Ok(_) => {}
                Err(problem) => problems.push(problem),
            }
        }
    }
    Ok(())
}

fn is_of(folder: &Folder, path: &str, source: &str) -> bool {
    folder
        .beginning(path, BEGINNING)
        .is_some_and(|text| source_of(&text) == Some(source))
}

/// The name under which an environment counts.
fn counts_as<'a>(environment: &'a str, settings: &'a Settings) -> &'a str {
    let known = &settings.environment;
    match &known.name {
        Some(name)
            if settings.history.rules.environments
                && known.aliases.iter().any(|alias| alias == environment) =>
        {
            name
        }
        _ => environment,
    }
}
