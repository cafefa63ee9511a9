//! `lcmbench pr --dry-run`: what would run, and how long it may take.

use crate::commands::allow_list::not_needed_sentence;
use crate::commands::list::Listing;
use crate::commands::measure::{Session, durations};
use crate::commands::pull_request;
use crate::commands::reporting::merge_base_of;
use crate::commands::{CommandError, Exit};
use crate::github::Event;
use crate::run::short;
use crate::vcs::Repository;

use super::subject::Subject;

/// Prints it. The suite is imported, nothing is measured, and nobody is told.
pub(super) fn tell(subject: &Subject<'_>, local: &Repository) -> Result<Exit, CommandError> {
    let context = subject.context;
    if let Some(files) = subject.not_needed(local) {
        context.printer.out(&format!(
            "nothing would be measured: {} (`pr.not-needed`)",
            not_needed_sentence(files)
        ));
        return Ok(Exit::Done);
    }
    let session = Session::start(subject.settings, context, None)?;
    let selected = session
        .select(&subject.selected(), &context.printer)
        .map_err(|error| session.of_selection(error))?;
    let durations = durations(subject.settings, &selected);
    let listing = Listing {
        discovery: &session.discovery,
        selected: &selected,
        durations: &durations,
    };
    for line in listing.text() {
        context.printer.foreign(&line);
    }
    let base = match &subject.actions.event {
        Some(Event::MergeGroup { base_sha, .. }) => short(base_sha).to_owned(),
        _ => match merge_base_of(local, &subject.settings.main_branch, &subject.head) {
            Some(hash) if hash == subject.head => {
                "nothing: it is part of the main branch".to_owned()
            }
            Some(hash) => short(&hash).to_owned(),
            None => "the merge base, which this clone does not know".to_owned(),
        },
    };
    context.printer.note(&format!(
        "dry run: {} would be measured and compared with {base}",
        short(&subject.head)
    ));
    if subject.is_paired() {
        context.printer.note(
            "dry run: base and HEAD are measured in pairs; the time above is that of one ordinary run \
             of HEAD, and how long the pairs take is not known (--budget limits it)",
        );
    }
    let pull = &subject.arguments.pull;
    let number = pull_request::known_number(pull, subject.actions, context)?;
    let told = match (&subject.arguments.handoff, number) {
        (Some(file), _) => format!("{} would be written, and nobody told", file.display()),
        (None, Some(number)) => format!("pull request {number} would be told"),
        (None, None) => {
            "the open pull request of this branch would be told, if there is one".to_owned()
        }
    };
    context.printer.note(&format!("dry run: {told}"));
    Ok(session.exit())
}
