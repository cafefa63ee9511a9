//! Credentials that lie in the configuration of a checkout, where every process of it can read them.

use std::fmt;

use super::{Git, Repository, VcsError};

/// A key of git's configuration that holds a credential; its value is never kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub key: String,
    /// Where it stands: `file:.git/config`, or a file that is included.
    pub origin: String,
}

impl fmt::Display for Kept {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = self.origin.strip_prefix("file:").unwrap_or(&self.origin);
        write!(formatter, "{origin} holds a credential (`{}`)", self.key)
    }
}

impl Repository {
    /// What the checkout's own configuration holds, included files too: headers with a token, as
    /// `actions/checkout` leaves them, and addresses with a password. git itself reads the files,
    /// since conditions of an include follow its rules.
    pub fn kept_credentials(&self) -> Result<Vec<Kept>, VcsError> {
        let listed = Git::at(&self.folder()).run(&[
            "config",
            "--list",
            "--null",
            "--show-scope",
            "--show-origin",
        ])?;
        Ok(kept(&listed))
    }
}

/// The entries are scope, origin, and key with value, each ended by a zero.
fn kept(listed: &str) -> Vec<Kept> {
    let fields: Vec<&str> = listed.split('\0').collect();
    let mut all = Vec::new();
    for entry in fields.chunks_exact(3) {
        let [scope, origin, pair] = entry else {
            continue;
        };
        // What stands elsewhere is the user's own and there for all checkouts.
        if !matches!(*scope, "local" | "worktree") {
            continue;
        }
        let (key, value) = pair.split_once('\n').unwrap_or((pair, ""));
        if is_credential(key, value) {
            all.push(Kept {
                key: super::without_passwords(key),
                origin: (*origin).to_owned(),
            });
        }
    }
    all
}

fn is_credential(key: &str, value: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let is_header = key.starts_with("http.") && key.ends_with(".extraheader");
    // An empty one takes back those before it.
    let has_header = (is_header || key == "http.extraheader") && !value.trim().is_empty();
    let has_password = [key.as_str(), value].iter().any(|text| {
        text.split_once("://").is_some_and(|(_, rest)| {
            let host = rest.split('/').next().unwrap_or(rest);
            host.rsplit_once('@')
                .is_some_and(|(user, _)| user.contains(':') || looks_like_a_token(user))
        })
    });
    has_header || has_password
}

/// The beginnings of GitHub's tokens.
fn looks_like_a_token(user: &str) -> bool {
    ["ghp_", "gho_", "ghu_", "ghs_", "github_pat_"]
        .iter()
        .any(|start| user.starts_with(start))
}

#[cfg(test)]
mod tests {
    use fs_err as fs;

    use super::super::testing::Playground;
    use super::*;

    #[test]
    fn a_header_in_the_configuration_or_in_an_included_file_is_found() {
        let play = Playground::new();
        play.commit("one", &[("a", "1")]);
        let found = || play.open().kept_credentials().unwrap();
        play.git(&["remote", "add", "origin", "git@github.com:o/r.git"]);
        assert_eq!(found(), []);
        play.git(&[
            "config",
            "http.https://github.com/.extraheader",
            "AUTHORIZATION: basic c2VjcmV0",
        ]);
        let [kept] = &found()[..] else {
            panic!("{:?}", found());
        };
        assert_eq!(
            kept.to_string(),
            ".git/config holds a credential (`http.https://github.com/.extraheader`)"
        );
        play.git(&[
            "config",
            "--unset-all",
            "http.https://github.com/.extraheader",
        ]);
        let elsewhere = play.path(".git/elsewhere.config");
        fs::write(
            &elsewhere,
            "[http \"https://github.com/\"]\n  extraheader = AUTHORIZATION: basic c2VjcmV0\n",
        )
        .unwrap();
        let key = format!("includeIf.gitdir:{}.path", play.path(".git").display());
        play.git(&["config", &key, elsewhere.to_str().unwrap()]);
        let included = found();
        assert_eq!(included.len(), 1, "{included:?}");
        assert!(included[0].origin.ends_with("elsewhere.config"));
        assert!(!format!("{included:?}").contains("c2VjcmV0"));
    }

    #[test]
    fn passwords_in_addresses_count_and_user_names_do_not() {
        for (key, value, expected) in [
            ("remote.origin.url", "https://x:secret@github.com/o/r", true),
            ("remote.origin.url", "https://ghp_abc@github.com/o/r", true),
            ("remote.origin.url", "https://me@github.com/o/r", false),
            ("remote.origin.url", "ssh://git@github.com/o/r", false),
            (
                "url.https://x:s@github.com/.insteadof",
                "git@github.com:",
                true,
            ),
            ("http.extraheader", "AUTHORIZATION: bearer x", true),
            ("http.https://github.com/.extraheader", "", false),
            ("core.bare", "false", false),
        ] {
            assert_eq!(is_credential(key, value), expected, "{key} {value}");
        }
    }
}
