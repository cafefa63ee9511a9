//! What makes `compare` fail when `--fail-on` asks for it.

use super::row::{Absence, Comparison, Verdict};
use super::verdict::measured_something;

/// One word of `--fail-on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// A row with this verdict.
    Verdict(Verdict),
    /// A ratio beyond its limit, whatever the verdict.
    Alert,
}

impl Gate {
    /// All words, as they are written.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Verdict::ALL.into_iter().map(Verdict::key).chain(["alert"])
    }

    /// The gate of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        if word == "alert" {
            return Some(Self::Alert);
        }
        Verdict::ALL
            .into_iter()
            .find(|verdict| verdict.key() == word)
            .map(Self::Verdict)
    }

    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Self::Verdict(verdict) => verdict.key(),
            Self::Alert => "alert",
        }
    }

    /// How much of the comparison it objects to; zero lets it pass. Benchmarks that have no row
    /// count as what they are, and an empty comparison is one thing that was not measured. An accepted
    /// regression is none.
    pub fn objections(self, comparison: &Comparison) -> usize {
        let rows = comparison
            .rows
            .iter()
            .filter(|row| match self {
                Self::Verdict(Verdict::Slower) => {
                    row.verdict == Verdict::Slower && !comparison.is_accepted(row)
                }
                Self::Verdict(verdict) => row.verdict == verdict,
                Self::Alert => row.alert.is_some() && !comparison.is_accepted(row),
            })
            .count();
        let absent = |absence: Absence| {
            comparison
                .absent
                .iter()
                .filter(|benchmark| benchmark.absence == absence)
                .count()
        };
        match self {
            Self::Verdict(Verdict::Gone) => rows + absent(Absence::Gone),
            Self::Verdict(Verdict::NotMeasured) => {
                let found = rows + absent(Absence::NotRun);
                let nothing = !measured_something(&comparison.rows);
                found.max(usize::from(nothing))
            }
            Self::Verdict(_) | Self::Alert => rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::row::{AbsentBenchmark, Alert, Row};
    use crate::report::testing::{changed, comparison, row};

    #[test]
    fn each_word_names_its_gate() {
        let words: Vec<&str> = Gate::words().collect();
        assert_eq!(words.len(), 12);
        for word in words {
            assert_eq!(Gate::of_word(word).map(Gate::word), Some(word));
        }
        assert_eq!(Gate::of_word("slow"), None);
    }

    #[test]
    fn an_alert_and_a_verdict_are_two_things() {
        let inconclusive = Row {
            alert: Some(Alert { limit: 1.1 }),
            ..changed("m.time_a", 1.0, 1.5, Verdict::Inconclusive)
        };
        let slower = changed("m.time_b", 1.0, 1.05, Verdict::Slower);
        let given = comparison(vec![inconclusive, slower, row("m.time_c")]);
        let objections = |word: &str| Gate::of_word(word).unwrap().objections(&given);
        assert_eq!(objections("alert"), 1);
        assert_eq!(objections("slower"), 1);
        assert_eq!(objections("failed"), 0);
        assert_eq!(objections("not-measured"), 0);
    }

    #[test]
    fn what_has_no_row_counts_too() {
        let mut given = comparison(vec![row("m.time_c")]);
        for (benchmark, absence) in [
            ("a", Absence::Gone),
            ("b", Absence::NotRun),
            ("c", Absence::NotSelected),
        ] {
            given.absent.push(AbsentBenchmark {
                benchmark: benchmark.into(),
                absence,
            });
        }
        let objections =
            |given: &Comparison, word: &str| Gate::of_word(word).unwrap().objections(given);
        assert_eq!(objections(&given, "gone"), 1);
        assert_eq!(objections(&given, "not-measured"), 1);
        assert_eq!(objections(&given, "not-needed"), 0);
        assert_eq!(objections(&comparison(Vec::new()), "not-measured"), 1);
        assert_eq!(objections(&comparison(Vec::new()), "slower"), 0);
    }
}
