//! Fits: times, counts, starts.

use super::*;

#[test]
fn a_model_without_a_compiled_path_is_skipped_per_call_and_fitted_all_the_same() {
    let mut fake = Fake::new(without("compiled"));
    let modes = Modes {
        fit: true,
        counts: true,
        plan_time: true,
        variability: true,
        profile: true,
        ..PER_CALL
    };
    let report = measure(&mut fake, modes);
    assert!(!report.has_failures());
    assert_eq!(
        per_call(&report).problem,
        Some(Problem::skipped("there is no compiled"))
    );
    assert_eq!(
        fake.count(|request| matches!(request, Request::Build(_))),
        0
    );
    let paths: Vec<(&str, Watch)> = fake
        .asked
        .iter()
        .filter_map(|request| match request {
            Request::Fit(fit) => Some((fit.path.as_str(), fit.watch)),
            _ => None,
        })
        .collect();
    assert_eq!(
        paths
            .iter()
            .filter(|(_, watch)| *watch == Watch::Nothing)
            .count(),
        6 + 5
    );
    assert!(paths.contains(&("interpreter", Watch::Counted)));
    // Planning is tried for on the compiled path, as far as it goes.
    assert!(paths.contains(&("compiled", Watch::Planning)));
    let Section::Profile(profile) = &report.examples[0].sections[5] else {
        panic!("{report:?}");
    };
    assert_eq!(
        profile.problem,
        Some(Problem::skipped("there is no compiled"))
    );
}

#[test]
fn fits_alternate_and_one_that_fails_is_not_tried_again() {
    let mut fake = Fake::new(|request| match request {
        Request::Fit(fit) if fit.path == "JAX" => Err(RunnerError::TimedOut {
            seconds: Duration::from_secs(5),
            output: String::new(),
        }),
        other => model(other),
    });
    let report = measure(&mut fake, FIT);
    let order: Vec<&str> = fake
        .asked
        .iter()
        .filter_map(|request| match request {
            Request::Fit(fit) => Some(fit.path.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(
        order,
        [
            "compiled",
            "interpreter",
            "JAX",
            "interpreter",
            "compiled",
            "compiled",
            "interpreter"
        ]
    );
    let result = fit(&report);
    assert_eq!(result.stage, "2D fit");
    assert!((result.path("compiled").unwrap().median.unwrap() - 0.2).abs() < 1e-12);
    let jax = result.path("JAX").unwrap();
    assert_eq!(
        (&*result.reference, &*result.compiled),
        ("interpreter", "compiled")
    );
    assert_eq!(
        jax.problem.as_ref().unwrap().sentence(),
        "failed: took longer than 5 s and was ended (--timeout)"
    );
}

#[test]
fn runs_before_an_interruption_are_reported() {
    let mut fits = 0;
    let mut fake = Fake::new(|request| match request {
        Request::Fit(_) => {
            fits += 1;
            if fits == 4 {
                Err(RunnerError::Interrupted(15))
            } else {
                model(request)
            }
        }
        other => model(other),
    });
    let report = measure(&mut fake, VARIABILITY);
    assert_eq!(report.interrupted, Some(15));
    let result = variability(&report);
    assert_eq!(result.runs.len(), 3);
    assert_eq!(result.best().count(), 3);
    assert_eq!(result.parameters.len(), 2);
    let text = render(&document(&report), Format::Table { color: false });
    assert!(text.contains("| start 2   |"), "{text}");
    assert!(text.contains("and from 2 of 4 scaled starts."), "{text}");
    assert!(
        text.ends_with("Interrupted by signal 15: what was done until then is above."),
        "{text}"
    );
}

#[test]
fn every_run_knows_the_starts_before_it() {
    let mut fake = Fake::new(|request| match request {
        Request::Fit(fit) if fit.start == 2 => {
            Ok(Reply::Skipped("the start is that of run 1".to_owned()))
        }
        Request::Fit(fit) if fit.start == 3 => Ok(failed("RuntimeError: no")),
        other => model(other),
    });
    let report = measure(&mut fake, VARIABILITY);
    let known: Vec<usize> = fake
        .asked
        .iter()
        .filter_map(|request| match request {
            Request::Fit(fit) => Some(fit.known.len()),
            _ => None,
        })
        .collect();
    assert_eq!(known, [0, 1, 2, 3, 4]);
    let result = variability(&report);
    let states: Vec<Option<bool>> = result
        .runs
        .iter()
        .map(|run| run.problem.as_ref().map(Problem::is_failure))
        .collect();
    assert_eq!(states, [None, None, Some(false), Some(true), None]);
    // That a start fails is a finding.
    assert!(!report.has_failures());

    let mut fake = Fake::new(|request| match request {
        Request::Fit(fit) if fit.start == 0 => Ok(failed("RuntimeError: no")),
        other => model(other),
    });
    assert!(measure(&mut fake, VARIABILITY).has_failures());
}

#[test]
fn an_interruption_before_the_first_fit_is_said_in_every_mode() {
    let modes = [
        (FIT, "Full fit:\nInterrupted before the first fit was done."),
        (
            Modes {
                counts: true,
                ..NOTHING
            },
            "Work of a fit:\nInterrupted before the fit was done.",
        ),
        (
            Modes {
                plan_time: true,
                ..NOTHING
            },
            "Planning:\nInterrupted before the fit was done.",
        ),
        (
            VARIABILITY,
            "Variability:\nInterrupted before the first fit was done.",
        ),
    ];
    for (modes, said) in modes {
        let mut fake = Fake::new(|request| match request {
            Request::Fit(_) => Err(RunnerError::Interrupted(2)),
            other => model(other),
        });
        let report = measure(&mut fake, modes);
        let text = render(&document(&report), Format::Table { color: false });
        assert!(text.contains(said) && !text.contains('|'), "{text}");
    }
}

#[test]
fn a_traceback_is_shown_once_and_none_that_says_nothing_more() {
    let mut fake = Fake::new(|request| match request {
        Request::Fit(_) => Ok(failed("RuntimeError: no")),
        other => model(other),
    });
    let report = measure(&mut fake, VARIABILITY);
    assert_eq!(variability(&report).runs.len(), 5);
    assert_eq!(
        report.details(),
        [("02_model: RuntimeError: no".to_owned(), "Traceback")]
    );
    let mut fake = Fake::new(|request| match request {
        Request::Fit(_) => Ok(Reply::Failed(Failure {
            reason: "KeyError: 'a'".to_owned(),
            details: "KeyError: 'a'\n".to_owned(),
        })),
        other => model(other),
    });
    assert_eq!(measure(&mut fake, FIT).details(), []);
}
