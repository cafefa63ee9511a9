//! What is going to be written. Nothing that exists is replaced.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::sys::files::{FileError, write_atomic};

/// Files to make, lines to add, and files that stay.
#[derive(Debug, Default)]
pub(super) struct Plan {
    steps: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Make {
        path: PathBuf,
        content: String,
    },
    /// Adds to the end of a file, which is made where it is missing.
    Append {
        path: PathBuf,
        lines: String,
    },
    /// It is there already.
    Keep {
        path: PathBuf,
        why: String,
    },
}

impl Plan {
    /// A new file, unless there is one of that name.
    pub(super) fn make(&mut self, path: PathBuf, content: String) {
        let step = if fs::symlink_metadata(&path).is_ok() {
            Step::Keep {
                path,
                why: "it is there already".to_owned(),
            }
        } else {
            Step::Make { path, content }
        };
        self.steps.push(step);
    }

    pub(super) fn append(&mut self, path: PathBuf, lines: String) {
        self.steps.push(Step::Append { path, lines });
    }

    pub(super) fn keep(&mut self, path: PathBuf, why: impl Into<String>) {
        self.steps.push(Step::Keep {
            path,
            why: why.into(),
        });
    }

    /// Everything that would be written, with its text. Paths are shown below `top`.
    pub(super) fn preview(&self, top: &Path) -> String {
        let mut text = String::new();
        for step in &self.steps {
            let (what, content) = match step {
                Step::Make { path, content } => (
                    format!("would write {}:", shown(path, top)),
                    content.as_str(),
                ),
                Step::Append { path, lines } => (
                    format!("would add to {}:", shown(path, top)),
                    lines.as_str(),
                ),
                Step::Keep { path, why } => (
                    format!("would leave {} as it is: {why}", shown(path, top)),
                    "",
                ),
            };
            text.push_str(&what);
            text.push('\n');
            for line in content.lines() {
                text.push_str(format!("    {line}").trim_end());
                text.push('\n');
            }
            text.push('\n');
        }
        text
    }

    /// Writes, and says what was done line by line.
    pub(super) fn carry_out(&self, top: &Path) -> Result<Vec<String>, FileError> {
        let mut said = Vec::new();
        for step in &self.steps {
            said.push(match step {
                Step::Make { path, content } => {
                    make(path, content)?;
                    format!("wrote {}", shown(path, top))
                }
                Step::Append { path, lines } => {
                    append(path, lines)?;
                    format!("added to {}", shown(path, top))
                }
                Step::Keep { path, why } => format!("left {} as it is: {why}", shown(path, top)),
            });
        }
        Ok(said)
    }
}

fn shown(path: &Path, top: &Path) -> String {
    path.strip_prefix(top).unwrap_or(path).display().to_string()
}

/// Makes the file; one that has come into being meanwhile is an error and stays.
fn make(path: &Path, content: &str) -> Result<(), FileError> {
    let error = |source| FileError::new("make", path, source);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(error)?;
    }
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(error)?;
    file.write_all(content.as_bytes()).map_err(error)
}

fn append(path: &Path, lines: &str) -> Result<(), FileError> {
    let mut text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(source) => return Err(FileError::new("read", path, source)),
    };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(lines);
    write_atomic(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_stays_and_the_rest_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        fs::write(top.join("a"), "mine").unwrap();
        fs::write(top.join("c"), "no line end").unwrap();
        let mut plan = Plan::default();
        plan.make(top.join("a"), "yours".to_owned());
        plan.make(top.join("b/c"), "new\n".to_owned());
        plan.append(top.join("c"), "more\n".to_owned());
        let preview = plan.preview(top);
        assert!(preview.contains("would leave a as it is"), "{preview}");
        assert!(preview.contains("would write b/c:\n    new\n"), "{preview}");
        assert!(!top.join("b").exists());
        let said = plan.carry_out(top).unwrap();
        assert_eq!(
            said,
            [
                "left a as it is: it is there already",
                "wrote b/c",
                "added to c"
            ]
        );
        assert_eq!(fs::read_to_string(top.join("a")).unwrap(), "mine");
        assert_eq!(fs::read_to_string(top.join("b/c")).unwrap(), "new\n");
        assert_eq!(
            fs::read_to_string(top.join("c")).unwrap(),
            "no line end\nmore\n"
        );
    }

    #[test]
    fn a_file_that_came_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut plan = Plan::default();
        plan.make(path.clone(), "ours".to_owned());
        fs::write(&path, "theirs").unwrap();
        let error = plan.carry_out(folder.path()).unwrap_err();
        assert!(error.to_string().starts_with("cannot make "), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
    }
}
