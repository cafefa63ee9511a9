//! Sentences about a whole comparison.

use crate::report::{Row, Strength, Verdict};
use crate::results::{ResultSet, problem_lines};

use super::fingerprint::Fingerprint;
use super::history::History;
use super::noise::FEWEST_POINTS;

/// What a reader must know beside the rows.
pub(super) fn remarks(
    base: Option<&ResultSet>,
    head: &ResultSet,
    rows: &[Row],
    history: &History,
    fingerprint: &Fingerprint,
    forced: bool,
) -> Vec<String> {
    let mut remarks = Vec::new();
    for (set, side) in [(base, "The base"), (Some(head), "HEAD")] {
        if set.is_some_and(is_dirty) {
            remarks.push(format!("{side} was measured with uncommitted changes."));
        }
    }
    for obstacle in [&fingerprint.all, &fingerprint.timed].into_iter().flatten() {
        remarks.push(if forced {
            format!("Compared as asked, although {obstacle}.")
        } else {
            format!("Not comparable: {obstacle}.")
        });
    }
    if base.is_some() {
        remarks.extend(about_history(rows, history));
    }
    for problem in problem_lines(&history.problems) {
        remarks.push(format!("Not used for the history: {problem}."));
    }
    remarks
}

fn is_dirty(set: &ResultSet) -> bool {
    set.provenance.as_ref().is_some_and(|known| known.dirty)
}

fn about_history(rows: &[Row], history: &History) -> Option<String> {
    let weak = rows.iter().filter(|row| is_weak(row)).count();
    let without = rows.iter().filter(|row| is_undecided(row)).count();
    if weak == 0 && without == 0 {
        return None;
    }
    let earlier = match history.len() {
        0 => "There are no earlier results of this machine and environment before the base"
            .to_owned(),
        1 => {
            "There is one earlier result of this machine and environment before the base".to_owned()
        }
        count => format!(
            "There are {count} earlier results of this machine and environment before the base"
        ),
    };
    Some(format!(
        "{earlier}; from {FEWEST_POINTS} points of a benchmark on its verdict is firm. Of {} rows \
         {weak} rest on weak evidence and {without} on none.",
        rows.len()
    ))
}

fn is_weak(row: &Row) -> bool {
    row.confidence
        .is_some_and(|confidence| confidence.strength == Strength::Weak)
}

fn is_undecided(row: &Row) -> bool {
    row.verdict == Verdict::Inconclusive && row.confidence.is_none()
}
