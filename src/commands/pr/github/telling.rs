//! Writes the comment, the status and the check run, and says what could not be written.

use crate::commands::pull_request;
use crate::commands::reporting::posting::{self, Ready};
use crate::commands::{CommandError, Exit};
use crate::github::{ApiError, CheckRun, Client, Conclusion, STATUS_CONTEXT, State, Status};
use crate::run::short;

use super::super::connection;
use super::GitHub;
use super::target::Target;

impl GitHub<'_> {
    /// The comment, the status, the check run. Each is tried whatever became of the others.
    pub(super) fn tell(&mut self, ready: Ready<'_>, state: State, said: String) -> Exit {
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
    pub(super) fn finish(&self, client: &Client<'_>, status: &Status) -> Exit {
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
    pub(super) fn last_word(&self, state: State, description: String) {
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
    pub(super) fn failed(&self, error: &ApiError) -> Exit {
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
