//! `scripts/gpu-check` without a GPU.

use std::path::Path;
use std::process::{Command, Stdio};

use fs_err as fs;

use crate::common::python3;

fn check(python: &Path, path: &str, only: &str) -> (Option<i32>, String) {
    let output = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/gpu-check"))
        .args(["--binary", env!("CARGO_BIN_EXE_lcmbench"), "--only", only])
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), text)
}

#[test]
fn without_a_gpu_nothing_is_checked_and_the_table_says_so() {
    let Some(python) = python3() else { return };
    let (code, table) = check(&python, "/nowhere", "telemetry");
    assert_eq!(code, Some(2), "{table}");
    assert!(
        table.contains("| telemetry | not run |") && table.contains("there is no nvidia-smi"),
        "{table}"
    );
}

/// An `nvidia-smi` that says what the stand-in says, or something else.
#[test]
fn telemetry_is_held_to_nvidia_smi() {
    use std::os::unix::fs::PermissionsExt;

    let Some(python) = python3() else { return };
    let stand_in = super::standin::StandIn::new("");
    for (name, expected, outcome) in [
        ("NVIDIA H200", Some(0), "passed"),
        ("NVIDIA H100", Some(1), "FAILED"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("nvidia-smi");
        let row = format!(
            "GPU-00000000-aaaa-bbbb-cccc-dddddddddddd, {name}, 570.86.15, 143771, 41, 1980, 118.00"
        );
        fs::write(
            &program,
            format!("#!/bin/sh\nif [ \"$1\" = -L ]; then echo 'GPU 0'; else echo '{row}'; fi\n"),
        )
        .unwrap();
        fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = Command::new(&python);
        command
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/gpu-check"))
            .args(["--binary", env!("CARGO_BIN_EXE_lcmbench")])
            .args(["--only", "telemetry"])
            .env("PATH", format!("{}:/usr/bin:/bin", folder.path().display()))
            .stdin(Stdio::null());
        stand_in.give(&mut command);
        let output = command.output().unwrap();
        let table = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), expected, "{table}");
        assert!(
            table.contains(&format!("| telemetry | {outcome} |")),
            "{table}"
        );
    }
}
