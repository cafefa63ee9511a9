//! `summary.json`: the entry point of a run for who reviews it (`pair-summary.schema.json`).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::options::PairOptions;
use super::parity::LeafParity;

/// Version of the layout.
pub(super) const VERSION: u32 = 1;

/// A run of `lcmbench pair`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "lcmbench pair summary")]
pub struct PairSummary {
    /// Version of this layout: 1.
    pub version: u32,
    /// Version of lcmbench.
    pub lcmbench: String,
    pub state: State,
    pub options: PairOptions,
    /// As many pairs begin with base as with head.
    pub balanced: bool,
    /// Versions of Python, JAX and jaxlib of both sides.
    pub base: SideFacts,
    pub head: SideFacts,
    /// Kind, UUID and driver of the GPUs; empty where none was measured on. What was seen of them is in the
    /// record of each process and in `sittings.json`.
    pub gpu: BTreeMap<String, String>,
    pub scenarios: Vec<ScenarioSummary>,
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Finished,
    /// It goes on, was interrupted or was killed.
    Unfinished,
}

/// What is known of the interpreter of a side.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SideFacts {
    pub python: String,
    pub executable: String,
    pub jax: Option<String>,
    pub jaxlib: Option<String>,
    /// File that the measured package is imported from.
    pub package_file: Option<String>,
}

/// What became of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All pairs were measured, and nothing was found against them.
    Accepted,
    /// Something differs that must not, or evidence is missing; the reasons say what.
    Rejected,
    /// A process failed.
    Failed,
    /// Pairs are missing.
    Unfinished,
}

/// One scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioSummary {
    pub name: String,
    pub status: Status,
    /// Why it was rejected or failed; a sentence each.
    pub reasons: Vec<String>,
    /// What a reader should know and does not reject it.
    pub remarks: Vec<String>,
    /// Pairs in the order of their repeat; of those that were disturbed to the last, none.
    pub pairs: Vec<PairRatio>,
    /// Pairs that were disturbed, also those that a later attempt could measure.
    pub voids: Vec<VoidPair>,
    pub time: Option<TimeChange>,
    /// Head over base of the first call, which compiles; the geometric middle of all pairs.
    pub first_call_ratio: Option<f64>,
    pub outputs: Vec<LeafParity>,
    pub memory: MemorySummary,
    pub cores: Vec<CoreSummary>,
    pub declarations: Vec<DeclarationSummary>,
    /// Folders of the raw evidence, relative to this file.
    pub files: Vec<String>,
}

/// A pair whose times did not count at first, for reasons that are known without a look at them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VoidPair {
    pub repeat: usize,
    /// Of each disturbed attempt, in order.
    pub reasons: Vec<String>,
    /// A later attempt was undisturbed.
    pub replaced: bool,
}

/// The times of one pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PairRatio {
    pub repeat: usize,
    /// `base` or `head`: which side ran first.
    pub first: String,
    /// Shortest timed call, seconds.
    pub base_seconds: f64,
    pub head_seconds: f64,
    /// Head over base.
    pub ratio: f64,
}

/// The change of time over all pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimeChange {
    /// Head over base, by the Hodges-Lehmann estimate.
    pub ratio: f64,
    /// Bounds of the ratio at `level`; `null` with fewer than eight pairs.
    pub interval: Option<[f64; 2]>,
    pub level: f64,
    /// `slower`, `faster`, `same`, `inconclusive`, or `disturbed` where most pairs do not count.
    pub verdict: String,
    /// The anytime-valid p of "no difference".
    pub p: f64,
    /// Pairs that it would take beyond those measured, where nothing can be said.
    pub more_pairs: Option<usize>,
}

/// Memory of both sides; the largest of all processes, bytes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemorySummary {
    pub base_host_peak: Option<i64>,
    pub head_host_peak: Option<i64>,
    pub host_ratio: Option<f64>,
    /// `measured`, `not applicable` or `missing`.
    pub device: String,
    pub base_device_peak: Option<i64>,
    pub head_device_peak: Option<i64>,
    pub device_ratio: Option<f64>,
}

/// One compiled program on both sides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoreSummary {
    pub name: String,
    /// SHA-256 of the HLO text as it was compiled.
    pub base_sha256: Option<String>,
    pub head_sha256: Option<String>,
    /// Equal after metadata and names were taken out; `null` where a side lacks it.
    pub same_program: Option<bool>,
    /// The difference, relative to this file, with the lines that it adds and takes away.
    pub diff: Option<String>,
    pub lines_added: usize,
    pub lines_removed: usize,
    /// Collectives of head, opcode and number.
    pub head_collectives: Vec<(String, usize)>,
    /// Peak or temporary memory by the compiler, bytes.
    pub base_memory: Option<i64>,
    pub head_memory: Option<i64>,
}

/// The execution of one target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeclarationSummary {
    pub target: String,
    pub expected: serde_json::Value,
    /// `null` where it is absent.
    pub head: serde_json::Value,
    pub base: serde_json::Value,
    pub as_expected: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::env::Environment;

    #[test]
    fn the_schema_in_the_repository_is_current() {
        let schema = schemars::schema_for!(PairSummary);
        let text = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/pair-summary.schema.json");
        if Environment::of_process().is_set("LCMBENCH_UPDATE_SCHEMA") {
            fs_err::write(path, text).unwrap();
            return;
        }
        let stored = fs_err::read_to_string(path).unwrap_or_default();
        assert!(
            stored == text,
            "pair-summary.schema.json is not current; run `LCMBENCH_UPDATE_SCHEMA=1 cargo test schema`"
        );
    }
}
