//! How GPUs are used: command line over environment over file over default.

use std::time::Duration;

use super::duration::duration;
use super::toml_file::TomlFile;
use super::{CacheRegime, ConfigError, GpuSettings, Overrides};

/// What the environment variables say.
pub(super) type Given = (Option<String>, Option<Duration>, Option<CacheRegime>);

/// Resolves the settings.
pub(super) fn gpu_settings(
    overrides: &Overrides,
    given: Given,
    toml: &TomlFile,
) -> Result<GpuSettings, ConfigError> {
    let file = &toml.settings;
    let (which, wait, compile_cache) = given;
    let default = GpuSettings::default();
    let from_file = toml.filled("gpu", file.gpu.as_ref())?;
    let wait_from_file = match &file.gpu_wait {
        Some(text) => Some(duration(text.get_ref()).map_err(|expected| {
            toml.wrong(
                &text.span(),
                format!("`gpu-wait` is `{}`; it must be {expected}", text.get_ref()),
            )
        })?),
        None => None,
    };
    Ok(GpuSettings {
        which: overrides
            .gpu
            .clone()
            .or(which)
            .or(from_file)
            .unwrap_or(default.which),
        wait: overrides
            .gpu_wait
            .or(wait)
            .or(wait_from_file)
            .unwrap_or(default.wait),
        compile_cache: overrides
            .compile_cache
            .or(compile_cache)
            .or(file.compile_cache),
    })
}
