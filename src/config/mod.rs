//! Settings: `asv.conf.json` and `[tool.lcmbench]`, resolved once into typed values.

mod asv_file;
mod asv_keys;
mod benchmark_env;
mod duration;
mod error;
mod gpu;
mod interpreter;
mod json5_text;
mod load;
mod locate;
mod nearest;
mod origin;
mod overrides;
mod resolve;
#[cfg(test)]
mod schema;
mod settings;
mod toml_accept;
mod toml_file;
mod toml_limits;
mod toml_model;
mod variables;

pub use duration::duration;
pub use error::ConfigError;
pub use interpreter::{InterpreterError, PythonCommand, find_python};
pub use load::{Loaded, Requirement, Start, load};
pub use origin::Origin;
pub use overrides::Overrides;
pub use resolve::{CheckPattern, estimator_of};
pub use settings::{
    AcceptedRegression, AsvSettings, BenchmarkLabel, Better, CacheRegime, ContinuousSettings,
    EnvironmentSettings, GpuSettings, HistorySettings, LaunchMethod, Limits, NormaliseRules,
    Origins, PairSettings, PrMode, ReportSettings, Settings, SetupScope, SiteSettings,
    StatisticLabel,
};
