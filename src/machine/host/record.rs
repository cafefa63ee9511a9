//! The record of a run's host.

use super::HostFacts;
use crate::json::{Json, Object};
use crate::machine::noise::noise;

/// The record of a run's host: `before`, `after`, and `during` with what can only be told from both
/// (shares of processor time; throttled microseconds; counts).
pub fn host_record(before: &HostFacts, after: &HostFacts) -> Object {
    let mut during = Object::new();
    if let (Some(first), Some(last)) = (before.ticks, after.ticks) {
        let grown = |first: u64, last: u64| last.saturating_sub(first);
        let total = grown(first.total, last.total);
        if total > 0 {
            during.insert(
                "steal".to_owned(),
                share(grown(first.steal, last.steal), total),
            );
            during.insert(
                "idle".to_owned(),
                share(grown(first.idle, last.idle), total),
            );
        }
    }
    for (key, first, last) in [
        (
            "cgroup_throttled_us",
            before.cgroup_throttled_us,
            after.cgroup_throttled_us,
        ),
        (
            "thermal_throttles",
            before.thermal_throttles,
            after.thermal_throttles,
        ),
        ("swapped_in", before.swapped_in, after.swapped_in),
    ] {
        if let (Some(first), Some(last)) = (first, last) {
            let grown = i64::try_from(last.saturating_sub(first)).unwrap_or(i64::MAX);
            during.insert(key.to_owned(), Json::Int(grown));
        }
    }
    let noise: Object = noise(before)
        .into_iter()
        .filter(|source| source.way_out.is_some())
        .map(|source| (source.about.to_owned(), source.sentence.into()))
        .collect();
    [
        ("before", before.to_object()),
        ("after", after.to_object()),
        ("during", during),
        ("noise", noise),
    ]
    .into_iter()
    .filter(|(_, facts)| !facts.is_empty())
    .map(|(key, facts)| (key.to_owned(), Json::Object(facts)))
    .collect()
}

/// The record of a run that has just begun: `before` alone.
pub fn host_at_start(before: &HostFacts) -> Object {
    let mut record = host_record(before, before);
    record.retain(|key, _| key == "before");
    record
}

/// A share of the total, to four decimals.
#[expect(
    clippy::cast_precision_loss,
    reason = "tick counts are far below 2^53, and four decimals are kept"
)]
fn share(part: u64, total: u64) -> Json {
    let share = part as f64 / total as f64;
    Json::Float((share * 1e4).round() / 1e4)
}
