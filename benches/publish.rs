//! `publish --no-push` and asv's `publish` on the same made-up histories: processor time of the whole
//! process and of what it starts, peak memory, and once more after one new commit.
//!
//! `cargo bench --bench publish`; needs the virtual environment that `scripts/test` makes.
//! `LCMBENCH_BENCH_HISTORIES` names the histories (`hundred,broad,heavy,many`; default `hundred`), and
//! `LCMBENCH_BENCH_ASV` those that asv gets, too (default `hundred`): it needs minutes for the large ones.
//! `LCMBENCH_BENCH_FOLDER` is where the histories are made, and stay; else they are temporary.

#[expect(dead_code, reason = "of what the benches share this one needs little")]
mod support;

#[path = "support/histories.rs"]
mod histories;

#[path = "support/process.rs"]
mod process;

use std::path::{Path, PathBuf};
use std::time::Instant;

use fs_err as fs;
use lcmbench::sys::env::Environment;

use histories::{BROAD, HEAVY, HUNDRED, History, MANY, Shape, commit};
use process::{git, run_in};
use support::venv;

/// asv needs so many times the processor time.
const GOAL: f64 = 50.0;
/// Megabytes of memory for the broad history.
const MEMORY_GOAL: f64 = 300.0;
/// Seconds after one new commit.
const AGAIN_GOAL: f64 = 1.0;

fn main() {
    let environment = Environment::of_process();
    let listed = |variable: &str| {
        let text = environment.get(variable).unwrap_or("hundred").to_owned();
        text.split(',').map(str::to_owned).collect::<Vec<_>>()
    };
    let (wanted, for_asv) = (
        listed("LCMBENCH_BENCH_HISTORIES"),
        listed("LCMBENCH_BENCH_ASV"),
    );
    let kept = environment.path("LCMBENCH_BENCH_FOLDER");
    print("\n| history | files | MB | what | processor time | wall | peak memory | goal |");
    print("|---|---:|---:|---|---:|---:|---:|---|");
    for shape in [HUNDRED, BROAD, HEAVY, MANY] {
        if wanted.iter().any(|name| name == shape.name) {
            measure(
                shape,
                kept.as_deref(),
                for_asv.iter().any(|name| name == shape.name),
            );
        }
    }
    print(
        "\nProcessor time is that of the process and of all that it starts (git), user and system.",
    );
}

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn print(line: &str) {
    println!("{line}");
}

fn measure(shape: Shape, kept: Option<&Path>, with_asv: bool) {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = kept.unwrap_or(temporary.path()).join(shape.name);
    let place = Place::new(&folder, shape);
    let (files, megabytes) = place.size();
    let line = |what: &str, used: &Used, verdict: &str| {
        print(&format!(
            "| {} | {files} | {megabytes:.0} | {what} | {:.2} s | {:.2} s | {:.0} MB | {verdict} |",
            shape.name, used.processor, used.wall, used.memory
        ));
    };
    let first = place.publish();
    let fits = if shape.name == BROAD.name {
        format!("{MEMORY_GOAL:.0} MB: {}", met(first.memory < MEMORY_GOAL))
    } else {
        String::new()
    };
    line("`publish --no-push`, the first time", &first, &fits);
    // What was not pushed is dropped the next time.
    place.push();
    line("again, nothing new", &place.publish(), "");
    place.add_commit();
    let again = place.publish();
    let verdict = format!("{AGAIN_GOAL:.0} s: {}", met(again.wall < AGAIN_GOAL));
    line("after one new commit", &again, &verdict);
    if with_asv {
        let theirs = place.asv_publish();
        let ratio = theirs.processor / first.processor;
        let verdict = format!(
            "{ratio:.0} times as much; {GOAL:.0}: {}",
            met(ratio >= GOAL)
        );
        line("`asv publish`", &theirs, &verdict);
    }
}

fn met(is_met: bool) -> &'static str {
    if is_met { "met" } else { "MISSED" }
}

