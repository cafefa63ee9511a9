//! The typed settings that the rest of the program sees.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::{ConfigError, Origin};

/// All settings, resolved: command line over environment over file over default.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Folder of the configuration file; relative paths are below it.
    pub directory: PathBuf,
    pub asv: AsvSettings,
    /// Import name of the package that is measured; `None` switches the check off.
    pub package: Option<String>,
    /// Branch that pull requests go to; `main` by default.
    pub main_branch: String,
    pub environment: EnvironmentSettings,
    pub report: ReportSettings,
    pub limits: Limits,
    pub site: SiteSettings,
    pub history: HistorySettings,
    /// Regressions that are wanted.
    pub accepted: Vec<AcceptedRegression>,
    /// `pr.not-needed`: patterns of paths whose changes need no benchmark.
    pub not_needed: Vec<String>,
    /// `pr.bench`: regular expressions of the benchmarks that run on pull requests; empty for all.
    pub pr_bench: Vec<String>,
    /// `pr.mode`.
    pub pr_mode: PrMode,
    pub pair: PairSettings,
    pub continuous: ContinuousSettings,
    /// Machine name from flag, configuration or `LCMBENCH_MACHINE`.
    pub machine: Option<String>,
    /// Command that starts the environment's Python, if one was named.
    pub python: Option<String>,
    /// Whether a fork's code may run on a runner that is not GitHub's.
    pub fork_code_is_allowed: bool,
    pub launch: LaunchMethod,
    pub setup_scope: SetupScope,
    pub share_setup: bool,
    pub device_sync: bool,
    pub gpu: GpuSettings,
    /// Environment variables of the benchmarks beyond those of this process. One that this process has
    /// too is here with the process's value, so that it is recorded.
    pub benchmark_env: BTreeMap<String, String>,
    pub origins: Origins,
}

/// Who said what the settings hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    pub machine: Origin,
    pub python: Origin,
    /// By name, for every variable of `benchmark_env`.
    pub benchmark_env: BTreeMap<String, Origin>,
}

impl Settings {
    /// A folder in the repository that is measured: the one that `repo` names if that is a folder
    /// here, else the configuration's own.
    pub fn repository_folder(&self) -> PathBuf {
        let named = self
            .asv
            .repo
            .as_deref()
            .map(|repo| self.directory.join(repo));
        named
            .filter(|folder| folder.is_dir())
            .unwrap_or_else(|| self.directory.clone())
    }
}

impl Settings {
    /// The clone of the site repository that `publish` keeps.
    pub fn site_clone(&self) -> PathBuf {
        self.directory.join(".benchmark-site")
    }

    /// An error that names the key and its file where the folder of benchmarks does not exist.
    pub fn require_benchmark_dir(&self) -> Result<(), ConfigError> {
        let folder = &self.asv.benchmark_dir;
        if folder.is_dir() {
            return Ok(());
        }
        Err(ConfigError::NoBenchmarkDir {
            folder: folder.clone(),
            place: match &self.asv.file {
                Some(file) => file.display().to_string(),
                None => format!("an asv.conf.json in {}", self.directory.display()),
            },
        })
    }
}

/// What this version takes from `asv.conf.json`. All paths are absolute.
#[derive(Debug, Clone, Default)]
pub struct AsvSettings {
    /// The `asv.conf.json`, if there is one.
    pub file: Option<PathBuf>,
    pub project: String,
    pub project_url: String,
    pub repo: Option<String>,
    pub branches: Vec<Option<String>>,
    pub benchmark_dir: PathBuf,
    pub results_dir: PathBuf,
    pub html_dir: PathBuf,
    pub env_dir: PathBuf,
    pub show_commit_url: String,
    pub hash_length: usize,
    /// Seconds.
    pub default_benchmark_timeout: f64,
}

/// The measured environment.
#[derive(Debug, Clone, Default)]
pub struct EnvironmentSettings {
    /// A stable name instead of asv's path-bound one.
    pub name: Option<String>,
    /// Older names that count as the same environment.
    pub aliases: Vec<String>,
}

/// How results are shown.
#[derive(Debug, Clone, Default)]
pub struct ReportSettings {
    /// In the configured order; the first whose pattern matches wins.
    pub benchmarks: Vec<BenchmarkLabel>,
    /// In the configured order.
    pub statistics: Vec<StatisticLabel>,
}

