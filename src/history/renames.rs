//! Which benchmarks go on under another name.

use std::collections::BTreeMap;

use super::lifetimes::{Lifetime, Lifetimes};

/// asv's prefix of timings, and that of values that a suite computes itself.
const TIME: &str = "time_";
const TRACK: &str = "track_";

/// Old names and what they are called now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renames {
    new_names: BTreeMap<String, String>,
    /// One benchmark of a class ended where another began: perhaps a new name, so people are asked.
    pub suspects: Vec<(String, String)>,
}

impl Renames {
    /// The configured renames, and every `time_x` that ended when the `track_x` of its class began.
    ///
    /// A name goes to another one only where results of that exist; else it would go out of sight.
    pub(super) fn find(lifetimes: &Lifetimes, renamed: &BTreeMap<String, String>) -> Self {
        let mut new_names = BTreeMap::new();
        for (name, lifetime) in &lifetimes.by_name {
            let configured = configured(name, renamed);
            let new = configured.clone().or_else(|| tracked(name));
            let Some(new) = new.filter(|new| new != name) else {
                continue;
            };
            let Some(later) = lifetimes.get(&new) else {
                continue;
            };
            if configured.is_some() || has_taken_over(later, *lifetime) {
                new_names.insert(name.clone(), new);
            }
        }
        let suspects = suspects(lifetimes, &new_names);
        Self {
            new_names,
            suspects,
        }
    }

    /// What the benchmark is called now, if not so.
    pub fn new_name(&self, name: &str) -> Option<&str> {
        self.new_names.get(name).map(String::as_str)
    }

    /// Old name and new name of each, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.new_names.iter();
        pairs.map(|(old, new)| (old.as_str(), new.as_str()))
    }
}

/// The configured new name: of the full name, else of the function.
fn configured(name: &str, renamed: &BTreeMap<String, String>) -> Option<String> {
    if let Some(new) = renamed.get(name) {
        return Some(new.clone());
    }
    let (group, function) = split(name);
    let new = renamed.get(function)?;
    Some(joined(group, new))
}

/// `Class.track_x` of `Class.time_x`.
fn tracked(name: &str) -> Option<String> {
    let (group, function) = split(name);
    let stem = function.strip_prefix(TIME)?;
    Some(joined(group, &format!("{TRACK}{stem}")))
}

/// Whether the later benchmark is measured where the other no longer is.
fn has_taken_over(later: Lifetime, earlier: Lifetime) -> bool {
    earlier.last < later.last && earlier.first < later.first
}

/// Pairs of a class in which exactly one benchmark ended and exactly one began after that.
fn suspects(lifetimes: &Lifetimes, known: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let mut groups: BTreeMap<&str, Vec<(&str, Lifetime)>> = BTreeMap::new();
    for (name, lifetime) in &lifetimes.by_name {
        groups
            .entry(split(name).0)
            .or_default()
            .push((name, *lifetime));
    }
    let mut suspects = Vec::new();
    for members in groups.values() {
        let newest = members.iter().map(|(_, life)| life.last).max();
        let oldest = members.iter().map(|(_, life)| life.first).min();
        let mut ended = members.iter().filter(|(_, life)| Some(life.last) < newest);
        let mut begun = members.iter().filter(|(_, life)| Some(life.first) > oldest);
        let pair = (ended.next(), ended.next(), begun.next(), begun.next());
        if let (Some((old, before)), None, Some((new, after)), None) = pair
            && before.last < after.first
            && !known.contains_key(*old)
        {
            suspects.push(((*old).to_owned(), (*new).to_owned()));
        }
    }
    suspects
}

/// Class (or module) and function.
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

fn joined(group: &str, function: &str) -> String {
    if group.is_empty() {
        function.to_owned()
    } else {
        format!("{group}.{function}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lifetimes(all: &[(&str, i64, i64)]) -> Lifetimes {
        let mut lifetimes = Lifetimes::default();
        for (name, first, last) in all {
            lifetimes.add(name, *first);
            lifetimes.add(name, *last);
        }
        lifetimes
    }

    fn pairs(all: &[(&str, i64, i64)], renamed: &[(&str, &str)]) -> Vec<(String, String)> {
        let renamed = renamed
            .iter()
            .map(|(old, new)| ((*old).to_owned(), (*new).to_owned()))
            .collect();
        let renames = Renames::find(&lifetimes(all), &renamed);
        let pairs = renames.iter();
        pairs
            .map(|(old, new)| (old.to_owned(), new.to_owned()))
            .collect()
    }

    fn pair(old: &str, new: &str) -> (String, String) {
        (old.to_owned(), new.to_owned())
    }

    #[test]
    fn a_timing_goes_on_as_the_tracked_value_of_the_same_stem() {
        let all = [
            ("b.A.time_solve", 1, 5),
            ("b.A.track_solve", 6, 9),
            ("b.B.time_solve", 1, 9),
            ("b.time_run", 1, 4),
            ("b.track_run", 4, 9),
        ];
        assert_eq!(
            pairs(&all, &[]),
            [
                pair("b.A.time_solve", "b.A.track_solve"),
                pair("b.time_run", "b.track_run")
            ]
        );
    }

    #[test]
    fn two_that_live_side_by_side_are_two() {
        let all = [("b.A.time_x", 1, 9), ("b.A.track_x", 1, 9)];
        assert_eq!(pairs(&all, &[]), []);
        let all = [("b.A.time_x", 3, 9), ("b.A.track_x", 1, 6)];
        assert_eq!(pairs(&all, &[]), []);
    }

    #[test]
    fn configured_names_count_by_function_or_in_full() {
        let all = [
            ("b.A.time_execution", 1, 5),
            ("b.A.track_execution_time", 6, 9),
            ("b.B.time_execution", 1, 9),
            ("old.C.time_y", 1, 5),
            ("new.D.time_z", 6, 9),
        ];
        let renamed = [
            ("time_execution", "track_execution_time"),
            ("old.C.time_y", "new.D.time_z"),
        ];
        assert_eq!(
            pairs(&all, &renamed),
            [
                pair("b.A.time_execution", "b.A.track_execution_time"),
                pair("old.C.time_y", "new.D.time_z")
            ]
        );
    }

    #[test]
    fn one_gone_and_one_new_in_a_class_is_a_suspicion() {
        let all = [
            ("b.A.time_a", 1, 9),
            ("b.A.time_old", 1, 4),
            ("b.A.time_new", 5, 9),
            ("b.B.time_a", 1, 9),
            ("b.B.time_old", 1, 4),
            ("b.B.time_older", 1, 3),
            ("b.B.time_new", 5, 9),
        ];
        let renames = Renames::find(&lifetimes(&all), &BTreeMap::new());
        assert_eq!(renames.suspects, [pair("b.A.time_old", "b.A.time_new")]);
        let renamed = [("time_old".to_owned(), "time_new".to_owned())].into();
        let renames = Renames::find(&lifetimes(&all), &renamed);
        assert_eq!(renames.suspects, []);
    }
}
