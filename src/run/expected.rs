//! How long things took before, and so how long a run may take.

use std::collections::BTreeMap;

use crate::results::ResultSet;
use crate::suite::Selected;

use super::plan::Plan;

/// Seconds that benchmarks took in earlier runs, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Durations {
    by_name: BTreeMap<String, f64>,
}

impl Durations {
    /// Takes what `set` knows about benchmarks of which nothing newer was taken already.
    pub fn take(&mut self, set: &ResultSet) {
        for (name, result) in &set.results {
            if let Some(duration) = result.duration {
                self.by_name.entry(name.clone()).or_insert(duration);
            }
        }
    }

    /// Whether all of `names` are known.
    pub fn cover<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> bool {
        names.all(|name| self.by_name.contains_key(name))
    }

    /// Seconds that the last run of the whole benchmark took.
    pub fn of(&self, name: &str) -> Option<f64> {
        self.by_name.get(name).copied()
    }

    /// Seconds that the selected combinations may take: the share of the last run's.
    pub fn of_selected(&self, selected: &Selected) -> Option<f64> {
        let whole = self.of(selected.benchmark.name())?;
        let all = selected.benchmark.combinations();
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let share = selected.combinations.len() as f64 / all.max(1) as f64;
        Some(whole * share)
    }
}

/// A time as people say it: `8.5 s`, `42 s`, `25 min 3 s`, `2 h 10 min`.
pub fn roughly(seconds: f64) -> String {
    let whole = seconds.round();
    let (minutes, rest) = ((whole / 60.0).floor(), whole % 60.0);
    if seconds < 10.0 {
        format!("{seconds:.1} s")
    } else if whole < 60.0 {
        format!("{whole:.0} s")
    } else if minutes < 60.0 {
        format!("{minutes:.0} min {rest:.0} s")
    } else {
        format!(
            "{:.0} h {:.0} min",
            (minutes / 60.0).floor(),
            minutes % 60.0
        )
    }
}

/// The time that is left, re-estimated as jobs end.
#[derive(Debug, Clone, Default)]
pub struct Remaining {
    /// By benchmark: processes left, and the seconds of one if known.
    benchmarks: BTreeMap<String, (usize, Option<f64>)>,
    spent: f64,
    ended: usize,
}

impl Remaining {
    /// Everything is left.
    pub fn new(plan: &Plan, durations: &Durations) -> Self {
        let units = plan.groups.iter().flat_map(|group| &group.units);
        let benchmarks = units
            .flat_map(|unit| unit.members.iter().map(move |member| (unit, member)))
            .map(|(unit, member)| {
                let processes = unit.rounds * member.combinations.len();
                let name = member.benchmark.name();
                let whole = durations.of(name).map(|seconds| {
                    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
                    let all = (unit.rounds * member.benchmark.combinations()).max(1) as f64;
                    seconds / all
                });
                (name.to_owned(), (processes, whole))
            })
            .collect();
        Self {
            benchmarks,
            spent: 0.0,
            ended: 0,
        }
    }

    /// A process of this benchmark ended.
    pub fn ended(&mut self, names: &[String], seconds: f64) {
        for name in names {
            if let Some((left, _)) = self.benchmarks.get_mut(name) {
                *left = left.saturating_sub(1);
            }
        }
        self.spent += seconds;
        self.ended += 1;
    }

    /// Nothing of this benchmark is left.
    pub fn done(&mut self, name: &str) {
        self.benchmarks.remove(name);
    }

    /// Seconds left; `None` as long as nothing is known.
    pub fn seconds(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let mean = (self.ended > 0).then(|| self.spent / self.ended as f64);
        let mut total = 0.0;
        for (left, each) in self.benchmarks.values().filter(|(left, _)| *left > 0) {
            #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
            let left = *left as f64;
            total += left * each.or(mean)?;
        }
        Some(total)
    }
}

/// Seconds that all of `selected` may take, and of how many benchmarks nothing is known.
pub fn expected_seconds(selected: &[Selected], durations: &Durations) -> (f64, usize) {
    let mut total = 0.0;
    let mut unknown = 0;
    for one in selected {
        match durations.of_selected(one) {
            Some(seconds) => total += seconds,
            None => unknown += 1,
        }
    }
    (total, unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::BenchmarkResult;
    use crate::run::plan::PlanOptions;
    use crate::run::testing::{axis, selected};

    fn set(pairs: &[(&str, Option<f64>)]) -> ResultSet {
        ResultSet {
            results: pairs
                .iter()
                .map(|(name, duration)| {
                    let result = BenchmarkResult {
                        duration: *duration,
                        ..BenchmarkResult::default()
                    };
                    ((*name).to_owned(), result)
                })
                .collect(),
            ..ResultSet::default()
        }
    }

    fn durations() -> Durations {
        let mut durations = Durations::default();
        durations.take(&set(&[("a", Some(8.0)), ("b", None)]));
        durations.take(&set(&[("a", Some(99.0)), ("c", Some(3.0))]));
        durations
    }

    fn close(a: Option<f64>, b: f64) -> bool {
        a.is_some_and(|a| (a - b).abs() < 1e-9)
    }

    #[test]
    fn the_newest_duration_counts() {
        let durations = durations();
        assert!(close(durations.of("a"), 8.0));
        assert_eq!(durations.of("b"), None);
        assert!(durations.cover(["a", "c"].into_iter()));
        assert!(!durations.cover(["a", "b"].into_iter()));
    }

    #[test]
    fn a_share_of_the_combinations_takes_a_share_of_the_time() {
        let mut part = selected("a", |b| b.record.params = vec![axis(&["1", "2", "3", "4"])]);
        part.combinations = vec![2];
        let rest = [selected("b", |_| {}), selected("c", |_| {})];
        assert!(close(durations().of_selected(&part), 2.0));
        let all: Vec<Selected> = rest.into_iter().chain([part]).collect();
        let (seconds, unknown) = expected_seconds(&all, &durations());
        assert!(close(Some(seconds), 5.0));
        assert_eq!(unknown, 1);
    }

    #[test]
    fn what_is_left_is_estimated_from_history_and_from_the_run_itself() {
        let selected = [
            selected("a", |b| b.rounds = 2),
            selected("b", |_| {}),
            selected("c", |_| {}),
        ];
        let plan = Plan::new(&selected, &PlanOptions::default());
        let mut remaining = Remaining::new(&plan, &durations());
        assert_eq!(remaining.seconds(), None, "nothing is known of b");
        remaining.ended(&["a".to_owned()], 6.0);
        // a: one process of 4 s, b: as the mean of 6 s, c: 3 s.
        assert!(close(remaining.seconds(), 13.0));
        remaining.done("a");
        assert!(close(remaining.seconds(), 9.0));
    }
}
