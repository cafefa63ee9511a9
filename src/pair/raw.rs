//! The output folder: what was asked for, the raw evidence of every process, the summary.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fs_err as fs;
use serde::{Deserialize, Serialize};

use crate::gpu::void_reason;
use crate::json::{Json, Object, parse, to_pretty};
use crate::sys::files::write_atomic;

use super::answer::{Probe, ScenarioEntry};
use super::checkout::Role;
use super::error::PairError;
use super::options::PairOptions;
use super::summary::PairSummary;

const RUN: &str = "run.json";
const SUMMARY: &str = "summary.json";
const SITTINGS: &str = "sittings.json";
const PROCESS: &str = "process.json";

/// How often a pair is measured that is disturbed each time.
const ATTEMPTS: usize = 3;

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
    /// Kind, UUID and driver of the GPUs; empty where none is measured on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gpu: BTreeMap<String, String>,
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
        let json = self.process_json(scenario, repeat, side)?;
        if let Some(reason) = json.get("failed").and_then(Json::as_str) {
            let details = json.get("details").and_then(Json::as_str);
            return Some(Record::Failed {
                reason: reason.to_owned(),
                details: details.unwrap_or_default().to_owned(),
            });
        }
        json.get("answer").cloned().map(Record::Measured)
    }

    /// What was remarkable about the GPUs around one process.
    fn gpu_flags(&self, scenario: &str, repeat: usize, side: Role) -> Vec<String> {
        let json = self.process_json(scenario, repeat, side);
        let gpu = json.as_ref().and_then(|json| json.get("gpu"));
        let flags = gpu.and_then(|gpu| gpu.get("flags")?.as_array());
        flags
            .unwrap_or_default()
            .iter()
            .filter_map(Json::as_str)
            .map(str::to_owned)
            .collect()
    }

    fn process_json(&self, scenario: &str, repeat: usize, side: Role) -> Option<Json> {
        let folder = self.folder.join(Self::process(scenario, repeat, side));
        parse(&fs::read_to_string(folder.join(PROCESS)).ok()?).ok()
    }

    /// Why the pair that is there does not count for its times; `None` if it does.
    pub fn void(&self, scenario: &str, repeat: usize) -> Option<String> {
        let flags = |side| self.gpu_flags(scenario, repeat, side);
        void_reason(&flags(Role::Base), &flags(Role::Head))
    }

    /// Whether a pair need not be measured any more: it counts, or it was disturbed often enough.
    pub fn is_settled(&self, scenario: &str, repeat: usize) -> bool {
        let may_try_again = || self.set_aside(scenario, repeat).len() + 1 < ATTEMPTS;
        self.has_pair(scenario, repeat)
            && (self.void(scenario, repeat).is_none() || !may_try_again())
    }

    /// Why earlier attempts at a pair were set aside, in order.
    pub fn set_aside(&self, scenario: &str, repeat: usize) -> Vec<String> {
        let reason = |attempt| {
            let text = fs::read_to_string(self.aside(scenario, repeat, attempt)).ok()?;
            let json = parse(&text).ok()?;
            json.get("void").and_then(Json::as_str).map(str::to_owned)
        };
        (0..).map_while(reason).collect()
    }

    /// Keeps the records of a void pair beside the raw evidence, so that it can be measured again.
    pub fn put_aside(&self, scenario: &str, repeat: usize, reason: &str) -> Result<(), PairError> {
        let attempt = self.set_aside(scenario, repeat).len();
        let path = self.aside(scenario, repeat, attempt);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let side = |side| {
            self.process_json(scenario, repeat, side)
                .unwrap_or(Json::Null)
        };
        let record: Object = [
            ("void".to_owned(), reason.into()),
            (Role::Base.word().to_owned(), side(Role::Base)),
            (Role::Head.word().to_owned(), side(Role::Head)),
        ]
        .into_iter()
        .collect();
        let text = format!("{}\n", to_pretty(&record.into()));
        write_atomic(&path, text.as_bytes())?;
        for side in [Role::Base, Role::Head] {
            self.clear(scenario, repeat, side)?;
        }
        Ok(())
    }

    fn aside(&self, scenario: &str, repeat: usize, attempt: usize) -> PathBuf {
        let name = format!("{repeat:03}-{attempt}.json");
        self.folder.join("void").join(scenario).join(name)
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

    /// Adds what was seen of host and GPUs in one sitting.
    pub fn keep_sitting(&self, sitting: Object) -> Result<(), PairError> {
        let path = self.folder.join(SITTINGS);
        let before = fs::read_to_string(&path).ok();
        let mut sittings = match before.and_then(|text| parse(&text).ok()) {
            Some(Json::Array(sittings)) => sittings,
            _ => Vec::new(),
        };
        sittings.push(sitting.into());
        let text = format!("{}\n", to_pretty(&Json::Array(sittings)));
        Ok(write_atomic(&path, text.as_bytes())?)
    }

    /// Writes the summary, whole or not at all.
    pub fn save(&self, summary: &PairSummary) -> Result<PathBuf, PairError> {
        let path = self.folder.join(SUMMARY);
        let text = serde_json::to_string_pretty(summary).map_err(std::io::Error::other)?;
        write_atomic(&path, format!("{text}\n").as_bytes())?;
        Ok(path)
    }
}
