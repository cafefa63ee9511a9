//! Filing the results of a run under its commit: journal while it goes on, result file at the end.

use std::path::PathBuf;

use fs_err as fs;

use crate::json::Object;
use crate::machine::{HostFacts, Machine, MachineError, host_at_start, host_record};
use crate::results::{
    Addition, BenchmarkIndex, Detail, EnvironmentNames, FailureKind, Journal, MachineFolder,
    Problem, Provenance, ResultSet, SaveError, Saved, Store,
};
use crate::suite::Benchmark;
use crate::sys::files::FileError;

use super::engine::Outcome;
use super::event::Finished;

/// Where the results of one commit on one machine in one environment go.
#[derive(Debug)]
pub struct Filing {
    store: Store,
    folder: MachineFolder,
    names: EnvironmentNames,
    /// The header, without results and provenance.
    header: ResultSet,
}

/// A run that is being filed.
#[derive(Debug)]
pub struct Opened {
    store: Store,
    header: Addition,
    journal: Option<Journal>,
    /// Why nothing goes into the journal any more.
    broken: Option<FileError>,
    before: HostFacts,
    gpu: Object,
}

/// What describes the machine and the suite could not be written.
#[derive(Debug, thiserror::Error)]
pub enum DescribeError {
    #[error(transparent)]
    Machine(#[from] MachineError),
    #[error(transparent)]
    Benchmarks(#[from] SaveError),
}

/// Results that could not be saved at the end of a run.
#[derive(Debug, thiserror::Error)]
pub enum FilingError {
    #[error(
        "the results could not be saved; they are kept in {} and go into the result file with the \
         next command",
        .journal.display()
    )]
    Kept { journal: PathBuf, source: SaveError },
    #[error("the results could not be saved")]
    Lost(#[source] SaveError),
}

impl Filing {
    /// The place for results with this header. Nothing is written.
    pub fn new(
        store: Store,
        machine: &Machine,
        names: EnvironmentNames,
        header: ResultSet,
    ) -> Result<Self, SaveError> {
        let path = store.machine_path(&machine.name)?;
        Ok(Self {
            folder: MachineFolder {
                machine: machine.clone(),
                path,
                is_described: true,
            },
            store,
            names,
            header,
        })
    }

    /// What the commit has already in this environment.
    pub fn existing(&self) -> (Option<ResultSet>, Vec<Problem>) {
        let commit = &self.header.commit_hash;
        let found = self
            .store
            .find(&self.folder, commit, Some(&self.names), Detail::Full);
        let set = found.items.into_iter().next().map(|loaded| loaded.set);
        (set, found.problems)
    }

    /// Whether the commit has any results of this machine.
    pub fn has_commit(&self) -> bool {
        let commit = &self.header.commit_hash;
        let found = self.store.find(&self.folder, commit, None, Detail::Header);
        !found.items.is_empty()
    }

    /// The benchmarks that the last discovery knew; none where that is not known.
    pub fn known_benchmarks(&self) -> BenchmarkIndex {
        self.store.load_benchmarks().unwrap_or_default()
    }

    /// Writes what describes the machine and the suite, as asv does before it measures.
    pub fn describe(&self, benchmarks: &[Benchmark]) -> Result<Vec<Problem>, DescribeError> {
        self.folder.machine.save(self.store.root())?;
        let index = BenchmarkIndex {
            benchmarks: benchmarks
                .iter()
                .map(|benchmark| (benchmark.name().to_owned(), benchmark.record.clone()))
                .collect(),
        };
        Ok(self.store.save_benchmarks(&index)?)
    }

    /// Begins to file a run: opens its journal.
    pub fn open(self, provenance: Provenance) -> Result<Opened, SaveError> {
        self.open_since(HostFacts::now(), provenance)
    }

