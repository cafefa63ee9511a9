//! The typed settings that the rest of the program sees.

mod judging;
mod running;

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{ConfigError, Origin};

pub use judging::{AcceptedRegression, Better, Limits};
pub use running::{CacheRegime, GpuSettings, LaunchMethod, SetupScope};

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
