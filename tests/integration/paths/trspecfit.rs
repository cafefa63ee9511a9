//! trspecfit itself, on small workflows that the test writes.

use std::path::{Path, PathBuf};

use fs_err as fs;
use serde_json::Value;

use super::workflow::{FOLDER, cut, notebook, project};
use crate::common::command::Lcmbench;
use crate::common::python::TRSPECFIT_VENV;
use crate::common::{Project, oracle};

fn paths(project: &Project, venv: &Path) -> Lcmbench {
    // As in an activated environment: nothing else is configured.
    project.lcmbench().arg("paths").env("VIRTUAL_ENV", venv)
}

fn json(project: &Project, venv: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = paths(project, venv)
        .args(arguments)
        .args(["--format", "json"])
        .run()
        .expect(0);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    report["examples"][0]["results"].as_array().unwrap().clone()
}

/// A folder for `PYTHONPATH` under which JAX cannot be found.
fn without_jax(project: &Project) -> PathBuf {
    let folder = project.home().join("without-jax");
    fs::create_dir(&folder).unwrap();
    fs::write(
        folder.join("sitecustomize.py"),
        "import sys\n\nsys.modules['jax'] = None\n",
    )
    .unwrap();
    folder
}

#[test]
fn a_checkout_needs_no_configuration() {
    let Some(venv) = oracle(TRSPECFIT_VENV) else {
        return;
    };
    let project = project();
    let listed = paths(&project, &venv).arg("--list").run().expect(0);
    for line in [
        "|      1 | 01_decay                      | convolution           |",
        "|      2 | 02_sine                       | plain                 |",
        "|      3 | 03_cycles                     | subcycle, convolution |",
        "|     10 | 10_model_comparison           |                       | compares models with each other; no fixture ",
        "|     20 | 20_multi_file_independent_fit |                       | fits several files one by one, which is not supported ",
    ] {
        assert!(listed.stdout.contains(line), "{line}\n{}", listed.stdout);
    }
    assert!(!listed.stdout.contains("_fits"), "{}", listed.stdout);

    // Two is the default.
    let results = json(
        &project,
        &venv,
        &["--calls", "20", "--fit", "-n", "1", "--nfev", "--plan-time"],
    );
    let modes: Vec<&str> = results
        .iter()
        .map(|result| result["mode"].as_str().unwrap())
        .collect();
    assert_eq!(modes, ["fit", "nfev", "plan-time"]);
    let fits = results[0]["paths"].as_array().unwrap();
    let chi_squares: Vec<f64> = fits
        .iter()
        .map(|path| path["runs"][0]["reduced_chi_square"].as_f64().unwrap())
        .collect();
    assert_eq!(chi_squares.len(), 3);
    for chi_square in &chi_squares {
        assert!(
            (chi_square / chi_squares[0] - 1.0).abs() < 1e-6,
            "{chi_squares:?}"
        );
    }
    // The evaluator and its Jacobian.
    assert_eq!(fits[2]["runs"][0]["compilations"], 2);
    let counts = &results[1];
    assert_eq!(counts["counters"][0], "residual evaluations");
    assert!(
        counts["stages"][1]["calls"][0].as_i64().unwrap() > 50,
        "{counts}"
    );
    let planned = results[2]["stages"][1]["parts"].as_array().unwrap();
    assert_eq!(
        (&planned[0]["calls"], &planned[1]["calls"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn evaluators_are_timed_and_agree() {
    let Some(venv) = oracle(TRSPECFIT_VENV) else {
        return;
    };
    let project = project();
    for example in ["1", "2"] {
        let results = json(&project, &venv, &[example, "--calls", "20"]);
        let per_call = &results[0];
        assert_eq!(per_call["grid"], serde_json::json!([16, 40]));
        for path in per_call["paths"].as_array().unwrap() {
            assert_eq!(path["problem"], Value::Null, "{path}");
            for difference in path["differences"].as_array().unwrap() {
                assert!(difference["largest"].as_f64().unwrap() < 1e-12, "{path}");
            }
        }
    }
}

#[test]
fn without_jax_it_says_how_to_get_it() {
    let Some(venv) = oracle(TRSPECFIT_VENV) else {
        return;
    };
    let project = project();
    let output = paths(&project, &venv)
        .args(["2", "--calls", "20", "--fit", "-n", "1"])
        .env("PYTHONPATH", without_jax(&project))
        .run()
        .expect(0);
    let hint = "JAX skipped: JAX is not installed; install it with: pip install \"trspecfit[jax]\"";
    assert_eq!(output.stdout.matches(hint).count(), 2, "{}", output.stdout);
}

#[test]
fn a_plan_that_jax_does_not_support_is_skipped_with_its_reason() {
    let Some(venv) = oracle(TRSPECFIT_VENV) else {
        return;
    };
    let project = project();
    let folder = project.home().join("refusing");
    fs::create_dir(&folder).unwrap();
    // The evaluator refuses a plan that the look at the graph had let through.
    let refuse = "import trspecfit.eval_jax\n\n\ndef refuse(plan):\n    raise ValueError('op kind Voigt')\n\n\n\
                  trspecfit.eval_jax.make_evaluator_2d_jax = refuse\n";
    fs::write(folder.join("sitecustomize.py"), refuse).unwrap();
    let _skipped = paths(&project, &venv)
        .args(["2", "--calls", "8"])
        .env("PYTHONPATH", &folder)
        .env("MPLBACKEND", "Agg")
        .run()
        .expect(0)
        .says("JAX skipped: the plan is not supported by JAX: op kind Voigt")
        .says("| interpreter |");
}

#[test]
fn a_model_that_cannot_be_lowered_is_reported_and_fitted() {
    let Some(venv) = oracle(TRSPECFIT_VENV) else {
        return;
    };
    let project = project();
    let _skipped = paths(&project, &venv)
        .args([
            "3",
            "--fit",
            "-n",
            "1",
            "--nfev",
            "--plan-time",
            "--par-variability",
            "--starts",
            "1",
        ])
        .args(["--profile", "--calls", "10"])
        .run()
        .expect(0)
        .says("lowerable: no")
        .says("skipped: the model cannot be lowered")
        .says("One fit on the path interpreter.")
        .says("no call")
        .says("2 of 2 runs at the best optimum");
    let _per_call = paths(&project, &venv)
        .arg("3")
        .run()
        .expect(0)
        .says("Per call:\nskipped: the model cannot be lowered");
}

#[test]
fn the_compiled_path_is_profiled_by_py_spy() {
    let Some(venv) = oracle(TRSPECFIT_VENV) else {
        return;
    };
    let project = project();
    let run = |arguments: &[&str]| {
        paths(&project, &venv)
            .args(["2", "--profile", "--calls", "3000"])
            .args(arguments)
            .run()
    };
    let output = run(&["--rate", "200"]);
    if output
        .stdout
        .contains("py-spy may not look into the process")
    {
        crate::common::python::skip("py-spy may not look into processes here");
        return;
    }
    let _profiled = output.expect(0).says(" at 200 a second: ");
    let graph = project.read("lcmbench-profile-02_sine.svg");
    assert!(graph.contains("evaluate_2d") && !graph.contains("fit_model_mcp"));
    let _named = run(&["-o", "graph.svg"]).expect(0);
    assert!(project.read("graph.svg").contains("evaluate_2d"));
    let bare = run(&["--no-py-spy"])
        .expect(0)
        .says("3000 calls of the path compiled");
    assert!(bare.stderr.contains("runs in process"), "{}", bare.stderr);
}

#[test]
fn what_is_wrong_with_a_workflow_is_said() {
    let Some(venv) = oracle(TRSPECFIT_VENV) else {
        return;
    };
    let project = project();
    let code = "file.add_time_dependence('2D', target_parameter=name, dynamics_yaml='t.yaml', dynamics_model='m')";
    notebook(&project, "02_sine", code);
    let _computed = paths(&project, &venv)
        .arg("2")
        .run()
        .expect(3)
        .says("02_sine/example.ipynb, cell 3, line 1: `target_parameter` of the call of add_time_dependence is computed");

    project.write(format!("{FOLDER}/02_sine/example.ipynb"), "no notebook");
    let _broken = paths(&project, &venv)
        .arg("2")
        .run()
        .expect(3)
        .says("02_sine/example.ipynb is no notebook: it is not JSON");
    let _listed = paths(&project, &venv)
        .arg("--list")
        .run()
        .expect(0)
        .says("cannot be used: ");

    cut(&project, "01_decay", "data/time.csv");
    let _shape = paths(&project, &venv)
        .arg("1")
        .run()
        .expect(3)
        .says("error: ")
        .says("01_decay/data/data.csv is 16 × 40, but data/time.csv has 15 and data/energy.csv has 40 values")
        .says("15 × 40 is expected, time × energy");

    // All of them: the two that cannot be measured do not keep the third from it.
    let _all = paths(&project, &venv)
        .args(["0", "--nfev"])
        .run()
        .expect(2)
        .says("Summary")
        .says("| 03_cycles |");
}

#[test]
fn a_list_of_calls_stands_in_for_notebooks() {
    let Some(venv) = oracle(TRSPECFIT_VENV) else {
        return;
    };
    let project = project();
    let folder = project.path(FOLDER);
    let other = project.path("elsewhere");
    fs::rename(&folder, &other).unwrap();
    fs::remove_file(other.join("02_sine/example.ipynb")).unwrap();
    let calls = serde_json::json!({"02_sine": {
        "add_par_profile": [],
        "add_time_dependence": [{"target_model": "2D", "target_parameter": "GLP_01_x0",
            "dynamics_yaml": "models_time.yaml", "dynamics_model": "decay"}],
    }});
    project.write("elsewhere/calls.json", &calls.to_string());
    let _listed = paths(&project, &venv)
        .args(["--list", "--examples", "elsewhere"])
        .run()
        .expect(0)
        .says("|      2 | 02_sine                       | convolution ");
    let _fitted = paths(&project, &venv)
        .args(["2", "--nfev", "--examples", "elsewhere"])
        .run()
        .expect(0)
        .says("dynamics: GLP_01_x0 ← decay");
}
