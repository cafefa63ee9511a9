//! The repository around a folder.

use std::path::{Path, PathBuf};

use git2::ErrorCode;

use super::VcsError;

/// An opened git repository; only read from.
pub struct Repository {
    pub(super) inner: git2::Repository,
}

/// What is checked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Full hash of the commit.
    pub hash: String,
    /// Short name of the branch; `None` when HEAD is detached.
    pub branch: Option<String>,
}

impl Repository {
    /// The repository that `folder` lies in: its own, a parent's, a linked worktree's or a
    /// submodule's.
    pub fn discover(folder: &Path) -> Result<Self, VcsError> {
        match git2::Repository::discover(folder) {
            Ok(inner) => Ok(Self { inner }),
            Err(error) => Err(opening_error(folder, error)),
        }
    }

    /// The top folder of the checked-out files.
    pub fn root(&self) -> Result<&Path, VcsError> {
        self.inner.workdir().ok_or_else(|| VcsError::Bare {
            folder: self.git_folder(),
        })
    }

    /// The folder that holds the repository's data (`.git`, or that of the linked worktree).
    pub fn git_folder(&self) -> PathBuf {
        self.inner.path().to_owned()
    }

    /// Whether there are no checked-out files.
    pub fn is_bare(&self) -> bool {
        self.inner.is_bare()
    }

    /// Whether part of the history is missing.
    pub fn is_shallow(&self) -> bool {
        self.inner.is_shallow()
    }

    /// What is checked out.
    pub fn head(&self) -> Result<Head, VcsError> {
        let reference = self.inner.head().map_err(|error| match error.code() {
            ErrorCode::UnbornBranch | ErrorCode::NotFound => VcsError::NoCommits {
                folder: self.folder(),
            },
            _ => VcsError::read("read HEAD")(error),
        })?;
        let commit = reference
            .peel_to_commit()
            .map_err(VcsError::read("read the commit of HEAD"))?;
        let branch = reference
            .is_branch()
            .then(|| String::from_utf8_lossy(reference.shorthand_bytes()).into_owned());
        Ok(Head {
            hash: commit.id().to_string(),
            branch,
        })
    }

    /// The worktree if there is one, else the folder of the data: for messages.
    pub(super) fn folder(&self) -> PathBuf {
        self.inner
            .workdir()
            .unwrap_or_else(|| self.inner.path())
            .to_owned()
    }
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Repository")
            .field("folder", &self.folder())
            .finish_non_exhaustive()
    }
}

fn opening_error(folder: &Path, source: git2::Error) -> VcsError {
    let folder = folder.to_owned();
    match source.code() {
        ErrorCode::NotFound => VcsError::NotARepository { folder },
        ErrorCode::Owner => VcsError::ForeignOwner {
            folder: owned_folder(&source).unwrap_or(folder),
            source,
        },
        _ => VcsError::Open { folder, source },
    }
}