/// A project with a history of results and the repository of its site.
struct Place {
    folder: PathBuf,
    history: History,
    last: usize,
}

/// What a command used.
struct Used {
    /// Seconds.
    processor: f64,
    wall: f64,
    /// Megabytes.
    memory: f64,
}

impl Place {
    fn new(folder: &Path, shape: Shape) -> Self {
        // One commit more than is published at first.
        let commits = shape.commits() + 1;
        let project = folder.join("project");
        fs::create_dir_all(folder.join("home")).expect("a folder");
        let hashes = if project.join(".git").exists() {
            let hashes = git(&project, &["rev-list", "--reverse", "main"], "");
            hashes.lines().map(str::to_owned).collect()
        } else {
            fs::create_dir_all(&project).expect("a folder");
            commit(&project, commits)
        };
        let lines = shape.machines * shape.environments;
        let history = History::new(shape.with_files(shape.files + lines), hashes);
        if !project.join("results/benchmarks.json").exists() {
            history.write(&project.join("results"), 1);
        }
        let place = Self {
            folder: folder.to_owned(),
            history,
            last: commits - 1,
        };
        place.configure(&project);
        place
    }

    /// A site without a history, and no clone of it.
    fn configure(&self, project: &Path) {
        let site = self.folder.join("site.git");
        for folder in [
            &site,
            &project.join(".benchmark-site"),
            &self.folder.join("home"),
        ] {
            fs::remove_dir_all(folder).ok();
            fs::create_dir_all(folder).expect("a folder");
        }
        self.history
            .forget_commit(&project.join("results"), self.last);
        git(
            &site,
            &["init", "--quiet", "--bare", "--initial-branch=pages"],
            "",
        );
        fs::write(
            project.join("asv.conf.json"),
            "{\"version\": 1, \"project\": \"bench\", \"repo\": \".\", \"branches\": [\"main\"], \
             \"environment_type\": \"virtualenv\"}",
        )
        .expect("a file");
        let site = site.display();
        let text = format!("[site]\nrepo = \"{site}\"\nbranch = \"pages\"\nsubdir = \"bench\"\n");
        fs::write(project.join("lcmbench.toml"), text).expect("a file");
    }

    /// Number and megabytes of the result files.
    fn size(&self) -> (usize, f64) {
        let folders = fs::read_dir(self.folder.join("project/results")).expect("results");
        let files = folders
            .flatten()
            .filter(|folder| folder.path().is_dir())
            .flat_map(|folder| fs::read_dir(folder.path()).expect("a folder"))
            .flatten();
        let sizes: Vec<u64> = files
            .filter(|file| file.file_name() != "machine.json")
            .map(|file| file.metadata().expect("a file").len())
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "a number of bytes on a disk")]
        let megabytes = sizes.iter().sum::<u64>() as f64 / 1e6;
        (sizes.len(), megabytes)
    }

    fn add_commit(&self) {
        let results = self.folder.join("project/results");
        self.history.write_commit(&results, self.last);
    }

    fn publish(&self) -> Used {
        let program = Path::new(env!("CARGO_BIN_EXE_lcmbench"));
        self.run(program, &["publish", "--no-push"])
    }

    fn push(&self) {
        let program = Path::new(env!("CARGO_BIN_EXE_lcmbench"));
        self.run(program, &["publish"]);
    }

    fn asv_publish(&self) -> Used {
        self.run(&venv().join("bin/asv"), &["publish", "--no-pull"])
    }

    fn run(&self, program: &Path, arguments: &[&str]) -> Used {
        let started = Instant::now();
        let (exit, _) = run_in(&self.folder, program, arguments);
        let wall = started.elapsed().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "a number of bytes in memory")]
        let memory = exit.max_rss as f64 / 1e6;
        Used {
            processor: (exit.user + exit.system).as_secs_f64(),
            wall,
            memory,
        }
    }
}
