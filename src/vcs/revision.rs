//! Revisions to commits, and what is known about a commit.

use git2::{ErrorCode, ObjectType};

use super::{Repository, VcsError};

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitInfo {
    /// Full hash, 40 hex digits.
    pub hash: String,
    /// Author date, milliseconds since 1970 (whole seconds, as git keeps it).
    pub date: i64,
    /// First line of the message; bytes that are no UTF-8 are replaced.
    pub subject: String,
    /// Name of the author; bytes that are no UTF-8 are replaced.
    pub author: String,
}

impl CommitInfo {
    pub(super) fn of(commit: &git2::Commit<'_>) -> Self {
        let subject = commit.summary_bytes().unwrap_or_default();
        Self {
            hash: commit.id().to_string(),
            date: commit.author().when().seconds().saturating_mul(1000),
            subject: String::from_utf8_lossy(subject).into_owned(),
            author: String::from_utf8_lossy(commit.author().name_bytes()).into_owned(),
        }
    }
}

impl Repository {
    /// The full hash of what git calls `revision`: a branch, a tag (followed to its commit), a full
    /// or short hash, `HEAD~1` and the like.
    pub fn resolve(&self, revision: &str) -> Result<String, VcsError> {
        Ok(self.peel(revision)?.id().to_string())
    }

    /// The commit that git calls `revision`.
    pub fn commit(&self, revision: &str) -> Result<CommitInfo, VcsError> {
        Ok(CommitInfo::of(&self.peel(revision)?))
    }

    /// The full hash of the tip of branch `name`: the local branch, else the one that was fetched from
    /// `origin` (a checkout in CI often has only that).
    pub fn branch_tip(&self, name: &str) -> Result<String, VcsError> {
        for reference in [
            format!("refs/heads/{name}"),
            format!("refs/remotes/origin/{name}"),
        ] {
            if let Ok(found) = self.inner.find_reference(&reference) {
                let commit = found
                    .peel_to_commit()
                    .map_err(VcsError::read(format!("read the branch `{name}`")))?;
                return Ok(commit.id().to_string());
            }
        }
        Err(self.unknown(name))
    }

    /// The hash of the file or folder `path` (relative to the root, `/` between its parts; empty for
    /// the root itself) in the tree of `revision`; `None` if that commit has no such path. Equal
    /// hashes mean equal content.
    pub fn tree_entry(&self, revision: &str, path: &str) -> Result<Option<String>, VcsError> {
        let tree = self
            .peel(revision)?
            .tree()
            .map_err(VcsError::read(format!("read the tree of `{revision}`")))?;
        let path = path.trim_matches('/');
        if path.is_empty() || path == "." {
            return Ok(Some(tree.id().to_string()));
        }
        match tree.get_path(std::path::Path::new(path)) {
            Ok(entry) => Ok(Some(entry.id().to_string())),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(VcsError::read(format!("read `{path}` of `{revision}`"))(
                error,
            )),
        }
    }

