//! `lcmbench pr`: measure what pull requests measure, then the comment, then the status.

mod audience;
mod connection;
mod dry_run;
mod github;
mod handover;
mod paired;
pub(super) mod sentence;
mod summary_only;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use crate::config::{PrMode, Settings};
use crate::github::{ActionsContext, CheckRun, Event, RepositoryName, outputs};
use crate::report::Gate;
use crate::sys::signals::Signals;
use crate::vcs::Repository;

use super::allow_list::{AllowList, not_needed_sentence};
use super::comparing::{gated, gates};
use super::continuous::PairingArguments;
use super::measure::{
    Dirty, MeasureArguments, Measured, Request, SelectionArguments, SkipArguments, Start,
    WorkerArguments, measure_and_tell,
};
use super::pull_request::{self, PullArguments};
use super::reporting::{
    CommentArguments, Finding, Question, Rendering, find, merge_base_of, require_head,
};
use super::setup::settings;
use super::stopping::until_stopped;
use super::stored::Place;
use super::{CommandError, Context, Exit};
use crate::run::SampleOptions;
use audience::{Audience, End};
use github::GitHub;
use handover::Handover;
use summary_only::SummaryOnly;

/// Measure the pull request that is checked out, comment on it and set its status.
///
/// Runs the benchmarks that `pr.bench` selects (all without it), compares them with the merge base,
/// writes the comment of `pr-comment`, and the commit status `benchmark-check`: pending as soon as the
/// first benchmark starts, finished in every case. Red for a regression only with `--fail-on`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    pull: PullArguments,
    #[command(flatten)]
    selection: SelectionArguments,
    #[command(flatten)]
    worker: WorkerArguments,
    #[command(flatten)]
    measure: MeasureArguments,
    #[command(flatten)]
    skip: SkipArguments,
    #[command(flatten)]
    comment: CommentArguments,
    #[command(flatten)]
    pairing: PairingArguments,
    /// Measure the merge base and HEAD in pairs in one sitting, whatever `pr.mode` says.
    #[arg(long, conflicts_with = "stored")]
    paired: bool,
    /// Compare with stored results of the merge base, whatever `pr.mode` says.
    #[arg(long)]
    stored: bool,
    /// End with exit code 1 and a failed status if there is any of these. Separated by commas.
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',', value_parser = gates())]
    fail_on: Vec<Gate>,
    /// Leave the commit status `benchmark-check` alone.
    #[arg(long)]
    no_status: bool,
    /// Write the report into a check run of this name, too; only the token of a workflow may.
    #[arg(long, value_name = "NAME", value_parser = check_run)]
    check_run: Option<String>,
    /// What it means that GitHub could not be told: exit code 4, or a warning.
    #[arg(long, value_enum, default_value_t)]
    report_errors: ReportErrors,
    /// Tell nobody: write what was measured into this file, for `lcmbench report`. No token is needed.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check_run", "no_status"])]
    handoff: Option<PathBuf>,
    /// Measure although all changed files are on the list `pr.not-needed`.
    #[arg(long)]
    always: bool,
    /// Say what would run, how long it may take and where it would be reported; do nothing.
    #[arg(long)]
    dry_run: bool,
}

/// What a failed report means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum ReportErrors {
    /// Exit code 4, unless a worse one applies.
    #[default]
    Fail,
    /// A warning.
    Warn,
}

impl ReportErrors {
    /// The exit code of a report that failed.
    pub(in crate::commands) fn exit(self) -> Exit {
        match self {
            Self::Fail => Exit::Remote,
            Self::Warn => Exit::Done,
        }
    }
}

fn check_run(text: &str) -> Result<String, String> {
    if CheckRun::is_name(text) {
        Ok(text.to_owned())
    } else {
        Err("a name of 1 to 255 characters is needed, other than that of the status".to_owned())
    }
}

/// The pull request's commit and what is known about it before anything is measured.
struct Subject<'a> {
    arguments: &'a Arguments,
    context: &'a Context,
    settings: &'a Settings,
    actions: &'a ActionsContext,
    /// Full hash of the commit that is checked out.
    head: String,
}

