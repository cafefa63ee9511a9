//! The profiled loop.

use super::interrupted_before;
use crate::paths::document::Part;
use crate::paths::profile::Profile;
use crate::paths::text;

pub(super) fn parts(result: &Profile) -> Vec<Part> {
    let mut parts = vec![Part::Heading("Profile".to_owned())];
    if let Some(problem) = &result.problem {
        parts.push(Part::strong(problem.sentence()));
    }
    if let Some(seconds) = result.seconds {
        let paused = match result.rate {
            Some(_) => ", with the profiler's pauses",
            None => "",
        };
        parts.push(Part::line(format!(
            "{} of the path {} in {}, {} a call{paused}, after {} warm-ups.",
            text::count(i64::from(result.calls), "call"),
            result.path,
            text::seconds(seconds),
            text::seconds(seconds / f64::from(result.calls.max(1))),
            result.warm_ups
        )));
    } else if result.problem.is_none() {
        parts.push(interrupted_before("the loop"));
    }
    if let (Some(output), Some(rate)) = (&result.output, result.rate) {
        let taken = match result.samples {
            Some(samples) => {
                let samples = i64::try_from(samples).unwrap_or(i64::MAX);
                format!("{} at {rate} a second", text::count(samples, "sample"))
            }
            None => format!("{rate} samples a second"),
        };
        parts.push(Part::strong(format!(
            "Flame graph, {taken}: {}",
            output.display()
        )));
    }
    parts
}
