//! Each suite of `tests/suites`, and the example, with the new and the old runner.

use std::path::Path;

use crate::common::python::Venv;
use crate::common::{Project, VENV, VENV_02, oracle};

use super::both::Both;

/// Runs both tools on a suite, one call a benchmark, and compares everything that they wrote.
fn agree(venv: Venv, theme: &str, asv_code: i32, our_code: i32) {
    let Some(venv) = oracle(venv) else { return };
    quick(&Both::suite(&venv, theme), asv_code, our_code);
}

fn quick(both: &Both, asv_code: i32, our_code: i32) {
    let _asv = both.asv_run(["--quick"], asv_code);
    let asv = both.put_aside("asv");
    let _ours = both.lcmbench_run(["--quick"], our_code);
    both.assert_same_results(&asv);
}

fn example(venv: &Path) -> Both {
    let project = Project::new();
    project.copy("examples/savings", "");
    Both::of(venv, project)
}

macro_rules! suites {
    ($($theme:ident: $asv_code:literal, $our_code:literal;)*) => {$(
        mod $theme {
            #[test]
            fn with_the_new_runner() {
                super::agree(super::VENV, stringify!($theme), $asv_code, $our_code);
            }

            #[test]
            fn with_the_old_runner() {
                super::agree(super::VENV_02, stringify!($theme), $asv_code, $our_code);
            }
        }
    )*};
}

// asv takes a benchmark that returns nothing for no failure; here it is one.
suites! {
    names: 0, 0;
    attributes: 0, 0;
    params: 0, 0;
    caches: 2, 2;
    decorators: 0, 0;
    timing: 0, 0;
    failures: 2, 2;
    raw_and_memory: 2, 2;
    hashes: 0, 0;
}

/// With all rounds and samples: how many there are is part of what must agree.
fn full_timing(venv: Venv) {
    let Some(venv) = oracle(venv) else { return };
    let both = Both::suite(&venv, "timing");
    let more = ["--record-samples", "--bench", "counted"];
    let _asv = both.asv_run(more, 0);
    let asv = both.put_aside("asv");
    let _ours = both.lcmbench_run(more, 0);
    both.assert_same_results(&asv);
}

#[test]
fn all_samples_with_the_new_runner() {
    full_timing(VENV);
}

#[test]
fn all_samples_with_the_old_runner() {
    full_timing(VENV_02);
}

#[test]
fn the_example_with_the_new_runner() {
    let Some(venv) = oracle(VENV) else { return };
    quick(&example(&venv), 2, 2);
}

#[test]
fn the_example_with_the_old_runner() {
    let Some(venv) = oracle(VENV_02) else { return };
    quick(&example(&venv), 2, 2);
}

/// A second run of some benchmarks merges into the file of the first, in both tools alike.
#[test]
fn a_selection_merges_into_what_is_there() {
    let Some(venv) = oracle(VENV) else { return };
    let both = Both::suite(&venv, "params");
    let selections = [
        r"TwoAxes\.track",
        r"TwoAxes\.track_length\(1",
        "by_function",
    ];
    for selection in selections {
        let _asv = both.asv_run(["--quick", "--bench", selection], 0);
    }
    let asv = both.put_aside("asv");
    for selection in selections {
        let _ours = both.lcmbench_run(["--quick", "--bench", selection], 0);
    }
    both.assert_same_results(&asv);
}

/// Samples of a second run are appended to those of the first.
#[test]
fn appended_samples_add_up() {
    let Some(venv) = oracle(VENV) else { return };
    let both = Both::suite(&venv, "timing");
    let more = ["--append-samples", "--bench", "Plain|TwoRounds"];
    for _ in 0..2 {
        let _asv = both.asv_run(more, 0);
    }
    let asv = both.put_aside("asv");
    for _ in 0..2 {
        let _ours = both.lcmbench_run(more, 0);
    }
    both.assert_same_results(&asv);
}

/// asv skips what is there; so does lcmbench.
#[test]
fn existing_results_are_skipped() {
    let Some(venv) = oracle(VENV) else { return };
    let both = Both::suite(&venv, "failures");
    let first = [
        "--quick",
        "--bench",
        "SomeCombinations|track_raises|track_list",
    ];
    let again = ["--quick", "--skip-existing-successful", "--bench", "track_"];
    let _asv = both.asv_run(first, 2);
    let _asv = both.asv_run(again, 2);
    let asv = both.put_aside("asv");
    let _ours = both.lcmbench_run(first, 2);
    let _ours = both.lcmbench_run(again, 2);
    both.assert_same_results(&asv);
}
