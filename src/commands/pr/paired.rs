//! The pull request's verdicts from pairs of base and HEAD in one sitting.

use jiff::Timestamp;

use crate::commands::comparing::gated;
use crate::commands::continuous::{Form, Request, measure_pairs};
use crate::commands::measure::Start;
use crate::commands::reporting::{Baseline, Finding};
use crate::commands::{CommandError, Exit};
use crate::github::Event;
use crate::sys::signals::Signals;

use super::audience::{Audience, End};
use super::subject::Subject;

/// Measures the merge base (or the base of a merge queue) and HEAD.
pub(super) fn measure(
    subject: &Subject<'_>,
    audience: &mut dyn Audience,
    signals: &Signals,
) -> (Exit, End) {
    match pairs(subject, audience, signals) {
        Ok(found) => found,
        Err(error) => (
            error.report(&subject.context.printer),
            End::of_error(&error),
        ),
    }
}

fn pairs(
    subject: &Subject<'_>,
    audience: &mut dyn Audience,
    signals: &Signals,
) -> Result<(Exit, End), CommandError> {
    let arguments = subject.arguments;
    let base = match &subject.actions.event {
        Some(Event::MergeGroup { base_sha, .. }) => Some(base_sha.clone()),
        _ => None,
    };
    let selection = subject.selected();
    let request = Request {
        form: Form::Commits {
            base,
            head: subject.head.clone(),
            pythons: [None, None],
        },
        selection: &selection,
        attributes: arguments.measure.attributes()?,
        pairing: &arguments.pairing,
        save: true,
        resume: false,
        own_suites: false,
        probe: arguments.measure.probe(),
    };
    let mut before = |benchmarks: usize| {
        audience.starts(&Start {
            benchmarks,
            expected: (0.0, benchmarks),
        });
        match signals.received() {
            Some(signal) => Err(CommandError::interrupted(signal)),
            None => Ok(()),
        }
    };
    let paired = measure_pairs(&request, subject.settings, subject.context, &mut before)?;
    if let Exit::Interrupted(signal) = paired.exit {
        let done = paired.done;
        return Ok((paired.exit, End::Interrupted { signal, done }));
    }
    let gate = gated(&paired.comparison, &arguments.fail_on, subject.context);
    let finding = Finding {
        comparison: paired.comparison,
        baseline: Baseline::Paired {
            commit: paired.base,
        },
        started: Timestamp::from_millisecond(paired.started).unwrap_or(Timestamp::UNIX_EPOCH),
    };
    Ok((paired.exit.worse(gate), End::Measured(Box::new(finding))))
}
