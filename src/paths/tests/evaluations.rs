//! Time per call.

use super::*;

#[test]
fn paths_take_turns_and_the_reference_is_built_first() {
    let mut fake = Fake::new(model);
    let report = measure(&mut fake, PER_CALL);
    let result = per_call(&report);
    assert_eq!(
        (result.rounds, result.calls, &result.grid),
        (20, 40, &Some(vec![3, 4]))
    );
    let compiled = result.path("compiled").unwrap();
    assert_eq!(compiled.samples.len(), 20);
    assert!((compiled.median.unwrap() - 0.002).abs() < 1e-12);
    let over = &compiled.speed_ups[0];
    assert_eq!(over.over, "interpreter");
    assert!((over.ratio.ratio - 10.0).abs() < 1e-9);
    let jax = result.path("JAX").unwrap();
    assert!((jax.once().unwrap() - 1.25).abs() < 1e-12);
    assert_eq!(jax.speed_ups.len(), 2);
    assert_eq!(jax.differences.len(), 2);

    let builds = fake.asked.iter().filter_map(|request| match request {
        Request::Build(path) => Some(path.as_str()),
        _ => None,
    });
    assert_eq!(
        builds.collect::<Vec<_>>(),
        ["interpreter", "compiled", "JAX"]
    );
    let blocks: Vec<&str> = fake
        .asked
        .iter()
        .filter_map(|request| match request {
            Request::Block(path, 2) => Some(path.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(
        blocks[..6],
        [
            "compiled",
            "interpreter",
            "JAX",
            "interpreter",
            "JAX",
            "compiled"
        ]
    );
    assert!(!report.has_failures());
}

#[test]
fn a_path_that_raises_leaves_the_others_alone() {
    let mut fake = Fake::new(|request| match request {
        Request::Build(path) if path == "JAX" => Ok(failed("ValueError: no")),
        other => model(other),
    });
    let report = measure(&mut fake, PER_CALL);
    let result = per_call(&report);
    assert_eq!(
        result.path("JAX").unwrap().problem,
        Some(Problem::Failed {
            reason: "ValueError: no".to_owned(),
            details: "Traceback".to_owned()
        })
    );
    assert_eq!(result.path("compiled").unwrap().samples.len(), 20);
    assert!(report.has_failures());
    assert_eq!(
        report.details(),
        [("02_model: ValueError: no".to_owned(), "Traceback")]
    );
}

#[test]
fn a_path_that_crashes_in_the_middle_costs_the_others_new_plans_alone() {
    let mut blocks = 0;
    let mut fake = Fake::new(|request| match request {
        Request::Block(path, _) if path == "JAX" => {
            blocks += 1;
            if blocks == 4 {
                Err(died())
            } else {
                model(request)
            }
        }
        other => model(other),
    });
    let report = measure(&mut fake, PER_CALL);
    let loads = fake.count(|request| matches!(request, Request::Load(_)));
    drop(fake);
    let result = per_call(&report);
    assert_eq!(loads, 2);
    assert_eq!(result.rounds, 20);
    for label in ["compiled", "interpreter"] {
        let path = result.path(label).unwrap();
        assert_eq!((path.samples.len(), &path.problem), (20, &None), "{label}");
    }
    let problem = result.path("JAX").unwrap().problem.as_ref().unwrap();
    assert_eq!(
        problem.sentence(),
        "failed: the Python process ended before it was done (signal 11, SIGSEGV)"
    );
}

#[test]
fn a_reference_that_fails_leaves_times_without_differences() {
    let mut fake = Fake::new(|request| match request {
        Request::Build(path) if path == "interpreter" => Ok(failed("ZeroDivisionError: x")),
        Request::Compare(..) => Ok(answer(r#"{"differences": {"compiled": 0.0}}"#)),
        other => model(other),
    });
    let report = measure(&mut fake, PER_CALL);
    let compiled = per_call(&report).path("compiled").unwrap();
    assert!(compiled.median.is_some());
    assert_eq!(
        (compiled.speed_ups.len(), compiled.differences.len()),
        (0, 0)
    );
}

#[test]
fn an_interruption_leaves_the_finished_rounds() {
    let mut blocks = 0;
    let mut fake = Fake::new(|request| match request {
        Request::Block(..) => {
            blocks += 1;
            if blocks == 14 {
                Err(RunnerError::Interrupted(2))
            } else {
                model(request)
            }
        }
        other => model(other),
    });
    let report = measure(&mut fake, PER_CALL);
    assert_eq!(report.interrupted, Some(2));
    let result = per_call(&report);
    assert_eq!(result.rounds, 4);
    assert!(result.paths.iter().all(|path| path.samples.len() == 4));
    assert!(result.path("compiled").unwrap().median.is_some());
}

#[test]
fn a_reference_that_changes_fails_and_nothing_is_compared_with_it() {
    let mut fake = Fake::new(|request| match request {
        Request::Compare(path, _) if path == "interpreter" => {
            Ok(failed("its output was 3 × 4 at first and is 2 now"))
        }
        other => model(other),
    });
    let report = measure(&mut fake, PER_CALL);
    assert!(report.has_failures());
    let against: Vec<usize> = fake
        .asked
        .iter()
        .filter_map(|request| match request {
            Request::Compare(_, against) => Some(against.len()),
            _ => None,
        })
        .collect();
    assert_eq!(against, [2, 1, 1]);
    let result = per_call(&report);
    let reference = result.path("interpreter").unwrap();
    assert_eq!((reference.median, reference.interval), (None, None));
    assert_eq!(result.path("compiled").unwrap().differences, []);
    assert_eq!(result.path("JAX").unwrap().differences.len(), 1);
    let text = render(&document(&report), Format::Table { color: false });
    assert!(
        text.contains("Correctness: not checked, since the reference, interpreter, failed."),
        "{text}"
    );
}

#[test]
fn a_reference_that_drifts_shows_by_how_much() {
    let differences = |largest: &str| {
        let mut fake = Fake::new(|request| match request {
            Request::Compare(path, _) if path == "interpreter" => Ok(answer(&format!(
                r#"{{"differences": {{"interpreter": {largest}}}}}"#
            ))),
            other => model(other),
        });
        let report = measure(&mut fake, PER_CALL);
        let reference = per_call(&report).path("interpreter").unwrap();
        reference.differences.clone()
    };
    assert_eq!(differences("0.0"), []);
    assert!((differences("0.5")[0].largest - 0.5).abs() < 1e-12);
}

#[test]
fn a_crash_in_the_last_block_costs_the_comparison_nothing() {
    let mut fake = Fake::new(|request| match request {
        Request::Compare(path, _) if path == "JAX" => Err(died()),
        other => model(other),
    });
    let report = measure(&mut fake, PER_CALL);
    let builds = |fake: &Fake<'_>| fake.count(|request| matches!(request, Request::Build(_)));
    assert_eq!(builds(&fake), 3);
    assert_eq!(
        per_call(&report)
            .path("compiled")
            .unwrap()
            .differences
            .len(),
        1
    );

    // The reference takes the process with it: all others get new plans before they are compared.
    let mut fake = Fake::new(|request| match request {
        Request::Compare(path, _) if path == "interpreter" => Err(died()),
        other => model(other),
    });
    let report = measure(&mut fake, PER_CALL);
    assert_eq!(builds(&fake), 5);
    assert_eq!(per_call(&report).path("JAX").unwrap().differences.len(), 1);
}

#[test]
fn nothing_is_timed_where_no_path_can_be_built() {
    let mut fake = Fake::new(|request| match request {
        Request::Build(_) => Ok(failed("its output is empty")),
        other => model(other),
    });
    let mut told = Vec::new();
    let report = measure_one(&mut fake, 2, &options(PER_CALL), &mut |line| {
        told.push(line.to_owned());
    })
    .unwrap();
    assert_eq!(told, ["loading example 2"]);
    let result = per_call(&report);
    assert_eq!((result.rounds, result.calls, &result.grid), (0, 0, &None));
}

#[test]
fn an_interruption_before_the_first_round_leaves_no_empty_table() {
    let mut fake = Fake::new(|request| match request {
        Request::Warm(..) => Err(RunnerError::Interrupted(2)),
        other => model(other),
    });
    let report = measure(&mut fake, PER_CALL);
    let text = render(&document(&report), Format::Table { color: false });
    assert!(
        text.contains("Per call:\nInterrupted before the first round was done.\nInterrupted by"),
        "{text}"
    );
}
