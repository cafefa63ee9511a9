//! The tables that say how changes are judged.

use schemars::JsonSchema;
use toml::Spanned;

use super::Texts;
use crate::config::Better;

/// Ratios from which a row is marked: 1.1 is ten per cent.
#[derive(Debug, Clone, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(rename = "Alert")]
pub(in crate::config) struct TomlAlert {
    /// When nothing more special applies. Default: 1.1.
    #[schemars(with = "Option<f64>", range(min = 1.0))]
    pub(in crate::config) default: Option<Spanned<f64>>,
    /// Timings.
    #[schemars(with = "Option<f64>", range(min = 1.0))]
    pub(in crate::config) time: Option<Spanned<f64>>,
    /// Memory of the process.
    #[schemars(with = "Option<f64>", range(min = 1.0))]
    pub(in crate::config) memory: Option<Spanned<f64>>,
    /// Memory of the GPU.
    #[schemars(with = "Option<f64>", range(min = 1.0))]
    pub(in crate::config) gpu_memory: Option<Spanned<f64>>,
    /// Time to compile.
    #[schemars(with = "Option<f64>", range(min = 1.0))]
    pub(in crate::config) compile: Option<Spanned<f64>>,
    /// Counts.
    #[schemars(with = "Option<f64>", range(min = 1.0))]
    pub(in crate::config) count: Option<Spanned<f64>>,
    /// All other tracked values.
    #[schemars(with = "Option<f64>", range(min = 1.0))]
    pub(in crate::config) track: Option<Spanned<f64>>,
    /// For single benchmarks; the first that matches counts, before all of the above.
    pub(in crate::config) benchmark: Vec<TomlBenchmarkAlert>,
}

/// The alert ratio of single benchmarks.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "BenchmarkAlert")]
pub(in crate::config) struct TomlBenchmarkAlert {
    /// A benchmark's name, or a pattern with `*`; or several.
    #[schemars(with = "Texts")]
    pub(in crate::config) r#match: Spanned<Texts>,
    #[schemars(with = "f64", range(min = 1.0))]
    pub(in crate::config) ratio: Spanned<f64>,
}

/// Smallest relative change that is called slower or faster: 0.02 is two per cent.
#[derive(Debug, Clone, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(rename = "Effect")]
pub(in crate::config) struct TomlEffect {
    /// When nothing more special applies. Default: 0.02.
    #[schemars(with = "Option<f64>", range(min = 0.0))]
    pub(in crate::config) minimum: Option<Spanned<f64>>,
    /// For single benchmarks; the first that matches counts.
    pub(in crate::config) benchmark: Vec<TomlBenchmarkEffect>,
}

/// The smallest change of single benchmarks.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "BenchmarkEffect")]
pub(in crate::config) struct TomlBenchmarkEffect {
    /// A benchmark's name, or a pattern with `*`; or several.
    #[schemars(with = "Texts")]
    pub(in crate::config) r#match: Spanned<Texts>,
    #[schemars(with = "f64", range(min = 0.0))]
    pub(in crate::config) minimum: Spanned<f64>,
}

/// A regression that is wanted.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Accept")]
pub(in crate::config) struct TomlAccept {
    /// A benchmark's name, or a pattern with `*`; or several.
    #[schemars(with = "Texts")]
    pub(in crate::config) benchmark: Spanned<Texts>,
    /// The parameters' values in order, as reports show them; `*` is any. Default: all combinations.
    #[schemars(with = "Option<Texts>")]
    pub(in crate::config) params: Option<Spanned<Texts>>,
    /// Per cent up to which it is accepted.
    #[schemars(with = "f64", range(min = 0.0))]
    pub(in crate::config) up_to: Spanned<f64>,
    /// Why it is wanted, for the reader of the report.
    #[schemars(with = "String")]
    pub(in crate::config) reason: Spanned<String>,
    /// The last day on which it is accepted, in UTC: `2027-01-31`.
    #[schemars(with = "String", extend("format" = "date"))]
    pub(in crate::config) expires: Spanned<toml::Value>,
}

/// Which direction is an improvement, for benchmarks or for a unit; exactly one of `match` and `unit`.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Direction")]
pub(in crate::config) struct TomlBetter {
    /// A benchmark's name, or a pattern with `*`; or several.
    #[schemars(with = "Option<Texts>")]
    pub(in crate::config) r#match: Option<Spanned<Texts>>,
    /// The unit of `track_` benchmarks, or several.
    #[schemars(with = "Option<Texts>")]
    pub(in crate::config) unit: Option<Spanned<Texts>>,
    #[schemars(with = "Better")]
    pub(in crate::config) direction: Spanned<Better>,
}