impl Subject<'_> {
    /// The comparison as comment and summary. `repository` is the one whose commits are linked to.
    fn rendering<'a>(
        &'a self,
        finding: &'a Finding,
        repository: Option<&'a RepositoryName>,
    ) -> Rendering<'a> {
        Rendering {
            finding,
            key: &self.arguments.comment.key,
            actions: self.actions,
            settings: &self.settings.report,
            main_branch: &self.settings.main_branch,
            repository,
        }
    }
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let mut overrides = arguments.worker.overrides()?;
    arguments.measure.add_to(&mut overrides);
    let settings = settings(context, &overrides)?;
    let actions = ActionsContext::read(&context.environment)?;
    let local = Repository::discover(&settings.repository_folder())?;
    let head = local.head()?.hash;
    require_head(&head, &actions)?;
    let subject = Subject {
        arguments,
        context,
        settings: &settings,
        actions: &actions,
        head,
    };
    if arguments.dry_run {
        return dry_run::tell(&subject, &local);
    }
    let signals = Arc::new(Signals::install()?);
    if let Some(file) = &arguments.handoff {
        let path = context.directory.join(file);
        let mut audience = Handover {
            subject: &subject,
            path,
        };
        return Ok(measured_and_told(&subject, &mut audience, &signals));
    }
    let mut audience: Box<dyn Audience + '_> = match &actions.event {
        Some(Event::PullRequest {
            from_fork: true, ..
        }) if actions.in_actions => {
            context.printer.warn(
                "this is a fork's pull request, whose token may only read: the report is in the summary \
                 of the run alone",
            );
            let repository = actions.repository.clone();
            Box::new(SummaryOnly {
                subject: &subject,
                repository,
            })
        }
        _ => Box::new(GitHub::new(&subject, &local, Arc::clone(&signals))?),
    };
    if let Some(files) = subject.not_needed(&local) {
        context.printer.note(&format!(
            "{} (`pr.not-needed`); --always measures all the same",
            not_needed_sentence(files)
        ));
        return Ok(audience.ends(&End::NotNeeded { files }));
    }
    Ok(measured_and_told(&subject, audience.as_mut(), &signals))
}

/// Measures and tells the audience how it ended, whatever happens between.
fn measured_and_told(
    subject: &Subject<'_>,
    audience: &mut dyn Audience,
    signals: &Arc<Signals>,
) -> Exit {
    if subject.is_paired() {
        let (exit, end) = paired::measure(subject, audience, signals);
        return exit.worse(told(subject, audience, &end));
    }
    let measured = measured(subject, audience, signals);
    let (exit, end) = match measured {
        Err(error) => {
            let exit = error.report(&subject.context.printer);
            (exit, of_error(&error))
        }
        Ok(Measured {
            exit: exit @ Exit::Interrupted(signal),
            done,
            ..
        }) => (exit, End::Interrupted { signal, done }),
        Ok(measured) => found(subject, &measured, signals),
    };
    exit.worse(told(subject, audience, &end))
}

/// Tells how it ended: the audience, and later steps of the workflow.
fn told(subject: &Subject<'_>, audience: &mut dyn Audience, end: &End) -> Exit {
    if let End::Measured(finding) = end {
        let context = subject.context;
        outputs::comparison(&context.environment, &finding.comparison, &context.printer);
    }
    audience.ends(end)
}

fn of_error(error: &CommandError) -> End {
    match error.exit() {
        Exit::Interrupted(signal) => End::Interrupted {
            signal,
            done: (0, 0),
        },
        _ => End::NotMeasured {
            why: error.outermost(),
        },
    }
}

