//! What planning costs beside the fit that it is for.

use serde::Serialize;

use super::bench::{Bench, Stage, Trouble, Watched, settle};
use super::fit::watched;
use super::report::Problem;
use super::request::Watch;
use super::runner::RunnerError;

/// Planning that takes more than this share of a fit is worth a look.
pub(super) const REMARKABLE_SHARE: f64 = 0.1;

/// The mode's result.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PlanTime {
    /// The path that the fit ran on.
    pub path: String,
    /// What planning consists of.
    pub parts: Vec<String>,
    /// The stages of the fit.
    pub stages: Vec<StagePlanning>,
    /// All stages together.
    pub whole: Option<StagePlanning>,
    /// Why some of planning does not happen here.
    pub remark: Option<String>,
    pub problem: Option<Problem>,
}

/// Planning within one stage.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct StagePlanning {
    pub label: String,
    /// Wall time of the stage, seconds.
    pub seconds: f64,
    /// In the order of the parts.
    pub parts: Vec<PartCost>,
    /// Seconds of all parts.
    pub planning: f64,
    /// `planning / seconds`.
    pub share: f64,
    /// Whether that is above a tenth, in the last stage or in the whole fit.
    pub remarkable: bool,
}

/// Calls of one part, and their seconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PartCost {
    pub calls: i64,
    pub seconds: f64,
}

/// One fit whose planning is timed.
pub(super) fn measure(
    bench: &mut Bench<'_>,
    tell: &mut dyn FnMut(&str),
) -> (PlanTime, Option<RunnerError>) {
    let loaded = bench.loaded();
    let mut result = PlanTime {
        path: loaded.fit_path().to_owned(),
        parts: loaded.planning.clone(),
        remark: loaded.unavailable(&loaded.compiled).map(str::to_owned),
        ..PlanTime::default()
    };
    let outcome = run(bench, &mut result, tell);
    let stopped = settle(outcome, &mut result.problem);
    (result, stopped)
}

fn run(
    bench: &mut Bench<'_>,
    result: &mut PlanTime,
    tell: &mut dyn FnMut(&str),
) -> Result<(), Trouble> {
    // A model that cannot be compiled is planned for as far as it goes: its fixture's fit on the
    // compiled path falls back by itself.
    let compiled = bench.loaded().compiled.clone();
    let nothing = "the fixture declares no planning";
    let fitted = watched(bench, &compiled, Watch::Planning, nothing, tell)?;
    result.whole = Some(whole(&fitted.stages));
    result.stages = fitted.stages.iter().map(of_stage).collect();
    // What comes before the last stage may be nothing but planning.
    let earlier = result.stages.len().saturating_sub(1);
    for stage in &mut result.stages[..earlier] {
        stage.remarkable = false;
    }
    Ok(())
}

fn of_stage(stage: &Stage) -> StagePlanning {
    let cost = |watched: &Watched| PartCost {
        calls: watched.calls,
        seconds: watched.seconds,
    };
    planning(
        stage.label.clone(),
        stage.seconds,
        stage.watched.iter().map(cost).collect(),
    )
}

fn whole(stages: &[Stage]) -> StagePlanning {
    let count = stages.first().map_or(0, |stage| stage.watched.len());
    let mut parts = vec![PartCost::default(); count];
    for stage in stages {
        for (part, watched) in parts.iter_mut().zip(&stage.watched) {
            part.calls += watched.calls;
            part.seconds += watched.seconds;
        }
    }
    let seconds = stages.iter().map(|stage| stage.seconds).sum();
    planning("whole fit".to_owned(), seconds, parts)
}

fn planning(label: String, seconds: f64, parts: Vec<PartCost>) -> StagePlanning {
    let planning: f64 = parts.iter().map(|part| part.seconds).sum();
    let share = if seconds > 0.0 {
        planning / seconds
    } else {
        0.0
    };
    StagePlanning {
        label,
        seconds,
        parts,
        planning,
        share,
        remarkable: share > REMARKABLE_SHARE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(label: &str, seconds: f64, parts: [(i64, f64); 2]) -> Stage {
        Stage {
            label: label.to_owned(),
            seconds,
            watched: parts
                .iter()
                .map(|(calls, seconds)| Watched {
                    label: String::new(),
                    calls: *calls,
                    seconds: *seconds,
                })
                .collect(),
        }
    }

    #[test]
    fn shares_are_of_each_stage_and_of_all() {
        let stages = [
            stage("baseline fit", 0.5, [(1, 0.25), (0, 0.0)]),
            stage("2D fit", 7.5, [(1, 0.25), (1, 0.25)]),
        ];
        let first = of_stage(&stages[0]);
        assert!((first.share - 0.5).abs() < 1e-12 && first.remarkable);
        let whole = whole(&stages);
        assert_eq!(whole.parts[0].calls, 2);
        assert!((whole.planning - 0.75).abs() < 1e-12);
        assert!((whole.share - 0.093_75).abs() < 1e-12 && !whole.remarkable);
    }

    #[test]
    fn ten_percent_is_not_yet_remarkable() {
        let just = planning(
            String::new(),
            10.0,
            vec![PartCost {
                calls: 1,
                seconds: 1.0,
            }],
        );
        assert!(!just.remarkable);
    }
}
