//! Arguments of commands that measure on GPUs.

use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::commands::setup::Overrides;
use crate::config::{CacheRegime, duration};

/// Which GPUs, and how long to wait for them.
#[derive(Debug, Clone, Default, Args)]
pub(in crate::commands) struct GpuArguments {
    /// The GPUs that the benchmarks use: `auto`, `none`, `all`, or a list such as 0,1 or GPU-3f2a of
    /// numbers (in the order of the bus; 0:2 is slice 2 of GPU 0) and UUIDs. `auto` takes those that
    /// CUDA shows, if the environment can use any.
    #[arg(long, value_name = "WHICH")]
    gpu: Option<String>,
    /// How long to wait for a GPU that somebody else has: 30m, 2h (the default).
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    gpu_wait: Option<Duration>,
    /// Probe the GPUs before and after, as `lcmbench gpu probe` does, and keep what that came to.
    #[arg(long)]
    pub(in crate::commands) probe: bool,
}

/// Where compiled programs come from.
#[derive(Debug, Clone, Default, Args)]
pub(in crate::commands) struct CacheArguments {
    /// Where compiled programs come from: `cold`, an empty cache for each process; `warm`, a private
    /// one that an untimed run has filled; `shared`, your own. Default: shared, and cold for what
    /// measures compiling.
    #[arg(long, value_enum, value_name = "REGIME")]
    compile_cache: Option<Cache>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Cache {
    Cold,
    Warm,
    Shared,
}

impl GpuArguments {
    /// Adds what they say about the settings.
    pub(in crate::commands) fn add_to(&self, overrides: &mut Overrides) {
        overrides.gpu.clone_from(&self.gpu);
        overrides.gpu_wait = self.gpu_wait;
    }
}

impl CacheArguments {
    /// Adds what they say about the settings.
    pub(in crate::commands) fn add_to(&self, overrides: &mut Overrides) {
        overrides.compile_cache = self.compile_cache.map(|cache| match cache {
            Cache::Cold => CacheRegime::Cold,
            Cache::Warm => CacheRegime::Warm,
            Cache::Shared => CacheRegime::Shared,
        });
    }
}
