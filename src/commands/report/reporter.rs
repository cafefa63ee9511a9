//! From the file and what GitHub says about the run to comment and status.

use jiff::Timestamp;

use crate::commands::allow_list::{AllowList, not_needed};
use crate::commands::comparing::{accept, gated};
use crate::commands::handoff::{Handoff, HandoffError, Told};
use crate::commands::pr::sentence;
use crate::commands::pull_request;
use crate::commands::reporting::posting::{self, Ready};
use crate::commands::reporting::{Finding, NotNeeded, Rendering, append_summary};
use crate::commands::setup::{Overrides, settings_or_defaults};
use crate::commands::{CommandError, Context, Exit};
use crate::github::{
    ActionsContext, ApiError, Client, Credentials, Event, Pull, Remote, RepositoryName,
    STATUS_CONTEXT, State, Status, StatusOutcome, outputs,
};
use crate::run::short;

use super::Arguments;

/// Said in every comment about numbers that came by a file.
const CLAIM: &str = "These numbers were measured by a job that ran the pull request's code without \
                     supervision, and were handed over: they are claims of that code";

/// One report.
pub(super) struct Reporter<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) context: &'a Context,
    pub(super) actions: &'a ActionsContext,
    pub(super) name: &'a RepositoryName,
    pub(super) client: &'a Client<'a>,
    pub(super) credentials: &'a Credentials,
}

impl Reporter<'_> {
    fn remote(&self) -> Remote<'_> {
        Remote {
            client: self.client,
            name: self.name,
        }
    }

    /// Reads the file and reports it, if it is about the head of the run's pull request.
    pub(super) fn run(&self) -> Result<Exit, CommandError> {
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
                return self.refuse_file(&wanted, HandoffError::Contradiction(what));
            }
            // A run that was cancelled or failed early leaves none; that is no fault of this job.
            Err(HandoffError::Missing(_)) => {
                printer.note("the measuring job has left no file, so nothing was measured");
                let said = "the measuring job has left no results".to_owned();
                self.finish(&wanted, State::Error, said, None)?;
                return Ok(Exit::Done);
            }
            Err(error) => return self.refuse_file(&wanted, error),
        };
        match handoff.told {
            Told::Measured(finding) => self.report(&pull, *finding),
            Told::Interrupted { signal, done } => {
                let said = sentence::interrupted(signal, done);
                printer.note(&said);
                self.finish(&wanted, State::Error, said, None)?;
                Ok(Exit::Done)
            }
            Told::NotNeeded => self.not_needed(&pull),
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
            key: self.key(),
            fail_on: &self.arguments.fail_on,
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
        let ready = Ready {
            block: &rendering.block(),
            body: &rendering.comment(),
        };
        self.post(pull, ready, state, said)?;
        Ok(gated(
            &finding.comparison,
            &self.arguments.fail_on,
            self.context,
        ))
    }

    /// Nothing was measured, since a list of paths allowed that, says a file that anybody may have
    /// written. So the list of this job is asked about the files that changed, as GitHub tells them.
    fn not_needed(&self, pull: &Pull) -> Result<Exit, CommandError> {
        let settings = settings_or_defaults(self.context, &Overrides::default())?;
        let list = AllowList::new(&self.arguments.not_needed, &settings.not_needed);
        let head = &pull.head.sha;
        let files = if list.is_empty() {
            None
        } else {
            let compared = self.remote().compare(&pull.base.sha, head);
            not_needed(&compared.map_err(CommandError::remote)?, list)
        };
        let Some(files) = files else {
            let said = "nothing was measured, and the changed files are not all on the list that allows it";
            self.finish(head, State::Error, said.to_owned(), None)?;
            let error = if list.is_empty() {
                "the measuring job says that no benchmark was needed, and this job knows no list that \
                 allows it"
            } else {
                "the measuring job says that no benchmark was needed, and the list of this job does not \
                 say so"
            };
            return Err(CommandError::usage(anyhow::anyhow!(error)).hint(
                "give `report` the patterns of `pr.not-needed`: --not-needed \"docs/**,*.md\"",
            ));
        };
        let decision = NotNeeded {
            head,
            files,
            patterns: list.patterns(),
        };
        let block = decision.block(self.key(), self.actions, Timestamp::now());
        let body = decision.comment(&block);
        let printer = &self.context.printer;
        append_summary(self.actions, &body, printer);
        printer.note(&decision.sentence());
        let ready = Ready {
            block: &block,
            body: &body,
        };
        self.post(pull, ready, State::Success, decision.sentence())?;
        Ok(Exit::Done)
    }

    fn key(&self) -> &str {
        &self.arguments.comment.key
    }

    /// The comment and the status, which is tried whatever became of the comment.
    fn post(
        &self,
        pull: &Pull,
        ready: Ready<'_>,
        state: State,
        said: String,
    ) -> Result<(), CommandError> {
        let posted = posting::write(
            &self.arguments.comment,
            self.remote(),
            self.credentials,
            pull.number,
            &pull.head.sha,
            ready,
        );
        let url = posted.as_ref().ok().map(|posted| posted.url.clone());
        let finished = self.finish(&ready.block.head, state, said, url);
        let posted = posted.map_err(CommandError::remote)?;
        posting::tell(self.context, &posted, self.client);
        finished
    }

    /// A file that cannot be believed is an error of this job, and of the commit.
    fn refuse_file(&self, sha: &str, error: HandoffError) -> Result<Exit, CommandError> {
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
