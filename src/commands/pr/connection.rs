//! The ways to GitHub: at leisure, before measuring, and in the seconds that a cancelled job has.

use std::sync::Arc;
use std::time::Duration;

use crate::github::{
    ApiError, Client, Credentials, OctocrabTransport, Patience, StoppableClock, SystemClock,
};
use crate::sys::signals::Signals;

/// Waits before measuring: the machine has better things to do.
const BEFORE_MEASURING: Duration = Duration::from_secs(30);

/// A cancelled job has 7.5 seconds from the first signal to the second, of which ending the benchmark
/// and saving take up to two.
const LAST_WORD: Patience = Patience {
    connect: Duration::from_secs(1),
    answer: Duration::from_secs(2),
};

/// For the report: as patient as GitHub wants, ended by a signal.
pub(super) fn patient(
    credentials: &Credentials,
    signals: &Arc<Signals>,
) -> Result<Client<'static>, ApiError> {
    let patience = Patience::default();
    let transport = OctocrabTransport::with(credentials, patience, Some(Arc::clone(signals)))?;
    Ok(Client::new(transport, StoppableClock(Arc::clone(signals))))
}

/// For what is told before measuring.
pub(super) fn brief(
    credentials: &Credentials,
    signals: &Arc<Signals>,
) -> Result<Client<'static>, ApiError> {
    patient(credentials, signals).map(|client| client.with_budget(BEFORE_MEASURING))
}

/// For the last word after a signal: no waits at all.
pub(super) fn hurried(credentials: &Credentials) -> Result<Client<'static>, ApiError> {
    let transport = OctocrabTransport::with(credentials, LAST_WORD, None)?;
    Ok(Client::new(transport, SystemClock).with_budget(Duration::ZERO))
}
