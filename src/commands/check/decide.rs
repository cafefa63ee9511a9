//! The rule of the check, from the comments that count.

use crate::commands::allow_list::not_needed_sentence;
use crate::github::{ACCEPTED, Comment, CommitStatus, Marks, State};
use crate::report::Gate;
use crate::run::short;

/// What a comment for an older commit means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Stale {
    /// The check passes with a warning.
    #[default]
    Pass,
    /// The check fails.
    Fail,
}

/// What the user asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Policy<'a> {
    pub(super) stale: Stale,
    pub(super) fail_on: &'a [Gate],
}

/// A comment with the marker where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counted {
    marks: Marks,
    url: String,
    /// When the measurement was started; for comments that do not say, when they were written.
    started: String,
}

impl Counted {
    pub(super) fn of(comment: &Comment) -> Option<Self> {
        let marks = Marks::of(comment.text())?;
        let started = match &marks.block {
            Some(block) => block.started.to_string(),
            None => comment.created_at.clone(),
        };
        Some(Self {
            marks,
            url: comment.html_url.clone(),
            started,
        })
    }
}

/// What the check says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    Current {
        url: String,
        started: String,
        verdict: Option<String>,
        /// How many regressions are accepted.
        accepted: usize,
        /// Words of `--fail-on`, of this check's or the measurement's, that the comment counts, with
        /// their numbers.
        objections: Vec<(String, usize)>,
        /// `--fail-on` was asked of a comment that counts nothing.
        unknown: bool,
    },
    Stale {
        head: String,
        behind: Option<u64>,
        url: String,
        fails: bool,
    },
    Missing,
    NotNeeded {
        files: usize,
    },
    /// A merge group that nothing is asked of.
    Note,
    /// A merge group that is measured itself, with the state of its status.
    Group {
        state: Option<String>,
    },
    /// The status of a queued pull request's head is no success.
    QueueStatus {
        state: String,
    },
}

/// Decides: any comment for the head passes, and the newest of those gives the verdict. What its
/// measurement was to fail by fails the check, too, whatever options the check has.
pub(super) fn decide(counted: &[Counted], head: &str, policy: &Policy<'_>) -> Answer {
    let newest = |matches: bool| {
        counted
            .iter()
            .filter(|comment| comment.marks.is_of(head) == matches)
            .max_by(|one, two| one.started.cmp(&two.started))
    };
    if let Some(current) = newest(true) {
        let block = current.marks.block.as_ref();
        let of_measurement = block.map_or(&[][..], |block| &block.gate);
        let mut words: Vec<&str> = policy.fail_on.iter().map(|gate| gate.word()).collect();
        for word in of_measurement {
            if !words.contains(&word.as_str()) {
                words.push(word);
            }
        }
        let objections = words
            .into_iter()
            .filter_map(|word| {
                let count = block?.count(word);
                (count > 0).then(|| (plain(word), count))
            })
            .collect();
        return Answer::Current {
            url: current.url.clone(),
            started: current.started.clone(),
            verdict: block.map(|block| block.verdict.clone()),
            accepted: block.map_or(0, |block| block.count(ACCEPTED)),
            objections,
            unknown: block.is_none() && !policy.fail_on.is_empty(),
        };
    }
    match newest(false) {
        Some(stale) => Answer::Stale {
            head: stale.marks.head.clone(),
            behind: None,
            url: stale.url.clone(),
            fails: policy.stale == Stale::Fail,
        },
        None => Answer::Missing,
    }
}

impl Answer {
    pub(super) fn state(&self) -> State {
        let passes = match self {
            Self::Current {
                objections,
                unknown,
                ..
            } => objections.is_empty() && !unknown,
            Self::Stale { fails, .. } => !fails,
            Self::NotNeeded { .. } | Self::Note => true,
            Self::Group { state } => state.as_deref() == Some(State::Success.word()),
            Self::Missing | Self::QueueStatus { .. } => false,
        };
        if passes {
            State::Success
        } else {
            State::Failure
        }
    }

    /// Whether it passes and somebody should look.
    pub(super) fn is_warning(&self) -> bool {
        matches!(self, Self::Stale { .. })
    }

    /// One sentence for people.
    pub(super) fn sentence(&self) -> String {
        let result = match self.state() {
            State::Success if self.is_warning() => "passes with a warning",
            State::Success => "passes",
            _ => "fails",
        };
        format!("benchmark-check {result}: {}.", self.description())
    }

