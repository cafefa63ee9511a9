//! `scripts/demo`, and what the README promises.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use fs_err as fs;

use crate::common::{Project, lcmbench, python3};

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_demo_measures_compares_and_prints_the_comment() {
    let Some(python) = python3() else { return };
    let project = Project::without_git();
    let folder = project.path("demo");
    let output = project
        .program("bash")
        .arg(repository().join("scripts/demo"))
        .arg(&folder)
        .env("LCMBENCH", env!("CARGO_BIN_EXE_lcmbench"))
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", python.parent().unwrap().display()),
        )
        .patience(Duration::from_mins(5))
        .run()
        .expect(0);
    for text in [
        "<!-- benchmark-check -->",
        "| solver",
        "execution time",
        "machine.json",
    ] {
        assert!(output.stdout.contains(text), "{text}\n{}", output.stdout);
    }
    assert!(folder.join("project/results/benchmarks.json").exists());
    assert!(folder.join("dashboard/results/benchmarks.json").exists());
    // The page is in this program only if it was bundled before.
    let has_page = lcmbench::site::has_page();
    assert_eq!(folder.join("dashboard/index.html").exists(), has_page);
}

/// Every command and flag in a code block of the README exists.
#[test]
fn commands_in_the_readme_exist() {
    let text = fs::read_to_string(repository().join("README.md")).unwrap();
    let mut checked = BTreeSet::new();
    let blocks = text.split("\n```").skip(1).step_by(2);
    for line in blocks.flat_map(str::lines) {
        let line = line.trim_start_matches("$ ");
        for command in line.split("&&").map(str::trim) {
            let words: Vec<&str> = command
                .split('#')
                .next()
                .unwrap()
                .split_whitespace()
                .collect();
            let ["lcmbench", name, rest @ ..] = words.as_slice() else {
                continue;
            };
            let help = lcmbench().args([name, "--help"]).run().expect(0).stdout;
            for flag in rest.iter().filter(|word| word.starts_with("--")) {
                assert!(help.contains(flag), "`{command}`: no {flag} in\n{help}");
            }
            checked.insert((*name).to_owned());
        }
    }
    let expected = [
        "changes",
        "compare",
        "continuous",
        "doctor",
        "gpu",
        "list",
        "machine",
        "pair",
        "paths",
        "pr",
        "pr-comment",
        "publish",
        "quick",
        "run",
        "selftest",
    ];
    assert_eq!(checked, expected.map(str::to_owned).into());
}

/// The configuration that the README shows is accepted without a warning.
#[test]
fn the_configuration_in_the_readme_is_valid() {
    let text = fs::read_to_string(repository().join("README.md")).unwrap();
    let block = text.split("```toml\n").nth(1).unwrap();
    let block = block.split("```").next().unwrap();
    let project = Project::new();
    project.suite("odd_params");
    project.write("lcmbench.toml", block);
    project.commit("One");
    let output = project
        .lcmbench()
        .args(["machine", "--yes"])
        .run()
        .expect(0);
    assert!(!output.stderr.contains("warning"), "{}", output.stderr);
}
