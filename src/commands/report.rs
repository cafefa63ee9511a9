//! `lcmbench report`: tells GitHub what a job without a token has measured.

use std::path::PathBuf;

use clap::Args;

use crate::github::{
    ActionsContext, ApiError, Client, Credentials, Event, Pull, Remote, RepositoryName,
    STATUS_CONTEXT, State, Status, StatusOutcome, outputs,
};
use crate::report::Gate;

use super::comparing::{accept, gated, gates};
use super::handoff::{Handoff, HandoffError, Told};
use super::pr::{ReportErrors, sentence};
use super::pull_request::{self, PullArguments};
use super::reporting::posting::{self, Ready};
use super::reporting::{CommentArguments, Finding, Rendering, append_summary};
use super::setup::{Overrides, settings_or_defaults};
use super::{CommandError, Context, Exit};

/// Report on a pull request what `pr --handoff` has measured elsewhere.
///
/// For a job started by `workflow_run`, or one that comes after the measuring job: it runs nothing of
/// the pull request and takes the file for hostile. The pull request is found by owner, branch and
/// commit of the run, never by what the file says; the file must be about that very commit.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file that `lcmbench pr --handoff` wrote.
    #[arg(long, value_name = "FILE")]
    handoff: PathBuf,
    /// Full hash of the commit that was to be measured. Default: that of the event.
    #[arg(long, value_name = "HASH", value_parser = full_hash)]
    commit: Option<String>,
    #[command(flatten)]
    pull: PullArguments,
    #[command(flatten)]
    comment: CommentArguments,
    /// End with exit code 1 and a failed status if there is any of these. Separated by commas.
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',', value_parser = gates())]
    fail_on: Vec<Gate>,
    /// Leave the commit status `benchmark-check` alone.
    #[arg(long)]
    no_status: bool,
    /// What it means that GitHub could not be told: exit code 4, or a warning.
    #[arg(long, value_enum, default_value_t)]
    report_errors: ReportErrors,
}

fn full_hash(text: &str) -> Result<String, String> {
    let text = text.trim().to_ascii_lowercase();
    if text.len() == 40 && text.chars().all(|c| c.is_ascii_hexdigit()) {
        Ok(text)
    } else {
        Err("the full hash of a commit is needed, 40 digits".to_owned())
    }
}

/// Said in every comment about numbers that came by a file.
const CLAIM: &str = "These numbers were measured by a job that ran the pull request's code without \
                     supervision, and were handed over: they are claims of that code";

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let actions = ActionsContext::read(&context.environment)?;
    let name = pull_request::repository(&arguments.pull, &actions, None)?;
    let (client, credentials) = pull_request::client(context)?;
    let reporter = Reporter {
        arguments,
        context,
        actions: &actions,
        name: &name,
        client: &client,
        credentials: &credentials,
    };
    let reported = reporter.run();
    match reported {
        Err(error) if error.exit() == Exit::Remote => match arguments.report_errors.exit() {
            Exit::Done => {
                context.printer.warn(&error.sentence());
                Ok(Exit::Done)
            }
            _ => Err(error.hint("the file stays; `lcmbench report` can be repeated")),
        },
        other => other,
    }
}

struct Reporter<'a> {
    arguments: &'a Arguments,
    context: &'a Context,
    actions: &'a ActionsContext,
    name: &'a RepositoryName,
    client: &'a Client<'a>,
    credentials: &'a Credentials,
}

