//! The modes against a runner without Python.

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
            directory: Path::new("/out").to_owned(),
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

#[test]
fn an_unknown_example_is_refused_and_a_broken_one_reported_among_all() {
    let refuse = |request: &Request| match request {
        Request::Load(_) => Ok(Reply::Refused("there is no example 7".to_owned())),
        other => model(other),
    };
    let mut fake = Fake::new(refuse);
    let error = measure_one(&mut fake, 7, &options(PER_CALL), &mut |_| {}).unwrap_err();
    assert!(matches!(error, MeasureError::Refused(message) if message == "there is no example 7"));

    let mut fake = Fake::new(refuse);
    let report = measure_all(&mut fake, &options(PER_CALL), &mut |_| {}).unwrap();
    assert_eq!(report.examples.len(), 1);
    assert_eq!(
        report.examples[0].problem,
        Some(Failure::new("there is no example 7").into())
    );
    assert!(report.has_failures());
}

#[test]
fn the_report_as_a_table() {
    let mut fake = Fake::new(without("JAX"));
    let modes = Modes {
        fit: true,
        counts: true,
        plan_time: true,
        variability: true,
        ..PER_CALL
    };
    let report = measure(&mut fake, modes);
    insta::assert_snapshot!(render(&document(&report), Format::Table { color: false }), @r"
    02_model
    ========
    exercises: plain
    lowerable: yes

    Per call:
    Grid 3 × 4; 40 calls of each path in 20 interleaved rounds, after 5 warm-ups.

    | Path        | Time per call |   99 % interval | Speed-up over interpreter | over compiled | Largest difference from interpreter | from compiled |
    |-------------|--------------:|----------------:|--------------------------:|--------------:|------------------------------------:|--------------:|
    | compiled    |       2.00 ms | 2.00 to 2.00 ms |   10.00× (10.00 to 10.00) |               |                            1.00e-13 |               |
    | interpreter |       20.0 ms | 20.0 to 20.0 ms |                           |               |                                     |               |
    | JAX         |       skipped |                 |                           |               |                                     |               |

    JAX skipped: there is no JAX
    Speed-up of compiled over interpreter: 10.00× (10.00 to 10.00).
    Correctness: largest difference from interpreter, at the initial values and at those of another start: compiled 1.00e-13.

    Full fit:
    Time of the stage “2D fit”; 3 fits of each path in alternating order, each with a model of its own.

    | Path        |  Median |               All fits | Speed-up over interpreter | Reduced χ² |
    |-------------|--------:|-----------------------:|--------------------------:|-----------:|
    | compiled    |  200 ms | 200 ms, 200 ms, 200 ms |                    10.00× |          2 |
    | interpreter |  2.00 s | 2.00 s, 2.00 s, 2.00 s |                           |          2 |
    | JAX         | skipped |                        |                           |            |

    JAX skipped: there is no JAX
    Before it, “baseline fit”: compiled 500 ms, interpreter 500 ms.

    Work of a fit:
    One fit on the path compiled.

    | After        | residual evaluations | in this stage |
    |--------------|---------------------:|--------------:|
    | baseline fit |                   54 |            54 |
    | 2D fit       |                  569 |           515 |

    Planning:
    One fit on the path compiled.

    | Stage        |            planning | Planning | Wall time | Share |            |
    |--------------|--------------------:|---------:|----------:|------:|------------|
    | baseline fit | 1.00 ms in 54 calls |  1.00 ms |    500 ms | 0.2 % |            |
    | 2D fit       | 500 ms in 515 calls |   500 ms |    200 ms | 250 % | above 10 % |
    | whole fit    | 501 ms in 569 calls |   501 ms |    700 ms |  72 % | above 10 % |

    Variability:
    Fits on the path compiled from the model's own initial values and from 4 scaled starts.

    | Run       | Reduced χ² | Wall time |  |
    |-----------|-----------:|----------:|--|
    | reference |          2 |    700 ms |  |
    | start 1   |          2 |    700 ms |  |
    | start 2   |          2 |    700 ms |  |
    | start 3   |          2 |    700 ms |  |
    | start 4   |          2 |    700 ms |  |

    | Parameter | Reference | Spread | Relative |  |
    |-----------|----------:|-------:|---------:|--|
    | x         |       1.5 |      0 |      0 % |  |
    | y         |         2 |      0 |      0 % |  |

    5 of 5 runs at the best optimum; largest spread among them: y (0 %); parameters above 1 %: 0.
    A spread among runs that reached the same optimum means one of two things: a flat direction of the objective, so that the data do not identify the parameter; or state that is derived once from the initial values and never rebuilt in the fit.
    ");
}

#[test]
fn the_summary_of_all_as_markdown() {
    let mut fake = Fake::new(model);
    let modes = Modes {
        fit: true,
        counts: true,
        plan_time: true,
        variability: true,
        profile: true,
        ..PER_CALL
    };
    let mut report = measure(&mut fake, modes);
    let mut other = report.examples[0].clone();
    other.entry.name = "03_other".to_owned();
    other.sections.truncate(1);
    if let Section::PerCall(result) = &mut other.sections[0] {
        result.problem = Some(Problem::skipped("the model cannot be lowered"));
    }
    report.examples.push(other);
    let parts = document(&report);
    let summary = parts
        .iter()
        .position(|part| *part == Part::Title("Summary".to_owned()));
    insta::assert_snapshot!(render(&parts[summary.unwrap()..], Format::Markdown), @r"
    ## Summary

    ### Per call

    | Example | Exercises | compiled | interpreter | JAX | Speed-up | Largest difference |
    |---|---|---:|---:|---:|---:|---:|
    | 02_model | plain | 2.00 ms | 20.0 ms | 1.00 ms | **10.00×** | **1.00e-13** |
    | 03_other | plain | skipped: the model cannot be lowered |  |  |  |  |

    ### Full fit, median

    | Example | compiled | interpreter | JAX |
    |---|---:|---:|---:|
    | 02_model | 200 ms | 2.00 s | 100 ms |

    ### Work of a fit

    | Example | residual evaluations |
    |---|---:|
    | 02_model | **569** |

    ### Planning

    | Example | Planning | Whole fit | Share |
    |---|---:|---:|---:|
    | 02_model | 501 ms | 700 ms | **72 %** |

    ### Variability

    | Example | At the best optimum | Worst parameter | Spread | Start-sensitive |
    |---|---:|---|---:|---:|
    | 02_model | 5 of 5 | y | 0 % | 0 |

    ### Profile

    | Example | Time per call | Flame graph |
    |---|---:|---|
    | 02_model | 2.00 ms | /out/lcmbench-profile-02_model.svg |
    ");
}

#[test]
fn the_json_has_every_mode() {
    let mut fake = Fake::new(without("JAX"));
    let modes = Modes {
        fit: true,
        counts: true,
        plan_time: true,
        variability: true,
        profile: true,
        ..PER_CALL
    };
    let report = measure(&mut fake, modes);
    let json: serde_json::Value = serde_json::from_str(&report_json(&report)).unwrap();
    assert_eq!(json["format"], 1);
    assert_eq!(json["kind"], "paths");
    let results = json["examples"][0]["results"].as_array().unwrap();
    let modes: Vec<&str> = results
        .iter()
        .map(|result| result["mode"].as_str().unwrap())
        .collect();
    assert_eq!(
        modes,
        [
            "per-call",
            "fit",
            "nfev",
            "plan-time",
            "par-variability",
            "profile"
        ]
    );
    let jax = &results[0]["paths"][2];
    assert_eq!(jax["problem"]["kind"], "skipped");
    assert_eq!(jax["problem"]["reason"], "there is no JAX");
    let speed = results[0]["paths"][0]["speed_ups"][0]["ratio"]
        .as_f64()
        .unwrap();
    assert!((speed - 10.0).abs() < 1e-9);
    assert_eq!(results[2]["stages"][1]["calls"][0], 515);
}
