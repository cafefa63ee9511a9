//! Finds the results of a commit, and those of two commits in one place.

use std::collections::BTreeSet;

use crate::commands::CommandError;
use crate::results::{Detail, Loaded, MachineFolder, ResultFile};

use super::commit::NamedCommit;
use super::error::StoredError;
use super::folder::Stored;
use super::place::{Place, names_of};

/// Results of a commit that would do.
#[derive(Debug, Clone)]
pub(in crate::commands) struct Candidate {
    pub(in crate::commands) folder: MachineFolder,
    /// All names of its environment, the one that it counts under first.
    pub(in crate::commands) environments: Vec<String>,
    pub(in crate::commands) loaded: Loaded,
    detail: Detail,
}

impl Candidate {
    /// Calls the environment by the name that it counts under, whatever the file says: an alias is
    /// no difference.
    fn named_as_it_counts(mut self) -> Self {
        self.loaded.set.env_name.clone_from(&self.environments[0]);
        self
    }

    /// Machine and environment.
    pub(in crate::commands) fn place(&self) -> (String, String) {
        (
            self.folder.machine.name.clone(),
            self.environments[0].clone(),
        )
    }

    fn described(&self) -> String {
        format!("{}/{}", self.folder.machine.name, self.environments[0])
    }
}

impl Stored<'_> {
    /// The only place where a commit was measured, read whole. An error where there is none, or
    /// several.
    pub(in crate::commands) fn single(
        &self,
        commit: &NamedCommit,
        place: &Place,
    ) -> Result<Candidate, CommandError> {
        let mut found = self.candidates(commit, place)?;
        let machines: BTreeSet<String> = found.iter().map(|one| one.place().0).collect();
        if machines.len() > 1 {
            let machines = machines.into_iter().collect();
            return Err(
                CommandError::usage(StoredError::SeveralMachines { machines })
                    .hint("choose one with --machine"),
            );
        }
        if found.len() > 1 {
            return Err(CommandError::usage(StoredError::SeveralEnvironments {
                machine: machines.into_iter().next().unwrap_or_default(),
                environments: found.iter().map(|one| one.place().1).collect(),
            })
            .hint("choose one with --environment"));
        }
        // `candidates` returns at least one.
        let only = found.swap_remove(0);
        self.complete(only)
    }

    /// The results of a commit in the very place of another one's; `None` if there are none.
    pub(in crate::commands) fn beside(
        &self,
        other: &Candidate,
        commit: &NamedCommit,
    ) -> Option<Candidate> {
        let place = Place {
            machine: Some(other.place().0),
            environment: None,
        };
        let found = self.candidates(commit, &place).ok()?;
        let beside = found
            .into_iter()
            .find(|candidate| candidate.place() == other.place())?;
        self.complete(beside).ok()
    }

    /// The results of a commit, wherever they were measured; the names of files narrow down what is
    /// read. An error if there is none.
    pub(in crate::commands) fn candidates(
        &self,
        commit: &NamedCommit,
        place: &Place,
    ) -> Result<Vec<Candidate>, CommandError> {
        let named: Vec<(&MachineFolder, &ResultFile)> = self
            .files(place.machine.as_deref())?
            .into_iter()
            .flat_map(|(folder, files)| files.iter().map(move |file| (folder, file)))
            .filter(|(_, file)| commit.may_be_in(file))
            .collect();
        // A single file is read as a whole at once; of several most are not the wanted one.
        let detail = match named.len() {
            1 => Detail::Samples,
            _ => Detail::Header,
        };
        let mut all = Vec::new();
        for (folder, file) in named {
            if let Some(loaded) = self.load(file, detail)
                && commit.is_of(&loaded.set)
            {
                let counts_as = self.counts_as(&loaded.set.env_name);
                all.push(Candidate {
                    folder: folder.clone(),
                    environments: names_of(counts_as, &self.settings.environment),
                    loaded,
                    detail,
                });
            }
        }
        let (found, others): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|candidate| self.is_wanted(&candidate.loaded, place));
        if found.is_empty() {
            return Err(self.nothing(commit, place, &others));
        }
        let commits: BTreeSet<&String> = found
            .iter()
            .map(|candidate| &candidate.loaded.set.commit_hash)
            .collect();
        if commits.len() > 1 && commit.hash.is_none() {
            let commits = commits.into_iter().cloned().collect();
            let text = commit.text.clone();
            return Err(
                CommandError::usage(StoredError::AmbiguousCommit { text, commits })
                    .hint("give more of its digits"),
            );
        }
        Ok(self.without_doubles(found))
    }

    /// One candidate for each machine and environment: the current name of an environment goes
    /// before its aliases.
    fn without_doubles(&self, found: Vec<Candidate>) -> Vec<Candidate> {
        let rank = |candidate: &Candidate| {
            let name = &candidate.loaded.set.env_name;
            candidate
                .environments
                .iter()
                .position(|known| known == name)
        };
        let mut kept: Vec<Candidate> = Vec::new();
        for candidate in found {
            match kept
                .iter_mut()
                .find(|known| known.place() == candidate.place())
            {
                None => kept.push(candidate),
                Some(known) => {
                    self.printer.warn(&format!(
                        "{} has results under several names of one environment; the current name \
                         counts",
                        candidate.loaded.set.commit_hash
                    ));
                    if rank(&candidate) < rank(known) {
                        *known = candidate;
                    }
                }
            }
        }
        kept
    }

    /// The results of two commits on one machine in one environment. An error where none or
    /// several would do.
    pub(in crate::commands) fn pair(
        &self,
        base: &NamedCommit,
        head: &NamedCommit,
        place: &Place,
    ) -> Result<(Candidate, Candidate), CommandError> {
        let bases = self.candidates(base, place)?;
        let heads = self.candidates(head, place)?;
        let mut pairs: Vec<(Candidate, Candidate)> = Vec::new();
        for candidate in &bases {
            let partner = heads
                .iter()
                .find(|other| other.place() == candidate.place());
            pairs.extend(partner.map(|partner| (candidate.clone(), partner.clone())));
        }
        let machines: BTreeSet<String> = pairs.iter().map(|(base, _)| base.place().0).collect();
        if machines.len() > 1 {
            let machines = machines.into_iter().collect();
            return Err(
                CommandError::usage(StoredError::SeveralMachines { machines })
                    .hint("choose one with --machine"),
            );
        }
        if pairs.len() > 1 {
            return Err(CommandError::usage(StoredError::SeveralEnvironments {
                machine: machines.into_iter().next().unwrap_or_default(),
                environments: pairs.iter().map(|(base, _)| base.place().1).collect(),
            })
            .hint("choose one with --environment"));
        }
        let places =
            |candidates: &[Candidate]| candidates.iter().map(Candidate::described).collect();
        match pairs.pop() {
            Some((base, head)) => Ok((self.complete(base)?, self.complete(head)?)),
            None => Err(CommandError::usage(StoredError::NothingShared {
                base: base.described(),
                head: head.described(),
                base_places: places(&bases),
                head_places: places(&heads),
            })
            .hint(
                "measure both in one environment; older names of it can be declared with \
                 `environment.aliases`",
            )),
        }
    }

    /// Reads what was not read yet of a candidate, and calls its environment by its current name.
    pub(in crate::commands) fn complete(
        &self,
        candidate: Candidate,
    ) -> Result<Candidate, CommandError> {
        if candidate.detail >= Detail::Samples {
            return Ok(candidate.named_as_it_counts());
        }
        let (loaded, problems) = self
            .store
            .load(&candidate.loaded.file, Detail::Samples)
            .map_err(|problem| anyhow::anyhow!("{problem}"))?;
        self.warn(&problems);
        let candidate = Candidate {
            loaded,
            detail: Detail::Samples,
            ..candidate
        };
        Ok(candidate.named_as_it_counts())
    }

    fn nothing(&self, commit: &NamedCommit, place: &Place, others: &[Candidate]) -> CommandError {
        let machine = place.machine.as_ref().or(self.settings.machine.as_ref());
        let mut place_words = String::new();
        if let Some(machine) = machine {
            place_words = format!(" on the machine `{machine}`");
        }
        if let Some(environment) = &place.environment {
            place_words = format!("{place_words} in the environment `{environment}`");
        }
        let error = CommandError::usage(StoredError::NoResults {
            commit: commit.described(),
            place: place_words,
            elsewhere: others.iter().map(Candidate::described).collect(),
        });
        let error = match &commit.refusal {
            Some(refusal) => error.hint(refusal),
            None if self.repository.is_some() => error,
            None => error.hint("without a git repository commits go by their hashes alone"),
        };
        let measured = self.measured(machine.map(String::as_str));
        if measured.is_empty() {
            error
        } else {
            error.hint(format!("measured commits are {}", measured.join(", ")))
        }
    }
}
