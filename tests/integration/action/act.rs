//! `act`, which runs workflows as GitHub's runner does, here without containers: steps are processes of
//! this machine. Actions of others are replaced by small ones that need no network.

use std::path::{Path, PathBuf};

use fs_err as fs;
use lcmbench::github::{ACTION, ACTION_TAG};
use serde_json::Value;

use crate::common::command::Lcmbench;
use crate::common::python::skip;
use crate::github::{ACTIONS_TOKEN, Measured, SETTINGS, SUITE};

/// The program, if it is there.
fn program() -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the harness itself reads the outer environment"
    )]
    let tools = std::env::var_os("LCMBENCH_TEST_TOOLS").map(PathBuf::from);
    let found = tools.map(|tools| tools.join("bin/act"));
    let found = found.filter(|program| program.is_file());
    if found.is_none() {
        skip("LCMBENCH_TEST_TOOLS names no folder with bin/act");
    }
    found
}

/// A measured project in which workflows can run.
pub(super) struct Act {
    pub(super) measured: Measured,
    program: PathBuf,
    /// The Action as it is used: its own files and no others.
    action: PathBuf,
}

/// Inputs of a run that differ.
#[derive(Debug, Default)]
pub(super) struct Given<'a> {
    /// Further variables of the runner.
    pub(super) variables: Vec<(&'a str, String)>,
}

impl Act {
    /// `None`, said as a skipped test, where something is missing.
    pub(super) fn new() -> Option<Self> {
        Self::with(SETTINGS)
    }

    /// The same with other settings.
    pub(super) fn with(settings: &str) -> Option<Self> {
        let program = program()?;
        let measured = Measured::with_suite(SUITE, settings)?;
        let home = measured.workshop.stored.project.home();
        let action = home.join("action");
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::create_dir_all(action.join("scripts/action")).unwrap();
        let mut files = vec!["action.yml".to_owned(), "Cargo.toml".to_owned()];
        for entry in fs::read_dir(root.join("scripts/action")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            files.push(format!("scripts/action/{name}"));
        }
        for name in files {
            fs::copy(root.join(&name), action.join(&name)).unwrap();
        }
        // Where act says that the runner's tool cache is.
        let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let cached = home
            .join(".cache/act/tool_cache/lcmbench")
            .join(env!("CARGO_PKG_VERSION"))
            .join(target);
        fs::create_dir_all(&cached).unwrap();
        let binary = env!("CARGO_BIN_EXE_lcmbench");
        std::os::unix::fs::symlink(binary, cached.join("lcmbench")).unwrap();
        let act = Self {
            measured,
            program,
            action,
        };
        act.put_managers_on_path();
        Some(act)
    }

    /// `pixi` and `uv` as far as the workflows need them: both lead to the Python of the tests. And
    /// `gh api`, which is on every runner of GitHub's.
    fn put_managers_on_path(&self) {
        let python = self.measured.python.display();
        let tools = self.home().join("tools");
        fs::create_dir_all(&tools).unwrap();
        for (name, text) in [
            ("pixi", format!("shift 4\nexec '{python}' \"$@\"")),
            (
                "uv",
                format!(
                    "mkdir -p .venv/bin\necho '*' > .venv/.gitignore\n\
                     ln -sf '{python}' .venv/bin/python"
                ),
            ),
            (
                "gh",
                format!("[ \"$1\" = api ]\nshift\nexec '{python}' -c '{GH_API}' \"$@\""),
            ),
        ] {
            let path = tools.join(name);
            fs::write(&path, format!("#!/bin/sh\nset -e\n{text}\n")).unwrap();
            executable(&path);
        }
    }

    pub(super) fn home(&self) -> PathBuf {
        self.measured.workshop.stored.project.home()
    }

    /// Where artifacts go.
    pub(super) fn artifacts(&self) -> PathBuf {
        self.home().join("artifacts")
    }

    /// An example, run for this event.
    pub(super) fn example(
        &self,
        name: &str,
        event: &str,
        payload: &Value,
        given: &Given<'_>,
    ) -> Lcmbench {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(root.join(".github/workflows/examples").join(name)).unwrap();
        // act does not know this key yet.
        let text = text.replace("      queue: max\n", "");
        self.workflow(&text, event, payload, given)
    }

    /// A workflow, run for this event.
    pub(super) fn workflow(
        &self,
        text: &str,
        event: &str,
        payload: &Value,
        given: &Given<'_>,
    ) -> Lcmbench {
        let home = self.home();
        let workflow = home.join("workflow.yml");
        fs::write(&workflow, text).unwrap();
        let path = home.join("event-of-act.json");
        fs::write(&path, payload.to_string()).unwrap();
        let project = &self.measured.workshop.stored.project;
        let mut command = project
            .program(&self.program)
            .arg(event)
            .args(["--container-daemon-socket", "-", "--no-cache-server"])
            .args(["-P", "ubuntu-24.04=-self-hosted"])
            .args(["-P", "self-hosted=-self-hosted"])
            .args(["-P", "gpu-benchmark=-self-hosted"])
            .arg("-W")
            .arg(&workflow)
            .arg("-e")
            .arg(&path)
            .args(["-s", &format!("GITHUB_TOKEN={ACTIONS_TOKEN}")]);
        for (used, folder) in self.replaced(text) {
            let local = format!("https://github.com/{used}={}", folder.display());
            command = command.args(["--local-repository", &local]);
        }
        let mut variables = vec![
            ("GITHUB_API_URL", self.measured.workshop.fake.url()),
            ("ACT_SOURCE", project.root().display().to_string()),
            ("ACT_ARTIFACTS", self.artifacts().display().to_string()),
        ];
        variables.extend(
            given
                .variables
                .iter()
                .map(|(name, value)| (*name, value.clone())),
        );
        for (name, value) in variables {
            command = command.args(["--env", &format!("{name}={value}")]);
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "the harness itself reads the outer environment"
        )]
        let path = std::env::var("PATH").unwrap();
        let tools = home.join("tools");
        command.env("PATH", format!("{}:{path}", tools.display()))
    }

    /// What stands in for each action that a workflow uses.
    fn replaced(&self, text: &str) -> Vec<(String, PathBuf)> {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/actions");
        text.lines()
            .filter_map(|line| {
                line.trim_start()
                    .trim_start_matches("- ")
                    .strip_prefix("uses: ")
            })
            .map(|used| {
                let used = used.split_whitespace().next().unwrap();
                let (name, _) = used.split_once('@').unwrap();
                let folder = match name {
                    ACTION => {
                        assert_eq!(used, format!("{ACTION}@{ACTION_TAG}"));
                        self.action.clone()
                    }
                    "prefix-dev/setup-pixi" | "astral-sh/setup-uv" => fixtures.join("nothing"),
                    other => fixtures.join(other.strip_prefix("actions/").expect(other)),
                };
                assert!(folder.is_dir(), "{used}");
                (used.to_owned(), folder)
            })
            .collect()
    }
}

/// `gh api --method METHOD PATH`.
const GH_API: &str = r#"
import os, sys, urllib.request
_, option, method, path = sys.argv
assert option == "--method"
headers = {"Authorization": "Bearer " + os.environ["GH_TOKEN"],
    "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
url = os.environ["GITHUB_API_URL"] + "/" + path
urllib.request.urlopen(urllib.request.Request(url, method=method, headers=headers)).read()
"#;

pub(super) fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}
