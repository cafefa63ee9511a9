//! Small slips in a suite, in flags and in files: each is said in words that tell the way out.

use std::path::Path;

use crate::common::command::Output;
use crate::common::{Project, python3};
use crate::stored::{StoredProject, check, timed};

/// A committed project whose suite is one module.
fn suite(text: &str) -> Project {
    let project = Project::new();
    project.write(
        "asv.conf.json",
        r#"{"version": 1, "project": "p", "repo": ".", "environment_type": "existing"}"#,
    );
    project.write("benchmarks/__init__.py", "");
    project.write("benchmarks/bench.py", text);
    project.write(".gitignore", "results\n");
    project.commit("One");
    project
}

/// [`check`], to look closer.
fn said(output: Output, code: i32, texts: &[&str]) -> Output {
    let output = output.expect(code);
    texts.iter().fold(output, |output, text| output.says(text))
}

fn run(project: &Project, python: &Path, command: &str) -> Output {
    let started = project.lcmbench().args([command, "--python"]).arg(python);
    started.run()
}

#[test]
fn a_benchmark_with_an_empty_axis_is_named() {
    const SAYS: &str = "bench.track_none is not measured: its parameter m has no values";
    let Some(python) = python3() else { return };
    let project = suite(
        "def track_none(n, m): return 1\n\
         track_none.params = [[1, 2], []]\n\
         track_none.param_names = ['n', 'm']\n\
         def track_one(): return 1\n",
    );
    for command in ["run", "quick", "list"] {
        check(run(&project, &python, command), 0, &[SAYS]);
    }
    assert_eq!(project.saved().names(), ["bench.track_one"]);
    let other = project
        .lcmbench()
        .args(["list", "--bench", "track_one", "--python"]);
    let output = other.arg(&python).run().expect(0);
    assert!(!output.stderr.contains("track_none"), "{}", output.stderr);
}

#[test]
fn attributes_of_a_wrong_type_fail_their_benchmark_alone() {
    let Some(python) = python3() else { return };
    let project = suite(
        "class Suite:\n    timeout = 'abc'\n    def track_a(self): return 1\n    \
         def track_b(self): return 1\n    def track_c(self): return 1\n\
         def track_good(): return 1\n",
    );
    let output = said(
        run(&project, &python, "run"),
        2,
        &[
            "bench.Suite.track_a of the suite cannot be used: WrongAttribute: `timeout` is 'abc' \
             (str); it must be a number of seconds above 0",
            "the same for 2 more: bench.Suite.track_b, bench.Suite.track_c",
        ],
    );
    assert_eq!(output.stderr.matches("`timeout` is").count(), 1);
    assert_eq!(project.saved().names(), ["bench.track_good"]);
}

#[test]
fn one_reason_is_shown_once() {
    let Some(python) = python3() else { return };
    let project = suite(
        "class Suite:\n    params = list(range(5))\n    \
         def setup(self, n): raise ValueError('not today')\n    \
         def track_a(self, n): return 1\n    def track_b(self, n): return 1\n\
         def setup_cache(): raise KeyError('cold')\n\
         class Cached:\n    setup_cache = staticmethod(setup_cache)\n    \
         def track_c(self, cache): return 1\n    def track_d(self, cache): return 1\n",
    );
    // The cache of the module is everybody's.
    project.write(
        "benchmarks/bench.py",
        &project
            .read("benchmarks/bench.py")
            .replace("def setup_cache", "def _fill")
            .replace("staticmethod(setup_cache)", "staticmethod(_fill)"),
    );
    project.commit("Two");
    let output = said(
        run(&project, &python, "run"),
        2,
        &[
            "the same for 4 more combinations",
            "the traceback is that of bench.Suite.track_a",
            "the traceback is that of setup_cache bench:",
        ],
    );
    let lines = |text: &str| {
        let said = output.stderr.lines();
        said.filter(|line| line.trim() == text).count()
    };
    assert_eq!(lines("ValueError: not today"), 1, "{}", output.stderr);
    assert_eq!(lines("KeyError: 'cold'"), 1, "{}", output.stderr);
}

#[test]
fn a_benchmark_that_ends_its_parent_fails_and_the_others_are_measured() {
    let Some(python) = python3() else { return };
    let project = suite(
        "import os, signal\n\
         def track_before(): return 1\n\
         def track_killer(n):\n    \
         while True: os.kill(os.getppid(), signal.SIGKILL)\n\
         track_killer.params = [1, 2, 3, 4]\n\
         def track_last(): return 2\n",
    );
    let output = said(
        run(&project, &python, "run"),
        2,
        &[
            "(1) failed: ended the worker that started it (signal 9, SIGKILL)",
            "(3) failed: not run: bench.track_killer ended the worker that started it twice",
        ],
    );
    let saved = project.saved();
    assert_eq!(saved.result("bench.track_before"), "[1]", "{output:?}");
    assert_eq!(saved.result("bench.track_killer"), "null");
    assert_eq!(saved.result("bench.track_last"), "[2]");
}

