//! What differs from the commit: `git status` by the executable, since ignore rules, filters and line
//! endings follow the user's configuration.

use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Repository, VcsError};

/// One changed path, as a line of `git status --porcelain`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The two letters: index and worktree (`??` is untracked).
    pub code: String,
    /// Relative to the root; bytes that are no UTF-8 are replaced. A folder of untracked files ends in
    /// `/`.
    pub path: String,
    /// Where a renamed or copied file came from.
    pub original: Option<String>,
}

impl std::fmt::Display for Change {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} ", self.code)?;
        if let Some(original) = &self.original {
            write!(formatter, "{} -> ", quoted(original))?;
        }
        formatter.write_str(&quoted(&self.path))
    }
}

/// The path itself, or in quotes with escapes where it has blanks or control characters, so that a
/// line stays a line.
fn quoted(path: &str) -> String {
    let plain = |c: char| !c.is_control() && !matches!(c, ' ' | '"' | '\\');
    if path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("{path:?}")
    }
}

impl Repository {
    /// What `git status --porcelain --ignore-submodules` lists, untracked files included, except paths
    /// in the folders `except` (absolute, or relative to the root; folders outside the repository are
    /// passed over).
    pub fn status(&self, except: &[PathBuf]) -> Result<Vec<Change>, VcsError> {
        let root = self.root()?;
        let except: Vec<PathBuf> = except
            .iter()
            .filter_map(|folder| below(root, folder))
            .collect();
        let mut changes = Vec::new();
        for change in self.listed("normal", None)? {
            let mixed = change.code == "??"
                && change.path.ends_with('/')
                && except.iter().any(|folder| {
                    folder.starts_with(&change.path) && folder != Path::new(&change.path)
                });
            if mixed {
                // An untracked folder is listed as one line; this one holds an excepted folder.
                changes.extend(self.listed("all", Some(&change.path))?);
            } else {
                changes.push(change);
            }
        }
        changes.retain(|change| !is_excepted(change, &except));
        Ok(changes)
    }

    fn listed(&self, untracked: &str, within: Option<&str>) -> Result<Vec<Change>, VcsError> {
        let root = self.root()?;
        let mut command = Command::new("git");
        // Without the optional lock nothing is written, so that a commit made meanwhile is not hindered.
        let untracked = format!("--untracked-files={untracked}");
        let mut arguments = vec![
            "--no-optional-locks",
            "--literal-pathspecs",
            "status",
            "--porcelain=v1",
            "--ignore-submodules",
            &untracked,
            "-z",
        ];
        if let Some(path) = within {
            arguments.extend(["--", path]);
        }
        command
            .args(&arguments)
            .current_dir(root)
            .stdin(Stdio::null())
            .env("LC_ALL", "C");
        // Set by git for its hooks; they would point it at another repository.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
            command.env_remove(variable);
        }
        let output = command.output().map_err(VcsError::NoGit)?;
        if !output.status.success() {
            return Err(VcsError::GitFailed {
                arguments: arguments.join(" "),
                status: output.status.to_string(),
                stderr: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
            });
        }
        Ok(parse(&output.stdout))
    }
}

/// Reads the output of `git status --porcelain -z`: entries end in NUL, and after a renamed or copied
/// path comes the path it had before.
fn parse(output: &[u8]) -> Vec<Change> {
    let mut parts = output
        .split(|byte| *byte == 0)
        .map(|part| String::from_utf8_lossy(part).into_owned());
    let mut changes = Vec::new();
    while let Some(entry) = parts.next() {
        let Some((code, path)) = entry.split_at_checked(3) else {
            continue;
        };
        let code = code.trim_end_matches(' ');
        let code = format!("{code:<2}");
        let original = code.contains(['R', 'C']).then(|| parts.next()).flatten();
        changes.push(Change {
            code,
            path: path.to_owned(),
            original,
        });
    }
    changes
}

fn is_excepted(change: &Change, except: &[PathBuf]) -> bool {
    let inside = |path: &str| {
        except
            .iter()
            .any(|folder| Path::new(path).starts_with(folder))
    };
    inside(&change.path) && change.original.as_deref().is_none_or(inside)
}

/// `folder` relative to `root`, if it lies strictly below it. Both are compared as written and with
/// symbolic links resolved.
fn below(root: &Path, folder: &Path) -> Option<PathBuf> {
    let joined = normalised(&root.join(folder));
    let relative = if let Ok(relative) = joined.strip_prefix(normalised(root)) {
        relative.to_owned()
    } else {
        let resolved = resolved(&joined);
        resolved.strip_prefix(resolved_root(root)).ok()?.to_owned()
    };
    (relative.components().next().is_some()).then_some(relative)
}

fn resolved_root(root: &Path) -> PathBuf {
    fs_err::canonicalize(root).unwrap_or_else(|_| root.to_owned())
}

/// The path with the links of its longest existing part resolved.
fn resolved(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (fs_err::canonicalize(ancestor), path.strip_prefix(ancestor))
        {
            return real.join(rest);
        }
    }
    path.to_owned()
}

/// The path without `.` and with `..` taken back, by its text alone.
fn normalised(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests;
