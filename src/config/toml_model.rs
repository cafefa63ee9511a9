//! The layout of `lcmbench.toml` and of `[tool.lcmbench]` in `pyproject.toml`.
//!
//! The doc comments are the descriptions in `lcmbench.schema.json`.

mod judging;
mod texts;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use toml::Spanned;

pub(super) use judging::{TomlAccept, TomlAlert, TomlBetter, TomlEffect};
pub(super) use texts::Texts;

use super::{CacheRegime, LaunchMethod, PrMode, SetupScope};

/// Settings of lcmbench: `lcmbench.toml`, or the table `[tool.lcmbench]` in `pyproject.toml`.
#[derive(Debug, Clone, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(title = "lcmbench")]
pub(super) struct TomlSettings {
    /// Import name of the package that is measured. The suite must import it from the checkout.
    #[schemars(with = "Option<String>")]
    pub(super) package: Option<Spanned<String>>,
    /// Branch that pull requests go to. Default: the first branch that `asv.conf.json` names, else
    /// `main`.
    #[schemars(with = "Option<String>")]
    pub(super) main_branch: Option<Spanned<String>>,
    /// Name of the machine under which results are filed. Default: the host name.
    #[schemars(with = "Option<String>")]
    pub(super) machine: Option<Spanned<String>>,
    /// The Python that runs the benchmarks: a path, or a command such as
    /// `pixi run -e benchmarks python`.
    #[schemars(with = "Option<String>")]
    pub(super) python: Option<Spanned<String>>,
    /// How processes are started: `auto` forks where that is safe.
    pub(super) launch: Option<LaunchMethod>,
    /// How often `setup` runs for a timed benchmark: `auto` does as the installed `asv_runner`.
    pub(super) setup_scope: Option<SetupScope>,
    /// Measure the metrics of one class in one process after one `setup`.
    pub(super) share_setup: Option<bool>,
    /// Wait for the device inside the timed region (JAX).
    pub(super) device_sync: Option<bool>,
    /// The GPUs that benchmarks use: `auto` (those that CUDA shows, if the environment can use any),
    /// `none`, `all`, or a list such as `0,1` of numbers and UUIDs.
    #[schemars(with = "Option<String>")]
    pub(super) gpu: Option<Spanned<String>>,
    /// How long to wait for a GPU that somebody else has, such as `30m`. Default: `2h`.
    #[schemars(with = "Option<String>")]
    pub(super) gpu_wait: Option<Spanned<String>>,
    /// Where compiled programs come from: `cold` (an empty cache for each process), `warm` (a private
    /// one that an untimed run has filled) or `shared` (the user's). Default: `shared`, and `cold` for
    /// what measures compiling.
    pub(super) compile_cache: Option<CacheRegime>,
    /// The measured environment.
    pub(super) environment: TomlEnvironment,
    /// Environment variables of the benchmarks, name to value.
    #[schemars(with = "BTreeMap<String, String>")]
    pub(super) env: BTreeMap<Spanned<String>, Spanned<String>>,
    /// What is different on pull requests.
    pub(super) pr: TomlPullRequest,
    /// The repository that holds the dashboard.
    pub(super) site: TomlSite,
    /// Labels of benchmarks and statistics, in the order of the report.
    pub(super) labels: TomlLabels,
    /// Ratio of head to base from which a row is marked with an alert.
    pub(super) alert: TomlAlert,
    /// Smallest relative change that is called slower or faster.
    pub(super) effect: TomlEffect,
    /// Regressions that are wanted: shown, and no reason to fail.
    pub(super) accept: Vec<TomlAccept>,
    /// Benchmarks and units whose larger values are better.
    pub(super) better: Vec<TomlBetter>,
    /// Benchmarks that got another name, old to new: functions or methods
    /// (`time_execution`), or full names.
    #[schemars(with = "BTreeMap<String, String>")]
    pub(super) renamed: BTreeMap<Spanned<String>, Spanned<String>>,
    /// Benchmarks whose old results no longer count: a name, a class, a pattern with `*`, or
    /// several.
    #[schemars(with = "Option<Texts>")]
    pub(super) retired: Option<Spanned<Texts>>,
    /// What is made alike in results of different times.
    pub(super) normalise: TomlNormalise,
    /// Exact pairs of scenarios (`lcmbench pair`).
    pub(super) pair: TomlPair,
    /// Base against head in one sitting (`lcmbench continuous`).
    pub(super) continuous: TomlContinuous,
}

/// Exact pairs of scenarios (`lcmbench pair`). Paths are relative to a checkout.
#[derive(Debug, Clone, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(rename = "Pair")]
pub(super) struct TomlPair {
    /// Files that declare scenarios.
    #[schemars(with = "Option<Texts>")]
    pub(super) scenarios: Option<Spanned<Texts>>,
    /// Files and folders that base, head and harness must agree on, beside those of `scenarios`.
    #[schemars(with = "Option<Texts>")]
    pub(super) sources: Option<Spanned<Texts>>,
    /// Lock files that base, head and harness must agree on. Default: `pixi.lock`, `uv.lock` and
    /// the like, those that there are.
    #[schemars(with = "Option<Texts>")]
    pub(super) lock_files: Option<Spanned<Texts>>,
    /// The command that starts a side's Python; `{checkout}` is the side's folder.
    #[schemars(with = "Option<String>")]
    pub(super) python: Option<Spanned<String>>,
    /// Folders of a checkout that come first on the module path. Default: `src` and the checkout.
    #[schemars(with = "Option<Texts>")]
    pub(super) python_path: Option<Spanned<Texts>>,
}