fn measured(
    subject: &Subject<'_>,
    audience: &mut dyn Audience,
    signals: &Signals,
) -> Result<Measured, CommandError> {
    let bench = SelectionArguments {
        bench: subject.selected(),
    };
    let request = Request {
        selection: &bench,
        worker: &subject.arguments.worker,
        measure: &subject.arguments.measure,
        quick: false,
        save: true,
        dirty: Dirty::Refuse,
        samples: SampleOptions::default(),
        skip: subject.arguments.skip.what(),
        skip_commits: false,
        set_commit_hash: None,
    };
    let mut before = |start: &Start| {
        audience.starts(start);
        // Those that measuring installs have not seen one that came before them.
        match signals.received() {
            Some(signal) => Err(CommandError::interrupted(signal)),
            None => Ok(()),
        }
    };
    measure_and_tell(
        &request,
        subject.settings.clone(),
        subject.context,
        Some(&mut before),
    )
}

/// Compares what was measured.
fn found(subject: &Subject<'_>, measured: &Measured, signals: &Arc<Signals>) -> (Exit, End) {
    let printer = &subject.context.printer;
    let question = subject.question(measured);
    match until_stopped(signals, question) {
        Err(signal) => {
            let done = measured.done;
            (Exit::Interrupted(signal), End::Interrupted { signal, done })
        }
        Ok(Err(error)) => {
            let exit = match error.report(printer) {
                Exit::Remote => subject.arguments.report_errors.exit(),
                other => other,
            };
            (measured.exit.worse(exit), of_error(&error))
        }
        Ok(Ok(finding)) => {
            let gate = gated(
                &finding.comparison,
                &subject.arguments.fail_on,
                subject.context,
            );
            (measured.exit.worse(gate), End::Measured(Box::new(finding)))
        }
    }
}

impl Subject<'_> {
    /// Whether base and head are measured in pairs.
    fn is_paired(&self) -> bool {
        self.arguments.paired || (self.settings.pr_mode == PrMode::Paired && !self.arguments.stored)
    }

    /// How many files the pull request changes, if all are on the configuration's list.
    fn not_needed(&self, local: &Repository) -> Option<usize> {
        let list = AllowList::new(&[], &self.settings.not_needed);
        if list.is_empty() || self.arguments.always {
            return None;
        }
        let base = match &self.actions.event {
            Some(Event::MergeGroup { base_sha, .. }) => base_sha.clone(),
            _ => merge_base_of(local, &self.settings.main_branch, &self.head)?,
        };
        // What cannot be told is measured.
        let files = local.changed_files(&base, &self.head).ok()?;
        let all = !files.is_empty() && files.iter().all(|path| list.allows(path));
        all.then_some(files.len())
    }

    /// The patterns of the command line, else those of `pr.bench`.
    fn selected(&self) -> Vec<String> {
        let given = &self.arguments.selection.bench;
        if given.is_empty() {
            self.settings.pr_bench.clone()
        } else {
            given.clone()
        }
    }

    /// The comparison, as something that can be left alone when there is no time for it.
    fn question(
        &self,
        measured: &Measured,
    ) -> impl FnOnce() -> Result<Finding, CommandError> + Send + 'static {
        let context = self.context.clone();
        let settings = self.settings.clone();
        let head = self.head.clone();
        let policy = self.arguments.comment.baseline;
        let place = match &measured.place {
            Some((machine, environment)) => Place {
                machine: Some(machine.clone()),
                environment: Some(environment.clone()),
            },
            None => Place::default(),
        };
        let pull = self.arguments.pull.clone();
        let asks = self.arguments.handoff.is_none();
        let actions = self.actions.clone();
        move || {
            let local = Repository::discover(&settings.repository_folder())?;
            // Without a token nobody can be asked.
            let repository = pull_request::repository(&pull, &actions, Some(&local))
                .ok()
                .filter(|_| asks);
            // A group leaves the queue's branch at its base.
            let base = match &actions.event {
                Some(Event::MergeGroup { base_sha, .. }) => Some(base_sha.as_str()),
                _ => None,
            };
            find(&Question {
                context: &context,
                settings: &settings,
                local: &local,
                head: &head,
                place: &place,
                policy,
                repository: repository.as_ref(),
                base,
            })
        }
    }
}
