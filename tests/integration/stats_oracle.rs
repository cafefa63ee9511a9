//! The fixture of the statistics, made again by the libraries that are installed.

use std::path::Path;

use serde_json::Value;

use crate::common::python::skip;
use crate::common::{Project, VENV, oracle};

/// What the script ends with where a library is missing.
const MISSING: i32 = 77;

/// Libraries may improve the last digits of a number from version to version.
fn same(made: &Value, kept: &Value, path: &str) {
    match (made, kept) {
        (Value::Object(made), Value::Object(kept)) => {
            assert!(made.keys().eq(kept.keys()), "{path}");
            for (key, value) in made {
                same(value, &kept[key], &format!("{path}.{key}"));
            }
        }
        (Value::Array(made), Value::Array(kept)) => {
            assert_eq!(made.len(), kept.len(), "{path}");
            for (place, (made, kept)) in made.iter().zip(kept).enumerate() {
                same(made, kept, &format!("{path}[{place}]"));
            }
        }
        (Value::Number(made), Value::Number(kept)) => {
            let (made, kept) = (made.as_f64().unwrap(), kept.as_f64().unwrap());
            let close = (made - kept).abs() <= 1e-9 * kept.abs().max(1e-300);
            assert!(close, "{path}: {made} now, {kept} kept");
        }
        _ => assert_eq!(made, kept, "{path}"),
    }
}

#[test]
fn the_fixture_is_what_scipy_and_asv_compute() {
    let Some(venv) = oracle(VENV) else {
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/make_stats.py");
    let output = Project::without_git()
        .program(venv.join("bin/python"))
        .arg(script)
        .run();
    if output.code == MISSING {
        skip(output.stderr.trim());
        return;
    }
    let output = output.expect(0);
    let made: Value = serde_json::from_str(&output.stdout).unwrap();
    let kept: Value = serde_json::from_str(include_str!("../fixtures/stats.json")).unwrap();
    same(&made, &kept, "stats");
}
