//! Which Python runs the benchmarks.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::sys::env::Environment;

/// The command that starts the Python of the benchmarks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonCommand {
    /// The program, as an absolute path whose links are not followed (an environment's name holds it),
    /// and its arguments.
    pub words: Vec<OsString>,
    /// What the choice rests on, for messages: `--python`, `VIRTUAL_ENV`, `PATH`, ...
    pub because: &'static str,
}

impl PythonCommand {
    /// The interpreter's path, if the command is nothing but an interpreter. For a longer one (`pixi run
    /// python`) only the running Python knows.
    pub fn executable(&self) -> Option<&Path> {
        match &self.words[..] {
            [only] => Some(Path::new(only)),
            _ => None,
        }
    }
}

impl std::fmt::Display for PythonCommand {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words: Vec<_> = self
            .words
            .iter()
            .map(|word| word.to_string_lossy())
            .collect();
        let joined = shlex::try_join(words.iter().map(AsRef::as_ref));
        formatter.write_str(&joined.unwrap_or_else(|_| words.join(" ")))
    }
}

/// Why there is no Python to run the benchmarks with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InterpreterError {
    #[error(
        "no Python found: neither VIRTUAL_ENV nor CONDA_PREFIX is set, and PATH has no `python` or \
         `python3`; name one with --python, LCMBENCH_PYTHON or the key `python`"
    )]
    NoneFound,
    #[error(
        "VIRTUAL_ENV is {folder}, but that folder has no bin/python; activate an environment that \
         exists, or name a Python with --python"
    )]
    BrokenVirtualEnv { folder: PathBuf },
    #[error(
        "the Python `{text}` was not found: {program} is no executable file; give --python a path, \
             a command on PATH or `same`"
    )]
    NotExecutable { text: String, program: PathBuf },
    #[error("the Python `{text}` was not found: PATH has no `{program}`{}", version_advice(.program))]
    NotOnPath { text: String, program: String },
    #[error("the command `{text}` has a quote that is not closed")]
    Quotes { text: String },
    #[error(
        "`{text}` asks for an environment that asv would create; this version measures in one that \
         exists: install the project there and name its Python, for example --python /path/to/bin/python"
    )]
    Managed { text: String },
}

/// `3.12` is how asv asks for a version; here a program is meant.
fn version_advice(program: &str) -> String {
    if is_version(program) {
        format!("; the program of that version is usually `python{program}`")
    } else {
        String::new()
    }
}

fn is_version(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
}

/// The kinds of environment that asv creates by itself.
const MANAGED: [&str; 6] = ["virtualenv", "venv", "conda", "mamba", "rattler", "uv"];

/// Finds the Python that `python` names, or the one that is at hand if it is `None`.
///
/// `python` is a path, a folder of an environment, a command with arguments, or one of asv's words:
/// `same` and `existing` (the one at hand), `existing:SPEC` and `:SPEC`. Relative paths are below
/// `directory`.
pub fn find_python(
    python: Option<&str>,
    environment: &Environment,
    directory: &Path,
) -> Result<PythonCommand, InterpreterError> {
    let text = python.map_or("same", str::trim);
    let finder = Finder {
        environment,
        directory,
    };
    let spec = match text.split_once(':') {
        Some(("existing" | "", spec)) => spec,
        Some((kind, _)) if MANAGED.contains(&kind) => return Err(managed(text)),
        _ if text == "existing" => "same",
        _ if MANAGED.contains(&text) => return Err(managed(text)),
        _ => text,
    };
    // `existing:python` is the usual way in asv to say: the Python that is at hand.
    let at_hand = matches!(spec, "same" | "") || (spec == "python" && spec != text);
    if at_hand {
        finder.at_hand()
    } else {
        finder.named(spec)
    }
}

fn managed(text: &str) -> InterpreterError {
    InterpreterError::Managed {
        text: text.to_owned(),
    }
}

struct Finder<'a> {
    environment: &'a Environment,
    directory: &'a Path,
}

impl Finder<'_> {
    /// The active virtual or conda environment, else what PATH has.
    fn at_hand(&self) -> Result<PythonCommand, InterpreterError> {
        if let Some(folder) = self.environment.path("VIRTUAL_ENV") {
            return self
                .in_folder(&folder)
                .map(|python| single(python, "VIRTUAL_ENV"))
                .ok_or(InterpreterError::BrokenVirtualEnv { folder });
        }
        // A conda environment need not have a Python.
        if let Some(folder) = self.environment.path("CONDA_PREFIX")
            && let Some(python) = self.in_folder(&folder)
        {
            return Ok(single(python, "CONDA_PREFIX"));
        }
        ["python", "python3"]
            .iter()
            .find_map(|name| self.on_path(name))
            .map(|python| single(python, "PATH"))
            .ok_or(InterpreterError::NoneFound)
    }

    fn named(&self, text: &str) -> Result<PythonCommand, InterpreterError> {
        let whole = self.absolute(text);
        if is_executable(&whole) && text.contains('/') {
            return Ok(single(whole, "the Python that is named"));
        }
        if whole.is_dir()
            && let Some(python) = self.in_folder(&whole)
        {
            return Ok(single(python, "the environment that is named"));
        }
        let words = shlex::split(text).ok_or_else(|| InterpreterError::Quotes {
            text: text.to_owned(),
        })?;
        let (program, arguments) = words.split_first().ok_or(InterpreterError::NoneFound)?;
        let program = if program.contains('/') {
            let path = self.absolute(program);
            if !is_executable(&path) {
                return Err(InterpreterError::NotExecutable {
                    text: text.to_owned(),
                    program: path,
                });
            }
            path
        } else {
            self.on_path(program)
                .ok_or_else(|| InterpreterError::NotOnPath {
                    text: text.to_owned(),
                    program: program.clone(),
                })?
        };
        let mut command = single(program, "the command that is named");
        command.words.extend(arguments.iter().map(OsString::from));
        Ok(command)
    }

    fn in_folder(&self, folder: &Path) -> Option<PathBuf> {
        ["bin/python", "bin/python3"]
            .iter()
            .map(|name| self.directory.join(folder).join(name))
            .find(|path| is_executable(path))
    }

    fn on_path(&self, program: &str) -> Option<PathBuf> {
        let path = self.environment.path("PATH")?;
        std::env::split_paths(&path)
            .map(|folder| self.directory.join(folder).join(program))
            .find(|candidate| is_executable(candidate))
    }

    /// The path with a leading `~/` taken as the home folder and a relative one below the directory.
    fn absolute(&self, text: &str) -> PathBuf {
        match (text.strip_prefix("~/"), self.environment.path("HOME")) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => self.directory.join(text),
        }
    }
}

fn single(program: PathBuf, because: &'static str) -> PythonCommand {
    PythonCommand {
        words: vec![program.into_os_string()],
        because,
    }
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests;
