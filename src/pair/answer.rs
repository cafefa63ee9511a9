//! What processes of Python answer.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::Json;

use super::options::Backend;
use super::parity::Tolerance;
use super::summary::SideFacts;

/// What was found out about the interpreter of a side.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    pub python: String,
    pub executable: String,
    pub jax: Option<String>,
    pub jaxlib: Option<String>,
    pub package_file: Option<PathBuf>,
}

impl Probe {
    pub(super) fn facts(&self) -> SideFacts {
        SideFacts {
            python: self.python.clone(),
            executable: self.executable.clone(),
            jax: self.jax.clone(),
            jaxlib: self.jaxlib.clone(),
            package_file: self
                .package_file
                .as_ref()
                .map(|file| file.to_string_lossy().into_owned()),
        }
    }
}

/// What a scenario declares about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioEntry {
    pub name: String,
    pub backends: Vec<Backend>,
    pub cpu_devices: Option<u32>,
    pub expects: BTreeMap<String, serde_json::Value>,
    pub tolerance: Tolerance,
    pub forbid_collectives: bool,
}

impl ScenarioEntry {
    /// Where it runs when `asked` is asked for.
    pub fn backend(&self, asked: Backend) -> Backend {
        if self.cpu_devices.is_some() {
            Backend::Cpu
        } else {
            asked
        }
    }
}

/// The outcome of one question.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Done(Json),
    /// It cannot be done: a sentence for the user.
    Refused(String),
    /// It went wrong, with a traceback or what was printed.
    Failed {
        reason: String,
        details: String,
    },
}
