//! `lcmbench publish`: history and dashboard in the site repository.

use std::cell::RefCell;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::thread;

use clap::Args;
use fs_err as fs;

use crate::config::Settings;
use crate::publish::{Outcome, PublishError, Published, Request, SitePlace, add_results, publish};
use crate::results::problem_lines;
use crate::site::Built;
use crate::sys::files::{Lock, write_atomic};
use crate::vcs::{Git, Repository, without_passwords};

use super::pages::Drawing;
use super::setup::{Overrides, settings};
use super::stored::Stored;
use super::{CommandError, Context, Exit};

/// Digits of the commit in the message.
const DIGITS: usize = 12;

/// Add the local results to the history in the site repository and draw the dashboard.
///
/// Brings the site's results, adds the local ones (which count where both have a machine, commit,
/// environment and benchmark), makes them alike, draws the dashboard beside them, commits and pushes.
/// Nothing of the site is forgotten; when somebody else pushes meanwhile it is done again on top of
/// that.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Arguments {
    /// Commit in the clone (`.benchmark-site`), but do not push.
    #[arg(long, conflicts_with = "output")]
    no_push: bool,
    /// Say what would be done; the site stays as it is.
    #[arg(long, conflicts_with_all = ["output", "no_push"])]
    dry_run: bool,
    /// Write the dashboard and the results into this folder instead of a site repository.
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Write the files that readers of asv's sites know, too: `index.json`, `info.json`, `graphs/` and
    /// `regressions.json`, with the values that `asv publish` has.
    #[arg(long)]
    asv_compatible: bool,
    /// Publish although the main branch is not checked out.
    #[arg(long)]
    any_branch: bool,
}

impl Arguments {
    fn drawing<'s>(
        &self,
        settings: &'s Settings,
        context: &Context,
    ) -> Result<Drawing<'s>, CommandError> {
        let pages = Drawing::of(settings, context)?;
        if self.asv_compatible {
            pages.for_asv()
        } else {
            Ok(pages)
        }
    }

    /// Publish to the site repository, from the main branch or from any.
    pub(super) fn of_main(any_branch: bool) -> Self {
        Self {
            any_branch,
            ..Self::default()
        }
    }
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let settings = settings(context, &Overrides::default())?;
    publish_results(arguments, &settings, context)
}

/// The same with settings that are known already.
pub(super) fn publish_results(
    arguments: &Arguments,
    settings: &Settings,
    context: &Context,
) -> Result<Exit, CommandError> {
    let stored = Stored::open(settings, &context.printer);
    // An error where there are no results at all.
    stored.files(None)?;
    if let Some(output) = &arguments.output {
        let root = context.directory.join(output);
        let gathered = add_results(
            &root,
            &stored.store,
            &settings.history,
            &settings.environment,
            None,
        )
        .map_err(failed)?;
        for line in problem_lines(&gathered.merged.problems) {
            context.printer.warn(&line);
        }
        for line in gathered.report.lines() {
            context.printer.note(&line);
        }
        let pages = arguments.drawing(settings, context)?;
        let built = pages.draw(&root, &gathered).map_err(CommandError::usage)?;
        tell_drawn(built.as_ref(), context);
        let what = if built.is_some() {
            root
        } else {
            root.join("results")
        };
        context.printer.out(&format!("wrote {}", what.display()));
        return Ok(Exit::Done);
    }
    let repository = Repository::discover(&settings.repository_folder())?;
    let head = repository.head()?;
    require_main(&repository, settings, arguments.any_branch)?;
    let Some(site) = SitePlace::new(&settings.site, settings.site_clone()).map_err(failed)? else {
        return Err(
            CommandError::usage(anyhow::anyhow!("no site repository is configured"))
                .hint("set `site.repo` in lcmbench.toml or [tool.lcmbench], or say --output DIR"),
        );
    };
    // One clone, one publisher: others of this folder wait.
    let _lock = Lock::wait(&settings.directory)?;
    ignore_clone(settings)?;
    let short: String = head.hash.chars().take(DIGITS).collect();
    let message = format!("{}: publish benchmarks for {short}", settings.asv.project);
    let pages = arguments.drawing(settings, context)?;
    let built = RefCell::new(None);
    let published = publish(&Request {
        site: &site,
        local: &stored.store,
        history: &settings.history,
        environment: &settings.environment,
        draw: &|root, gathered| {
            built.replace(pages.draw(root, gathered)?);
            Ok(())
        },
        message: &message,
        until: if arguments.no_push || arguments.dry_run {
            Outcome::Committed
        } else {
            Outcome::Pushed
        },
        pause: &|pause| {
            let milliseconds = pause.as_millis();
            let note = format!("the site was not taken; again in {milliseconds} ms");
            context.printer.note(&note);
            thread::sleep(pause);
        },
        jitter: &jitter,
    })
    .map_err(failed)?;
    tell_drawn(built.take().as_ref(), context);
    tell(&published, &site, arguments, context);
    Ok(Exit::Done)
}

