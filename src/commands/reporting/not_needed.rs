//! The comment of a pull request whose changes need no benchmark: the decision of a list, said openly.

use jiff::Timestamp;

use crate::commands::allow_list::not_needed_sentence;
use crate::github::{ActionsContext, Block};
use crate::report::escape;
use crate::report::markdown::MARKER;
use crate::report::words::capitalised;

use super::block::digest;

/// The decision.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct NotNeeded<'a> {
    /// Full hash.
    pub(in crate::commands) head: &'a str,
    /// How many files changed.
    pub(in crate::commands) files: usize,
    /// The list.
    pub(in crate::commands) patterns: &'a [String],
}

impl NotNeeded<'_> {
    /// One sentence without its full stop.
    pub(in crate::commands) fn sentence(&self) -> String {
        not_needed_sentence(self.files)
    }

    /// What the comment says about itself.
    pub(in crate::commands) fn block(
        &self,
        key: &str,
        actions: &ActionsContext,
        now: Timestamp,
    ) -> Block {
        Block {
            key: key.to_owned(),
            head: self.head.to_owned(),
            base: None,
            run: actions.run,
            started: now,
            verdict: "not-needed".to_owned(),
            counts: vec![("not-needed".to_owned(), 1)],
            gate: Vec::new(),
            sha256: digest(&self.sentence()),
        }
    }

    /// The comment.
    pub(in crate::commands) fn comment(&self, block: &Block) -> String {
        let short: String = self.head.chars().take(8).collect();
        format!(
            "{MARKER}\n<!-- head-sha:{short} -->\n{block}\n\n{}",
            self.text()
        )
    }

    /// The decision for people, as Markdown.
    pub(in crate::commands) fn text(&self) -> String {
        let patterns: Vec<String> = self
            .patterns
            .iter()
            .map(|pattern| escape::text(pattern))
            .collect();
        format!(
            "**{}.**\n\nNothing was measured: all changed \
             files are on the project's list of paths that need no benchmark: {}\n",
            capitalised(&self.sentence()),
            patterns.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::github::Marks;

    #[test]
    fn it_is_a_comment_for_the_commit_and_its_list_is_text() {
        let head = "0123456789abcdef0123456789abcdef01234567";
        let patterns = ["docs/**".to_owned(), "@octocat/<!--".to_owned()];
        let decision = NotNeeded {
            head,
            files: 2,
            patterns: &patterns,
        };
        let block = decision.block("default", &ActionsContext::default(), Timestamp::UNIX_EPOCH);
        let body = decision.comment(&block);
        let marks = Marks::of(&body).unwrap();
        assert!(marks.is_of(head));
        assert_eq!(marks.block.unwrap().count("not-needed"), 1);
        assert!(
            body.contains("**Not needed: none of the 2 changed files"),
            "{body}"
        );
        assert!(body.contains("docs/&#42;&#42;"), "{body}");
        assert!(!body.contains("@octocat"), "{body}");
        assert_eq!(body.matches("<!--").count(), 3, "{body}");
    }
}
