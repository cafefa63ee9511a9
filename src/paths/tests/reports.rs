//! From a choice of examples to what is printed.

use super::*;

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
    for section in &mut report.examples[0].sections {
        if let Section::Profile(result) = section {
            result.output = Some("/out/lcmbench-profile-02_model.svg".into());
        }
    }
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

    | Example | compiled | interpreter | JAX | Speed-up |
    |---|---:|---:|---:|---:|
    | 02_model | 200 ms | 2.00 s | 100 ms | **10.00×** |

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