    /// The same for a run that has begun already; `before` is the host as it was then.
    pub fn open_since(
        self,
        before: HostFacts,
        mut provenance: Provenance,
    ) -> Result<Opened, SaveError> {
        // Of a run that is killed this is all that is known of its host.
        provenance.host = host_at_start(&before);
        let header = Addition {
            set: ResultSet {
                provenance: Some(provenance),
                ..self.header
            },
            aliases: self.names.aliases,
            ..Addition::default()
        };
        let journal = self.store.begin(&header)?;
        Ok(Opened {
            store: self.store,
            header,
            journal: Some(journal),
            broken: None,
            before,
            gpu: Object::new(),
        })
    }
}

impl Opened {
    /// Notes a benchmark as it is now in the journal. If that fails (a full disk), the results are
    /// kept in memory and saved at the end.
    pub fn keep(&mut self, finished: &Finished) {
        let Some(journal) = self.journal.as_mut().filter(|_| self.broken.is_none()) else {
            return;
        };
        let selected = reached(finished);
        let noted = journal.record(
            finished.benchmark.name(),
            &finished.result,
            selected.as_deref(),
            Some(&finished.provenance),
        );
        self.broken = noted.err();
    }

    /// Why nothing goes into the journal any more.
    pub fn broken(&self) -> Option<&FileError> {
        self.broken.as_ref()
    }

    /// Keeps what was seen of the GPUs, for the end.
    pub fn note_gpu(&mut self, gpu: Object) {
        self.gpu = gpu;
    }

    /// Saves everything. `None` if there was nothing to save.
    pub fn save(mut self, outcome: &Outcome) -> Result<Option<Saved>, FilingError> {
        let host = host_record(&self.before, &HostFacts::now());
        if outcome.interrupted.is_some() {
            for finished in &outcome.finished {
                self.keep(finished);
            }
        }
        let complete = self.broken.is_none() && self.complete_journal(outcome, &host).is_ok();
        match self.journal.take() {
            Some(journal) if complete => {
                let path = journal.path().to_owned();
                self.store
                    .fold(journal)
                    .map_err(|source| FilingError::Kept {
                        journal: path,
                        source,
                    })
            }
            journal => self.save_from_memory(journal, outcome, host),
        }
    }

    fn complete_journal(&mut self, outcome: &Outcome, host: &Object) -> Result<(), FileError> {
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        if !outcome.finished.is_empty() && !outcome.durations.is_empty() {
            journal.record_durations(&outcome.durations)?;
        }
        match &self.header.set.provenance {
            Some(provenance) => journal.record_provenance(&Provenance {
                host: host.clone(),
                gpu: self.gpu.clone(),
                ..provenance.clone()
            }),
            None => Ok(()),
        }
    }

    /// The journal is of no use, so the file is written at once and the journal removed.
    fn save_from_memory(
        mut self,
        journal: Option<Journal>,
        outcome: &Outcome,
        host: Object,
    ) -> Result<Option<Saved>, FilingError> {
        if outcome.finished.is_empty() {
            return Ok(None);
        }
        let mut addition = std::mem::take(&mut self.header);
        addition.set.durations.clone_from(&outcome.durations);
        if let Some(provenance) = &mut addition.set.provenance {
            provenance.host = host;
            provenance.gpu = std::mem::take(&mut self.gpu);
        }
        for finished in &outcome.finished {
            let name = finished.benchmark.name().to_owned();
            if let Some(provenance) = &mut addition.set.provenance {
                let known = finished.provenance.clone();
                provenance.benchmarks.insert(name.clone(), known);
            }
            if let Some(selected) = reached(finished) {
                addition.selected.insert(name.clone(), selected);
            }
            let result = finished.result.clone();
            addition.set.results.insert(name, result);
        }
        let saved = self.store.save(&addition).map_err(FilingError::Lost)?;
        if let Some(journal) = journal {
            fs::remove_file(journal.path()).ok();
        }
        Ok(Some(saved))
    }
}

/// The combinations that this run really measured; `None` for all. One that an interruption cut off
/// is not among them, so that an older value stays.
fn reached(finished: &Finished) -> Option<Vec<usize>> {
    let cut_off = |index: &usize| {
        let failure = finished.provenance.failures.get(*index);
        let failure = failure.and_then(Option::as_ref);
        failure.is_some_and(|failure| failure.kind == FailureKind::Interrupted)
    };
    let reached: Vec<usize> = finished
        .combinations
        .iter()
        .filter(|index| !cut_off(index))
        .copied()
        .collect();
    (reached.len() < finished.benchmark.combinations()).then_some(reached)
}

#[cfg(test)]
mod tests;
