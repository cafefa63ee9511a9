//! Builds the dashboard from a folder of normalised results.

use std::collections::HashSet;
use std::path::Path;

use crate::compare::minimum_effect;
use crate::config::Settings;
use crate::history::{self, Criteria, Gathered, Identity, SeriesSet, Wanted};
use crate::results::{BenchmarkIndex, MachineFolder, Problem, ResultFile, Store};
use crate::vcs::CommitInfo;

use super::asv::{self, Revisions};
use super::run::{Run, source_of};
use super::{Drawn, Folder, Project, SiteError, draw};

/// More bytes than this are not before the digest in a run's file.
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
/// main branch along first parents, oldest first; `gathered` is what is known of the results. Files
/// whose data did not change are not written. With `for_asv` the files of asv's sites are drawn, too.
pub fn build(
    store: &Store,
    output: &Path,
    commits: Vec<CommitInfo>,
    settings: &Settings,
    gathered: &Gathered,
    for_asv: Option<&Revisions>,
) -> Result<Built, SiteError> {
    let mut folder = Folder::open(output, gathered.memory().as_deref())?;
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
        read: &|file| gathered.values_of(file).map(Some),
    };
    let mut set = history::load(&borrowed, commits, &wanted);
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
    draw(&set, &changes, &project, &mut folder)?;
    runs(
        &borrowed,
        &set,
        gathered,
        settings,
        &mut folder,
        &mut problems,
    )?;
    if let Some(revisions) = for_asv {
        asv::draw(
            &borrowed,
            revisions,
            &index,
            settings,
            &mut folder,
            &mut problems,
        )?;
    }
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
    folders: &[(&MachineFolder, &[ResultFile])],
    set: &SeriesSet,
    gathered: &Gathered,
    settings: &Settings,
    folder: &mut Folder,
    problems: &mut Vec<Problem>,
) -> Result<(), SiteError> {
    let known: HashSet<&str> = set.commits.iter().map(|of| of.hash.as_str()).collect();
    for (machine, files) in folders {
        for file in *files {
            let Some(identity) = gathered.identity_of(file) else {
                continue;
            };
            let Identity { digest, commit, .. } = identity;
            if !known.contains(commit.as_str()) {
                continue;
            }
            let run = Run {
                commit,
                machine: &machine.machine.name,
                environment: counts_as(&identity.environment, settings),
                source: digest,
            };
            let path = run.path();
            if folder.is_from(&path, digest) {
                continue;
            }
            if is_of(folder, &path, digest) {
                folder.keep(&path, digest.clone());
                continue;
            }
            match file.text() {
                Ok(text) => folder.put_from(run.draw(&text), digest.clone())?,
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
