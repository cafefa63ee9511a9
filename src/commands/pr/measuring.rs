//! Measures the pull request's commit, compares it, and tells the audience how it ended.

use std::sync::Arc;

use crate::commands::comparing::gated;
use crate::commands::measure::{
    Dirty, Measured, Request, SelectionArguments, Start, measure_and_tell,
};
use crate::commands::stopping::until_stopped;
use crate::commands::{CommandError, Exit};
use crate::github::outputs;
use crate::run::SampleOptions;
use crate::sys::signals::Signals;

use super::audience::{Audience, End};
use super::paired;
use super::subject::Subject;

/// Measures and tells the audience how it ended, whatever happens between.
pub(super) fn measured_and_told(
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
            (exit, End::of_error(&error))
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
pub(super) fn told(subject: &Subject<'_>, audience: &mut dyn Audience, end: &End) -> Exit {
    let context = subject.context;
    let (environment, printer) = (&context.environment, &context.printer);
    match end {
        End::Measured(finding) => outputs::comparison(environment, &finding.comparison, printer),
        End::NotNeeded { .. } => {
            outputs::write(environment, &[("verdict", "not-needed")], printer);
        }
        End::Interrupted { .. } | End::NotMeasured { .. } => {}
    }
    audience.ends(end)
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
            (measured.exit.worse(exit), End::of_error(&error))
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
