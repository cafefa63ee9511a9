//! Sentences about a whole comparison.

use crate::report::{Row, Strength, Verdict};
use crate::results::{Provenance, ResultSet, problem_lines};

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
    if let Some(base) = base {
        remarks.extend(about_versions(base, head));
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

/// Results whose stamp of the version was taken off count as any version.
fn about_versions(base: &ResultSet, head: &ResultSet) -> Option<String> {
    let taken_off = |set: &ResultSet, name: &str, version: Option<&String>| {
        let stamps = set.provenance.as_ref().and_then(Provenance::version_stamps);
        version.is_none() && stamps.is_some_and(|stamps| stamps.contains_key(name))
    };
    let unknown = head
        .results
        .iter()
        .filter(|(name, row)| {
            base.results.get(*name).is_some_and(|earlier| {
                taken_off(base, name, earlier.version.as_ref())
                    || taken_off(head, name, row.version.as_ref())
            })
        })
        .count();
    let benchmarks = match unknown {
        0 => return None,
        1 => "1 benchmark".to_owned(),
        count => format!("{count} benchmarks"),
    };
    Some(format!(
        "Versions of {benchmarks} could not be compared: the results were normalised, and it is \
         not known whether the benchmark itself changed."
    ))
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
