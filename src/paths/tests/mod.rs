//! The modes against a runner without Python.

mod evaluations;
mod fits;
mod profiles;
mod reports;

use std::path::Path;
use std::time::Duration;

use super::testing::{Fake, answer, died, failed, model, without};
use super::*;

fn options(modes: Modes) -> Options {
    Options {
        modes,
        calls: Some(40),
        repetitions: 3,
        starts: 4,
        deadline: Duration::from_secs(5),
        profile: ProfileOptions {
            output: None,
            directory: std::env::temp_dir(),
            rate: 500,
            bare: false,
        },
    }
}

fn measure(fake: &mut Fake<'_>, modes: Modes) -> Report {
    measure_one(fake, 2, &options(modes), &mut |_| {}).unwrap()
}

const PER_CALL: Modes = Modes {
    per_call: true,
    fit: false,
    counts: false,
    plan_time: false,
    variability: false,
    profile: false,
};
const NOTHING: Modes = Modes {
    per_call: false,
    ..PER_CALL
};
const FIT: Modes = Modes {
    fit: true,
    ..NOTHING
};
const VARIABILITY: Modes = Modes {
    variability: true,
    ..NOTHING
};

fn per_call(report: &Report) -> &per_call::PerCall {
    match &report.examples[0].sections[0] {
        Section::PerCall(result) => result,
        other => panic!("{other:?}"),
    }
}

fn fit(report: &Report) -> &fit::FitTimes {
    match &report.examples[0].sections[0] {
        Section::Fit(result) => result,
        other => panic!("{other:?}"),
    }
}

fn variability(report: &Report) -> &variability::Variability {
    match &report.examples[0].sections[0] {
        Section::Variability(result) => result,
        other => panic!("{other:?}"),
    }
}
