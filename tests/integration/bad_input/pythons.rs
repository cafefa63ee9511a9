//! Interpreters that are missing, too old or none at all.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use fs_err as fs;

use crate::common::Project;
use crate::common::python::skip;

fn project() -> Project {
    let project = Project::new();
    project.suite("odd_params");
    project.commit("One");
    project
}

#[test]
fn a_missing_python_is_named() {
    let project = project();
    let refused = project.run_with("/no/such/python".as_ref(), []).expect(3);
    assert!(
        refused.stderr.contains("/no/such/python"),
        "{}",
        refused.stderr
    );
}

#[test]
fn no_python_on_path_is_said() {
    let project = project();
    fs::create_dir(project.home().join("bin")).unwrap();
    let path = project.home().join("bin");
    let git = Command::new("sh")
        .args(["-c", "command -v git"])
        .output()
        .unwrap();
    let git = String::from_utf8(git.stdout).unwrap();
    std::os::unix::fs::symlink(git.trim(), path.join("git")).unwrap();
    let refused = project
        .lcmbench()
        .arg("run")
        .env("PATH", &path)
        .run()
        .expect(3);
    assert!(refused.stderr.contains("Python"), "{}", refused.stderr);
}

#[test]
fn a_program_that_is_no_python_is_said() {
    let project = project();
    let fake = project.home().join("fake-python");
    fs::write(&fake, "#!/bin/sh\necho I am no Python\nexit 5\n").unwrap();
    fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).unwrap();
    let refused = project.run_with(&fake, []).expect(3);
    assert!(refused.stderr.contains("fake-python"), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("I am no Python"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_python_that_is_too_old_is_said() {
    let Some(old) = ["3.8", "3.7", "3.6", "2.7"].iter().find_map(|version| {
        let named = format!("python{version}");
        // Version managers keep interpreters where PATH does not look.
        let script = format!(
            "for candidate in {named} ${{PYENV_ROOT:-$HOME/.pyenv}}/versions/{version}.*/bin/{named}; do \
             $candidate -c 'import sys; sys.stdout.write(sys.executable)' 2>/dev/null && exit; done; exit 1"
        );
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        (output.status.success() && !output.stdout.is_empty())
            .then(|| String::from_utf8(output.stdout).unwrap())
    }) else {
        return skip("no Python older than 3.9 found");
    };
    let project = project();
    let refused = project.run_with(old.as_ref(), []).expect(3);
    assert!(refused.stderr.contains("3.9"), "{}", refused.stderr);
}
