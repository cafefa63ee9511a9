//! What was seen of the GPUs around one process run, and what it means for the measurement.

use super::owner::Owner;
use super::reading::Reading;
use super::reasons::Reasons;
use super::state::{Process, State};

/// The clocks were held down by heat, by the supply or by the board.
pub(super) const THROTTLED: &str = "throttled";
/// The clocks were held down by the power limit.
pub(super) const POWER_CAPPED: &str = "power-capped";
/// Somebody else used the GPU.
pub(super) const FOREIGN_PROCESS: &str = "foreign-process";
/// The clock under load was not that of earlier runs of the same benchmark.
pub(super) const CLOCK_DRIFT: &str = "clock-drift";
/// The memory of the GPU had errors.
pub(super) const ECC: &str = "ecc";
/// The driver gave a reason for its clocks that is rare or that no document explains.
pub(super) const CLOCK_EVENT: &str = "clock-event";
/// Another slice of the same GPU was in use.
pub(super) const NEIGHBOUR: &str = "gpu-neighbour";
/// The GPU fell off the bus.
pub(super) const GPU_LOST: &str = "gpu-lost";

/// Flags under which a measurement counts for nothing, whatever it came to.
pub(super) const VOIDING: [&str; 5] = [THROTTLED, FOREIGN_PROCESS, CLOCK_DRIFT, ECC, GPU_LOST];

/// Why a pair of process runs, one of each side, does not count; `None` if it does.
///
/// The reasons are known without a look at the times: one side was disturbed, or one side alone ran
/// into the power limit.
pub fn void_reason(base: &[String], head: &[String]) -> Option<String> {
    let has = |flags: &[String], flag: &str| flags.iter().any(|known| known == flag);
    for flag in VOIDING {
        let side = match (has(base, flag), has(head, flag)) {
            (true, true) => "both sides",
            (true, false) => "the base",
            (false, true) => "HEAD",
            (false, false) => continue,
        };
        return Some(format!("{flag} on {side}"));
    }
    match (has(base, POWER_CAPPED), has(head, POWER_CAPPED)) {
        (true, false) => Some(format!("{POWER_CAPPED} on the base alone")),
        (false, true) => Some(format!("{POWER_CAPPED} on HEAD alone")),
        _ => None,
    }
}

/// Whether a measurement with these flags counts for nothing.
pub fn is_voiding(flags: &[String]) -> bool {
    flags.iter().any(|flag| VOIDING.contains(&flag.as_str()))
}

/// Whether the flags of a process run say that the GPU fell off the bus.
pub fn is_lost(flags: &[String]) -> bool {
    flags.iter().any(|flag| flag == GPU_LOST)
}

/// One GPU around one process run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub before: State,
    pub during: Vec<State>,
    pub after: State,
}

/// All GPUs around one process run.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// In the order of the targets.
    pub devices: Vec<Seen>,
    /// Wall time between the first and the last look.
    pub seconds: f64,
}

impl Observation {
    /// What is remarkable, without repetitions and in a fixed order. Drift of clocks needs earlier
    /// runs and is not among it.
    pub fn flags(&self) -> Vec<&'static str> {
        type Test = fn(&Seen) -> bool;
        const TESTS: [(&str, Test); 7] = [
            (THROTTLED, Seen::throttled),
            (POWER_CAPPED, Seen::power_capped),
            (FOREIGN_PROCESS, Seen::shared),
            (ECC, Seen::has_memory_errors),
            (CLOCK_EVENT, Seen::has_odd_event),
            (NEIGHBOUR, Seen::has_neighbour),
            (GPU_LOST, Seen::lost),
        ];
        TESTS
            .iter()
            .filter(|(_, test)| self.devices.iter().any(test))
            .map(|(flag, _)| *flag)
            .collect()
    }

    /// Millijoules that all GPUs took together; `None` if one does not tell, or if the run was shorter
    /// than a second: the counters move some ten times a second.
    pub fn energy(&self) -> Option<u64> {
        if self.seconds < 1.0 {
            return None;
        }
        self.devices.iter().map(Seen::energy).sum()
    }
}

impl Seen {
    /// The states under which the run can have measured: those during it and right after.
    fn under_load(&self) -> impl Iterator<Item = &State> {
        self.during.iter().chain([&self.after])
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &State> {
        [&self.before].into_iter().chain(self.under_load())
    }

    /// All reasons that were seen while the run could measure.
    pub fn reasons(&self) -> Reasons {
        let bits = self
            .under_load()
            .filter_map(|state| state.reasons.clone().ok());
        Reasons(bits.fold(0, |all, reasons| all | reasons.0))
    }

    /// Heat by the bits, or by the counter, which misses nothing that was too short for the looks.
    fn throttled(&self) -> bool {
        self.reasons().throttled() || self.grown(|state| &state.violations.thermal)
    }

    fn power_capped(&self) -> bool {
        self.reasons().power_capped()
            || self.grown(|state| &state.violations.power)
            || self.grown(|state| &state.violations.board_limit)
    }

    fn has_odd_event(&self) -> bool {
        let odd = self.reasons().odd();
        odd.unknown() != 0
            || (odd.0 != 0 && !odd.throttled() && !odd.power_capped())
            || self.grown(|state| &state.violations.reliability)
    }

    fn has_memory_errors(&self) -> bool {
        self.grown(|state| &state.ecc_uncorrected) || self.grown(|state| &state.ecc_corrected)
    }

    fn has_neighbour(&self) -> bool {
        self.all().any(|state| !state.neighbours.is_empty())
    }

    fn lost(&self) -> bool {
        self.all().any(State::is_lost)
    }

    fn shared(&self) -> bool {
        !self.foreign().is_empty()
    }

    /// Processes of others, each once. One that cannot be seen from here counts if it was there before
    /// the run: what came with the run is most likely the run's.
    pub fn foreign(&self) -> Vec<Process> {
        let mut found: Vec<Process> = Vec::new();
        for (state, unseen_too) in [(&self.before, true)]
            .into_iter()
            .chain(self.under_load().map(|state| (state, false)))
        {
            let Ok(processes) = &state.processes else {
                continue;
            };
            for process in processes {
                let counts = match process.owner {
                    Owner::Ours => false,
                    Owner::Foreign => true,
                    Owner::Unknown => unseen_too,
                };
                if counts && !found.iter().any(|known| known.pid == process.pid) {
                    found.push(process.clone());
                }
            }
        }
        found
    }

    /// The median clock while there was work, MHz; `None` if no look fell into any.
    pub fn busy_clock(&self) -> Option<u32> {
        let mut clocks: Vec<u32> = self
            .during
            .iter()
            .filter(|state| matches!(&state.reasons, Ok(reasons) if !reasons.idle()))
            .filter_map(|state| state.sm_clock.clone().ok())
            .collect();
        clocks.sort_unstable();
        clocks.get(clocks.len() / 2).copied()
    }

    pub(super) fn energy(&self) -> Option<u64> {
        match (&self.before.energy, &self.after.energy) {
            (Ok(first), Ok(last)) => last.checked_sub(*first),
            _ => None,
        }
    }

    /// Whether a counter grew. One that the driver does not have did not, and nor did one that was
    /// reset.
    fn grown<T: PartialOrd>(&self, counter: impl Fn(&State) -> &Reading<T>) -> bool {
        match (counter(&self.before), counter(&self.after)) {
            (Ok(first), Ok(last)) => last > first,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