    /// The same for the status, without the result.
    pub(super) fn description(&self) -> String {
        match self {
            Self::Current {
                objections,
                unknown,
                verdict,
                accepted,
                ..
            } => {
                if *unknown {
                    return "the comment for this commit does not say its verdicts".to_owned();
                }
                if objections.is_empty() {
                    let verdict = verdict.as_deref().map(plain);
                    return match verdict {
                        Some(verdict) => {
                            let accepted = match accepted {
                                0 => String::new(),
                                count => format!(" ({count} accepted)"),
                            };
                            format!(
                                "the comment is for this commit; worst verdict: {verdict}{accepted}"
                            )
                        }
                        None => "the comment is for this commit".to_owned(),
                    };
                }
                let counts: Vec<String> = objections
                    .iter()
                    .map(|(word, count)| format!("{count} {word}"))
                    .collect();
                format!("the comment for this commit counts {}", counts.join(", "))
            }
            Self::Stale { head, behind, .. } => {
                let head = short(head);
                let behind = match behind {
                    Some(1) => "1 commit behind".to_owned(),
                    Some(count) => format!("{count} commits behind"),
                    None => "for another commit".to_owned(),
                };
                format!("the benchmark comment is {behind} (it is for {head})")
            }
            Self::Missing => "there is no benchmark comment".to_owned(),
            Self::NotNeeded { files } => not_needed_sentence(*files),
            Self::Note => "a merge group is not measured; its pull request was checked".to_owned(),
            Self::Group { state: None } => "the merge group was not measured".to_owned(),
            Self::Group { state: Some(state) } => {
                format!("the status of the merge group is {}", plain(state))
            }
            Self::QueueStatus { state } => {
                format!("the status of the pull request's head is {}", plain(state))
            }
        }
    }

    /// What it is, for later steps of a workflow.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Current { .. } => "current",
            Self::Stale { .. } => "stale",
            Self::Missing => "missing",
            Self::NotNeeded { .. } => "not-needed",
            Self::Note => "note",
            Self::Group { .. } | Self::QueueStatus { .. } => "queue",
        }
    }

    /// Where to read more.
    pub(super) fn url(&self) -> Option<&str> {
        let (Self::Current { url, .. } | Self::Stale { url, .. }) = self else {
            return None;
        };
        (!url.is_empty()).then_some(url)
    }

    /// Whether the status that the commit has stays: a measurement wrote it, and nothing that is known
    /// is newer. A pending one is of a measurement under way; a red one is a regression, which a check
    /// with other options, or with a comment for another commit, does not make green.
    pub(super) fn yields_to(&self, known: &CommitStatus) -> bool {
        let seconds = |text: &str| Some(text.parse::<jiff::Timestamp>().ok()?.as_second());
        let is_pending = known.state == State::Pending.word();
        let is_red = known.state == State::Failure.word()
            && self.state() == State::Success
            && !is_of_a_check(known);
        match self {
            Self::Current { started, .. } => {
                let (Some(written), Some(started)) = (seconds(&known.created_at), seconds(started))
                else {
                    return false;
                };
                // A measurement writes pending before its first benchmark and red after the last.
                (is_pending && written > started) || (is_red && written >= started)
            }
            // Without a comment for this commit, what is there is all that is known of it.
            Self::Stale { .. } | Self::Missing => is_pending || is_red,
            Self::NotNeeded { .. } | Self::Note | Self::Group { .. } | Self::QueueStatus { .. } => {
                false
            }
        }
    }
}

/// How the descriptions of a check that failed begin, and none of a measurement.
const OF_A_CHECK: [&str; 5] = [
    "the comment for this commit",
    "the benchmark comment is",
    "there is no benchmark comment",
    "the merge group was",
    "the status of",
];

fn is_of_a_check(status: &CommitStatus) -> bool {
    let description = status.description.as_deref().unwrap_or_default();
    OF_A_CHECK
        .iter()
        .any(|start| description.starts_with(start))
}

/// A word from a comment, without what is no letter.
fn plain(word: &str) -> String {
    word.chars()
        .map(|c| if c == '-' { ' ' } else { c })
        .filter(|c| c.is_ascii_alphabetic() || *c == ' ')
        .take(30)
        .collect()
}

#[cfg(test)]
mod tests;
