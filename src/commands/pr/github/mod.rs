//! Tells GitHub: the status when measuring starts, comment and status when it has ended.

mod target;
mod telling;

use std::sync::Arc;

use jiff::Timestamp;

use crate::commands::measure::Start;
use crate::commands::pull_request;
use crate::commands::reporting::posting::Ready;
use crate::commands::reporting::{Finding, append_summary};
use crate::commands::{CommandError, Exit};
use crate::github::{Client, Credentials, Remote, RepositoryName, STATUS_CONTEXT, State, Status};
use crate::sys::signals::Signals;
use crate::vcs::Repository;

use super::audience::{Audience, End};
use super::subject::Subject;
use super::{connection, sentence};
use target::Target;

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
        let decision = subject.decision(files);
        let key = &subject.arguments.comment.key;
        let block = decision.block(key, subject.actions, Timestamp::now());
        let body = decision.comment(&block);
        append_summary(subject.actions, &body, &subject.context.printer);
        let ready = Ready {
            block: &block,
            body: &body,
        };
        self.tell(ready, State::Success, decision.sentence())
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
