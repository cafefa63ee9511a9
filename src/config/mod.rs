//! Settings: `asv.conf.json` and `[tool.lcmbench]`, resolved once into typed values.

mod error;
mod load;
mod overrides;
mod settings;

pub use error::ConfigError;
pub use load::{Loaded, Requirement, load};
pub use overrides::Overrides;
pub use settings::{
    AsvSettings, BenchmarkLabel, Better, EnvironmentSettings, LaunchMethod, Limits, ReportSettings,
    Settings, SetupScope, SiteSettings, StatisticLabel,
};
