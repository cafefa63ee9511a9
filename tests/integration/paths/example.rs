//! The example of this repository, which needs `NumPy` alone.

use std::path::Path;

use serde_json::Value;

use crate::common::{JAX_VENV, Project, VENV, oracle};

fn report(python: &Path, arguments: &[&str]) -> Value {
    let project = Project::new();
    project.copy("examples/paths_numpy", "example");
    let output = project
        .lcmbench()
        .current_dir(project.path("example"))
        .args([
            "paths",
            "--fixture",
            "paths.py",
            "--format",
            "json",
            "--python",
        ])
        .arg(python)
        .args(arguments)
        .run()
        .expect(0);
    serde_json::from_str(&output.stdout).unwrap()
}

#[test]
fn it_runs_with_numpy_alone() {
    let Some(venv) = oracle(VENV) else { return };
    let python = venv.join("bin/python");
    let report = report(
        &python,
        &["0", "--nfev", "--plan-time", "--par-variability"],
    );
    let examples = report["examples"].as_array().unwrap();
    let names: Vec<&str> = examples
        .iter()
        .map(|example| example["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["decay", "product"]);
    let result = |example: usize, mode: usize| &examples[example]["results"][mode];
    assert!(result(0, 0)["stages"][1]["calls"][0].as_i64().unwrap() > 10);
    assert_eq!(result(0, 1)["whole"]["parts"][1]["calls"], 1);
    let sensitive = |example: usize| -> Vec<&str> {
        let spreads = result(example, 2)["parameters"].as_array().unwrap();
        let flagged = spreads
            .iter()
            .filter(|spread| spread["start_sensitive"] == true);
        flagged
            .map(|spread| spread["name"].as_str().unwrap())
            .collect()
    };
    assert_eq!(sensitive(0), [""; 0]);
    assert_eq!(sensitive(1), ["gain", "height"]);
}

#[test]
fn jax_is_measured_where_it_is_and_skipped_where_it_is_not() {
    let (Some(with), Some(without)) = (oracle(JAX_VENV), oracle(VENV)) else {
        return;
    };
    let arguments = ["1", "--calls", "40", "--fit", "-n", "2"];
    let report_with = report(&with.join("bin/python"), &arguments);
    let jax = &report_with["examples"][0]["results"][0]["paths"][2];
    assert_eq!(jax["label"], "JAX");
    assert_eq!(jax["problem"], Value::Null);
    assert_eq!(jax["speed_ups"].as_array().unwrap().len(), 2);
    for difference in jax["differences"].as_array().unwrap() {
        assert!(
            difference["largest"].as_f64().unwrap() < 1e-12,
            "{difference}"
        );
    }
    // Compiling is none of a call's: the first call took longer than the slowest block's.
    let slowest = jax["samples"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_f64)
        .fold(0.0, f64::max);
    assert!(jax["first"].as_f64().unwrap() > slowest, "{jax}");
    // Each fit compiles for itself.
    for run in report_with["examples"][0]["results"][1]["paths"][2]["runs"]
        .as_array()
        .unwrap()
    {
        assert!(run["compilations"].as_i64().unwrap() >= 1, "{run}");
    }

    let report_without = report(&without.join("bin/python"), &arguments);
    for result in report_without["examples"][0]["results"].as_array().unwrap() {
        let problem = &result["paths"][2]["problem"];
        assert_eq!(problem["kind"], "skipped");
        assert!(
            problem["reason"]
                .as_str()
                .unwrap()
                .contains("pip install jax"),
            "{problem}"
        );
    }
}
