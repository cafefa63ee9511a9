//! Where the comment goes, as far as that can be settled before anything is measured.

use crate::commands::pull_request;
use crate::commands::{CommandError, Exit};
use crate::github::{Client, Event};
use crate::run::short;

use super::super::connection;
use super::GitHub;

/// Where the comment goes. The status always goes to the commit that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Pull(u64),
    /// Not known yet, or there is none.
    Nobody,
    /// A group of a merge queue has a status alone.
    Group,
}

impl GitHub<'_> {
    pub(super) fn choose(&self) -> Result<Target, CommandError> {
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

    pub(super) fn warn_of(&self, error: &str) {
        self.subject
            .context
            .printer
            .warn(&format!("{error}; it is measured all the same"));
    }
}
