//! What a check of `doctor` says.

use crate::commands::CommandError;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// As it should be.
    Fine,
    /// Measuring and reporting work, but something is missing or odd.
    Warning,
    /// Measuring or reporting would fail.
    Error,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) level: Level,
    pub(super) sentence: String,
    /// What to do about it; empty where all is well.
    pub(super) way_out: Vec<String>,
}

impl Finding {
    pub(super) fn fine(sentence: impl Into<String>) -> Self {
        Self {
            level: Level::Fine,
            sentence: sentence.into(),
            way_out: Vec::new(),
        }
    }

    pub(super) fn warning(sentence: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self {
            level: Level::Warning,
            sentence: sentence.into(),
            way_out: vec![way_out.into()],
        }
    }

    pub(super) fn error(sentence: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self {
            level: Level::Error,
            sentence: sentence.into(),
            way_out: vec![way_out.into()],
        }
    }

    /// What would end a measuring command; its hints are the way out.
    pub(super) fn of_error(error: &CommandError) -> Self {
        Self {
            level: Level::Error,
            sentence: error.sentence(),
            way_out: error.hints().to_vec(),
        }
    }

    /// The lines of the report: level, what was looked at, sentence, and the way out below.
    pub(super) fn lines(&self, about: &str) -> String {
        let level = match self.level {
            Level::Fine => "OK",
            Level::Warning => "warning",
            Level::Error => "error",
        };
        let mut text = format!("{level:<8}{about}: {}", indented(&self.sentence));
        for way in &self.way_out {
            text = format!("{text}\n        -> {}", indented(way));
        }
        text
    }
}

/// The further lines of a sentence stand below its first.
fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n          ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_a_line_with_the_way_out_below() {
        assert_eq!(
            Finding::fine("all is well").lines("git"),
            "OK      git: all is well"
        );
        assert_eq!(
            Finding::error("two\nlines", "do this").lines("git"),
            "error   git: two\n          lines\n        -> do this"
        );
        assert_eq!(
            Finding::warning("odd", "look").lines("disk"),
            "warning disk: odd\n        -> look"
        );
    }

    #[test]
    fn an_error_of_a_command_keeps_its_hints() {
        let error = CommandError::usage(anyhow::anyhow!("no"))
            .hint("one")
            .hint("two");
        let finding = Finding::of_error(&error);
        assert_eq!(finding.level, Level::Error);
        assert_eq!(finding.way_out, ["one", "two"]);
    }
}
