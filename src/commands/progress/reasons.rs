//! Why combinations failed, each reason once: a class whose setup raises has it for every method and
//! every combination.

use std::collections::HashMap;

use crate::results::{Failure, Value};
use crate::run::{Finished, count};

use super::line::{failure_of, one_line, parameters, plain};

/// At most so many lines of a reason are shown below the line.
const MOST_LINES: usize = 20;

/// What was shown in this run, so that nothing long is shown twice.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// What a traceback was shown for, by its text.
    tracebacks: HashMap<String, String>,
}

impl Shown {
    /// Notes that `details` are in the log already, below the line about `owner`.
    pub(super) fn note(&mut self, owner: String, details: &str) {
        if !details.is_empty() {
            self.tracebacks.entry(details.to_owned()).or_insert(owner);
        }
    }

    /// What is said below the line: each reason with the first combination that has it, how many
    /// more there are, and the end of its traceback.
    pub(super) fn reasons(&mut self, finished: &Finished) -> Vec<String> {
        let mut lines = Vec::new();
        for (first, failure, more) in distinct(finished) {
            if finished.benchmark.parameterised() {
                let name = parameters(finished, first);
                lines.push(format!("{name} failed: {}", one_line(&failure.message)));
            }
            lines.extend(self.traceback(finished.benchmark.name(), &failure.details));
            if more > 0 {
                let combinations = if more == 1 {
                    "combination"
                } else {
                    "combinations"
                };
                lines.push(format!("the same for {more} more {combinations}"));
            }
        }
        lines
    }

    /// The end of a traceback, or where it was shown.
    fn traceback(&mut self, name: &str, details: &str) -> Vec<String> {
        let lines = tail(details);
        if lines.len() < 2 {
            return lines;
        }
        match self.tracebacks.get(details) {
            // Of one benchmark: with another message it stands a few lines above.
            Some(owner) if owner == name => vec!["the traceback is the one above".to_owned()],
            Some(owner) => vec![format!("the traceback is that of {owner}")],
            None => {
                self.note(name.to_owned(), details);
                lines
            }
        }
    }
}

/// The failures of a benchmark that differ: the first combination of each, and how many more have it.
fn distinct(finished: &Finished) -> Vec<(usize, &Failure, usize)> {
    let mut found: Vec<(usize, &Failure, usize)> = Vec::new();
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    for index in &finished.combinations {
        let Some(failure) = failure_of(finished, *index) else {
            continue;
        };
        if finished.result.values.get(*index) != Some(&Value::Failed) {
            continue;
        }
        let key = (failure.message.as_str(), failure.details.as_str());
        if let Some(place) = places.get(&key) {
            found[*place].2 += 1;
        } else {
            places.insert(key, found.len());
            found.push((*index, failure, 0));
        }
    }
    found
}

/// The last lines of a reason.
fn tail(details: &str) -> Vec<String> {
    let plain = plain(details);
    let lines: Vec<&str> = plain.trim_end().lines().collect();
    let hidden = lines.len().saturating_sub(MOST_LINES);
    let mut shown = Vec::new();
    if hidden > 0 {
        shown.push(format!("… {}", count(hidden, "earlier line")));
    }
    shown.extend(lines[hidden..].iter().map(|line| (*line).to_owned()));
    shown
}

#[cfg(test)]
mod tests {
    use super::super::teller::tests::{failure, finished};
    use super::*;

    fn failing(name: &str, reasons: &[(&str, &str)]) -> Finished {
        let names: Vec<String> = (1..=reasons.len()).map(|n| n.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let cell =
            |(message, details): &(&str, &str)| (Value::Failed, Some(failure(message, details)));
        finished(name, &names, reasons.iter().map(cell).collect())
    }

    #[test]
    fn forty_combinations_have_one_reason() {
        let benchmark = failing("a.A.time_x", &[("ValueError: no", "Trace\nline"); 40]);
        let mut shown = Shown::default();
        assert_eq!(
            shown.reasons(&benchmark),
            [
                "(1) failed: ValueError: no",
                "Trace",
                "line",
                "the same for 39 more combinations"
            ]
        );
        let sister = failing("a.A.time_y", &[("ValueError: no", "Trace\nline"); 2]);
        assert_eq!(
            shown.reasons(&sister),
            [
                "(1) failed: ValueError: no",
                "the traceback is that of a.A.time_x",
                "the same for 1 more combination"
            ]
        );
    }

    #[test]
    fn reasons_that_differ_are_all_shown() {
        let reasons = [
            ("E: 1", "Trace\none"),
            ("E: 2", "Trace\ntwo"),
            ("E: 1", "Trace\none"),
            ("E: 3", "Trace\none"),
            ("E: 4", "short"),
            ("E: 5", "short"),
        ];
        assert_eq!(
            Shown::default().reasons(&failing("a", &reasons)),
            [
                "(1) failed: E: 1",
                "Trace",
                "one",
                "the same for 1 more combination",
                "(2) failed: E: 2",
                "Trace",
                "two",
                "(4) failed: E: 3",
                "the traceback is the one above",
                "(5) failed: E: 4",
                "short",
                "(6) failed: E: 5",
                "short",
            ]
        );
    }

    #[test]
    fn what_a_cache_said_is_not_said_by_all_its_users() {
        let mut shown = Shown::default();
        shown.note("setup_cache m:3".to_owned(), "Trace\nline");
        let user = finished(
            "m.time_x",
            &[],
            vec![(
                Value::Failed,
                Some(failure("setup_cache m:3 failed: E", "Trace\nline")),
            )],
        );
        assert_eq!(
            shown.reasons(&user),
            ["the traceback is that of setup_cache m:3"]
        );
    }
}
