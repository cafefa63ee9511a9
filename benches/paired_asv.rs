//! `asv continuous` itself beside `lcmbench continuous`, with the same time, on this machine as it is.
//!
//! `cargo bench --bench paired_asv` makes a repository with a pure Python, a numpy and a JAX benchmark and
//! three commits: a base, one that changes nothing, and one with 5 % more work. Each repeat runs both
//! tools on both changes, `LCMBENCH_BENCH_REPEATS` times (8); what was found is kept in
//! `target/paired_asv.jsonl`, and an interrupted bench goes on there. asv makes a `virtualenv` environment
//! of its own, since its `continuous` takes no existing one; a file of paths in it lends it the packages
//! of the environment with JAX, so that nothing is downloaded. asv gets as many rounds as fit into the
//! time that `lcmbench` is given (100 s for all three).
//!
//! Needs both environments that `scripts/test` makes (`LCMBENCH_TEST_VENV`, `LCMBENCH_TEST_VENV_JAX`).

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[expect(dead_code, reason = "of what the benches share this one needs little")]
mod support;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use fs_err as fs;
use fs_err::os::unix::fs::OpenOptionsExt as _;
use serde_json::{Value, json};

const SECONDS: f64 = 100.0;
/// asv's own number, with which its time is measured first.
const USUAL_ROUNDS: usize = 2;
const BENCHMARKS: [&str; 3] = [
    "work.time_python",
    "work.time_numpy",
    "work.Compiled.time_jax",
];
const TOOLS: [&str; 4] = [
    "lcmbench continuous",
    "asv continuous, as it comes",
    "asv continuous, same time",
    "the same, -f 1.02",
];

const SUITE: &str = r"
from amount import WORK


def time_python():
    total = 0
    for number in range(8 * WORK):
        total += number * number % 7
    return total


