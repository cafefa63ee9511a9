//! What HEAD was compared with, as it is handed over.

use serde::{Deserialize, Serialize};

use crate::commands::reporting::Baseline;

use super::HandoffError;
use super::document::{hash, short};

/// Commits between a baseline and the merge base.
const LONGEST_DISTANCE: usize = 1_000_000;

/// One kind of baseline.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum BaselineDocument {
    Exact {
        commit: String,
        fetched: bool,
    },
    Earlier {
        commit: String,
        distance: usize,
        merge_base: String,
        fetched: bool,
    },
    Paired {
        commit: String,
    },
    Missing {
        merge_base: String,
    },
    HeadIsMain {},
    Unknown {
        why: String,
    },
}

impl BaselineDocument {
    pub(super) fn new(known: &Baseline) -> Self {
        match known.clone() {
            Baseline::Exact { commit, fetched } => Self::Exact { commit, fetched },
            Baseline::Earlier {
                commit,
                distance,
                merge_base,
                fetched,
            } => Self::Earlier {
                commit,
                distance,
                merge_base,
                fetched,
            },
            Baseline::Paired { commit } => Self::Paired { commit },
            Baseline::Missing { merge_base } => Self::Missing { merge_base },
            Baseline::HeadIsMain => Self::HeadIsMain {},
            Baseline::Unknown { why } => Self::Unknown { why: short(&why) },
        }
    }

    /// Whether base and head were measured in pairs.
    pub(super) fn is_of_pairs(&self) -> bool {
        matches!(self, Self::Paired { .. })
    }

    /// What it says, if that can be.
    pub(super) fn checked(self) -> Result<Baseline, HandoffError> {
        Ok(match self {
            Self::Exact { commit, fetched } => Baseline::Exact {
                commit: hash(commit)?,
                fetched,
            },
            Self::Earlier {
                commit,
                distance,
                merge_base,
                fetched,
            } => {
                if distance > LONGEST_DISTANCE {
                    let what = "its baseline is too far away";
                    return Err(HandoffError::Contradiction(what));
                }
                Baseline::Earlier {
                    commit: hash(commit)?,
                    distance,
                    merge_base: hash(merge_base)?,
                    fetched,
                }
            }
            Self::Paired { commit } => Baseline::Paired {
                commit: hash(commit)?,
            },
            Self::Missing { merge_base } => Baseline::Missing {
                merge_base: hash(merge_base)?,
            },
            Self::HeadIsMain {} => Baseline::HeadIsMain,
            Self::Unknown { why } => Baseline::Unknown { why: short(&why) },
        })
    }
}

/// The commit that HEAD was compared with, in full.
pub(super) fn compared_with(baseline: &Baseline) -> Option<&str> {
    match baseline {
        Baseline::Exact { commit, .. }
        | Baseline::Earlier { commit, .. }
        | Baseline::Paired { commit } => Some(commit),
        Baseline::Missing { .. } | Baseline::HeadIsMain | Baseline::Unknown { .. } => None,
    }
}
