//! Why the configuration cannot be used.

use std::path::PathBuf;

/// A configuration that cannot be used; exit code 3.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// No configuration, and no folder where the defaults have one.
    #[error(
        "there is no asv.conf.json or asv.conf.jsonc in {directory}, and no folder `benchmarks`; \
         start in the project's folder, or name the file with --config"
    )]
    Missing { directory: PathBuf },
    /// The folder of benchmarks is not there.
    #[error(
        "there is no folder {}; the key `benchmark_dir` in {place} names the folder of the \
         benchmarks, without it that is `benchmarks`",
        .folder.display()
    )]
    NoBenchmarkDir { folder: PathBuf, place: String },
    /// `--config` names a file that is not there.
    #[error(
        "the configuration file {path} does not exist; --config takes the path of an asv.conf.json"
    )]
    NotFound { path: PathBuf },
    /// `--config` names the wrong kind of file.
    #[error(
        "--config takes the path of an asv.conf.json; {path} is found by itself \
         when it lies beside that file or in a folder above it"
    )]
    WrongKind { path: PathBuf },
    /// Two files of which only one may exist.
    #[error(
        "both {first} and {second} are there; only one can count, so delete or rename the other"
    )]
    Both { first: PathBuf, second: PathBuf },
    /// A file that cannot be read; the source names it.
    #[error("the configuration cannot be read")]
    Read(#[source] std::io::Error),
    /// A file that is not in its format at all.
    #[error("{path}, line {line}, column {column}: {message}")]
    Syntax {
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// 1-based, in characters.
        column: usize,
        message: String,
    },
    /// A key or value that is not allowed.
    #[error("{path}, line {line}: {message}")]
    Key {
        path: PathBuf,
        /// 1-based.
        line: usize,
        message: String,
    },
    /// A file that lacks something as a whole.
    #[error("{path}: {message}")]
    File { path: PathBuf, message: String },
    /// An environment variable with a value that is not allowed.
    #[error("the environment variable {name} is `{value}`; it must be {expected}")]
    Variable {
        name: &'static str,
        value: String,
        expected: String,
    },
}

impl ConfigError {
    pub(super) fn read(error: std::io::Error) -> Self {
        Self::Read(error)
    }
}
