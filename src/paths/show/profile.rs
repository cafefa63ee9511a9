//! The profiled loops: of a fixture's compiled path, and of a suite's benchmark.

use std::path::Path;

use super::interrupted_before;
use crate::paths::document::Part;
use crate::paths::profile::Profile;
use crate::paths::report::Problem;
use crate::paths::suite_profile::SuiteProfile;
use crate::paths::text;

pub(super) fn parts(result: &Profile) -> Vec<Part> {
    let mut parts = vec![Part::Heading("Profile".to_owned())];
    parts.extend(
        Looped {
            problem: result.problem.as_ref().map(Problem::sentence),
            what: format!(" of the path {}", result.path),
            calls: i64::from(result.calls),
            seconds: result.seconds,
            warm_ups: i64::from(result.warm_ups),
            rate: result.rate,
            samples: result.samples,
            output: result.output.as_deref(),
        }
        .parts(),
    );
    parts
}

/// What came of a benchmark of a suite, for people.
pub fn suite_profile(result: &SuiteProfile) -> Vec<Part> {
    let mut parts = vec![Part::Title(result.benchmark.clone())];
    parts.extend(
        Looped {
            problem: result.problem.as_ref().map(Problem::sentence),
            what: String::new(),
            calls: result.calls,
            seconds: result.seconds,
            warm_ups: result.warm_ups,
            rate: result.rate,
            samples: result.samples,
            output: result.output.as_deref(),
        }
        .parts(),
    );
    parts
}

/// A loop, with or without a profiler.
struct Looped<'a> {
    problem: Option<String>,
    /// What was called.
    what: String,
    calls: i64,
    seconds: Option<f64>,
    warm_ups: i64,
    rate: Option<u32>,
    samples: Option<u64>,
    output: Option<&'a Path>,
}

impl Looped<'_> {
    fn parts(&self) -> Vec<Part> {
        let mut parts: Vec<Part> = self.problem.iter().map(Part::strong).collect();
        match self.seconds {
            Some(seconds) => parts.push(Part::line(self.calls_in(seconds))),
            None if self.problem.is_none() => parts.push(interrupted_before("the loop")),
            None => {}
        }
        parts.extend(self.graph().map(Part::strong));
        parts
    }

    fn calls_in(&self, seconds: f64) -> String {
        let pauses = if self.rate.is_some() {
            ", with the profiler's pauses"
        } else {
            ""
        };
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let each = seconds / self.calls.max(1) as f64;
        format!(
            "{}{} in {}, {} a call{pauses}, after {}.",
            text::count(self.calls, "call"),
            self.what,
            text::seconds(seconds),
            text::seconds(each),
            text::count(self.warm_ups, "warm-up")
        )
    }

    fn graph(&self) -> Option<String> {
        let (output, rate) = (self.output?, self.rate?);
        let taken = match self.samples {
            Some(samples) => {
                let samples = i64::try_from(samples).unwrap_or(i64::MAX);
                format!("{} at {rate} a second", text::count(samples, "sample"))
            }
            None => format!("{rate} samples a second"),
        };
        Some(format!("Flame graph, {taken}: {}", output.display()))
    }
}