/// The repository's own folder, which libgit2 names in its message in single quotes; `safe.directory`
/// needs exactly that one, not the folder below it that was asked for.
fn owned_folder(error: &git2::Error) -> Option<PathBuf> {
    let (_, rest) = error.message().split_once('\'')?;
    let (folder, _) = rest.rsplit_once('\'')?;
    let folder = folder.trim_end_matches('/');
    let folder = folder.strip_suffix("/.git").unwrap_or(folder);
    (!folder.is_empty()).then(|| PathBuf::from(folder))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Playground;
    use super::*;

    #[test]
    fn a_folder_below_the_root_finds_its_repository() {
        let play = Playground::new();
        let hash = play.commit("one", &[("src/a.py", "a = 1\n")]);
        let repository = Repository::discover(&play.path("src")).unwrap();
        assert_eq!(
            repository.root().unwrap().canonicalize().unwrap(),
            play.root().canonicalize().unwrap()
        );
        assert!(!repository.is_bare());
        assert!(!repository.is_shallow());
        assert_eq!(
            repository.head().unwrap(),
            Head {
                hash,
                branch: Some("main".to_owned())
            }
        );
    }

    #[test]
    fn a_detached_head_has_no_branch() {
        let play = Playground::new();
        let first = play.commit("one", &[("a", "1")]);
        play.commit("two", &[("a", "2")]);
        play.git(&["checkout", "-q", &first]);
        let head = play.open().head().unwrap();
        assert_eq!(head.hash, first);
        assert_eq!(head.branch, None);
    }

    #[test]
    fn no_repository_no_commits_and_bare_are_told_apart() {
        let empty = tempfile::tempdir().unwrap();
        let error = Repository::discover(empty.path()).unwrap_err();
        assert!(matches!(error, VcsError::NotARepository { .. }), "{error}");
        assert!(error.to_string().contains("is not inside a git repository"));

        let play = Playground::new();
        let error = play.open().head().unwrap_err();
        assert!(matches!(error, VcsError::NoCommits { .. }), "{error}");

        play.commit("one", &[("a", "1")]);
        let bare = empty.path().join("bare.git");
        play.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
        let repository = Repository::discover(&bare).unwrap();
        assert!(repository.is_bare());
        let error = repository.root().unwrap_err();
        assert!(matches!(error, VcsError::Bare { .. }), "{error}");
        assert_eq!(repository.head().unwrap(), play.open().head().unwrap());
    }

    #[test]
    fn a_shallow_clone_says_so_when_a_revision_is_missing() {
        let play = Playground::new();
        play.commit("one", &[("a", "1")]);
        play.commit("two", &[("a", "2")]);
        let folder = tempfile::tempdir().unwrap();
        let clone = folder.path().join("clone");
        let origin = format!("file://{}", play.root().display());
        play.git(&[
            "clone",
            "-q",
            "--depth",
            "1",
            &origin,
            clone.to_str().unwrap(),
        ]);
        let repository = Repository::discover(&clone).unwrap();
        assert!(repository.is_shallow());
        let error = repository.resolve("HEAD~1").unwrap_err();
        assert!(error.to_string().contains("fetch-depth: 0"), "{error}");
    }

    #[test]
    fn a_linked_worktree_and_a_submodule_are_repositories_of_their_own() {
        let play = Playground::new();
        let first = play.commit("one", &[("a", "1")]);
        let second = play.commit("two", &[("a", "2")]);
        let folder = tempfile::tempdir().unwrap();
        let linked = folder.path().join("linked");
        play.git(&[
            "worktree",
            "add",
            "-q",
            "--detach",
            linked.to_str().unwrap(),
            &first,
        ]);
        let repository = Repository::discover(&linked).unwrap();
        assert_eq!(repository.head().unwrap().hash, first);
        assert_eq!(
            repository.root().unwrap().canonicalize().unwrap(),
            linked.canonicalize().unwrap()
        );

        let outer = Playground::new();
        outer.commit("outer", &[("b", "1")]);
        let url = play.root().to_str().unwrap();
        outer.git(&[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            url,
            "sub",
        ]);
        let repository = Repository::discover(&outer.path("sub")).unwrap();
        assert_eq!(repository.head().unwrap().hash, second);
        assert!(repository.root().unwrap().ends_with("sub"));
    }

    #[test]
    fn a_foreign_owner_is_explained_with_the_folder_to_trust() {
        let source = git2::Error::new(
            ErrorCode::Owner,
            git2::ErrorClass::Config,
            "repository path '/srv/work/lib/' is not owned by current user",
        );
        let error = opening_error(Path::new("/srv/work/lib/benchmarks"), source);
        assert_eq!(
            error.to_string(),
            "the repository at /srv/work/lib belongs to another user, so git refuses to read it; \
             if you trust it, run `git config --global --add safe.directory /srv/work/lib`"
        );
    }
}
