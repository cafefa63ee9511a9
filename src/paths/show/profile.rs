//! The profiled loop.

use crate::paths::document::Part;
use crate::paths::profile::Profile;
use crate::paths::text;

pub(super) fn parts(result: &Profile) -> Vec<Part> {
    let mut parts = vec![Part::Heading("Profile".to_owned())];
    if let Some(problem) = &result.problem {
        parts.push(Part::strong(problem.sentence()));
    }
    if let Some(seconds) = result.seconds {
        parts.push(Part::line(format!(
            "{} of the path {} in {}, {} a call, after {} warm-ups.",
            text::count(i64::from(result.calls), "call"),
            result.path,
            text::seconds(seconds),
            text::seconds(seconds / f64::from(result.calls.max(1))),
            result.warm_ups
        )));
    }
    if let (Some(output), Some(rate)) = (&result.output, result.rate) {
        parts.push(Part::strong(format!(
            "Flame graph, {rate} samples a second: {}",
            output.display()
        )));
    }
    parts
}
