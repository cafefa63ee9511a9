//! The jobs that a plan comes to.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::json::{Json, Object};
use crate::worker::{Job, JobKind};

use super::attributes::Attributes;
use super::plan::{Planned, SetupCache, Unit};

/// The job that measures one combination of `members`, which share a set-up if they are several.
/// `numbers` holds for each member the calls per sample that are already known.
pub(super) fn benchmark_job(
    unit: &Unit,
    members: &[&Planned],
    numbers: &[Option<i64>],
    combination: usize,
    attributes: &Attributes,
    cache: Option<&Path>,
) -> Job {
    let mut by_benchmark = BTreeMap::new();
    for (member, number) in members.iter().zip(numbers) {
        let mut own = Object::new();
        if let Some(number) = number {
            own.insert("number".to_owned(), Json::Int(*number));
        }
        // A shared unit has fewer rounds than its timings alone, so each must take more samples.
        if unit.members.len() > 1 && unit.rounds != member.benchmark.rounds {
            let rounds = i64::try_from(unit.rounds).unwrap_or(i64::MAX);
            own.insert("rounds".to_owned(), Json::Int(rounds));
        }
        if !own.is_empty() {
            by_benchmark.insert(member.benchmark.name().to_owned(), own);
        }
    }
    let timeouts = members.iter().map(|member| member.timeout);
    Job {
        kind: JobKind::Benchmark,
        benchmarks: members
            .iter()
            .map(|member| member.benchmark.name().to_owned())
            .collect(),
        combination: members
            .iter()
            .any(|member| member.benchmark.parameterised())
            .then_some(combination),
        attributes: attributes.for_jobs().clone(),
        attributes_by_benchmark: by_benchmark,
        cache: cache.map(ToOwned::to_owned),
        profile: false,
        timeout: Some(timeouts.clone().fold(0.0, f64::max)),
        deadline: seconds(timeouts.sum()),
        isolated: members.iter().any(|member| member.benchmark.isolated()),
    }
}

/// The job that runs a `setup_cache` into `folder`.
pub(super) fn cache_job(wanted: &SetupCache, folder: &Path) -> Job {
    Job {
        kind: JobKind::SetupCache,
        benchmarks: vec![wanted.user.clone()],
        combination: None,
        attributes: Object::new(),
        attributes_by_benchmark: BTreeMap::new(),
        cache: Some(folder.to_owned()),
        profile: false,
        timeout: Some(wanted.timeout),
        deadline: seconds(wanted.timeout),
        isolated: false,
    }
}

/// A time-out as a duration; an endless one is cut to ten years.
fn seconds(timeout: f64) -> Duration {
    const TEN_YEARS: Duration = Duration::from_hours(10 * 365 * 24);
    if timeout.is_nan() || timeout <= 0.0 {
        return Duration::ZERO;
    }
    Duration::try_from_secs_f64(timeout)
        .unwrap_or(TEN_YEARS)
        .min(TEN_YEARS)
}
