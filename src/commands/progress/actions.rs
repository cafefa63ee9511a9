//! A step of GitHub Actions: what a benchmark printed goes into a folded group of its own.
//!
//! Lines that begin with `::` are commands to the runner, and what suites print is not ours: between
//! `::stop-commands::<word>` and `::<word>::` the runner takes no commands, and nobody can guess the
//! word.

use std::hash::{BuildHasher, Hasher, RandomState};

use crate::run::{Reporter, RunEvent};
use crate::sys::workflow_command::{escape_message, harmless};

use super::log::Note;
use super::teller::Teller;

/// Writes lines, and groups for what was printed.
pub(super) struct ActionsReporter {
    teller: Teller,
    note: Note,
    word: String,
}

impl ActionsReporter {
    pub(super) fn new(teller: Teller, note: Note, word: String) -> Self {
        Self { teller, note, word }
    }
}

impl Reporter for ActionsReporter {
    fn report(&mut self, event: &RunEvent<'_>) {
        let told = self.teller.tell(event);
        let mut lines = told.lines(true).into_iter();
        let Some(title) = lines.next() else {
            return;
        };
        let rest: Vec<String> = lines.collect();
        if rest.is_empty() {
            (self.note)(&harmless(&title));
            return;
        }
        let title = harmless(&title);
        (self.note)(&format!("::group::{}", escape_message(&title)));
        (self.note)(&format!("::stop-commands::{}", self.word));
        for line in rest {
            // No command any more; but the page of the log shows `##[error]` as one.
            (self.note)(&harmless(&line));
        }
        (self.note)(&format!("::{}::", self.word));
        (self.note)("::endgroup::");
    }
}

/// A word that suites cannot know.
pub(super) fn random_word() -> String {
    let word = || RandomState::new().build_hasher().finish();
    format!("lcmbench-{:016x}{:016x}", word(), word())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::super::teller::tests::{failure, finished};
    use super::*;
    use crate::json::Json;
    use crate::results::Value;
    use crate::run::Finished;

    fn written(finished: &Finished) -> Vec<String> {
        let lines = Rc::new(RefCell::new(Vec::new()));
        let sink = Rc::clone(&lines);
        let note: Note = Box::new(move |line: &str| sink.borrow_mut().push(line.to_owned()));
        let mut reporter = ActionsReporter::new(Teller::new(false), note, "word".to_owned());
        reporter.report(&RunEvent::BenchmarkFinished(finished));
        lines.take()
    }

    #[test]
    fn output_is_folded_and_its_commands_are_dead() {
        let mut benchmark = finished("a", &[], vec![(Value::Number(Json::Int(1)), None)]);
        benchmark.output = "::error::mine\n".to_owned();
        assert_eq!(
            written(&benchmark),
            [
                "::group::[1/0] a  1.00s",
                "::stop-commands::word",
                "    | ::error::mine",
                "::word::",
                "::endgroup::"
            ]
        );
    }

    #[test]
    fn a_name_is_one_line_and_no_command() {
        let name = "a\n::error::x ##[error]y\u{1b}[31m";
        let mut benchmark = finished(name, &[], vec![(Value::Number(Json::Int(1)), None)]);
        benchmark.output = "text\n".to_owned();
        let title = written(&benchmark).remove(0);
        assert!(
            title.starts_with("::group::[1/0] a ::error::x # #[error]y"),
            "{title}"
        );
        assert!(
            !title.contains('\u{1b}') && !title.contains("%0A"),
            "{title}"
        );
    }

    #[test]
    fn without_output_there_is_a_plain_line() {
        let benchmark = finished(
            "a",
            &[],
            vec![(Value::Failed, Some(failure("E: ##[error]no 100 %", "")))],
        );
        assert_eq!(
            written(&benchmark),
            ["[1/0] a  failed: E: # #[error]no 100 %"]
        );
        assert_ne!(random_word(), random_word());
    }
}
