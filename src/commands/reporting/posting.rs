//! The comment, posted, and what is said about it.

use crate::commands::Context;
use crate::github::comment::{self, Outcome, Posted};
use crate::github::{ApiError, Block, Client, Credentials, Draft, Remote, outputs};
use crate::run::short;

use super::CommentArguments;

/// A comment that is ready.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct Ready<'a> {
    pub(in crate::commands) block: &'a Block,
    pub(in crate::commands) body: &'a str,
}

/// Writes it to a pull request whose head is `live_head` right now.
pub(in crate::commands) fn write(
    arguments: &CommentArguments,
    remote: Remote<'_>,
    credentials: &Credentials,
    number: u64,
    live_head: &str,
    ready: Ready<'_>,
) -> Result<Posted, ApiError> {
    let author = match &arguments.author {
        Some(login) => login.clone(),
        None => comment::author(remote, credentials)?,
    };
    let draft = Draft {
        body: ready.body,
        block: ready.block,
        author: &author,
        live_head,
        mode: arguments.mode,
    };
    comment::upsert(remote, number, &draft)
}

/// Warns where the comment is not about the pull request's head.
pub(in crate::commands) fn tell_of_another_head(
    context: &Context,
    number: u64,
    measured: &str,
    live_head: &str,
) {
    if live_head != measured {
        context.printer.warn(&format!(
            "{} was measured, but the head of pull request {number} is {}; the comment is about the \
             former",
            short(measured),
            short(live_head)
        ));
    }
}

/// Says what became of the comment.
pub(in crate::commands) fn tell(context: &Context, posted: &Posted, client: &Client<'_>) {
    let what = match posted.outcome {
        Outcome::Created => "posted",
        Outcome::Edited => "edited",
        Outcome::Unchanged => "is there already, unchanged",
        Outcome::Newer => "not touched: one of a later run or of the present head is there",
    };
    let doubles = match posted.deleted {
        0 => String::new(),
        count => format!("; {count} older deleted"),
    };
    context.printer.note(&format!(
        "comment {what}{doubles} ({} requests)",
        client.requests()
    ));
    outputs::write(
        &context.environment,
        &[("comment-url", &posted.url)],
        &context.printer,
    );
    context.printer.out(&posted.url);
}