    pub(super) fn peel(&self, revision: &str) -> Result<git2::Commit<'_>, VcsError> {
        let object = self
            .inner
            .revparse_single(revision)
            .map_err(|error| self.revision_error(revision, error))?;
        object
            .peel(ObjectType::Commit)
            .ok()
            .and_then(|object| object.into_commit().ok())
            .ok_or_else(|| VcsError::NotACommit {
                revision: revision.to_owned(),
            })
    }

    fn revision_error(&self, revision: &str, error: git2::Error) -> VcsError {
        match error.code() {
            ErrorCode::NotFound | ErrorCode::InvalidSpec => {
                if matches!(revision, "HEAD" | "@") {
                    return VcsError::NoCommits {
                        folder: self.folder(),
                    };
                }
                self.unknown(revision)
            }
            ErrorCode::UnbornBranch => VcsError::NoCommits {
                folder: self.folder(),
            },
            ErrorCode::Ambiguous => VcsError::AmbiguousRevision {
                revision: revision.to_owned(),
            },
            _ => VcsError::read(format!("resolve `{revision}`"))(error),
        }
    }

    fn unknown(&self, revision: &str) -> VcsError {
        VcsError::UnknownRevision {
            revision: revision.to_owned(),
            shallow: self.is_shallow(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{FIRST_DATE, Playground};
    use super::*;

    #[test]
    fn every_way_to_name_a_commit_leads_to_its_full_hash() {
        let play = Playground::new();
        let first = play.commit("one", &[("a", "1")]);
        let second = play.commit("two", &[("a", "2")]);
        play.git(&["tag", "light", &first]);
        play.git(&["tag", "-a", "v1.0", "-m", "a release", &first]);
        play.git(&["branch", "feature/x", &first]);
        let repository = play.open();
        for name in [
            "light",
            "v1.0",
            "HEAD~1",
            "HEAD^",
            "main~1",
            "feature/x",
            &first,
            &first[..9],
        ] {
            assert_eq!(repository.resolve(name).unwrap(), first, "{name}");
        }
        for name in ["HEAD", "@", "main", "refs/heads/main", &second[..7]] {
            assert_eq!(repository.resolve(name).unwrap(), second, "{name}");
        }
    }

    #[test]
    fn unknown_names_and_files_are_no_commits() {
        let play = Playground::new();
        assert!(matches!(
            play.open().resolve("HEAD"),
            Err(VcsError::NoCommits { .. })
        ));
        play.commit("one", &[("a", "1")]);
        let repository = play.open();
        for name in [
            "nowhere",
            "deadbeef",
            "main~7",
            "",
            "a b",
            "main..main",
            "^",
            "@{upstream}",
        ] {
            let error = repository.resolve(name).unwrap_err();
            assert!(
                !matches!(error, VcsError::NoCommits { .. }),
                "{name}: {error}"
            );
        }
        assert_eq!(
            repository.resolve("nowhere").unwrap_err().to_string(),
            "git knows no revision `nowhere`"
        );
        assert!(matches!(
            repository.resolve("HEAD:a"),
            Err(VcsError::NotACommit { .. })
        ));
    }

    #[test]
    fn a_commit_has_its_author_date_and_subject() {
        let play = Playground::new();
        play.commit("Größer | *schneller*\n\nA body.", &[("a", "1")]);
        let commit = play.open().commit("HEAD").unwrap();
        assert_eq!(commit.subject, "Größer | *schneller*");
        let seconds = play.git(&["show", "-s", "--format=%at", "HEAD"]);
        assert_eq!(commit.date, seconds.parse::<i64>().unwrap() * 1000);
        assert!(commit.date > i64::try_from(FIRST_DATE).unwrap() * 1000);
    }

    #[test]
    fn a_branch_may_be_known_from_origin_alone() {
        let play = Playground::new();
        let hash = play.commit("one", &[("a", "1")]);
        play.git(&["update-ref", "refs/remotes/origin/trunk", "HEAD"]);
        assert_eq!(play.open().branch_tip("trunk").unwrap(), hash);
        assert_eq!(play.open().branch_tip("main").unwrap(), hash);
        assert!(matches!(
            play.open().branch_tip("other"),
            Err(VcsError::UnknownRevision { .. })
        ));
    }

    #[test]
    fn a_tree_entry_changes_with_its_content_only() {
        let play = Playground::new();
        play.commit("one", &[("src/a.py", "1"), ("docs/a.md", "1")]);
        play.commit("two", &[("docs/a.md", "2")]);
        let repository = play.open();
        let at = |revision: &str, path: &str| repository.tree_entry(revision, path).unwrap();
        assert_eq!(at("HEAD", "src"), at("HEAD~1", "src/"));
        assert_ne!(at("HEAD", "docs"), at("HEAD~1", "docs"));
        assert_ne!(at("HEAD", ""), at("HEAD~1", ""));
        assert_eq!(at("HEAD", "tests"), None);
    }
}
