//! One repository in which asv and lcmbench run the same suite.

use std::path::{Path, PathBuf};

use fs_err as fs;
use lcmbench::json::{self, Json};

use crate::common::Project;
use crate::common::command::{Lcmbench, Output};

use super::same::{Difference, result_differences};

/// Name of the machine in both tools.
pub(super) const MACHINE: &str = "box";

/// A repository with a suite, an environment with asv, and a machine file for both tools.
pub(super) struct Both {
    pub(super) project: Project,
    venv: PathBuf,
}

impl Both {
    /// A fresh repository with one commit that holds `tests/suites/<theme>`.
    pub(super) fn suite(venv: &Path, theme: &str) -> Self {
        let project = Project::new();
        project.suite(theme);
        Self::of(venv, project)
    }

    /// Commits what is in `project` and registers the machine.
    pub(super) fn of(venv: &Path, project: Project) -> Self {
        project.commit("The suite");
        let both = Self {
            project,
            venv: venv.to_owned(),
        };
        let _registered = both
            .project
            .lcmbench()
            .args(["machine", "--yes", "--machine", MACHINE])
            .run()
            .expect(0);
        both
    }

    /// The interpreter that both tools measure with.
    pub(super) fn python(&self) -> PathBuf {
        self.venv.join("bin/python")
    }

    /// asv with these arguments.
    pub(super) fn asv<const N: usize>(&self, arguments: [&str; N]) -> Lcmbench {
        self.project
            .program(self.venv.join("bin/asv"))
            .args(arguments)
    }

    /// Measures HEAD with asv; the exit code is 2 when a benchmark fails.
    pub(super) fn asv_run<const N: usize>(&self, more: [&str; N], code: i32) -> Output {
        let environment = format!("existing:{}", self.python().display());
        self.asv(["run", "--machine", MACHINE, "--set-commit-hash", "HEAD"])
            .args(["-E", &environment])
            .args(more)
            .run()
            .expect(code)
    }

    /// Measures HEAD with lcmbench.
    pub(super) fn lcmbench_run<const N: usize>(&self, more: [&str; N], code: i32) -> Output {
        self.project
            .lcmbench()
            .args(["run", "--machine", MACHINE, "--python"])
            .arg(self.python())
            .args(more)
            .run()
            .expect(code)
    }

    /// Moves `results` out of the project, so that the other tool begins afresh.
    pub(super) fn put_aside(&self, name: &str) -> PathBuf {
        let aside = self.project.home().join(name);
        fs::rename(self.project.path("results"), &aside).unwrap();
        aside
    }

    /// Asserts that both folders hold the same files, up to what each run measures anew.
    pub(super) fn assert_same_results(&self, asv: &Path) {
        let ours = self.project.path("results");
        for name in ["benchmarks.json", "box/machine.json"] {
            let (expected, found) = (text(&asv.join(name)), text(&ours.join(name)));
            assert!(
                expected == found,
                "{name} differs\n--- asv\n{expected}\n--- lcmbench\n{found}"
            );
        }
        let benchmarks = parse(&asv.join("benchmarks.json"));
        let files = result_files(asv);
        assert_eq!(files, result_files(&ours), "names of the result files");
        assert!(!files.is_empty(), "asv saved nothing");
        for file in files {
            let expected = parse(&asv.join(MACHINE).join(&file));
            let found = parse(&ours.join(MACHINE).join(&file));
            let differences: Vec<Difference> = result_differences(&benchmarks, &expected, &found);
            assert!(
                differences.is_empty(),
                "{file} differs:\n{}",
                differences.join("\n")
            );
        }
    }
}

/// Names of the result files of the machine, sorted.
pub(super) fn result_files(results: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(results.join(MACHINE))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| {
            Path::new(name).extension() == Some("json".as_ref()) && name != "machine.json"
        })
        .collect();
    names.sort();
    names
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

pub(super) fn parse(path: &Path) -> Json {
    json::parse(&text(path)).unwrap()
}
