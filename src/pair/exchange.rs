//! Requests to a process, and its one reply to each.

use std::path::Path;
use std::time::Instant;

use crate::json::{Json, Object, to_compact};
use crate::paths::Reply;
use crate::sys::signals::Signals;
use crate::worker::{Session, Turn};

use super::answer::Answer;
use super::error::PairError;
use super::python::PythonSide;

/// The request that comes first: where everything of a side lies.
pub(super) fn configure(side: &PythonSide) -> Object {
    let folder = |path: &Path| Json::from(path.to_string_lossy().into_owned());
    let path = side
        .path
        .iter()
        .map(|relative| folder(&side.checkout.join(relative)));
    let scenarios = side.scenarios.iter().map(|file| folder(file));
    [
        ("request".to_owned(), "configure".into()),
        ("path".to_owned(), Json::Array(path.collect())),
        ("scenarios".to_owned(), Json::Array(scenarios.collect())),
        (
            "package".to_owned(),
            side.package.clone().map_or(Json::Null, Json::from),
        ),
    ]
    .into_iter()
    .collect()
}

/// Sends a request and waits for the one reply. What else a process writes on the descriptor of the
/// protocol is passed over.
pub(super) fn exchange(
    session: &mut Session<Reply>,
    request: &Object,
    until: Instant,
    signals: Option<&Signals>,
) -> Result<Answer, PairError> {
    let line = format!("{}\n", to_compact(&request.clone().into()));
    session.send(&line).map_err(PairError::Prepare)?;
    let turn = session
        .turn(Some(until), signals)
        .map_err(PairError::Prepare)?;
    let output = session.output();
    Ok(match turn {
        Turn::Event(Reply::Answer(fields)) => Answer::Done(fields.into()),
        Turn::Event(Reply::Refused(message) | Reply::Skipped(message)) => Answer::Refused(message),
        Turn::Event(Reply::Failed(failure)) => Answer::Failed {
            reason: failure.reason,
            details: failure.details,
        },
        Turn::Ended(exit) => Answer::Failed {
            reason: format!("its process ended before it answered ({})", exit.status),
            details: output,
        },
        Turn::Expired => Answer::Failed {
            reason: "it did not end within its time-out".to_owned(),
            details: output,
        },
        Turn::Interrupted(signal) => return Err(PairError::Interrupted(signal)),
    })
}