/// Base against head in one sitting (`lcmbench continuous`).
#[derive(Debug, Clone, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(rename = "Continuous")]
pub(super) struct TomlContinuous {
    /// Command that prepares each side (build, install), run by the shell in the side's checkout;
    /// `{checkout}` is its folder and `{side}` is `base` or `head`.
    #[schemars(with = "Option<String>")]
    pub(super) setup: Option<Spanned<String>>,
    /// The command that starts a side's Python; `{checkout}` is the side's folder.
    #[schemars(with = "Option<String>")]
    pub(super) python: Option<Spanned<String>>,
    /// Folders of a checkout that come first on the module path. Default: `src` and the checkout.
    #[schemars(with = "Option<Texts>")]
    pub(super) python_path: Option<Spanned<Texts>>,
    /// Which of a process' samples stands for it: `min`, or a quantile such as `p10` or `p95`.
    #[schemars(with = "Option<String>")]
    pub(super) estimator: Option<Spanned<String>>,
}

/// What is made alike in results of different times; all of it unless it is switched off.
#[derive(Debug, Clone, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(rename = "Normalise")]
pub(super) struct TomlNormalise {
    /// Results take the present description of their machine.
    pub(super) machine: Option<bool>,
    /// A benchmark goes on under its name when its version changes.
    pub(super) versions: Option<bool>,
    /// Renamed benchmarks take their results along.
    pub(super) renames: Option<bool>,
    /// Results under an alias of the environment go to its name.
    pub(super) environments: Option<bool>,
    /// Results of retired benchmarks are left out.
    pub(super) retired: Option<bool>,
}

/// The measured environment.
#[derive(Debug, Clone, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(rename = "Environment")]
pub(super) struct TomlEnvironment {
    /// A stable name in place of asv's, which holds the interpreter's path.
    #[schemars(with = "Option<String>")]
    pub(super) name: Option<Spanned<String>>,
    /// Older names that count as the same environment.
    pub(super) aliases: Vec<String>,
}

/// What is different on pull requests.
#[derive(Debug, Clone, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(rename = "PullRequest")]
pub(super) struct TomlPullRequest {
    /// Regular expressions (Python's) of the benchmarks that run on pull requests. Default: all.
    #[schemars(with = "Option<Texts>")]
    pub(super) bench: Option<Spanned<Texts>>,
    /// Where the verdicts of a pull request come from: `stored` results of the base, or `paired`
    /// runs of base and head in one sitting. Default: `stored`.
    pub(super) mode: Option<PrMode>,
    /// Paths whose changes need no benchmark: `docs/**`, `*.md`. If nothing else changed, the check
    /// passes as "not needed". Default: none.
    #[schemars(with = "Option<Texts>")]
    pub(super) not_needed: Option<Spanned<Texts>>,
}

/// The repository that holds the dashboard.
#[derive(Debug, Clone, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(rename = "Site")]
pub(super) struct TomlSite {
    /// Where to clone it from.
    #[schemars(with = "Option<String>")]
    pub(super) repo: Option<Spanned<String>>,
    /// Branch that is published. Default: the branch that the clone has checked out.
    #[schemars(with = "Option<String>")]
    pub(super) branch: Option<Spanned<String>>,
    /// Folder of the dashboard inside it. Default: its root.
    #[schemars(with = "Option<String>")]
    pub(super) subdir: Option<Spanned<String>>,
}

/// Labels, in the order of the report.
#[derive(Debug, Clone, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(rename = "Labels")]
pub(super) struct TomlLabels {
    /// Labels of benchmarks; the first that matches counts.
    pub(super) benchmark: Vec<TomlBenchmarkLabel>,
    /// Labels of statistics; the first that matches counts.
    pub(super) statistic: Vec<TomlStatisticLabel>,
}

/// A label of benchmarks.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "BenchmarkLabel")]
pub(super) struct TomlBenchmarkLabel {
    /// A class (`AcaBaseline`), a dotted name below the suite (`bench_aca.AcaBaseline`) or a pattern
    /// with `*`; several go to one label.
    #[schemars(with = "Texts")]
    pub(super) r#match: Spanned<Texts>,
    pub(super) label: String,
}

/// A label of a statistic.
#[derive(Debug, Clone, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "StatisticLabel")]
pub(super) struct TomlStatisticLabel {
    /// Name of the method or function (`track_execution_time`), or a pattern with `*`.
    #[schemars(with = "Texts")]
    pub(super) r#match: Spanned<Texts>,
    pub(super) label: String,
    /// One line under the table that says what this statistic is.
    pub(super) explanation: Option<String>,
}
