//! What the command line says about settings; it wins over everything else.

use std::time::Duration;

use super::{CacheRegime, LaunchMethod, SetupScope};

/// Settings given as arguments; `None` where the argument is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `--machine`.
    pub machine: Option<String>,
    /// `--allow-fork-code-on-self-hosted-runner`; nothing else can say it.
    pub fork_code_is_allowed: bool,
    /// `--python`, or asv's `-E` in any of its forms that name an existing environment.
    pub python: Option<String>,
    /// `--launch-method`.
    pub launch: Option<LaunchMethod>,
    /// `--setup-scope`.
    pub setup_scope: Option<SetupScope>,
    /// `--share-setup`, `--no-share-setup`.
    pub share_setup: Option<bool>,
    /// `--device-sync`, `--no-device-sync`.
    pub device_sync: Option<bool>,
    /// `--gpu`.
    pub gpu: Option<String>,
    /// `--gpu-wait`.
    pub gpu_wait: Option<Duration>,
    /// `--compile-cache`.
    pub compile_cache: Option<CacheRegime>,
}
