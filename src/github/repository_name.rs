//! `owner/name`.

use std::fmt;
use std::str::FromStr;

/// A repository on GitHub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryName {
    pub owner: String,
    pub name: String,
}

/// What is no repository.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no repository: `owner/name` is needed")]
pub struct BadRepository(String);

impl FromStr for RepositoryName {
    type Err = BadRepository;

    fn from_str(text: &str) -> Result<Self, BadRepository> {
        let valid = |part: &str| {
            !part.is_empty()
                && !matches!(part, "." | "..")
                && part
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        };
        match text.split_once('/') {
            Some((owner, name)) if valid(owner) && valid(name) => Ok(Self {
                owner: owner.to_owned(),
                name: name.to_owned(),
            }),
            _ => Err(BadRepository(text.to_owned())),
        }
    }
}

impl RepositoryName {
    /// The repository that a remote's address names: the last two parts of its path.
    pub fn of_url(url: &str) -> Option<Self> {
        let url = url.trim().trim_end_matches('/');
        let url = url.strip_suffix(".git").unwrap_or(url);
        let path = match url.split_once("://") {
            Some((_, rest)) => rest.split_once('/')?.1,
            // The short form of ssh, `git@host:owner/name`; anything else is a folder here.
            None => url.split_once(':')?.1,
        };
        let (rest, name) = path.rsplit_once('/')?;
        let owner = rest.rsplit('/').next()?;
        format!("{owner}/{name}").parse().ok()
    }

    /// Whether both are one; GitHub does not mind case.
    pub fn is_same(&self, full_name: &str) -> bool {
        self.to_string().eq_ignore_ascii_case(full_name)
    }
}

impl fmt::Display for RepositoryName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.owner, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_owner_and_a_name_are_a_repository() {
        let parsed: RepositoryName = "OpenSourceEconomics/pylcm".parse().unwrap();
        assert_eq!(parsed.to_string(), "OpenSourceEconomics/pylcm");
        assert!(parsed.is_same("opensourceeconomics/PyLCM"));
        for bad in ["", "a", "a/", "/b", "a/b/c", "a/..", "a b/c", "a/b?x=1"] {
            assert!(bad.parse::<RepositoryName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_addresses_of_remotes_name_repositories() {
        for url in [
            "https://github.com/o/r",
            "https://github.com/o/r.git",
            "https://token@git.example.org:8443/o/r/",
            "ssh://git@github.com/o/r.git",
            "git@github.com:o/r.git",
        ] {
            let found = RepositoryName::of_url(url).map(|name| name.to_string());
            assert_eq!(found.as_deref(), Some("o/r"), "{url}");
        }
        for url in ["/srv/git/o/r", "../r", "https://github.com/r", ""] {
            assert_eq!(RepositoryName::of_url(url), None, "{url}");
        }
    }
}
