//! `lcmbench gpu probe`, with stand-ins for both of NVIDIA's libraries.

use std::path::{Path, PathBuf};

use fs_err as fs;
use lcmbench::json::{Json, parse};
use tempfile::TempDir;

use super::standin::{StandIn, compile};
use crate::common::command::Lcmbench;
use crate::common::python::skip;
use crate::common::{Project, lcmbench, python3};

/// A folder with a `libcuda.so.1` in it, for the loader's path.
fn cuda() -> TempDir {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/standin/cuda.c");
    let library = compile(&source, "cuda-standin", &[]);
    let folder = tempfile::tempdir().unwrap();
    for name in ["libcuda.so", "libcuda.so.1"] {
        fs::copy(&library, folder.path().join(name)).unwrap();
    }
    folder
}

fn probe(command: Lcmbench, stand_in: &StandIn, cuda: &TempDir, state: &Path) -> Lcmbench {
    stand_in
        .with(command)
        .args(["gpu", "probe", "--gpu", "0"])
        .env("LD_LIBRARY_PATH", cuda.path())
        .env("XDG_STATE_HOME", state)
}

fn has_a_driver() -> bool {
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"]
        .iter()
        .any(|folder| PathBuf::from(folder).join("libcuda.so.1").exists())
}

#[test]
fn without_cuda_it_says_so_and_does_not_panic() {
    if has_a_driver() {
        skip("this host has a driver of CUDA");
        return;
    }
    let stand_in = StandIn::new("");
    let output = stand_in
        .with(lcmbench())
        .args(["gpu", "probe", "--gpu", "0"])
        .run()
        .expect(2);
    assert!(
        output.stderr.contains("there is no driver of CUDA here"),
        "{}",
        output.stderr
    );
    assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
}

#[test]
fn a_driver_without_a_device_says_so() {
    let (stand_in, cuda) = (StandIn::new(""), cuda());
    let state = tempfile::tempdir().unwrap();
    let output = probe(lcmbench(), &stand_in, &cuda, state.path())
        .env("LCMBENCH_STANDIN_NO_DEVICE", "1")
        .run()
        .expect(2);
    assert!(
        output.stderr.contains("cuInit failed") && output.stderr.contains("NO_DEVICE"),
        "{}",
        output.stderr
    );
}

#[test]
fn a_gpu_that_is_slower_than_its_last_probes_is_abnormal() {
    let (stand_in, cuda) = (StandIn::new(""), cuda());
    let state = tempfile::tempdir().unwrap();
    let run = |milliseconds: &str| {
        probe(lcmbench(), &stand_in, &cuda, state.path())
            .args(["--format", "json"])
            .env("LCMBENCH_STANDIN_MILLISECONDS", milliseconds)
            .run()
    };
    let of = |text: &str| {
        let json = parse(text).unwrap();
        json.as_array().unwrap()[0].clone()
    };
    let first = of(&run("1").expect(0).stdout);
    assert_eq!(first.get("state"), Some(&Json::from("unknown")));
    // 8 copies of 256 MiB, read and written, in a millisecond; 400 000 steps of 4 cycles.
    let copy = first.get("copy_gb_per_s").and_then(Json::as_f64).unwrap();
    assert!((copy - 4_294.967_296).abs() < 1e-3, "{copy}");
    let clock = first.get("chain_mhz").and_then(Json::as_f64).unwrap();
    assert!((clock - 1600.0).abs() < 1e-3, "{clock}");
    // The price of a launch is really measured, and no two machines agree on it.
    for _ in 0..5 {
        let output = run("1");
        assert!(parse(&output.stdout).is_ok(), "{}", output.stdout);
    }
    let slow = of(&run("1.1").expect(1).stdout);
    assert_eq!(slow.get("state"), Some(&Json::from("abnormal")));
    let sentence = slow.get("sentence").and_then(Json::as_str).unwrap();
    assert!(
        sentence.contains("chain_mhz is 1454.5 (-9.1 %)"),
        "{sentence}"
    );
}

#[test]
fn a_run_keeps_the_probes_before_and_after() {
    let Some(python) = python3() else { return };
    let (stand_in, cuda) = (StandIn::new(""), cuda());
    let project = Project::new();
    project.suite("gpu");
    project.commit("One");
    let output = stand_in
        .with(project.lcmbench())
        .env("LD_LIBRARY_PATH", cuda.path())
        .args([
            "run", "--gpu", "0", "--probe", "--bench", "track_c", "--python",
        ])
        .arg(&python)
        .run()
        .expect(0);
    assert!(
        output
            .stderr
            .contains("probe before: what is usual is known after 5 probes"),
        "{}",
        output.stderr
    );
    let saved = project.saved();
    let gpu = saved.file.get("lcmbench").unwrap().get("gpu").unwrap();
    let probes = gpu.get("probe").unwrap();
    for when in ["before", "after"] {
        let probe = &probes.get(when).unwrap().as_array().unwrap()[0];
        assert_eq!(probe.get("state"), Some(&Json::from("unknown")), "{when}");
    }
}
