//! What was measured, as values: the source of every output.

use serde::Serialize;

use super::counts::Counts;
use super::fit::FitTimes;
use super::fixture::Entry;
use super::per_call::PerCall;
use super::planning::PlanTime;
use super::profile::Profile;
use super::reply::Failure;
use super::variability::Variability;

/// Everything that one command measured.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    pub examples: Vec<ExampleReport>,
    /// The signal that ended it before its time.
    pub interrupted: Option<i32>,
}

/// One fixture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExampleReport {
    pub entry: Entry,
    /// Lines about the model.
    pub notes: Vec<String>,
    pub sections: Vec<Section>,
    /// Why it could not be measured at all.
    pub problem: Option<Problem>,
    /// Changes when the measured work does.
    pub definition: String,
}

/// What one mode brought.
#[derive(Debug, Clone, PartialEq)]
pub enum Section {
    PerCall(PerCall),
    Fit(FitTimes),
    Counts(Counts),
    PlanTime(PlanTime),
    Variability(Variability),
    Profile(Profile),
}

/// Why something has no value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Problem {
    /// It does not apply here.
    Skipped { reason: String },
    /// It went wrong.
    Failed { reason: String, details: String },
}

impl Problem {
    pub(super) fn skipped(reason: impl Into<String>) -> Self {
        Self::Skipped {
            reason: reason.into(),
        }
    }

    /// Whether it went wrong.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }

    /// `skipped: reason` or `failed: reason`.
    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Skipped { reason } => format!("skipped: {reason}"),
            Self::Failed { reason, .. } => format!("failed: {reason}"),
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self::Failed {
            reason: failure.reason,
            details: failure.details,
        }
    }
}

impl Report {
    /// Whether anything went wrong. A fit that fails from a scaled start is what the variability mode
    /// is there to find out, and no failure.
    pub fn has_failures(&self) -> bool {
        self.examples.iter().any(|example| {
            let of_starts = example.sections.iter().flat_map(failures_of_starts).count();
            let failures = example
                .problems()
                .into_iter()
                .filter(|problem| problem.is_failure());
            failures.count() > of_starts
        })
    }

    /// Every traceback or output of what went wrong, with where it happened: each once, and none that
    /// says no more than the reason.
    pub fn details(&self) -> Vec<(String, &str)> {
        let mut found = Vec::new();
        for example in &self.examples {
            for problem in example.problems() {
                if let Problem::Failed { reason, details } = problem
                    && says_more(details, reason)
                {
                    let one = (
                        format!("{}: {reason}", example.entry.name),
                        details.as_str(),
                    );
                    if !found.contains(&one) {
                        found.push(one);
                    }
                }
            }
        }
        found
    }
}

/// Whether details hold anything beside the reason.
fn says_more(details: &str, reason: &str) -> bool {
    let details = details.trim();
    !details.is_empty() && details != reason.trim()
}

/// The failures of all runs of a variability report but the reference.
fn failures_of_starts(section: &Section) -> impl Iterator<Item = &Problem> {
    let runs = match section {
        Section::Variability(result) => result.runs.as_slice(),
        _ => &[],
    };
    runs.iter()
        .filter(|run| run.run > 0)
        .filter_map(|run| run.problem.as_ref())
        .filter(|problem| problem.is_failure())
}

impl ExampleReport {
    /// All problems of the example, in the order of the report.
    pub fn problems(&self) -> Vec<&Problem> {
        let mut problems: Vec<&Problem> = self.problem.iter().collect();
        for section in &self.sections {
            match section {
                Section::PerCall(per_call) => {
                    problems.extend(&per_call.problem);
                    problems.extend(per_call.paths.iter().filter_map(|row| row.problem.as_ref()));
                }
                Section::Fit(fit) => {
                    problems.extend(&fit.problem);
                    problems.extend(fit.paths.iter().filter_map(|row| row.problem.as_ref()));
                }
                Section::Counts(counts) => problems.extend(&counts.problem),
                Section::PlanTime(plan) => problems.extend(&plan.problem),
                Section::Variability(variability) => {
                    problems.extend(&variability.problem);
                    problems.extend(
                        variability
                            .runs
                            .iter()
                            .filter_map(|run| run.problem.as_ref()),
                    );
                }
                Section::Profile(profile) => problems.extend(&profile.problem),
            }
        }
        problems
    }
}
