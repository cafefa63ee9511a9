//! The layout. A key that is not here is an error.

use serde::{Deserialize, Serialize};

/// A comparison. See `docs/pull-requests.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparisonDocument {
    pub(super) base: Option<SideDocument>,
    pub(super) head: SideDocument,
    pub(super) rows: Vec<RowDocument>,
    pub(super) absent: Vec<AbsentDocument>,
    pub(super) differences: Vec<DifferenceDocument>,
    pub(super) remarks: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SideDocument {
    pub(super) commit: String,
    pub(super) name: Option<String>,
    pub(super) machine: String,
    pub(super) environment: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RowDocument {
    pub(super) benchmark: String,
    pub(super) combination: usize,
    pub(super) params: Vec<(String, String)>,
    pub(super) metric: String,
    pub(super) unit: String,
    pub(super) better: String,
    pub(super) base: CellDocument,
    pub(super) head: CellDocument,
    pub(super) ratio: Option<f64>,
    pub(super) estimator: String,
    pub(super) verdict: String,
    pub(super) reason: String,
    pub(super) confidence: Option<ConfidenceDocument>,
    pub(super) alert: Option<f64>,
    pub(super) mark: String,
    pub(super) uncertain: bool,
    pub(super) flags: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum CellDocument {
    Number {
        value: serde_json::Number,
        spread: Option<f64>,
    },
    /// `nan`, `inf` or `-inf`.
    NotFinite {
        value: String,
    },
    /// What is no number, as a short text.
    Other {
        value: String,
    },
    Failed {
        reason: Option<String>,
    },
    Skipped {
        reason: Option<String>,
    },
    Missing {},
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfidenceDocument {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) level: f64,
    pub(super) resolution: f64,
    pub(super) strength: String,
    pub(super) history: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AbsentDocument {
    pub(super) benchmark: String,
    pub(super) absence: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DifferenceDocument {
    pub(super) what: String,
    pub(super) base: String,
    pub(super) head: String,
}
