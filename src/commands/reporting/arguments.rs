//! Arguments about the comment, the same for every command that writes one.

use clap::Args;

use crate::github::{DEFAULT_KEY, Mode, is_key};

use super::baseline::BaselinePolicy;

/// What the comment is compared with, and how it is written.
#[derive(Debug, Clone, Args)]
pub(in crate::commands) struct CommentArguments {
    /// Without results of the merge base: take those of the nearest measured commit before it, or none.
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::commands) baseline: BaselinePolicy,
    /// Name of the comment; comments of several suites or machines stand beside each other.
    #[arg(long, value_name = "KEY", default_value = DEFAULT_KEY, value_parser = key)]
    pub(in crate::commands) key: String,
    /// Edit the comment, or write it anew at the end of the page.
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::commands) mode: Mode,
    /// Login that the token writes as. Default: asked of GitHub, `github-actions[bot]` for the token of a
    /// workflow.
    #[arg(long, value_name = "LOGIN")]
    pub(in crate::commands) author: Option<String>,
}

fn key(text: &str) -> Result<String, String> {
    if is_key(text) {
        Ok(text.to_owned())
    } else {
        Err("a key has 1 to 64 letters, digits and `-_./`, and no two hyphens in a row".to_owned())
    }
}
