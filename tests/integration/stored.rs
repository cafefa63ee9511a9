//! Result files made by hand, for commands that only read them.

use std::fmt::Write as _;

use crate::common::Project;
use crate::common::command::Output;

/// The environment's name unless a test says otherwise.
pub(crate) const ENVIRONMENT: &str = "existing-py_opt_venv_bin_python3";

/// A project with commits and results of them.
pub(crate) struct StoredProject {
    pub(crate) project: Project,
    /// Full hashes, oldest first.
    pub(crate) commits: Vec<String>,
}

impl StoredProject {
    /// A repository with this many commits, a configuration and a list of benchmarks; no results.
    pub(crate) fn with_commits(count: usize) -> Self {
        let project = Project::new();
        project.write(
            "asv.conf.json",
            r#"{"version": 1, "project": "p", "repo": ".", "environment_type": "existing"}"#,
        );
        project.write(".gitignore", "results\n");
        let commits = (0..count)
            .map(|index| {
                project.write("code.py", &format!("x = {index}\n"));
                project.commit(&format!("Commit {index}"))
            })
            .collect();
        project.write("results/benchmarks.json", BENCHMARKS);
        Self { project, commits }
    }

    /// The description of a machine, without which its folder does not count.
    pub(crate) fn machine(&self, name: &str) {
        self.project.write(
            format!("results/{name}/machine.json"),
            &format!(
                r#"{{"arch": "x86_64", "cpu": "c", "machine": "{name}", "num_cpu": "2", "os": "Linux", "ram": "8GB", "version": 1}}"#
            ),
        );
    }

    /// Results of a commit on `box` in the usual environment.
    pub(crate) fn save(&self, commit: &str, rows: &[String]) {
        self.save_in(commit, "box", ENVIRONMENT, rows);
    }

    /// Replaces the results of a commit on `box`; what describes the machine stays as it is.
    pub(crate) fn save_row(&self, commit: &str, row: &str) {
        let name = format!("results/box/{}-{ENVIRONMENT}.json", &commit[..8]);
        let text = result_file(commit, "box", ENVIRONMENT, &[row.to_owned()]);
        self.project.write(name, &text);
    }

    pub(crate) fn save_in(&self, commit: &str, machine: &str, environment: &str, rows: &[String]) {
        self.machine(machine);
        let name = format!("results/{machine}/{}-{environment}.json", &commit[..8]);
        self.project
            .write(name, &result_file(commit, machine, environment, rows));
    }
}

const BENCHMARKS: &str = r#"{
    "m.Suite.peakmem_run": {"name": "m.Suite.peakmem_run", "param_names": [], "params": [],
        "type": "peakmemory", "unit": "bytes", "version": "1"},
    "m.Suite.time_run": {"name": "m.Suite.time_run", "param_names": ["n"], "params": [["1", "2"]],
        "type": "time", "unit": "seconds", "version": "1"},
    "m.time_plain": {"name": "m.time_plain", "param_names": [], "params": [],
        "type": "time", "unit": "seconds", "version": "1"},
    "version": 2
}"#;

/// One file in asv's format, version 2.
pub(crate) fn result_file(
    commit: &str,
    machine: &str,
    environment: &str,
    rows: &[String],
) -> String {
    format!(
        r#"{{"commit_hash": "{commit}", "env_name": "{environment}", "date": 1704067200000, "params": {{"machine": "{machine}", "python": "/opt/venv/bin/python3"}}, "python": "/opt/venv/bin/python3", "requirements": {{}}, "env_vars": {{}}, "result_columns": ["result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_number", "stats_repeat", "samples", "profile"], "results": {{{}}}, "durations": {{"<build>": 0.5}}, "version": 2}}"#,
        rows.join(", ")
    )
}

/// A value without statistics: a number, `null`, `NaN` or any other JSON.
pub(crate) fn plain(benchmark: &str, value: &str) -> String {
    format!(r#""{benchmark}": [[{value}], [], "1", 1704070800000, 1.5]"#)
}

/// A time in seconds with the statistics of ten samples within 2 % of it.
pub(crate) fn timed(benchmark: &str, seconds: f64) -> String {
    row(benchmark, "[]", &[seconds])
}

/// Times of a benchmark with the parameter `n` of 1, 2, ...
pub(crate) fn timed_by_n(benchmark: &str, seconds: &[f64]) -> String {
    let values: Vec<String> = (1..=seconds.len()).map(|n| format!("\"{n}\"")).collect();
    row(benchmark, &format!("[[{}]]", values.join(", ")), seconds)
}

fn row(benchmark: &str, params: &str, seconds: &[f64]) -> String {
    let column = |factor: f64| {
        let values: Vec<String> = seconds
            .iter()
            .map(|s| format!("{:?}", s * factor))
            .collect();
        format!("[{}]", values.join(", "))
    };
    let counts = |count: usize| format!("[{}]", vec![count.to_string(); seconds.len()].join(", "));
    let mut text = String::new();
    write!(
        text,
        r#""{benchmark}": [{}, {params}, "1", 1704070800000, 1.5, {}, {}, {}, {}, {}, {}]"#,
        column(1.0),
        column(0.98),
        column(1.02),
        column(0.99),
        column(1.01),
        counts(4),
        counts(10)
    )
    .unwrap();
    text
}

/// Asserts the exit code and everything that must be said.
pub(crate) fn check(output: Output, code: i32, texts: &[&str]) {
    let mut output = output.expect(code);
    for text in texts {
        output = output.says(text);
    }
    drop(output);
}