impl Reporter<'_> {
    fn remote(&self) -> Remote<'_> {
        Remote {
            client: self.client,
            name: self.name,
        }
    }

    fn run(&self) -> Result<Exit, CommandError> {
        let printer = &self.context.printer;
        let Some(pull) = self.pull()? else {
            printer.note(&format!(
                "no open pull request in {} has that commit as its head any more; nothing is reported",
                self.name
            ));
            return Ok(Exit::Done);
        };
        let wanted = self.wanted(&pull)?;
        if pull.head.sha != wanted {
            printer.note(&format!(
                "the head of pull request {} is {} by now, and {} was measured; nothing is reported",
                pull.number,
                short(&pull.head.sha),
                short(&wanted)
            ));
            return Ok(Exit::Done);
        }
        let path = self.context.directory.join(&self.arguments.handoff);
        let handoff = match Handoff::read(&path) {
            Ok(handoff) if handoff.head == wanted => handoff,
            Ok(_) => {
                let what = "it is about another commit than the one that the run was for";
                return self.refuse(&wanted, HandoffError::Contradiction(what));
            }
            // A run that was cancelled or failed early leaves none; that is no fault of this job.
            Err(HandoffError::Missing(_)) => {
                printer.note("the measuring job has left no file, so nothing was measured");
                let said = "the measuring job has left no results".to_owned();
                self.finish(&wanted, State::Error, said, None)?;
                return Ok(Exit::Done);
            }
            Err(error) => return self.refuse(&wanted, error),
        };
        match handoff.told {
            Told::Measured(finding) => self.report(&pull, *finding),
            Told::Interrupted { signal, done } => {
                let said = sentence::interrupted(signal, done);
                printer.note(&said);
                self.finish(&wanted, State::Error, said, None)?;
                Ok(Exit::Done)
            }
            Told::NotMeasured { why } => {
                let said = sentence::not_measured(&why);
                printer.foreign_note(&said);
                self.finish(&wanted, State::Error, said, None)?;
                Ok(Exit::Done)
            }
        }
    }

    /// The pull request of the run, by what GitHub says about it.
    fn pull(&self) -> Result<Option<Pull>, CommandError> {
        let known = pull_request::known_number(&self.arguments.pull, self.actions, self.context)?;
        let number = match known {
            Some(number) => Some(number),
            None => pull_request::found_number(self.remote(), self.actions, None)?,
        };
        let Some(number) = number else {
            if matches!(self.actions.event, Some(Event::WorkflowRun { .. })) {
                return Ok(None);
            }
            return Err(CommandError::usage(anyhow::anyhow!(
                "it is unknown which pull request in {} this is about",
                self.name
            ))
            .hint("name it with --pr or GITHUB_PR_NUMBER"));
        };
        let pull = self.remote().pull(number).map_err(CommandError::remote)?;
        Ok(Some(pull))
    }

    /// The commit that the run was for. At a desk that is the pull request's head.
    fn wanted(&self, pull: &Pull) -> Result<String, CommandError> {
        if let Some(commit) = &self.arguments.commit {
            return Ok(commit.clone());
        }
        match &self.actions.event {
            Some(Event::WorkflowRun { head_sha, .. } | Event::PullRequest { head_sha, .. }) => {
                Ok(head_sha.clone())
            }
            _ if !self.actions.in_actions => Ok(pull.head.sha.clone()),
            _ => Err(CommandError::usage(anyhow::anyhow!(
                "the event does not say which commit was to be measured"
            ))
            .hint("name it with --commit, in full")),
        }
    }

    /// The comment and the status.
    fn report(&self, pull: &Pull, mut finding: Finding) -> Result<Exit, CommandError> {
        let settings = settings_or_defaults(self.context, &Overrides::default())?;
        finding.comparison.remarks.insert(0, CLAIM.to_owned());
        accept(&mut finding.comparison, &settings);
        let rendering = Rendering {
            finding: &finding,
            key: &self.arguments.comment.key,
            actions: self.actions,
            settings: &settings.report,
            main_branch: &pull.base.r#ref,
            repository: Some(self.name),
        };
        let printer = &self.context.printer;
        append_summary(self.actions, &rendering.summary(), printer);
        let (state, said) = sentence::measured(&finding.comparison, &self.arguments.fail_on);
        printer.note(&format!("{STATUS_CONTEXT}: {said}"));
        outputs::comparison(&self.context.environment, &finding.comparison, printer);
        let block = rendering.block();
        let ready = Ready {
            block: &block,
            body: &rendering.comment(),
        };
        let posted = posting::write(
            &self.arguments.comment,
            self.remote(),
            self.credentials,
            pull.number,
            &pull.head.sha,
            ready,
        );
        // The status is tried whatever became of the comment.
        let url = posted.as_ref().ok().map(|posted| posted.url.clone());
        let finished = self.finish(&block.head, state, said, url);
        let posted = posted.map_err(CommandError::remote)?;
        posting::tell(self.context, &posted, self.client);
        finished?;
        Ok(gated(
            &finding.comparison,
            &self.arguments.fail_on,
            self.context,
        ))
    }

    /// A file that cannot be believed is an error of this job, and of the commit.
    fn refuse(&self, sha: &str, error: HandoffError) -> Result<Exit, CommandError> {
        let said = "what the measuring job handed over was refused".to_owned();
        self.finish(sha, State::Error, said, None)?;
        let path = self.arguments.handoff.display();
        let error = anyhow::Error::from(error).context(format!("{path} is refused"));
        Err(CommandError::usage(error))
    }

    fn finish(
        &self,
        sha: &str,
        state: State,
        description: String,
        url: Option<String>,
    ) -> Result<(), CommandError> {
        if self.arguments.no_status {
            return Ok(());
        }
        let status = Status {
            state,
            description,
            target_url: url
                .filter(|url| !url.is_empty())
                .or_else(|| self.actions.run_url()),
        };
        let written: Result<StatusOutcome, ApiError> = status.write(self.remote(), sha, |_| false);
        written.map_err(CommandError::remote)?;
        self.context.printer.foreign_note(&format!(
            "status {STATUS_CONTEXT} of {}: {} ({})",
            short(sha),
            status.state.word(),
            status.description
        ));
        Ok(())
    }
}

fn short(hash: &str) -> &str {
    hash.get(..8).unwrap_or(hash)
}
