//! Programs in a folder that holds a home and a project, and what they used.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use lcmbench::sys::env::Environment;
use lcmbench::sys::process::{Exit, ExitStatus, Program, run};

/// Runs a program in `<folder>/project` that must succeed. Returns its end, with what it used, and what it
/// printed.
pub(crate) fn run_in(folder: &Path, program: &Path, arguments: &[&str]) -> (Exit, String) {
    let path = Environment::of_process().path("PATH").unwrap_or_default();
    let variables = [
        ("HOME", folder.join("home").into_os_string()),
        ("PATH", path.into_os_string()),
        ("LANG", "C.UTF-8".into()),
        ("GIT_CONFIG_NOSYSTEM", "1".into()),
    ];
    let environment: Environment = variables.into_iter().collect();
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let program = Program {
        name: &program.as_os_str().to_owned(),
        arguments: &arguments,
        environment: &environment,
        directory: Some(&folder.join("project")),
        inherited: &[],
        death_signal: None,
        kept_bytes: 10_000,
    };
    let finished = run(&program, None, None).expect("the program starts");
    let exit = finished.exit.expect("the program ends");
    assert_eq!(exit.status, ExitStatus::Code(0), "{}", finished.stderr);
    (exit, finished.stdout)
}

/// Runs git in a folder with this on its standard input; returns what it printed.
pub(crate) fn git(folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("git");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("git reads");
    drop(stdin);
    let output = child.wait_with_output().expect("git ends");
    assert!(output.status.success(), "git {arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}