#[test]
fn a_package_that_a_benchmark_imports_from_elsewhere_is_noticed() {
    let Some(python) = python3() else { return };
    let project = suite(
        "import os, sys\nimport measured\n\
         class Other:\n    \
         def setup(self):\n        \
         del sys.modules['measured']\n        \
         sys.path.insert(0, os.environ['ELSEWHERE'])\n        \
         import measured\n    \
         def time_x(self): pass\n    \
         def peakmem_x(self): pass\n\
         def track_own(): return measured.value\n",
    );
    project.write("measured/__init__.py", "value = 1\n");
    project.write("lcmbench.toml", "package = \"measured\"\n");
    project.commit("Two");
    let elsewhere = project.home().join("elsewhere");
    fs_err::create_dir_all(elsewhere.join("measured")).unwrap();
    fs_err::write(elsewhere.join("measured/__init__.py"), "value = 2\n").unwrap();
    let started = project
        .lcmbench()
        .args(["run", "--python"])
        .arg(&python)
        .env("ASV_PYTHONPATH", project.root())
        .env("ELSEWHERE", &elsewhere);
    let output = said(
        started.run(),
        2,
        &["ImportedElsewhere: the package `measured` was imported from "],
    );
    let saved = project.saved();
    assert_eq!(saved.result("bench.track_own"), "[1]", "{output:?}");
    for name in ["bench.Other.time_x", "bench.Other.peakmem_x"] {
        assert_eq!(saved.result(name), "null", "{name}");
        let remarks = saved.remarks(name);
        assert!(
            remarks.contains("when the suite was discovered"),
            "{remarks}"
        );
    }
}

#[test]
fn a_module_of_the_package_that_lies_elsewhere_is_refused() {
    let Some(python) = python3() else { return };
    let project = suite(
        "import os\nimport measured\n\
         measured.__path__.append(os.environ['ELSEWHERE'])\n\
         import measured.extra\n\
         def track_extra(): return measured.extra.value\n",
    );
    project.write("measured/__init__.py", "");
    project.write("built/extra.py", "value = 1\n");
    project.write("lcmbench.toml", "package = \"measured\"\n");
    project.commit("Two");
    let elsewhere = project.home().join("elsewhere");
    fs_err::create_dir_all(&elsewhere).unwrap();
    fs_err::write(elsewhere.join("extra.py"), "value = 2\n").unwrap();
    let measure = |folder: &Path| {
        let run = project.lcmbench().args(["run", "--python"]).arg(&python);
        run.env("ASV_PYTHONPATH", project.root())
            .env("ELSEWHERE", folder)
            .run()
    };
    let _refused = said(
        measure(&elsewhere),
        3,
        &[
            "the package `measured.extra` was imported from ",
            "elsewhere/extra.py, which is not in the checkout",
        ],
    );
    // What a build leaves in the checkout is the project's own.
    let _measured = measure(&project.path("built")).expect(0);
    assert_eq!(project.saved().result("bench.track_extra"), "[1]");
}

#[test]
fn facts_of_a_machine_have_a_form() {
    let project = Project::without_git();
    for (flag, value, says) in [
        (
            "--ram",
            "lots",
            "a size of memory is needed, such as `64GB`",
        ),
        ("--num_cpu", "x", "a whole number of processors is needed"),
        ("--num-cpu", "0", "a whole number of processors is needed"),
        ("--cpu", "", "a text on one line is needed"),
        ("--os", " ", "a text on one line is needed"),
    ] {
        let output = project.lcmbench().args(["machine", flag, value]).run();
        check(
            output,
            3,
            &[
                flag.trim_start_matches('-').split('-').next().unwrap(),
                says,
            ],
        );
    }
    assert!(!project.home().join(".asv-machine.json").exists());
}

#[test]
fn a_commit_compared_with_itself_is_said() {
    let stored = StoredProject::with_commits(1);
    stored.save(&stored.commits[0], &[timed("m.time_plain", 0.5)]);
    let says = format!(
        "both sides are the results of {} in ",
        &stored.commits[0][..8]
    );
    let output = stored.project.lcmbench().args(["compare", "HEAD", "main"]);
    check(output.run(), 0, &[&says, "name two commits"]);
}

#[test]
fn configuration_that_says_nothing_or_names_nothing() {
    let Some(python) = python3() else { return };
    let project = suite("def track_one(): return 1\n");
    for text in ["", "\n// nothing yet\n"] {
        project.write("asv.conf.json", text);
        let says = [
            "asv.conf.json, line",
            "the file is empty; it must hold an object",
        ];
        check(run(&project, &python, "list"), 3, &says);
    }
    project.write("asv.conf.json", "{\"version\": 1,");
    let says = "the file ends in an object; a `}` is missing";
    check(run(&project, &python, "list"), 3, &[says]);
    project.write(
        "asv.conf.json",
        r#"{"version": 1, "repo": ".", "benchmark_dir": "benches"}"#,
    );
    let says = [
        "benches; the key `benchmark_dir` in ",
        "asv.conf.json names",
    ];
    check(run(&project, &python, "list"), 3, &says);
}

#[test]
fn a_commit_that_git_does_not_know_is_refused_with_the_way_out() {
    let Some(python) = python3() else { return };
    let project = suite("def track_one(): return 1\n");
    let started = project
        .lcmbench()
        .args(["run", "--set-commit-hash", "0000", "--python"]);
    let says = [
        "--set-commit-hash 0000 names no commit here",
        "leave the flag out",
    ];
    check(started.arg(&python).run(), 3, &says);
}

#[test]
fn the_clone_of_the_site_is_no_change_of_the_project() {
    let Some(python) = python3() else { return };
    let project = suite("def track_one(): return 1\n");
    project.write(".benchmark-site/results/vm/machine.json", "{}");
    check(run(&project, &python, "run"), 0, &[]);
    project.write("other/file", "");
    check(run(&project, &python, "run"), 3, &["other/"]);
}
