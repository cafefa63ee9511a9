//! What a merge queue's group is judged by.

/// The policies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Queue {
    /// By its pull request: the status of that one's head, and its comment.
    #[default]
    Reuse,
    /// By itself: `lcmbench pr` has measured it and written its status.
    Measure,
    /// By nothing: it passes, and that is said.
    Note,
}
