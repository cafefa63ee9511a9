//! What a run is asked to do; kept in `run.json`, from which it can be resumed.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::PairError;

/// Bits of floating-point numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Precision {
    #[serde(rename = "32")]
    Single,
    #[serde(rename = "64")]
    Double,
}

impl Precision {
    /// 32 or 64.
    pub fn bits(self) -> i64 {
        match self {
            Self::Single => 32,
            Self::Double => 64,
        }
    }
}

/// Where workloads run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    Cpu,
    Gpu,
}

impl Backend {
    /// `cpu` or `gpu`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

/// The compile cache of a process; each side has its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CacheState {
    /// Empty for every process.
    Cold,
    /// Filled by one process of the side before the first that counts.
    Warm,
}

/// Everything that decides what is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PairOptions {
    pub base_checkout: PathBuf,
    pub base_revision: String,
    pub head_checkout: PathBuf,
    pub head_revision: String,
    pub harness_checkout: PathBuf,
    pub harness_revision: String,
    pub precision: Precision,
    pub backend: Backend,
    pub repeats: usize,
    /// In the order of their declaration.
    pub scenarios: Vec<String>,
    /// Files of scenarios, relative to the harness checkout.
    pub scenario_files: Vec<String>,
    /// Files and folders that all three checkouts must agree on, relative to each.
    pub sources: Vec<String>,
    /// Lock files that must agree, relative to each checkout.
    pub lock_files: Vec<String>,
    /// Import name of what is measured; `None` switches the check off.
    pub package: Option<String>,
    /// Commands that start Python; `{checkout}` is the side's folder.
    pub base_python: Vec<String>,
    pub head_python: Vec<String>,
    /// Folders of a checkout that come first on the module path.
    pub python_path: Vec<String>,
    pub cache: CacheState,
    pub seed: i64,
    /// Calls that are timed in each process, at most.
    pub samples: usize,
    /// Seconds that the timed calls of one process may take.
    pub seconds: f64,
    /// Seconds that one process may take.
    pub timeout: f64,
    pub allow_different_jaxlib: bool,
}

impl PairOptions {
    /// Whether as many pairs begin with base as with head.
    pub fn balanced(&self) -> bool {
        self.repeats.is_multiple_of(2)
    }
}

/// Checks that `text` is the full hash of a commit.
pub fn full_hash(option: &'static str, text: &str) -> Result<String, PairError> {
    let digits = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    if text.len() == 40 && text.chars().all(digits) {
        return Ok(text.to_owned());
    }
    Err(PairError::NotAFullHash {
        option,
        text: text.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_forty_small_digits_are_a_hash() {
        let good = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(full_hash("--base-revision", good).unwrap(), good);
        for bad in [
            "HEAD",
            "0123456",
            "",
            &good.to_uppercase(),
            &good[..39],
            "main",
        ] {
            let error = full_hash("--base-revision", bad).unwrap_err().to_string();
            assert!(
                error.contains("--base-revision") && error.contains("40"),
                "{error}"
            );
        }
    }
}
