//! The output folder: what was asked for, the raw evidence of every process, the summary.

use std::path::{Path, PathBuf};

use fs_err as fs;
use serde::{Deserialize, Serialize};

use crate::json::{Json, Object, parse, to_pretty};
use crate::sys::files::write_atomic;

use super::checkout::Role;
use super::error::PairError;
use super::options::PairOptions;
use super::python::{Probe, ScenarioEntry};
use super::summary::PairSummary;

const RUN: &str = "run.json";
const SUMMARY: &str = "summary.json";
const PROCESS: &str = "process.json";

/// A folder of `lcmbench pair`.
#[derive(Debug, Clone)]
pub struct Raw {
    folder: PathBuf,
}

/// What `run.json` holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub version: u32,
    pub options: PairOptions,
    pub scenarios: Vec<ScenarioEntry>,
    pub base: Probe,
    pub head: Probe,
}

/// What one process left.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// Its answer.
    Measured(Json),
    Failed {
        reason: String,
        details: String,
    },
}

impl Raw {
    /// A new folder, made with its parents.
    pub fn create(folder: &Path, run: &Run) -> Result<Self, PairError> {
        fs::create_dir_all(folder)?;
        let raw = Self {
            folder: folder.to_owned(),
        };
        let text = serde_json::to_string_pretty(run).map_err(std::io::Error::other)?;
        write_atomic(&raw.folder.join(RUN), text.as_bytes())?;
        Ok(raw)
    }

    /// A folder that is there.
    pub fn open(folder: &Path) -> Result<(Self, Run), PairError> {
        let refused = |reason: String| PairError::NoRun {
            folder: folder.to_owned(),
            reason,
        };
        let text =
            fs::read_to_string(folder.join(RUN)).map_err(|error| refused(error.to_string()))?;
        let run =
            serde_json::from_str(&text).map_err(|error| refused(format!("{RUN}: {error}")))?;
        let raw = Self {
            folder: folder.to_owned(),
        };
        Ok((raw, run))
    }

    /// Where everything lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of one process, relative.
    pub fn process(scenario: &str, repeat: usize, side: Role) -> String {
        format!("raw/{scenario}/{repeat:03}-{}", side.word())
    }

    /// The record of one process; `None` if it has none, as when it was killed.
    pub fn record(&self, scenario: &str, repeat: usize, side: Role) -> Option<Record> {
        let path = self
            .folder
            .join(Self::process(scenario, repeat, side))
            .join(PROCESS);
        let json = parse(&fs::read_to_string(path).ok()?).ok()?;
        if let Some(reason) = json.get("failed").and_then(Json::as_str) {
            let details = json.get("details").and_then(Json::as_str);
            return Some(Record::Failed {
                reason: reason.to_owned(),
                details: details.unwrap_or_default().to_owned(),
            });
        }
        json.get("answer").cloned().map(Record::Measured)
    }

    /// Whether both processes of a pair have a record.
    pub fn has_pair(&self, scenario: &str, repeat: usize) -> bool {
        [Role::Base, Role::Head]
            .iter()
            .all(|side| self.record(scenario, repeat, *side).is_some())
    }

    /// An empty folder for a process; what lies there from an earlier attempt goes.
    pub fn clear(&self, scenario: &str, repeat: usize, side: Role) -> Result<PathBuf, PairError> {
        let folder = self.folder.join(Self::process(scenario, repeat, side));
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Writes the record of a process, whole or not at all.
    pub fn keep(&self, folder: &Path, record: &Record, about: Object) -> Result<(), PairError> {
        let mut members = about;
        match record {
            Record::Measured(answer) => {
                members.insert("answer".to_owned(), answer.clone());
            }
            Record::Failed { reason, details } => {
                members.insert("failed".to_owned(), reason.clone().into());
                members.insert("details".to_owned(), details.clone().into());
            }
        }
        let text = format!("{}\n", to_pretty(&members.into()));
        Ok(write_atomic(&folder.join(PROCESS), text.as_bytes())?)
    }

    /// Writes the summary, whole or not at all.
    pub fn save(&self, summary: &PairSummary) -> Result<PathBuf, PairError> {
        let path = self.folder.join(SUMMARY);
        let text = serde_json::to_string_pretty(summary).map_err(std::io::Error::other)?;
        write_atomic(&path, format!("{text}\n").as_bytes())?;
        Ok(path)
    }
}
