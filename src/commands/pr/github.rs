//! Tells GitHub: the status when measuring starts, comment and status when it has ended.

use std::sync::Arc;

use jiff::Timestamp;

use crate::commands::allow_list::not_needed_sentence;
use crate::commands::measure::Start;
use crate::commands::pull_request;
use crate::commands::reporting::posting::{self, Ready};
use crate::commands::reporting::{Finding, NotNeeded, append_summary};
use crate::commands::{CommandError, Exit};
use crate::github::{
    ApiError, CheckRun, Client, Conclusion, Credentials, Event, Remote, RepositoryName,
    STATUS_CONTEXT, State, Status,
};
use crate::sys::signals::Signals;
use crate::vcs::Repository;

use super::audience::{Audience, End};
use super::{Subject, connection, sentence};

/// GitHub.
pub(super) struct GitHub<'a> {
    subject: &'a Subject<'a>,
    local: &'a Repository,
    name: RepositoryName,
    credentials: Credentials,
    signals: Arc<Signals>,
    target: Target,
    /// Whether the commit has a pending status of ours.
    is_pending: bool,
}

/// Where the comment goes. The status always goes to the commit that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Pull(u64),
    /// Not known yet, or there is none.
    Nobody,
    /// A group of a merge queue has a status alone.
    Group,
}

impl<'a> GitHub<'a> {
    /// Settles what can be settled before anything is measured. What GitHub does not answer now is
    /// asked again at the end.
    pub(super) fn new(
        subject: &'a Subject<'a>,
        local: &'a Repository,
        signals: Arc<Signals>,
    ) -> Result<Self, CommandError> {
        let arguments = &subject.arguments.pull;
        let name = pull_request::repository(arguments, subject.actions, Some(local))?;
        let credentials = Credentials::find(&subject.context.environment).map_err(|error| {
            CommandError::usage(error).hint("`lcmbench run` measures and tells nobody")
        })?;
        let mut github = Self {
            subject,
            local,
            name,
            credentials,
            signals,
            target: Target::Nobody,
            is_pending: false,
        };
        github.target = github.choose()?;
        Ok(github)
    }

    fn choose(&self) -> Result<Target, CommandError> {
        let (actions, context) = (self.subject.actions, self.subject.context);
        if let Some(Event::MergeGroup { .. }) = &actions.event {
            return Ok(Target::Group);
        }
        let client = connection::brief(&self.credentials, &self.signals)?;
        let known = pull_request::known_number(&self.subject.arguments.pull, actions, context)?;
        let target = match known {
            Some(number) => Ok(Some(number)),
            None => pull_request::found_number(self.remote(&client), actions, Some(self.local)),
        };
        match target {
            Ok(Some(number)) => {
                self.look_at_head(&client, number)?;
                Ok(Target::Pull(number))
            }
            Ok(None) if actions.in_actions => Err(pull_request::none(&self.name)),
            Ok(None) => {
                context.printer.note(&format!(
                    "there is no open pull request of this branch in {}; it is measured all the same",
                    self.name
                ));
                Ok(Target::Nobody)
            }
            Err(error) if error.exit() == Exit::Remote => {
                self.warn_of(&error.outermost());
                Ok(Target::Nobody)
            }
            Err(error) => Err(error),
        }
    }

    /// Says early what would make the report one of a commit that nobody looks at. A workflow whose
    /// event names no commit of the pull request must have its head checked out.
    fn look_at_head(&self, client: &Client<'_>, number: u64) -> Result<(), CommandError> {
        let head = &self.subject.head;
        let live = match self.remote(client).pull(number) {
            Ok(pull) => pull.head.sha,
            Err(error) => {
                self.warn_of(&error.to_string());
                return Ok(());
            }
        };
        if live == *head {
            return Ok(());
        }
        let actions = self.subject.actions;
        let names_none = matches!(actions.event, None | Some(Event::Other { .. }));
        if actions.in_actions && names_none {
            return Err(CommandError::usage(anyhow::anyhow!(
                "{} is checked out, but the head of pull request {number} is {}",
                short(head),
                short(&live)
            ))
            .hint(format!(
                "check out the head: `ref: refs/pull/{number}/head`, and `fetch-depth: 0`"
            )));
        }
        self.subject.context.printer.warn(&format!(
            "{} is checked out, but the head of pull request {number} is {}; the report will be about \
             the former (`git push` first, if it is new)",
            short(head),
            short(&live)
        ));
        Ok(())
    }

