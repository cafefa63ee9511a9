//! The harness itself: what it hides from the program under test, and what it gives it.

use std::time::Duration;

use rustix::process::Signal;

use crate::common::{JAX_VENV, Project, VENV, VENV_02, lcmbench, oracle, python3};

#[test]
fn the_program_sees_a_private_home_and_nothing_of_the_outside() {
    let project = Project::without_git();
    let output = project.program("env").run().expect(0);
    let names: Vec<&str> = output
        .stdout
        .lines()
        .filter_map(|line| line.split_once('=').map(|(name, _)| name))
        .collect();
    for name in &names {
        let leaked = [
            "GITHUB_",
            "GH_",
            "RUNNER_",
            "ACTIONS_",
            "CI",
            "ASV_",
            "LCMBENCH_",
            "VIRTUAL_ENV",
            "CONDA_",
            "PYTHON",
            "NO_COLOR",
            "CARGO_",
        ];
        assert!(
            !leaked.iter().any(|prefix| name.starts_with(prefix)),
            "{name} reaches the program"
        );
    }
    let home = format!("HOME={}", project.home().display());
    assert!(output.stdout.lines().any(|line| line == home));
}

#[test]
fn commits_have_fixed_dates_and_so_fixed_hashes() {
    let hash = || {
        let project = Project::new();
        project.write("file.txt", "text\n");
        project.commit("One");
        project.write("folder/other.txt", "text\n");
        assert_eq!(project.read("folder/other.txt"), "text\n");
        project.commit("Two")
    };
    let first = hash();
    assert_eq!(first, hash());
    assert_eq!(first.len(), 40);
}

#[test]
fn a_folder_of_the_repository_is_copied_beside_what_the_binary_sees() {
    let project = Project::without_git();
    let _help = project.lcmbench().arg("--help").run().expect(0);
    project.copy("tests/integration/common", "copy");
    assert!(project.path("copy/command.rs").exists());
}

#[test]
fn a_signal_ends_a_program_with_the_code_of_a_shell() {
    let project = Project::without_git();
    let mut running = project
        .program("sh")
        .args(["-c", "echo ready > flag; exec sleep 60"])
        .patience(Duration::from_secs(30))
        .start();
    running.wait_until("the flag is there", || project.path("flag").exists());
    running.signal(Signal::TERM);
    let output = running.wait().expect(143);
    assert_eq!(output.stderr, "");
}

#[test]
fn the_binary_says_its_version() {
    let command = lcmbench().arg("--version").env("NO_COLOR", "1");
    assert!(command.home().is_dir());
    let output = command.current_dir("/").run().expect(0).says("lcmbench");
    assert_eq!(
        output.stdout.trim(),
        concat!("lcmbench ", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn interpreters_that_are_named_run() {
    for venv in [VENV, VENV_02, JAX_VENV] {
        let Some(folder) = oracle(venv) else { continue };
        let project = Project::without_git();
        let _ran = project
            .program(folder.join("bin/python"))
            .args(["-c", "import sys"])
            .run()
            .expect(0);
    }
    let Some(python) = python3() else { return };
    assert!(python.is_absolute());
}
