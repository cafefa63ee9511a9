//! The command `init`: what it finds, what it writes, and that it overwrites nothing.

use fs_err as fs;

use crate::common::{Project, python3};

/// All files outside of `.git`, sorted.
fn files(project: &Project) -> Vec<String> {
    let root = project.root();
    let mut folders = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
            if path.is_dir() {
                if name != ".git" {
                    folders.push(path);
                }
            } else {
                found.push(name.to_owned());
            }
        }
    }
    found.sort();
    found
}

/// A project as users of asv have it.
fn with_asv() -> Project {
    let project = Project::new();
    project.suite("timing");
    project.write(
        "pyproject.toml",
        "[project]\nname = \"pylcm\"\n[tool.pixi.environments]\nbenchmarks-cuda12 = [\"a\"]\n",
    );
    project.write("src/lcm/__init__.py", "");
    project.commit("Start");
    project
}

#[test]
fn an_empty_repository_gets_a_suite_that_runs() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    let output = project.lcmbench().arg("init").run().expect(0);
    assert!(
        output.stdout.contains("wrote benchmarks/first.py"),
        "{}",
        output.stdout
    );
    assert_eq!(
        files(&project),
        [
            ".github/workflows/benchmark-check.yml",
            ".github/workflows/benchmark-main.yml",
            ".github/workflows/benchmark-pr.yml",
            ".gitignore",
            "asv.conf.json",
            "benchmarks/__init__.py",
            "benchmarks/first.py",
            "lcmbench.toml",
        ]
    );
    project.commit("Add benchmarks");
    let _measured = project.run_with(&python, ["--quick"]).expect(0);
    assert_eq!(project.git(["status", "--porcelain"]), "");
    let [file] = &project.result_files()[..] else {
        panic!("{:?}", project.result_files());
    };
    assert!(file.ends_with("-benchmarks.json"), "{file}");
    let _listed = project
        .lcmbench()
        .args(["list", "--python", python.to_str().unwrap()])
        .run()
        .expect(0)
        .says("first.Sorting.time_sorted");
}

#[test]
fn a_dry_run_shows_everything_and_writes_nothing() {
    let project = with_asv();
    let before = files(&project);
    let output = project
        .lcmbench()
        .args(["init", "--dry-run"])
        .run()
        .expect(0);
    assert_eq!(files(&project), before);
    for text in [
        "would write lcmbench.toml:",
        "    package = \"lcm\"",
        "    python = \"pixi run -e benchmarks-cuda12 python\"",
        "would add to .gitignore:\n    /results/",
        "would write .github/workflows/benchmark-pr.yml:",
        "make a rule for the branch main",
        "`benchmark-check`, with GitHub Actions as its source",
    ] {
        assert!(output.stdout.contains(text), "{text}\n{}", output.stdout);
    }
}

#[test]
fn what_is_there_is_left_and_a_second_time_changes_nothing() {
    let project = with_asv();
    project.write(".gitignore", "*.log");
    project.write(".github/workflows/benchmark-pr.yml", "name: mine\n");
    let asv = project.read("asv.conf.json");
    let _first = project
        .lcmbench()
        .arg("init")
        .run()
        .expect(0)
        .says("left .github/workflows/benchmark-pr.yml as it is");
    assert_eq!(
        project.read(".github/workflows/benchmark-pr.yml"),
        "name: mine\n"
    );
    assert_eq!(project.read("asv.conf.json"), asv);
    assert!(project.read(".gitignore").starts_with("*.log\n/results/\n"));
    let content = |project: &Project| {
        let read = |name: &String| (name.clone(), project.read(name));
        files(project).iter().map(read).collect::<Vec<_>>()
    };
    let before = content(&project);
    let _second = project.lcmbench().arg("init").run().expect(0);
    assert_eq!(content(&project), before);
}

#[test]
fn settings_in_pyproject_are_settings() {
    let project = with_asv();
    let text = project.read("pyproject.toml");
    project.write(
        "pyproject.toml",
        &format!("{text}[tool.lcmbench]\nmachine = \"x\"\n"),
    );
    let _output = project
        .lcmbench()
        .args(["init", "--no-workflows"])
        .run()
        .expect(0)
        .says("left pyproject.toml as it is: it has settings of lcmbench already");
    assert!(!project.path("lcmbench.toml").exists());
    assert!(!project.path(".github").exists());
}

