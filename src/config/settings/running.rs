//! How processes are started and set up, and how GPUs are used.

use std::time::Duration;

/// The user's choice of how to start processes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LaunchMethod {
    /// Fork where it is safe, else spawn.
    #[default]
    Auto,
    Fork,
    Spawn,
}

/// How often `setup` runs for a timed benchmark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SetupScope {
    /// As the installed `asv_runner` does it: `call` from 0.3 on, `sample` before or without one.
    #[default]
    Auto,
    Process,
    Sample,
    Call,
}

impl SetupScope {
    /// The word for it in the configuration and in what Python is told.
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Process => "process",
            Self::Sample => "sample",
            Self::Call => "call",
        }
    }
}

/// How GPUs are used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GpuSettings {
    /// `auto`, `none`, `all`, or a list of numbers and UUIDs.
    pub which: String,
    /// How long to wait for a GPU that somebody else has.
    pub wait: Duration,
    /// `None` leaves it to what is measured.
    pub compile_cache: Option<CacheRegime>,
}

impl Default for GpuSettings {
    fn default() -> Self {
        Self {
            which: "auto".to_owned(),
            wait: Duration::from_hours(2),
            compile_cache: None,
        }
    }
}

/// Where compiled programs come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CacheRegime {
    /// An empty cache for each process.
    Cold,
    /// A private cache that one untimed run has filled.
    Warm,
    /// The user's own.
    Shared,
}

impl CacheRegime {
    /// The word of the record.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Warm => "warm",
            Self::Shared => "shared",
        }
    }
}
