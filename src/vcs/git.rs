//! The `git` executable, for what libgit2 does otherwise than the user's git: fetching, committing
//! and pushing with the user's own keys, helpers and settings.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::VcsError;

/// Set by git for its hooks; they would point it at another repository.
const OF_HOOKS: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"];

/// git in one folder. It never asks for a password: a terminal may not be there.
#[derive(Debug, Clone)]
pub struct Git {
    folder: PathBuf,
}

impl Git {
    /// git in this folder, which must exist when it is run.
    pub fn at(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Runs git and returns what it printed, without the last line break. Passwords in addresses
    /// are not shown in errors.
    pub fn run(&self, arguments: &[&str]) -> Result<String, VcsError> {
        let mut command = Command::new("git");
        command
            .args(arguments)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .env("LC_ALL", "C")
            .env("GIT_TERMINAL_PROMPT", "0");
        for variable in OF_HOOKS {
            command.env_remove(variable);
        }
        let output = command.output().map_err(VcsError::NoGit)?;
        if output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout);
            return Ok(text.trim_end_matches('\n').to_owned());
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        Err(VcsError::GitFailed {
            arguments: without_passwords(&arguments.join(" ")),
            status: output.status.to_string(),
            stderr: without_passwords(stderr.trim()),
        })
    }
}

/// The text with `user:password@` taken out of addresses.
pub fn without_passwords(text: &str) -> String {
    let mut parts = text.split("://");
    let mut clean = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        clean.push_str("://");
        let end = part
            .find(|c: char| c == '/' || c.is_whitespace() || c == '\'' || c == '"')
            .unwrap_or(part.len());
        let (host, rest) = part.split_at(end);
        clean.push_str(host.rsplit_once('@').map_or(host, |(_, host)| host));
        clean.push_str(rest);
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_taken_out_of_addresses() {
        for (text, clean) in [
            (
                "push https://x:secret@host/a main",
                "push https://host/a main",
            ),
            ("'https://s3cret@host/a@b'", "'https://host/a@b'"),
            ("git@host:a/b.git", "git@host:a/b.git"),
            ("https://host/a", "https://host/a"),
            ("a://u@h b://v:w@i/x@y", "a://h b://i/x@y"),
        ] {
            assert_eq!(without_passwords(text), clean);
        }
    }

    #[test]
    fn a_failure_says_what_git_said() {
        let folder = tempfile::tempdir().unwrap();
        let git = Git::at(folder.path());
        let error = git.run(&["rev-parse", "HEAD"]).unwrap_err().to_string();
        assert!(error.contains("not a git repository"), "{error}");
        git.run(&["init", "--quiet"]).unwrap();
        assert_eq!(
            git.run(&["rev-parse", "--is-bare-repository"]).unwrap(),
            "false"
        );
    }
}
