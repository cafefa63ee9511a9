//! A commit as the user named it.

use crate::results::{ResultFile, ResultSet};
use crate::vcs::{Repository, VcsError};

/// Fewer characters than this name no commit by the beginning of its hash.
const SHORTEST_PREFIX: usize = 4;

/// A commit as the user named it, and what git makes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::commands) struct NamedCommit {
    pub(in crate::commands) text: String,
    /// Full hash, if git knows the revision.
    pub(in crate::commands) hash: Option<String>,
    /// What git says where it does not.
    pub(super) refusal: Option<String>,
}

impl NamedCommit {
    /// Asks git. A revision that git does not know may still be the beginning of a measured
    /// commit's hash, for example when the history was rewritten.
    pub(in crate::commands) fn resolve(text: &str, repository: Option<&Repository>) -> Self {
        let (hash, refusal) = match repository.map(|repository| repository.resolve(text)) {
            Some(Ok(hash)) => (Some(hash), None),
            Some(Err(error)) => (None, Some(error.to_string())),
            None => (None, None),
        };
        Self {
            text: text.to_owned(),
            hash,
            refusal,
        }
    }

    /// A commit that is known by its full hash.
    pub(in crate::commands) fn of_hash(hash: &str) -> Self {
        Self {
            text: hash.to_owned(),
            hash: Some(hash.to_owned()),
            refusal: None,
        }
    }

    /// Whether a file's name leaves it open that it is of this commit.
    pub(super) fn may_be_in(&self, file: &ResultFile) -> bool {
        let by_hash = |hash: &String| hash.starts_with(&file.commit);
        let by_text = self.text.starts_with(&file.commit) || self.is_prefix_of(&file.commit);
        !file.commit.is_empty() && (self.hash.as_ref().is_some_and(by_hash) || by_text)
    }

    /// Whether these are the results of this commit. Old files hold a tag's name instead of a hash.
    pub(super) fn is_of(&self, set: &ResultSet) -> bool {
        set.commit_hash == self.text
            || match &self.hash {
                Some(hash) => set.commit_hash == *hash,
                None => self.is_prefix_of(&set.commit_hash),
            }
    }

    fn is_prefix_of(&self, hash: &str) -> bool {
        self.hash.is_none() && self.text.len() >= SHORTEST_PREFIX && hash.starts_with(&self.text)
    }

    /// For messages: `HEAD~1 (1234abcd)`.
    pub(super) fn described(&self) -> String {
        match &self.hash {
            Some(hash) if !hash.starts_with(&self.text) => {
                format!("{} ({})", self.text, short(hash))
            }
            _ => self.text.clone(),
        }
    }

    /// What a report calls the commit: the user's word for it, unless that is only its hash; then
    /// git's.
    pub(in crate::commands) fn display_name(
        &self,
        set: &ResultSet,
        repository: Option<&Repository>,
    ) -> Option<String> {
        if !set.commit_hash.starts_with(&self.text) {
            return Some(self.text.clone());
        }
        let named: Option<Result<_, VcsError>> =
            repository.map(|repository| repository.name_of(&set.commit_hash));
        named.and_then(Result::ok).flatten()
    }
}

/// The eight characters that files are named by.
pub(super) fn short(hash: &str) -> String {
    hash.chars().take(8).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn file(commit: &str) -> ResultFile {
        ResultFile {
            path: PathBuf::new(),
            machine: String::new(),
            commit: commit.to_owned(),
            environment: String::new(),
        }
    }

    fn set(commit: &str) -> ResultSet {
        ResultSet {
            commit_hash: commit.to_owned(),
            ..ResultSet::default()
        }
    }

    fn named(text: &str, hash: Option<&str>) -> NamedCommit {
        NamedCommit {
            text: text.to_owned(),
            hash: hash.map(str::to_owned),
            refusal: None,
        }
    }

    const HASH: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn what_git_knows_is_found_by_its_full_hash() {
        let head = named("HEAD~1", Some(HASH));
        assert!(head.may_be_in(&file("01234567")));
        assert!(!head.may_be_in(&file("01234568")));
        assert!(head.is_of(&set(HASH)));
        assert!(!head.is_of(&set("0123456789abcdef0123456789abcdef0123456f")));
        assert_eq!(head.described(), "HEAD~1 (01234567)");
        assert_eq!(
            head.display_name(&set(HASH), None).as_deref(),
            Some("HEAD~1")
        );
    }

    #[test]
    fn the_beginning_of_a_hash_will_do_where_git_knows_nothing() {
        for text in ["0123", "01234567", "0123456789ab", HASH] {
            let prefix = named(text, None);
            assert!(prefix.may_be_in(&file("01234567")), "{text}");
            assert!(prefix.is_of(&set(HASH)), "{text}");
            assert_eq!(prefix.described(), text);
            assert_eq!(prefix.display_name(&set(HASH), None), None);
        }
        let other = named("0123456f", None);
        assert!(!other.may_be_in(&file("01234567")));
        let long = named("012345678f", None);
        assert!(long.may_be_in(&file("01234567")));
        assert!(!long.is_of(&set(HASH)));
        assert!(!named("012", None).is_of(&set(HASH)));
        assert!(!named("", None).may_be_in(&file("01234567")));
    }

    #[test]
    fn old_files_go_by_the_name_of_their_tag() {
        let tag = named("v0.1-rc1", Some(HASH));
        assert!(tag.may_be_in(&file("v0.1")));
        assert!(tag.is_of(&set("v0.1-rc1")));
        assert!(tag.is_of(&set(HASH)));
    }
}