fn tell_drawn(built: Option<&Built>, context: &Context) {
    let Some(built) = built else {
        return;
    };
    for line in problem_lines(&built.problems) {
        context.printer.warn(&line);
    }
    let drawn = built.drawn;
    context.printer.note(&format!(
        "drew the dashboard of {} commits with {} changes: {} files written, {} as they were, {} \
         removed",
        built.commits, built.changes, drawn.written, drawn.unchanged, drawn.removed
    ));
}

/// Refuses another branch than the main branch: the history is that of the latter.
pub(super) fn require_main(
    repository: &Repository,
    settings: &Settings,
    any_branch: bool,
) -> Result<(), CommandError> {
    if any_branch || is_main(repository, settings)? {
        return Ok(());
    }
    let head = repository.head()?;
    let branch = head.branch.as_deref().unwrap_or("a detached HEAD");
    let main = &settings.main_branch;
    Err(CommandError::usage(anyhow::anyhow!(
        "{branch} is checked out; the history is that of {main}"
    ))
    .hint("check out the main branch, or say --any-branch"))
}

fn tell(published: &Published, site: &SitePlace, arguments: &Arguments, context: &Context) {
    for line in problem_lines(&published.merged.problems) {
        context.printer.warn(&line);
    }
    for line in published.normalised.lines() {
        context.printer.note(&line);
    }
    let repo = without_passwords(&site.repo);
    let branch = &published.branch;
    let commit: String = published
        .commit
        .iter()
        .flat_map(|hash| hash.chars().take(DIGITS))
        .collect();
    let said = match published.outcome {
        Outcome::Nothing => format!("nothing new for {repo} ({branch})"),
        Outcome::Committed if arguments.dry_run => {
            let count = published.merged.added;
            let files = if count == 1 {
                "result file"
            } else {
                "result files"
            };
            format!("would publish {count} {files} to {repo} ({branch})")
        }
        Outcome::Committed => format!(
            "committed {commit} in {}, not pushed",
            site.folder.display()
        ),
        Outcome::Pushed => format!("published {commit} to {repo} ({branch})"),
    };
    context.printer.out(&said);
}

/// Whether the commit that is checked out is the main branch's newest.
fn is_main(repository: &Repository, settings: &Settings) -> Result<bool, CommandError> {
    let head = repository.head()?;
    if head.branch.is_some() {
        return Ok(head.branch.as_ref() == Some(&settings.main_branch));
    }
    let tip = repository.branch_tip(&settings.main_branch);
    Ok(tip.is_ok_and(|tip| tip == head.hash))
}

/// The clone must not count as an untracked folder of the project.
fn ignore_clone(settings: &Settings) -> Result<(), CommandError> {
    let git = Git::at(&settings.directory);
    let clone = settings.site_clone();
    let name = clone.file_name().unwrap_or_default().to_string_lossy();
    if git.run(&["check-ignore", "--quiet", &name]).is_ok() {
        return Ok(());
    }
    let Ok(path) = git.run(&["rev-parse", "--git-path", "info/exclude"]) else {
        // Not in a repository: nobody would call it untracked.
        return Ok(());
    };
    let path = settings.directory.join(path);
    let mut text = fs::read_to_string(&path).unwrap_or_default();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&name);
    text.push_str("/\n");
    write_atomic(&path, text.as_bytes())?;
    Ok(())
}

fn failed(error: PublishError) -> CommandError {
    if error.is_remote() {
        CommandError::remote(error).hint("the local results are as they were; publish again later")
    } else {
        CommandError::usage(error)
    }
}

/// A number from zero to one that no other process has.
fn jitter() -> f64 {
    let random = RandomState::new().hash_one(std::process::id());
    f64::from(u32::try_from(random >> 32).unwrap_or(0)) / f64::from(u32::MAX)
}
