//! Evaluations: per call, and the profiled loop.

use super::*;

#[test]
fn paths_take_turns_and_the_reference_is_built_first() {
    let mut fake = Fake::new(model);
    let report = measure(&mut fake, PER_CALL);
    let result = per_call(&report);
    assert_eq!((result.rounds, result.grid.as_slice()), (20, &[3, 4][..]));
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
fn a_profile_runs_the_compiled_path_alone() {
    let mut fake = Fake::new(model);
    let modes = Modes {
        profile: true,
        ..NOTHING
    };
    let mut options = options(modes);
    options.calls = None;
    let report = measure_one(&mut fake, 2, &options, &mut |_| {}).unwrap();
    assert_eq!(
        fake.attached[0].output,
        Path::new("/out/lcmbench-profile-02_model.svg")
    );
    assert_eq!(
        fake.asked[1..],
        [
            Request::Build("compiled".to_owned()),
            Request::Warm("compiled".to_owned(), 50),
            Request::Trace,
            Request::Loop("compiled".to_owned(), 5000)
        ]
    );
    assert!(!report.has_failures());

    let mut fake = Fake::new(model);
    fake.refuse_profiler = Some(PySpyError::NotPermitted {
        remedy: "do this".to_owned(),
    });
    let report = measure_one(&mut fake, 2, &options, &mut |_| {}).unwrap();
    assert_eq!(
        report.examples[0].problems()[0].sentence(),
        "failed: py-spy may not look into the process; do this"
    );
    assert_eq!(
        fake.count(|request| matches!(request, Request::Loop(..))),
        0
    );

    options.profile.bare = true;
    let mut fake = Fake::new(model);
    let report = measure_one(&mut fake, 2, &options, &mut |_| {}).unwrap();
    assert!(fake.attached.is_empty() && !report.has_failures());
}
