//! `lcmbench pr`: measure what pull requests measure, then the comment, then the status.

mod arguments;
mod audience;
mod connection;
mod dry_run;
mod github;
mod handover;
mod measuring;
mod paired;
pub(super) mod sentence;
mod subject;
mod summary_only;

use std::sync::Arc;

use crate::github::{ActionsContext, Event};
use crate::sys::signals::Signals;
use crate::vcs::Repository;

use super::allow_list::not_needed_sentence;
use super::reporting::require_head;
use super::setup::settings;
use super::{CommandError, Context, Exit};
use audience::{Audience, End};
use github::GitHub;
use handover::Handover;
use measuring::{measured_and_told, told};
use subject::Subject;
use summary_only::SummaryOnly;

pub(super) use arguments::{Arguments, ReportErrors};

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
    let mut audience: Box<dyn Audience + '_> = match (&arguments.handoff, &actions.event) {
        (Some(file), _) => Box::new(Handover::new(&subject, file)?),
        (
            None,
            Some(Event::PullRequest {
                from_fork: true, ..
            }),
        ) if actions.in_actions => {
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
        return Ok(told(&subject, audience.as_mut(), &End::NotNeeded { files }));
    }
    Ok(measured_and_told(&subject, audience.as_mut(), &signals))
}
