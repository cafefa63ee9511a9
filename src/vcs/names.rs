//! Names of commits for people.

use std::collections::BTreeMap;

use super::{Repository, VcsError};

impl Repository {
    /// A name for the commit with this full hash where a reference points exactly at it: the branch
    /// that is checked out, else the tag (the first in the alphabet), else a local branch, else a
    /// fetched one (`origin/main`).
    pub fn name_of(&self, hash: &str) -> Result<Option<String>, VcsError> {
        Ok(self.names()?.remove(hash))
    }

    /// [`Repository::name_of`] for every commit that has a name, by full hash.
    pub fn names(&self) -> Result<BTreeMap<String, String>, VcsError> {
        let current = self.head().ok().and_then(|head| head.branch);
        let mut best: BTreeMap<String, (Rank, String)> = BTreeMap::new();
        let references = self
            .inner
            .references()
            .map_err(VcsError::read("list the branches and tags"))?;
        // A reference that cannot be read (a broken one) names nothing and harms nobody.
        for reference in references.flatten() {
            let Some(rank) = Rank::of(&reference, current.as_deref()) else {
                continue;
            };
            let Ok(commit) = reference.peel_to_commit() else {
                continue;
            };
            let name = String::from_utf8_lossy(reference.shorthand_bytes()).into_owned();
            let candidate = (rank, name);
            best.entry(commit.id().to_string())
                .and_modify(|known| {
                    if candidate < *known {
                        known.clone_from(&candidate);
                    }
                })
                .or_insert(candidate);
        }
        Ok(best
            .into_iter()
            .map(|(hash, (_, name))| (hash, name))
            .collect())
    }
}

/// Which kind of name is preferred; the smallest wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    CheckedOut,
    Tag,
    Branch,
    Fetched,
}

impl Rank {
    fn of(reference: &git2::Reference<'_>, current: Option<&str>) -> Option<Self> {
        if reference.is_branch() {
            let checked_out = current.map(str::as_bytes) == Some(reference.shorthand_bytes());
            Some(if checked_out {
                Self::CheckedOut
            } else {
                Self::Branch
            })
        } else if reference.is_tag() {
            Some(Self::Tag)
        } else if reference.is_remote() && !reference.name_bytes().ends_with(b"/HEAD") {
            Some(Self::Fetched)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Playground;

    #[test]
    fn the_checked_out_branch_comes_first_then_tags_then_branches() {
        let play = Playground::new();
        let first = play.commit("one", &[("a", "1")]);
        play.git(&["branch", "old"]);
        play.git(&["tag", "-a", "v1.0", "-m", "release"]);
        let second = play.commit("two", &[("a", "2")]);
        play.git(&["branch", "also"]);
        play.git(&["tag", "v2.0"]);
        play.git(&["checkout", "-q", "-b", "side"]);
        let third = play.commit("three", &[("a", "3")]);
        play.git(&["update-ref", "refs/remotes/origin/side", &third]);
        play.git(&["checkout", "-q", "main"]);
        let nameless = play.git(&["commit-tree", "-m", "loose", "HEAD^{tree}"]);
        let fetched = play.git(&["commit-tree", "-m", "other", "HEAD^{tree}"]);
        play.git(&["update-ref", "refs/remotes/origin/topic", &fetched]);

        let repository = play.open();
        let name = |hash: &str| repository.name_of(hash).unwrap();
        assert_eq!(name(&first).as_deref(), Some("v1.0"));
        assert_eq!(name(&second).as_deref(), Some("main"));
        assert_eq!(name(&third).as_deref(), Some("side"));
        assert_eq!(name(&fetched).as_deref(), Some("origin/topic"));
        assert_eq!(name(&nameless), None);
    }
}
