//! What can be wrong with the machine's description.

use std::path::PathBuf;

use crate::json::ParseError;
use crate::sys::files::FileError;

/// A machine that cannot be identified or described; exit code 3.
#[derive(Debug, thiserror::Error)]
pub enum MachineError {
    #[error(
        "`{name}` cannot be the name of a machine: results are filed in a folder of that name; \
         choose another with --machine, LCMBENCH_MACHINE or the key `machine`"
    )]
    Name { name: String },
    #[error("HOME is not set, so there is no place for .asv-machine.json")]
    NoHome,
    #[error("the machine file cannot be read")]
    Read(#[source] std::io::Error),
    #[error(
        "the machine file {path} is no JSON; mend it, or delete it and run `lcmbench machine --yes`"
    )]
    Broken {
        path: PathBuf,
        #[source]
        source: ParseError,
    },
    #[error(
        "the machine file {path} does not hold an object for each machine; mend it, or delete it \
         and run `lcmbench machine --yes`"
    )]
    Shape { path: PathBuf },
    #[error("the machine file {path} has version {version}; this lcmbench reads version 1")]
    Version { path: PathBuf, version: String },
    #[error("the machine file cannot be written")]
    Write(#[source] FileError),
}
