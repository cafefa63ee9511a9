//! The report for programs: strict JSON, described in `docs/paths.md`.

use serde::{Serialize, Serializer};

use super::fixture::Entry;
use super::report::{ExampleReport, Problem, Report, Section};
use crate::report::json::{FORMAT, print};

/// The report.
pub fn report_json(report: &Report) -> String {
    print(&Document {
        format: FORMAT,
        kind: "paths",
        interrupted: report.interrupted,
        examples: report.examples.iter().map(ExampleDocument::from).collect(),
    })
}

/// The list of fixtures.
pub fn listing_json(entries: &[Entry]) -> String {
    print(&ListDocument {
        format: FORMAT,
        kind: "paths-list",
        examples: entries,
    })
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    format: u32,
    kind: &'static str,
    interrupted: Option<i32>,
    examples: Vec<ExampleDocument<'a>>,
}

#[derive(Debug, Serialize)]
struct ListDocument<'a> {
    format: u32,
    kind: &'static str,
    examples: &'a [Entry],
}

#[derive(Debug, Serialize)]
struct ExampleDocument<'a> {
    number: i64,
    name: &'a str,
    exercises: &'a [String],
    notes: &'a [String],
    problem: Option<&'a Problem>,
    results: Vec<&'a Section>,
}

impl<'a> From<&'a ExampleReport> for ExampleDocument<'a> {
    fn from(example: &'a ExampleReport) -> Self {
        Self {
            number: example.entry.number,
            name: &example.entry.name,
            exercises: &example.entry.exercises,
            notes: &example.notes,
            problem: example.problem.as_ref(),
            results: example.sections.iter().collect(),
        }
    }
}

impl Serialize for Section {
    /// The result of a mode under a key `mode`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::PerCall(result) => moded("per-call", result, serializer),
            Self::Fit(result) => moded("fit", result, serializer),
            Self::Counts(result) => moded("nfev", result, serializer),
            Self::PlanTime(result) => moded("plan-time", result, serializer),
            Self::Variability(result) => moded("par-variability", result, serializer),
            Self::Profile(result) => moded("profile", result, serializer),
        }
    }
}

fn moded<T: Serialize, S: Serializer>(
    mode: &'static str,
    result: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Moded<'a, T> {
        mode: &'static str,
        #[serde(flatten)]
        result: &'a T,
    }
    Moded { mode, result }.serialize(serializer)
}
