//! Where a setting comes from.

/// The source of a value, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Origin {
    /// An argument.
    CommandLine,
    /// An environment variable of this process.
    Environment,
    /// `lcmbench.toml`, `pyproject.toml` or `asv.conf.json`.
    File,
    /// Nobody said anything.
    #[default]
    Default,
}

impl Origin {
    /// The word that a record keeps.
    pub fn word(self) -> &'static str {
        match self {
            Self::CommandLine => "command-line",
            Self::Environment => "environment",
            Self::File => "file",
            Self::Default => "default",
        }
    }
}
