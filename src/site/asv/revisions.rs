//! asv's numbers for commits, which count over all branches and tags.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::vcs::{Git, Repository, VcsError};

/// What asv asks the repository.
#[derive(Debug, Clone, Default)]
pub struct Revisions {
    /// Number of each commit, and when it was written (milliseconds since 1970).
    pub(super) numbers: HashMap<String, (usize, i64)>,
    /// Commits of the tags.
    pub(super) tags: BTreeMap<String, String>,
    /// The configured branches, and their commits along first parents.
    pub(super) branches: Vec<(String, HashSet<String>)>,
}

impl Revisions {
    /// Those of a repository; a branch without a name is `main`.
    pub fn of(
        repository: &Repository,
        branches: &[Option<String>],
        main: &str,
    ) -> Result<Self, VcsError> {
        let git = Git::at(&repository.git_folder());
        let mut all = Self::default();
        let listed = git.run(&[
            "log",
            "--all",
            "--date-order",
            "--reverse",
            "--format=%H %at",
        ])?;
        for (number, line) in listed.lines().enumerate() {
            if let Some((hash, seconds)) = line.split_once(' ') {
                let date = seconds.parse().unwrap_or(0) * 1000;
                all.numbers.insert(hash.to_owned(), (number, date));
            }
        }
        let format = "--format=%(objectname) %(*objectname)|%(refname:strip=2)";
        for line in git.run(&["for-each-ref", format, "refs/tags"])?.lines() {
            if let Some((hashes, name)) = line.split_once('|')
                && let Some(hash) = hashes.split_whitespace().last()
            {
                all.tags.insert(name.to_owned(), hash.to_owned());
            }
        }
        for branch in branches {
            let name = branch.as_deref().unwrap_or(main);
            // A branch that is not there has no results.
            let listed = git.run(&["rev-list", "--first-parent", name, "--"]);
            let commits = listed.unwrap_or_default();
            let commits = commits.lines().map(str::to_owned).collect();
            all.branches.push((name.to_owned(), commits));
        }
        Ok(all)
    }

    /// Whether a branch has commits between two revisions.
    pub(super) fn are_between(&self, first: usize, last: usize, branch: Option<&str>) -> bool {
        let of = self
            .branches
            .iter()
            .find(|(name, _)| Some(name.as_str()) == branch);
        let numbers = of.into_iter().flat_map(|(_, commits)| commits);
        let mut numbers = numbers.filter_map(|commit| self.numbers.get(commit));
        numbers.any(|(number, _)| first < *number && *number < last)
    }

    /// The branches under which a commit's results are listed: those that have it; all for a tag's.
    pub(super) fn branches_of(&self, commit: &str) -> Vec<&str> {
        let has_it = |all: &HashSet<String>| all.contains(commit);
        let is_tag = || self.tags.values().any(|hash| hash == commit);
        let anywhere = self.branches.iter().any(|(_, all)| has_it(all));
        let branches = self.branches.iter();
        let wanted = branches.filter(|(_, all)| if anywhere { has_it(all) } else { is_tag() });
        wanted.map(|(name, _)| name.as_str()).collect()
    }
}
