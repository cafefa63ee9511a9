//! Ancestors: the merge base and the first-parent walk.

use git2::{ErrorCode, Oid};

use super::{CommitInfo, Repository, VcsError};

impl Repository {
    /// The full hash of the best common ancestor of both revisions; `None` if they share none (or none
    /// that a shallow clone has).
    pub fn merge_base(&self, one: &str, other: &str) -> Result<Option<String>, VcsError> {
        let (first, second) = (self.peel(one)?.id(), self.peel(other)?.id());
        match self.inner.merge_base(first, second) {
            Ok(base) => Ok(Some(base.to_string())),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(VcsError::read(format!(
                "find the merge base of `{one}` and `{other}`"
            ))(error)),
        }
    }

    /// Paths of all files that differ between both revisions; of one that was moved both paths.
    pub fn changed_files(&self, one: &str, other: &str) -> Result<Vec<String>, VcsError> {
        let failed = || {
            VcsError::read(format!(
                "find the files that differ between `{one}` and `{other}`"
            ))
        };
        let tree = |revision: &str| {
            let commit = self.peel(revision)?;
            commit.tree().map_err(failed())
        };
        let (before, after) = (tree(one)?, tree(other)?);
        let difference = self
            .inner
            .diff_tree_to_tree(Some(&before), Some(&after), None)
            .map_err(failed())?;
        let mut paths: Vec<String> = difference
            .deltas()
            .flat_map(|delta| [delta.old_file().path_bytes(), delta.new_file().path_bytes()])
            .flatten()
            .map(|path| String::from_utf8_lossy(path).into_owned())
            .collect();
        paths.sort();
        paths.dedup();
        Ok(paths)
    }

    /// The commit of `revision` and its first parents, newest first, read as they are asked for.
    pub fn first_parents(&self, revision: &str) -> Result<FirstParents<'_>, VcsError> {
        Ok(FirstParents {
            repository: self,
            next: Some(self.peel(revision)?.id()),
        })
    }
}

/// The walk of [`Repository::first_parents`]. It ends at the root commit, or where a shallow clone
/// ends.
#[derive(Debug)]
pub struct FirstParents<'a> {
    repository: &'a Repository,
    next: Option<Oid>,
}

impl Iterator for FirstParents<'_> {
    type Item = Result<CommitInfo, VcsError>;

    fn next(&mut self) -> Option<Self::Item> {
        let id = self.next.take()?;
        match self.repository.inner.find_commit(id) {
            Ok(commit) => {
                self.next = self.parent_here(&commit);
                Some(Ok(CommitInfo::of(&commit)))
            }
            Err(error) => Some(Err(VcsError::read(format!("read the commit {id}"))(error))),
        }
    }
}

impl FirstParents<'_> {
    /// The first parent, unless it lies beyond the edge of a shallow clone.
    fn parent_here(&self, commit: &git2::Commit<'_>) -> Option<Oid> {
        let parent = commit.parent_id(0).ok()?;
        let cut =
            self.repository.is_shallow() && self.repository.inner.find_commit(parent).is_err();
        (!cut).then_some(parent)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Playground;
    use super::*;

    fn subjects(repository: &Repository, revision: &str) -> Vec<String> {
        repository
            .first_parents(revision)
            .unwrap()
            .map(|commit| commit.unwrap().subject)
            .collect()
    }

    #[test]
    fn files_that_differ_are_named_at_both_places() {
        let play = Playground::new();
        play.commit("one", &[("a", "1"), ("docs/b", "1"), ("same", "1")]);
        play.git(&["rm", "-q", "a"]);
        play.commit("two", &[("docs/b", "2"), ("docs/c", "1")]);
        let changed = play.open().changed_files("HEAD~1", "HEAD").unwrap();
        assert_eq!(changed, ["a", "docs/b", "docs/c"]);
        let none = play.open().changed_files("HEAD", "HEAD").unwrap();
        assert!(none.is_empty());
    }

    #[test]
    fn the_walk_follows_first_parents_only() {
        let play = Playground::new();
        play.commit("one", &[("a", "1")]);
        play.git(&["checkout", "-q", "-b", "side"]);
        play.commit("side work", &[("b", "1")]);
        play.git(&["checkout", "-q", "main"]);
        play.commit("two", &[("a", "2")]);
        play.git(&["merge", "-q", "--no-ff", "-m", "merge side", "side"]);
        assert_eq!(subjects(&play.open(), "main"), ["merge side", "two", "one"]);
        assert_eq!(subjects(&play.open(), "side"), ["side work", "one"]);
    }

    #[test]
    fn the_merge_base_is_where_the_branch_left() {
        let play = Playground::new();
        play.commit("one", &[("a", "1")]);
        let base = play.commit("two", &[("a", "2")]);
        play.git(&["checkout", "-q", "-b", "side"]);
        play.commit("side work", &[("b", "1")]);
        play.git(&["checkout", "-q", "main"]);
        play.commit("three", &[("a", "3")]);
        play.git(&["checkout", "-q", "--orphan", "island"]);
        play.commit("alone", &[("c", "1")]);
        let repository = play.open();
        assert_eq!(repository.merge_base("main", "side").unwrap(), Some(base));
        assert_eq!(repository.merge_base("main", "island").unwrap(), None);
    }

    #[test]
    fn the_walk_of_a_shallow_clone_ends_at_its_edge() {
        let play = Playground::new();
        for message in ["one", "two", "three"] {
            play.commit(message, &[("a", message)]);
        }
        let folder = tempfile::tempdir().unwrap();
        let clone = folder.path().join("clone");
        let origin = format!("file://{}", play.root().display());
        play.git(&[
            "clone",
            "-q",
            "--depth",
            "2",
            &origin,
            clone.to_str().unwrap(),
        ]);
        let repository = Repository::discover(&clone).unwrap();
        assert_eq!(subjects(&repository, "HEAD"), ["three", "two"]);
    }
}