    fn warn_of(&self, error: &str) {
        self.subject
            .context
            .printer
            .warn(&format!("{error}; it is measured all the same"));
    }

    fn remote<'c>(&'c self, client: &'c Client<'c>) -> Remote<'c> {
        Remote {
            client,
            name: &self.name,
        }
    }

    fn writes_status(&self) -> bool {
        !self.subject.arguments.no_status && matches!(self.target, Target::Pull(_) | Target::Group)
    }

    fn status(&self, state: State, description: String, url: Option<&str>) -> Status {
        let run = self.subject.actions.run_url();
        Status {
            state,
            description,
            target_url: url.filter(|url| !url.is_empty()).map(str::to_owned).or(run),
        }
    }

    /// The report of what was measured.
    fn report(&mut self, finding: &Finding) -> Exit {
        let subject = self.subject;
        let name = self.name.clone();
        let rendering = subject.rendering(finding, Some(&name));
        let printer = &subject.context.printer;
        append_summary(subject.actions, &rendering.summary(), printer);
        let (state, said) = sentence::measured(&finding.comparison, &subject.arguments.fail_on);
        printer.note(&format!("{STATUS_CONTEXT}: {said}"));
        let body = rendering.comment();
        let block = rendering.block();
        let ready = Ready {
            block: &block,
            body: &body,
        };
        self.tell(ready, state, said)
    }

    /// The comment of an allow-list's decision, and the status.
    fn tell_not_needed(&mut self, files: usize) -> Exit {
        let subject = self.subject;
        let said = not_needed_sentence(files);
        let decision = NotNeeded {
            head: &subject.head,
            said: &said,
            patterns: &subject.settings.not_needed,
        };
        let key = &subject.arguments.comment.key;
        let block = decision.block(key, subject.actions, Timestamp::now());
        let body = decision.comment(&block);
        append_summary(subject.actions, &body, &subject.context.printer);
        let ready = Ready {
            block: &block,
            body: &body,
        };
        self.tell(ready, State::Success, said)
    }

    /// The comment, the status, the check run. Each is tried whatever became of the others.
    fn tell(&mut self, ready: Ready<'_>, state: State, said: String) -> Exit {
        let subject = self.subject;
        let client = match connection::patient(&self.credentials, &self.signals) {
            Ok(client) => client,
            Err(error) => return self.failed(&error),
        };
        let mut exit = Exit::Done;
        let mut url = None;
        match self.comment(&client, ready) {
            Ok(posted) => url = posted,
            Err(failed) => exit = failed,
        }
        if self.writes_status() && self.signals.received().is_none() {
            let status = self.status(state, said.clone(), url.as_deref());
            exit = exit.worse(self.finish(&client, &status));
        }
        if let Some(name) = subject.arguments.check_run.as_deref()
            && self.signals.received().is_none()
        {
            let run_url = subject.actions.run_url();
            let run = CheckRun {
                name,
                conclusion: match state {
                    State::Failure => Conclusion::Failure,
                    State::Success => Conclusion::Success,
                    State::Error | State::Pending => Conclusion::Neutral,
                },
                title: &said,
                text: ready.body,
                details_url: url.as_deref().or(run_url.as_deref()),
            };
            if let Err(error) = run.create(self.remote(&client), &subject.head) {
                exit = exit.worse(self.failed(&error));
            }
        }
        match self.signals.received() {
            Some(signal) => {
                self.last_word(state, said);
                Exit::Interrupted(signal)
            }
            None => exit,
        }
    }

    /// Writes the comment; its address.
    fn comment(&mut self, client: &Client<'_>, ready: Ready<'_>) -> Result<Option<String>, Exit> {
        let subject = self.subject;
        if self.target == Target::Group {
            return Ok(None);
        }
        if self.target == Target::Nobody {
            let found =
                pull_request::found_number(self.remote(client), subject.actions, Some(self.local));
            match found {
                Ok(Some(number)) => self.target = Target::Pull(number),
                Ok(None) => {
                    let printer = &subject.context.printer;
                    printer
                        .note("there is no open pull request of this branch; nothing was posted");
                    return Ok(None);
                }
                Err(error) => return Err(self.report_of(&error)),
            }
        }
        let Target::Pull(number) = self.target else {
            return Ok(None);
        };
        let remote = self.remote(client);
        let posted = remote.pull(number).and_then(|pull| {
            let live = &pull.head.sha;
            posting::tell_of_another_head(subject.context, number, &subject.head, live);
            let comment = &subject.arguments.comment;
            posting::write(comment, remote, &self.credentials, number, live, ready)
        });
        match posted {
            Ok(posted) => {
                posting::tell(subject.context, &posted, client);
                Ok(Some(posted.url))
            }
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// Writes the last status of a measurement.
    fn finish(&self, client: &Client<'_>, status: &Status) -> Exit {
        let sha = &self.subject.head;
        match status.write(self.remote(client), sha, |_| false) {
            Ok(_) => {
                let said = format!(
                    "status {STATUS_CONTEXT} of {}: {} ({})",
                    short(sha),
                    status.state.word(),
                    status.description
                );
                self.subject.context.printer.foreign_note(&said);
                Exit::Done
            }
            Err(error) => self.failed(&error),
        }
    }

    /// The status in the seconds that are left after a signal.
    fn last_word(&self, state: State, description: String) {
        if !self.writes_status() {
            return;
        }
        let status = self.status(state, description, None);
        let written = connection::hurried(&self.credentials)
            .and_then(|client| status.write_at_once(self.remote(&client), &self.subject.head));
        if let Err(error) = written {
            self.subject.context.printer.warn(&format!(
                "the status {STATUS_CONTEXT} could not be finished: {error}"
            ));
        }
    }

    /// Says why GitHub could not be told, and how to tell it later.
    fn failed(&self, error: &ApiError) -> Exit {
        self.report_of(&CommandError::remote(anyhow::anyhow!("{error}")))
    }

    fn report_of(&self, error: &CommandError) -> Exit {
        let printer = &self.subject.context.printer;
        let exit = match error.exit() {
            Exit::Remote => self.subject.arguments.report_errors.exit(),
            other => other,
        };
        if self.signals.received().is_some() {
            return exit;
        }
        let again = match self.target {
            Target::Pull(number) => format!(" --pr {number}"),
            _ => String::new(),
        };
        if exit == Exit::Done {
            printer.warn(&error.outermost());
        } else {
            error.report(printer);
        }
        printer.note(&format!(
            "hint: the results are saved; repeat with `lcmbench pr-comment{again}`"
        ));
        exit
    }
}

impl Audience for GitHub<'_> {
    fn starts(&mut self, start: &Start) {
        if !self.writes_status() {
            return;
        }
        let written = connection::brief(&self.credentials, &self.signals).and_then(|client| {
            let said = sentence::pending(start, client.now());
            let status = self.status(State::Pending, said, None);
            status.write_at_once(self.remote(&client), &self.subject.head)
        });
        match written {
            Ok(()) => self.is_pending = true,
            // Whether it was written is not known, so it is finished.
            Err(error) => {
                self.is_pending = true;
                self.warn_of(&error.to_string());
            }
        }
    }

    fn ends(&mut self, end: &End) -> Exit {
        let exit = self.end(end);
        // Whether that could be written or not: it was said.
        self.is_pending = false;
        exit
    }
}

