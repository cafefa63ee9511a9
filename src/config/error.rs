//! Why the configuration cannot be used.

use std::path::PathBuf;

/// A configuration that cannot be used; exit code 3.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// No configuration, and no folder where the defaults have one.
    #[error(
        "there is no asv.conf.json in {directory} and no folder `benchmarks`; \
         start in the project's folder or name the file with --config"
    )]
    Missing { directory: PathBuf },
}
