//! Settings: `asv.conf.json` and `[tool.lcmbench]`, resolved once into typed values.

mod settings;

pub use settings::{
    AsvSettings, BenchmarkLabel, Better, EnvironmentSettings, LaunchMethod, Limits, ReportSettings,
    Settings, SetupScope, SiteSettings, StatisticLabel,
};
