//! The checked-out tree that is measured: its commit, and what differs from it.

use std::path::{Path, PathBuf};

use crate::config::Settings;
use crate::vcs::{Change, CommitInfo, Repository, VcsError};

use super::imported::{Checkout, ImportedError, check_imported};

/// At most so many changed files are named.
const NAMED_CHANGES: usize = 20;

/// A worktree with its commit.
#[derive(Debug)]
pub struct Tree {
    repository: Repository,
    root: PathBuf,
    /// The commit that is checked out.
    pub commit: CommitInfo,
    /// What `git status` lists outside the folders that the tools write.
    pub changes: Vec<Change>,
}

/// The tree cannot be measured under its commit.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    #[error(transparent)]
    Vcs(#[from] VcsError),
    #[error(
        "the worktree differs from its commit {}, so results would be filed under code that was not \
         measured:{}",
        short(.commit),
        listed(.changes)
    )]
    Dirty {
        commit: String,
        changes: Vec<Change>,
    },
    #[error("--set-commit-hash {named} names no commit here")]
    NoSuchCommit { named: String, source: VcsError },
    #[error(
        "--set-commit-hash {named} is commit {}, but {} is checked out; a result is filed only under \
         the commit that is measured",
        short(.commit),
        short(.head)
    )]
    OtherCommit {
        named: String,
        commit: String,
        head: String,
    },
}

impl Tree {
    /// The tree that the configuration lies in (or that its `repo` names).
    pub fn open(settings: &Settings) -> Result<Self, TreeError> {
        let repository = Repository::discover(&settings.repository_folder())?;
        let root = repository.root()?.to_owned();
        let commit = repository.commit(&repository.head()?.hash)?;
        let asv = &settings.asv;
        let site = settings.site_clone();
        let written = [&asv.results_dir, &asv.html_dir, &asv.env_dir, &site].map(PathBuf::clone);
        let mut changes = repository.status(&written)?;
        changes.retain(|change| !is_bytecode(change));
        Ok(Self {
            repository,
            root,
            commit,
            changes,
        })
    }

    /// The repository that it belongs to.
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// The top folder of the checked-out files.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether anything differs from the commit.
    pub fn is_dirty(&self) -> bool {
        !self.changes.is_empty()
    }

    /// An error that lists the changes, if there are any.
    pub fn require_clean(&self) -> Result<(), TreeError> {
        if self.changes.is_empty() {
            return Ok(());
        }
        Err(TreeError::Dirty {
            commit: self.commit.hash.clone(),
            changes: self.changes.clone(),
        })
    }

    /// An error unless `revision` names the commit that is checked out.
    pub fn require_commit(&self, revision: &str) -> Result<(), TreeError> {
        let found = self.repository.resolve(revision);
        let commit = found.map_err(|source| TreeError::NoSuchCommit {
            named: revision.to_owned(),
            source,
        })?;
        if commit == self.commit.hash {
            return Ok(());
        }
        Err(TreeError::OtherCommit {
            named: revision.to_owned(),
            commit,
            head: self.commit.hash.clone(),
        })
    }

    /// Checks that `package` was imported from this tree (see [`check_imported`]); `prefix` is the
    /// interpreter's.
    pub fn check_imported(
        &self,
        package: &str,
        file: Option<&Path>,
        prefix: &Path,
    ) -> Result<(), ImportedError> {
        let holds = |path: &str| {
            let entry = self.repository.tree_entry(&self.commit.hash, path);
            matches!(entry, Ok(Some(_)))
        };
        let checkout = Checkout {
            root: &self.root,
            commit: (!self.is_dirty()).then_some(self.commit.hash.as_str()),
            holds: &holds,
            prefix,
        };
        check_imported(package, file, &checkout)
    }

    /// Checks that a module of the package, imported from outside of the package's folder, lies in this
    /// tree. What a build has left there for the package need not be in the commit.
    pub fn check_module(
        &self,
        module: &str,
        file: &Path,
        prefix: &Path,
    ) -> Result<(), ImportedError> {
        let checkout = Checkout {
            root: &self.root,
            commit: None,
            holds: &|_| true,
            prefix,
        };
        check_imported(module, Some(file), &checkout)
    }

    /// Whether the same commit is still checked out.
    pub fn is_still_there(&self) -> bool {
        let head = Repository::discover(&self.root).and_then(|repository| repository.head());
        head.is_ok_and(|head| head.hash == self.commit.hash)
    }
}

impl TreeError {
    /// What the user can do about it, if that is not plain.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Dirty { .. } => Some(
                "commit or remove them; `lcmbench run --allow-dirty` measures them without filing \
                 anything, `lcmbench quick` tries them out",
            ),
            Self::NoSuchCommit { .. } => Some(
                "leave the flag out: results are filed under the commit that is checked out in any \
                 case. If you do name it, `HEAD` or what `git rev-parse HEAD` prints will do",
            ),
            Self::OtherCommit { .. } => Some("check that commit out first"),
            Self::Vcs(_) => None,
        }
    }
}

/// Python leaves its compiled files beside the code that it imports: they follow from that code, and
/// a run itself makes them.
fn is_bytecode(change: &Change) -> bool {
    change.code == "??" && change.path.trim_end_matches('/').ends_with("__pycache__")
}

/// The first eight digits of a hash, as in the names of result files.
pub fn short(hash: &str) -> &str {
    hash.get(..8).unwrap_or(hash)
}

fn listed(changes: &[Change]) -> String {
    let mut text = String::new();
    for change in changes.iter().take(NAMED_CHANGES) {
        text = format!("{text}\n  {change}");
    }
    let more = changes.len().saturating_sub(NAMED_CHANGES);
    if more > 0 {
        text = format!("{text}\n  and {more} more");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &str) -> Change {
        Change {
            code: "??".to_owned(),
            path: path.to_owned(),
            original: None,
        }
    }

    #[test]
    fn a_dirty_tree_is_refused_with_its_files() {
        let error = TreeError::Dirty {
            commit: "0123456789abcdef".to_owned(),
            changes: vec![change("new.py")],
        };
        assert_eq!(
            error.to_string(),
            "the worktree differs from its commit 01234567, so results would be filed under code \
             that was not measured:\n  ?? new.py"
        );
        let many: Vec<Change> = (0..25).map(|i| change(&format!("f{i}"))).collect();
        assert!(listed(&many).ends_with("\n  ?? f19\n  and 5 more"));
    }

    #[test]
    fn compiled_files_of_python_are_no_change() {
        assert!(is_bytecode(&change("benchmarks/__pycache__/")));
        assert!(!is_bytecode(&change("benchmarks/")));
        let tracked = Change {
            code: " M".to_owned(),
            ..change("x/__pycache__")
        };
        assert!(!is_bytecode(&tracked));
    }

    #[test]
    fn another_commit_is_refused_with_both_hashes() {
        let error = TreeError::OtherCommit {
            named: "main~1".to_owned(),
            commit: "aaaaaaaaaaaa".to_owned(),
            head: "bbbbbbbbbbbb".to_owned(),
        };
        assert_eq!(
            error.to_string(),
            "--set-commit-hash main~1 is commit aaaaaaaa, but bbbbbbbb is checked out; a result is \
             filed only under the commit that is measured"
        );
    }
}