impl GitHub<'_> {
    fn end(&mut self, end: &End) -> Exit {
        let (state, said) = match end {
            End::Measured(finding) => return self.report(finding),
            End::NotNeeded { files } => return self.tell_not_needed(*files),
            End::Interrupted { signal, done } => {
                (State::Error, sentence::interrupted(*signal, *done))
            }
            End::NotMeasured { why } => (State::Error, sentence::not_measured(why)),
        };
        // At a desk a mistake before the first benchmark leaves the commit's status alone.
        if !self.writes_status() || !(self.is_pending || self.subject.actions.in_actions) {
            return Exit::Done;
        }
        if matches!(end, End::Interrupted { .. }) || self.signals.received().is_some() {
            self.last_word(state, said);
            return Exit::Done;
        }
        match connection::patient(&self.credentials, &self.signals) {
            Ok(client) => {
                let status = self.status(state, said, None);
                self.finish(&client, &status)
            }
            Err(error) => self.failed(&error),
        }
    }
}

impl Drop for GitHub<'_> {
    /// Even a fault of this program leaves no pending status behind.
    fn drop(&mut self) {
        if self.is_pending {
            let said = "the measurement ended unexpectedly".to_owned();
            self.last_word(State::Error, said);
        }
    }
}

fn short(hash: &str) -> &str {
    hash.get(..8).unwrap_or(hash)
}
