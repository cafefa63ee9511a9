//! The whole document: each example, then the summary of several.

use super::summary::summary;
use super::{counts, fit, per_call, planning, profile, variability};
use crate::paths::document::Part;
use crate::paths::report::{ExampleReport, Report, Section};

/// The report for people.
pub fn document(report: &Report) -> Vec<Part> {
    let mut parts: Vec<Part> = report.examples.iter().flat_map(example).collect();
    if report.examples.len() > 1 {
        parts.extend(summary(&report.examples));
    }
    if let Some(signal) = report.interrupted {
        parts.push(Part::strong(format!(
            "Interrupted by signal {signal}: what was done until then is above."
        )));
    }
    parts
}

fn example(example: &ExampleReport) -> Vec<Part> {
    let mut parts = vec![Part::Title(example.entry.name.clone())];
    if !example.entry.exercises.is_empty() {
        parts.push(Part::strong(format!(
            "exercises: {}",
            example.entry.exercises.join(", ")
        )));
    }
    parts.extend(example.notes.iter().map(|note| Part::line(note.clone())));
    if let Some(problem) = &example.problem {
        parts.push(Part::strong(problem.sentence()));
    }
    for section in &example.sections {
        parts.extend(match section {
            Section::PerCall(result) => per_call::parts(result),
            Section::Fit(result) => fit::parts(result),
            Section::Counts(result) => counts::parts(result),
            Section::PlanTime(result) => planning::parts(result),
            Section::Variability(result) => variability::parts(result),
            Section::Profile(result) => profile::parts(result),
        });
    }
    parts
}
