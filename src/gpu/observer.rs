//! Looks at the GPUs around one process run after the other, and says what was remarkable about each.

use std::collections::BTreeMap;
use std::io;

use super::device::Target;
use super::journal::Journal;
use super::observation::{CLOCK_DRIFT, Observation};
use super::watch::Watch;

/// A clock under load that differs by more than this share from that of earlier runs has drifted.
const DRIFT: f64 = 0.05;

/// So many earlier runs make a clock that others are compared with.
const ENOUGH: usize = 2;

/// Watches process runs on one side of a measurement.
///
/// Nothing is asked of the driver more often than once a second while a run lasts.
#[derive(Debug)]
pub struct Observer<'a> {
    targets: &'a [Target],
    journal: &'a mut Journal,
    clocks: Clocks,
}

/// What was seen around one process run.
#[derive(Debug, Clone, PartialEq)]
pub struct Around {
    pub observation: Observation,
    /// What was remarkable, the drift of clocks included.
    pub flags: Vec<String>,
}

impl<'a> Observer<'a> {
    /// Watches `targets`; without any it does nothing. What is seen is added to `journal`.
    pub fn new(targets: &'a [Target], journal: &'a mut Journal) -> Self {
        Self {
            targets,
            journal,
            clocks: Clocks::default(),
        }
    }

    /// Runs `run` with an eye on the GPUs; `None` beside its result if there are none. `work` says what
    /// is done: clocks are compared with those of earlier runs of the same work, since other work has
    /// other clocks.
    pub fn around<T>(
        &mut self,
        work: &str,
        run: impl FnOnce() -> T,
    ) -> io::Result<(T, Option<Around>)> {
        if self.targets.is_empty() {
            return Ok((run(), None));
        }
        let watch = Watch::begin(self.targets)?;
        let result = run();
        let observation = watch.end();
        let mut flags: Vec<String> = observation.flags().into_iter().map(str::to_owned).collect();
        if self.clocks.drifted(work, &observation) {
            flags.push(CLOCK_DRIFT.to_owned());
        }
        self.journal.add(&observation, &flags);
        Ok((result, Some(Around { observation, flags })))
    }
}

/// The clocks under load of earlier runs, by work and GPU.
#[derive(Debug, Default)]
struct Clocks(BTreeMap<(String, usize), Vec<u32>>);

impl Clocks {
    /// Whether a clock of this run is far from those of earlier runs of the same work. One that is not
    /// enters the memory.
    fn drifted(&mut self, work: &str, observation: &Observation) -> bool {
        let mut drifted = false;
        for (index, seen) in observation.devices.iter().enumerate() {
            let Some(clock) = seen.busy_clock() else {
                continue;
            };
            let earlier = self.0.entry((work.to_owned(), index)).or_default();
            if is_far(clock, earlier) {
                drifted = true;
            } else {
                earlier.push(clock);
            }
        }
        drifted
    }
}

fn is_far(clock: u32, earlier: &[u32]) -> bool {
    if earlier.len() < ENOUGH {
        return false;
    }
    let mut sorted = earlier.to_vec();
    sorted.sort_unstable();
    let usual = f64::from(sorted[sorted.len() / 2]);
    usual > 0.0 && (f64::from(clock) / usual - 1.0).abs() > DRIFT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_far_from_those_that_are_known() {
        assert!(!is_far(1200, &[1980]));
        assert!(is_far(1200, &[1980, 1965]));
        assert!(!is_far(1950, &[1980, 1965]));
        assert!(is_far(1980, &[1200, 1215, 1200]));
    }
}