#[test]
fn workflows_fit_the_project() {
    let project = Project::new();
    project.git(["checkout", "--quiet", "-b", "trunk"]);
    project.write("uv.lock", "");
    project.write(
        "pyproject.toml",
        "[project]\nname = \"x\"\n[dependency-groups]\nbench = []\n",
    );
    project.write(
        "perf/asv.conf.json",
        "{\"version\": 1, \"branches\": [\"trunk\"]}",
    );
    project.commit("Start");
    let _written = project
        .lcmbench()
        .current_dir(project.path("perf"))
        .args([
            "init",
            "--runner",
            "a100",
            "--with",
            "forks,queue,on-demand",
        ])
        .run()
        .expect(0);
    let read = |name: &str| project.read(format!(".github/workflows/benchmark-{name}.yml"));
    let main = read("main");
    assert!(main.contains("branches: [trunk]"), "{main}");
    assert!(main.contains("runs-on: [self-hosted, a100]"), "{main}");
    assert!(main.contains("uses: astral-sh/setup-uv@"), "{main}");
    assert!(!main.contains("pixi"), "{main}");
    for name in ["pr", "fork", "on-demand"] {
        let text = read(name);
        assert!(
            text.contains("        run: uv sync --locked --group bench\n"),
            "{text}"
        );
        assert!(
            text.contains("          python: uv run --no-sync python\n"),
            "{text}"
        );
        assert!(
            text.contains("          working-directory: perf\n"),
            "{text}"
        );
    }
    assert!(read("queue").contains("--merge-group reuse"));
    assert!(read("fork-report").contains("workflow_run"));
    assert!(project.path("perf/lcmbench.toml").exists());
}

#[test]
fn workflows_for_a_subfolder_go_there_only_where_it_is_checked_out() {
    let project = Project::new();
    project.write("perf/asv.conf.json", "{\"version\": 1}");
    project.commit("Start");
    let _written = project
        .lcmbench()
        .current_dir(project.path("perf"))
        .args(["init", "--with", "forks,queue,on-demand"])
        .run()
        .expect(0);
    let read = |name: &str| project.read(format!(".github/workflows/benchmark-{name}.yml"));
    for name in ["check", "queue", "fork-report"] {
        let text = read(name);
        assert!(!text.contains("working-directory"), "{text}");
    }
    for name in ["pr", "main", "fork", "on-demand"] {
        let text = read(name);
        assert_eq!(
            text.matches("working-directory: perf\n").count(),
            1,
            "{text}"
        );
        // The environment lies where the command, which runs there, looks for it.
        assert!(text.contains("python3 -m venv perf/.venv\n"), "{text}");
        assert!(text.contains("perf/.venv/bin/python -m pip"), "{text}");
        assert!(text.contains("python: .venv/bin/python\n"), "{text}");
    }
    for name in ["fork", "on-demand"] {
        let text = read(name);
        assert!(
            text.contains("arguments: --handoff handoff.json\n"),
            "{text}"
        );
        assert!(text.contains("path: perf/handoff.json\n"), "{text}");
    }
}

#[test]
fn stored_results_keep_their_environment_by_an_alias() {
    let project = with_asv();
    project.write(
        "results/vm/machine.json",
        "{\"machine\": \"vm\", \"version\": 1}",
    );
    project.write(
        "results/vm/01234567-existing-py_home_runner_bin_python.json",
        "{}",
    );
    let _written = project.lcmbench().arg("init").run().expect(0);
    let settings = project.read("lcmbench.toml");
    assert!(
        settings.contains("aliases = [\"existing-py_home_runner_bin_python\"]"),
        "{settings}"
    );
}

#[test]
fn a_label_that_is_none_is_refused() {
    let project = with_asv();
    let _refused = project
        .lcmbench()
        .args(["init", "--runner", "a, b"])
        .run()
        .expect(3)
        .says("a label has letters");
}
