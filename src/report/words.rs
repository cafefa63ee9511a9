//! The words for verdicts, kinds and marks, the same in tables, JSON and `--fail-on`.

use super::row::{Absence, Estimator, Mark, MetricKind, Strength, Verdict};

impl Verdict {
    /// All verdicts in the order in which they are counted.
    pub const ALL: [Self; 11] = [
        Self::Slower,
        Self::Faster,
        Self::Same,
        Self::Inconclusive,
        Self::NotComparable,
        Self::Failed,
        Self::Skipped,
        Self::NotMeasured,
        Self::NotNeeded,
        Self::New,
        Self::Gone,
    ];

    /// As people read it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Same => "same",
            Self::Inconclusive => "inconclusive",
            Self::NotComparable => "not comparable",
            Self::NotMeasured => "not measured",
            Self::NotNeeded => "not needed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
            Self::New => "new",
            Self::Gone => "gone",
        }
    }

    /// As programs read it.
    pub fn key(self) -> &'static str {
        match self {
            Self::NotComparable => "not-comparable",
            Self::NotMeasured => "not-measured",
            Self::NotNeeded => "not-needed",
            _ => self.words(),
        }
    }

    /// Larger needs more attention.
    pub fn severity(self) -> u8 {
        match self {
            Self::Failed => 10,
            Self::Slower => 9,
            Self::Gone => 8,
            Self::NotComparable => 7,
            Self::Inconclusive => 6,
            Self::NotMeasured => 5,
            Self::Skipped => 4,
            Self::NotNeeded => 3,
            Self::New => 2,
            Self::Same => 1,
            Self::Faster => 0,
        }
    }
}

impl MetricKind {
    /// As people and programs read it, and as limits are configured.
    pub fn key(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::GpuMemory => "gpu-memory",
            Self::Compile => "compile",
            Self::Count => "count",
            Self::Track => "track",
        }
    }
}

impl Mark {
    /// asv's sign.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Better => "-",
            Self::Fixed => "*",
            Self::Blank => "",
            Self::Worse => "+",
            Self::Broken => "!",
            Self::Incomparable => "x",
        }
    }

    /// As programs read it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Fixed => "fixed",
            Self::Blank => "blank",
            Self::Worse => "worse",
            Self::Broken => "broken",
            Self::Incomparable => "incomparable",
        }
    }
}

impl Strength {
    pub fn key(self) -> &'static str {
        match self {
            Self::Firm => "firm",
            Self::Weak => "weak",
        }
    }
}

impl Estimator {
    pub fn key(self) -> &'static str {
        match self {
            Self::Median => "median",
            Self::Floor => "floor",
        }
    }
}

impl Absence {
    /// As people read it.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotSelected => "not selected on pull requests",
            Self::Gone => "gone from the suite",
            Self::NotRun => "not run",
        }
    }

    /// As programs read it.
    pub fn key(self) -> &'static str {
        match self {
            Self::NotSelected => "not-selected",
            Self::Gone => "gone",
            Self::NotRun => "not-run",
        }
    }
}

/// With a capital letter at the beginning.
pub(crate) fn capitalised(words: &str) -> String {
    let mut characters = words.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}
