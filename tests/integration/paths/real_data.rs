//! The workflows that trspecfit comes with, on their real data, where those are there.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::python::{TRSPECFIT_VENV, skip};
use crate::common::{lcmbench, oracle};

/// The folder with the workflows, and the environment; or a reason why not.
fn real() -> Option<(PathBuf, PathBuf)> {
    let venv = oracle(TRSPECFIT_VENV)?;
    #[expect(
        clippy::disallowed_methods,
        reason = "the harness itself reads the outer environment"
    )]
    let named = std::env::var_os("LCMBENCH_TEST_DATA").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = named.unwrap_or(beside).join("trspecfit");
    if !folder.is_dir() {
        skip("no data of trspecfit's workflows (the folder that LCMBENCH_TEST_DATA names)");
        return None;
    }
    Some((folder.canonicalize().unwrap(), venv))
}

fn measured(arguments: &[&str]) -> Option<Value> {
    let (folder, venv) = real()?;
    let output = lcmbench()
        .arg("paths")
        .args(arguments)
        .args(["--format", "json", "--examples"])
        .arg(&folder)
        .env("VIRTUAL_ENV", venv)
        .run()
        .expect(0);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    Some(report["examples"][0].clone())
}

/// Residual evaluations up to the end of each stage.
fn evaluations(example: &str) -> Option<Vec<i64>> {
    let measured = measured(&[example, "--nfev"])?;
    let mut total = 0;
    let stages = measured["results"][0]["stages"].as_array().unwrap();
    let totals = stages.iter().map(|stage| {
        total += stage["calls"][0].as_i64().unwrap();
        total
    });
    Some(totals.collect())
}

#[test]
fn residual_evaluations_of_01() {
    let Some(totals) = evaluations("1") else {
        return;
    };
    assert_eq!(totals, [44, 301]);
}

#[test]
fn residual_evaluations_of_02() {
    let Some(totals) = evaluations("2") else {
        return;
    };
    assert_eq!(totals, [54, 569]);
}

#[test]
fn residual_evaluations_of_03() {
    let Some(totals) = evaluations("3") else {
        return;
    };
    assert_eq!(totals, [44, 423]);
}

#[test]
fn residual_evaluations_of_04() {
    let Some(totals) = evaluations("4") else {
        return;
    };
    assert_eq!(totals, [86, 514]);
}

/// Notes, grid, and the largest differences of the compiled path and of JAX.
fn agrees(example: &str, exercises: &[&str], grid: [i64; 2]) {
    let Some(measured) = measured(&[example, "--calls", "4"]) else {
        return;
    };
    assert_eq!(measured["exercises"], serde_json::json!(exercises));
    assert_eq!(measured["notes"][0], "lowerable: yes");
    let per_call = &measured["results"][0];
    assert_eq!(per_call["grid"], serde_json::json!(grid));
    let largest = |path: usize| {
        per_call["paths"][path]["differences"][0]["largest"]
            .as_f64()
            .unwrap()
    };
    assert!(largest(0) < 1e-12, "{per_call}");
    // JAX adds up in another order.
    assert!(largest(2) < 1e-10, "{per_call}");
}

#[test]
fn evaluators_of_01_agree() {
    agrees("1", &["convolution"], [481, 400]);
}

#[test]
fn evaluators_of_02_agree() {
    agrees("2", &["plain"], [212, 1131]);
}

#[test]
fn evaluators_of_04_agree() {
    agrees("4", &["profile", "convolution"], [175, 280]);
}

#[test]
fn the_third_is_not_lowerable() {
    let Some(measured) = measured(&["3"]) else {
        return;
    };
    assert_eq!(
        measured["exercises"],
        serde_json::json!(["subcycle", "convolution"])
    );
    assert_eq!(measured["notes"][0], "lowerable: no");
    let problem = &measured["results"][0]["problem"];
    assert_eq!(problem["kind"], "skipped");
    let reason = problem["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("the model cannot be lowered"),
        "{reason}"
    );
}