def time_numpy():
    for _ in range(WORK // 10):
        ADD(LEFT, RIGHT, out=OUT)


def prepare():
    global ADD, LEFT, RIGHT, OUT
    import numpy

    ADD = numpy.add
    LEFT = numpy.arange(8000.0)
    RIGHT = LEFT[::-1].copy()
    OUT = numpy.empty_like(LEFT)


time_numpy.setup = prepare


class Compiled:
    def setup(self):
        import jax
        import jax.numpy as jnp

        self.run = jax.jit(lambda start, rounds: jax.lax.fori_loop(0, rounds, lambda _, x: jnp.sin(x) + 0.5, start))
        self.start = jnp.arange(256.0)
        self.rounds = jnp.int32(WORK // 2)
        self.run(self.start, self.rounds).block_until_ready()

    def time_jax(self):
        self.run(self.start, self.rounds).block_until_ready()
";

/// What asv runs instead of pip: the module of the commit, and the packages of another environment.
const INSTALL: &str = r#"
import os, shutil, sys, sysconfig

build, packages = sys.argv[1:]
site = sysconfig.get_path("purelib")
shutil.copy(os.path.join(build, "amount.py"), site)
with open(os.path.join(site, "lent.pth"), "w") as file:
    file.write(packages + "\n")
"#;

fn main() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/paired_asv.jsonl");
    let wanted = support::repeats(8);
    let known = read(&path).len();
    if known < wanted {
        let place = Place::new();
        let rounds = place.rounds();
        for repeat in known..wanted {
            let line = place.repeat(repeat, rounds);
            let mut options = fs::OpenOptions::new();
            let file = options.create(true).append(true).mode(0o644).open(&path);
            writeln!(file.expect("the record"), "{line}").expect("the record is written");
        }
    }
    table(&read(&path));
}

fn read(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// A repository in which both tools run.
struct Place {
    root: tempfile::TempDir,
    venv: PathBuf,
    jax: PathBuf,
}

impl Place {
    fn new() -> Self {
        #[expect(clippy::disallowed_methods, reason = "a bench has no settings to read")]
        let jax = std::env::var_os("LCMBENCH_TEST_VENV_JAX").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("target/test-venvs/jax"),
            PathBuf::from,
        );
        let place = Self {
            root: tempfile::tempdir().expect("a temporary folder"),
            venv: support::venv(),
            jax,
        };
        let write = |name: &str, text: &str| {
            let path = place.path(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write("home/.keep", "");
        write("project/benchmarks/__init__.py", "");
        write("project/benchmarks/work.py", SUITE);
        write(
            "project/.gitignore",
            "__pycache__/\nresults/\nenv/\nhtml/\n",
        );
        write("install.py", INSTALL);
        let packages = output_of(Command::new(place.jax.join("bin/python")).args([
            "-c",
            "import sysconfig; print(sysconfig.get_path('purelib'))",
        ]));
        let script = place.path("install.py");
        let configuration = json!({
            "version": 1, "project": "work", "repo": ".", "branches": ["main"], "environment_type": "virtualenv",
            "pythons": ["3.11"], "build_command": [], "uninstall_command": [],
            "install_command": [format!("python {} {{build_dir}} {}", script.display(), packages.trim())],
        });
        write("project/asv.conf.json", &configuration.to_string());
        let git = |arguments: &[&str]| drop(output_of(place.command("git").args(arguments)));
        git(&["init", "--quiet", "--initial-branch=main"]);
        for (name, work) in [("base", 1000), ("equal", 1000), ("slower", 1050)] {
            write("project/amount.py", &format!("WORK = {work}  # {name}\n"));
            git(&["add", "--all"]);
            git(&["commit", "--quiet", "-m", name]);
            git(&["tag", name]);
        }
        let lcmbench = env!("CARGO_BIN_EXE_lcmbench");
        output_of(
            place
                .command(lcmbench)
                .args(["machine", "--yes", "--machine", "bench"]),
        );
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        #[expect(clippy::disallowed_methods, reason = "a bench has no settings to read")]
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .env_clear()
            .current_dir(self.path("project"))
            .env(
                "PATH",
                format!("{}:{path}", self.venv.join("bin").display()),
            )
            .env("HOME", self.path("home"))
            .env("LANG", "C.UTF-8")
            .env("JAX_PLATFORMS", "cpu");
        for (name, value) in [("NAME", "Bench"), ("EMAIL", "bench@example.org")] {
            command.env(format!("GIT_AUTHOR_{name}"), value);
            command.env(format!("GIT_COMMITTER_{name}"), value);
        }
        command
    }

    /// What `asv continuous` calls changed, and its seconds. Its exit code is 1 if there is anything.
    fn asv(&self, head: &str, rounds: usize) -> (String, f64) {
        fs::remove_dir_all(self.path("project/results")).ok();
        let began = Instant::now();
        let mut command = self.command("asv");
        command.args([
            "continuous",
            "--machine",
            "bench",
            "--interleave-rounds",
            "-a",
        ]);
        let output = command
            .arg(format!("rounds={rounds}"))
            .args(["base", head])
            .output();
        let output = output.expect("asv starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            text.contains("BENCHMARKS"),
            "{text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        (text, began.elapsed().as_secs_f64())
    }

    /// Rounds of asv that take as long as `lcmbench` gets: its time grows in a straight line.
    fn rounds(&self) -> usize {
        let (_, first) = self.asv("equal", USUAL_ROUNDS);
        // The first one makes the environment.
        let (_, few) = self.asv("equal", USUAL_ROUNDS);
        let more = 4 * USUAL_ROUNDS;
        let (_, many) = self.asv("equal", more);
        let each = (many - few).max(0.1) / as_float(more - USUAL_ROUNDS);
        let rounds = (as_float(USUAL_ROUNDS) + (SECONDS - few) / each).max(2.0);
        println!(
            "asv: {first:.0} s with its environment, {few:.0} s, {many:.0} s with {more} rounds; {rounds:.0} rounds fit"
        );
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "small"
        )]
        let rounds = rounds as usize;
        rounds
    }

    /// Both tools on both changes.
    fn repeat(&self, repeat: usize, rounds: usize) -> Value {
        let mut line = json!({ "rounds": rounds });
        for head in ["equal", "slower"] {
            let found = &mut line[head];
            let ours = |found: &mut Value| {
                let (names, seconds) = self.lcmbench(head);
                found[TOOLS[0]] = json!({ "found": names, "seconds": seconds });
            };
            if repeat.is_multiple_of(2) {
                ours(found);
            }
            let (text, seconds) = self.asv(head, USUAL_ROUNDS);
            found[TOOLS[1]] = json!({ "found": changed(&text), "seconds": seconds });
            let (text, seconds) = self.asv(head, rounds);
            found[TOOLS[2]] = json!({ "found": changed(&text), "seconds": seconds });
            let compare = [
                "compare",
                "--machine",
                "bench",
                "--factor",
                "1.02",
                "--only-changed",
                "base",
                head,
            ];
            let text = output_of(self.command("asv").args(compare));
            found[TOOLS[3]] = json!({ "found": changed(&text), "seconds": seconds });
            if !repeat.is_multiple_of(2) {
                ours(found);
            }
        }
        line["load"] = fs::read_to_string("/proc/loadavg")
            .unwrap_or_default()
            .trim()
            .into();
        line
    }

    fn lcmbench(&self, head: &str) -> (Vec<String>, f64) {
        let began = Instant::now();
        let python = self.jax.join("bin/python");
        let mut command = self.command(env!("CARGO_BIN_EXE_lcmbench"));
        command.args([
            "continuous",
            "base",
            head,
            "--machine",
            "bench",
            "--dry-run",
            "--format",
            "json",
        ]);
        command
            .args(["--budget", &format!("{SECONDS}s"), "--python"])
            .arg(python);
        let output = command.output().expect("lcmbench starts");
        let seconds = began.elapsed().as_secs_f64();
        let comparison: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        let rows = comparison["rows"].as_array().expect("rows");
        let changed = rows
            .iter()
            .filter(|row| row["verdict"] == "slower" || row["verdict"] == "faster");
        let names = changed.map(|row| row["benchmark"].as_str().unwrap_or_default().to_owned());
        (names.collect(), seconds)
    }
}

/// What a program prints that must run.
fn output_of(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

/// The benchmarks of the rows that begin with `| +` or `| -`.
fn changed(text: &str) -> Vec<String> {
    let rows = text
        .lines()
        .filter(|line| line.starts_with("| +") || line.starts_with("| - "));
    let names = rows.filter_map(|row| BENCHMARKS.iter().find(|name| row.contains(*name)));
    names.map(|name| (*name).to_owned()).collect()
}

fn table(lines: &[Value]) {
    println!(
        "\n{} repeats; called changed where nothing has changed, and with 5 % more work; {SECONDS} s for all three, load {}\n",
        lines.len(),
        lines
            .iter()
            .map(|line| line["load"]
                .as_str()
                .unwrap_or_default()
                .split(' ')
                .next()
                .unwrap_or_default())
            .collect::<Vec<_>>()
            .join(", "),
    );
    println!("| benchmark | {} |", TOOLS.join(" | "));
    println!("|---|---|---|---|---|");
    let count = |tool: &str, head: &str, benchmark: &str| {
        let has = |line: &&Value| {
            let found = line[head][tool]["found"].as_array();
            found.is_some_and(|names| names.iter().any(|name| name == benchmark))
        };
        lines.iter().filter(has).count()
    };
    for benchmark in BENCHMARKS {
        let cells = TOOLS.map(|tool| {
            let (wrong, right) = (
                count(tool, "equal", benchmark),
                count(tool, "slower", benchmark),
            );
            format!("{wrong} and {right} of {}", lines.len())
        });
        println!("| {benchmark} | {} |", cells.join(" | "));
    }
    let seconds = TOOLS.map(|tool| {
        let all = lines
            .iter()
            .flat_map(|line| ["equal", "slower"].map(|head| line[head][tool]["seconds"].as_f64()));
        let all: Vec<f64> = all.flatten().collect();
        if all.is_empty() {
            "-".to_owned()
        } else {
            format!("{:.0} s", support::median(&all))
        }
    });
    println!("| median time | {} |", seconds.join(" | "));
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn as_float(count: usize) -> f64 {
    count as f64
}
