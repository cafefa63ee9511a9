//! The jobs that a plan comes to.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::json::{Json, Object};
use crate::worker::{Job, JobKind};

use super::attributes::Attributes;
use super::plan::{Planned, SetupCache, Unit};

/// The job that measures one combination of `members`, which share a set-up if they are several.
/// `known` holds what is known already of each member.
pub(super) fn benchmark_job(
    unit: &Unit,
    members: &[&Planned],
    known: &[Known],
    combination: usize,
    attributes: &Attributes,
    cache: Option<&Path>,
) -> Job {
    let mut by_benchmark = BTreeMap::new();
    let mut profiles_before = BTreeMap::new();
    for (member, known) in members.iter().zip(known) {
        let mut own = Object::new();
        if let Some(number) = known.number {
            own.insert("number".to_owned(), Json::Int(number));
        }
        if takes_more_samples(unit, member, attributes) {
            own.insert("repeat".to_owned(), one_round());
        }
        if let Some(profile) = &known.profile {
            profiles_before.insert(member.benchmark.name().to_owned(), profile.clone());
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
        environment: BTreeMap::new(),
        profile: false,
        profiles_before,
        timeout: Some(timeouts.clone().fold(0.0, f64::max)),
        deadline: seconds(timeouts.sum()),
        isolated: members.iter().any(|member| member.benchmark.isolated()),
    }
}

/// What earlier processes found out about a benchmark.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// Calls per sample.
    pub(super) number: Option<i64>,
    /// The profile of combinations before this one.
    pub(super) profile: Option<String>,
}

/// Whether a timing is in a shared unit that has one round where the suite has several: the samples
/// of all rounds must then come from the one.
fn takes_more_samples(unit: &Unit, member: &Planned, attributes: &Attributes) -> bool {
    let automatic = member.benchmark.record.raw.get("repeat") == Some(&Json::Int(0));
    unit.members.len() > 1
        && unit.rounds == 1
        && member.benchmark.rounds > 1
        && automatic
        && !attributes.for_jobs().contains_key("repeat")
}

/// What asv's `repeat = 0` means for a benchmark with one round: at most ten samples in 20 s.
fn one_round() -> Json {
    Json::Array(vec![Json::Int(1), Json::Int(10), Json::Float(20.0)])
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
        environment: BTreeMap::new(),
        profile: false,
        profiles_before: BTreeMap::new(),
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