/// A group of benchmarks and its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchmarkLabel {
    /// A class (`AcaBaseline`), a dotted name below the suite (`bench_aca.AcaBaseline`) or a
    /// pattern with `*`; many may go to one label.
    pub matches: Vec<String>,
    pub label: String,
}

/// A statistic (a method or function) and its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatisticLabel {
    /// Name of the method or function (`track_execution_time`), or a pattern with `*`.
    pub matches: Vec<String>,
    pub label: String,
    /// One line shown under the table.
    pub explanation: Option<String>,
}

/// Which direction is an improvement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    #[default]
    Lower,
    Higher,
}

/// Limits and directions.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Alert ratio when nothing more special applies; 1.10 by default.
    pub alert: f64,
    /// By metric kind (`time`, `memory`, `gpu-memory`, `compile`, `count`, `track`).
    pub alert_by_kind: BTreeMap<String, f64>,
    /// By benchmark pattern, in the order of the file; the first match wins.
    pub alert_by_benchmark: Vec<(String, f64)>,
    /// Smallest relative change that is called slower or faster; 0.02 by default.
    pub minimum_effect: f64,
    /// By benchmark pattern, in the order of the file; the first match wins.
    pub minimum_effect_by_benchmark: Vec<(String, f64)>,
    /// By benchmark pattern, in the order of the file; the first match wins over the unit.
    pub better_by_benchmark: Vec<(String, Better)>,
    /// By unit of a `track_` benchmark.
    pub better_by_unit: BTreeMap<String, Better>,
}

/// `[[accept]]`: a regression that is wanted, up to a limit and until a day.
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedRegression {
    /// Patterns of benchmarks.
    pub benchmarks: Vec<String>,
    /// The parameters' values in order, `*` for any; `None` for all combinations.
    pub params: Option<Vec<String>>,
    /// Relative change that is still accepted: 0.15 for 15 %.
    pub up_to: f64,
    /// Why it is wanted.
    pub reason: String,
    /// The last day on which it is, in UTC.
    pub expires: jiff::civil::Date,
}

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

/// Where the verdicts of a pull request come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PrMode {
    /// Results of the base that were stored before.
    #[default]
    Stored,
    /// Base and head, measured in pairs in one sitting.
    Paired,
}

/// Exact pairs of scenarios; paths are relative to a checkout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairSettings {
    pub scenarios: Vec<String>,
    pub sources: Vec<String>,
    /// Empty for the usual ones.
    pub lock_files: Vec<String>,
    pub python: Option<String>,
    /// Empty for `src` and the checkout.
    pub python_path: Vec<String>,
}

/// Base against head in one sitting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContinuousSettings {
    pub setup: Option<String>,
    pub python: Option<String>,
    /// Empty for `src` and the checkout.
    pub python_path: Vec<String>,
    /// `min`, or a quantile such as `p10`.
    pub estimator: Option<String>,
}

/// Where the dashboard lives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteSettings {
    pub repo: Option<String>,
    pub branch: Option<String>,
    pub subdir: Option<String>,
}

/// How results of different times become one history.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistorySettings {
    /// Old names of benchmarks and the present ones: functions or methods, or full names.
    pub renamed: BTreeMap<String, String>,
    /// Patterns of benchmarks whose results no longer count.
    pub retired: Vec<String>,
    pub rules: NormaliseRules,
}

/// What is made alike in results of different times; all of it by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NormaliseRules {
    /// Results take the present description of their machine, memory in whole gigabytes.
    pub machine: bool,
    /// Stamps of versions are taken off, so that a benchmark goes on when its version changes.
    pub versions: bool,
    /// Renamed benchmarks take their results along.
    pub renames: bool,
    /// Results under an alias of the environment go to its name.
    pub environments: bool,
    /// Results of retired benchmarks are left out.
    pub retired: bool,
}

impl NormaliseRules {
    /// Nothing is made alike.
    pub const NONE: Self = Self {
        machine: false,
        versions: false,
        renames: false,
        environments: false,
        retired: false,
    };
}

impl Default for NormaliseRules {
    fn default() -> Self {
        Self {
            machine: true,
            versions: true,
            renames: true,
            environments: true,
            retired: true,
        }
    }
}
