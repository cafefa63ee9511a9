//! Caches of compiled programs with JAX on the CPU: whose they are, what is in them, and what the record says.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::command::Lcmbench;
use crate::common::{JAX_VENV, Project, oracle};

/// Each process notes its cache, and how many programs are in it before anything is compiled.
const SUITE: &str = r#"
import json
import os

import jax
import jax.numpy as jnp
from lcmbench import gpu

import calc


noted = []


def note():
    # A process notes once; what is set up anew before each sample does not count.
    if noted:
        return
    noted.append(True)
    folder = os.environ.get("JAX_COMPILATION_CACHE_DIR", "")
    programs = [name for name in (os.listdir(folder) if os.path.isdir(folder) else []) if not name.endswith("-atime")]
    with open(os.environ["SEEN"], "a") as file:
        file.write(json.dumps({"side": calc.NAME, "folder": folder, "programs": len(programs)}) + "\n")


class Warm:
    def setup(self):
        note()
        self.x = jnp.ones(7)
        self.f = jax.jit(lambda x: jnp.sin(x) * 3 + 1)
        self.f(self.x).block_until_ready()

    def time_solve(self):
        self.f(self.x).block_until_ready()


class Compiling:
    def setup(self):
        note()
        self.x = jnp.ones(7)
        self.f = jax.jit(lambda x: jnp.sin(x) * 3 + 1)

    def execute(self):
        return self.f(self.x)

    def track_compile_count(self):
        return gpu.compile_count(self.execute)

    track_compile_count.unit = "compilations"

    def track_compile_time(self):
        return gpu.compile_seconds(self.execute)

    track_compile_time.unit = "seconds"


class Careless:
    def time_new_program(self):
        jax.jit(lambda x: x * 2)(jnp.ones(3)).block_until_ready()

    time_new_program.number = 1
    time_new_program.repeat = 2
"#;

struct Place {
    project: Project,
    python: PathBuf,
}

/// What a process noted.
struct Noted {
    side: String,
    folder: String,
    programs: u64,
}

impl Place {
    fn new() -> Option<Self> {
        let python = oracle(JAX_VENV)?.join("bin/python");
        let project = Project::new();
        project.small_suite("calc", "solving.py", SUITE);
        project.write(".gitignore", "__pycache__/\nresults/\n/seen\n");
        project.write("calc.py", "NAME = 'base'\n");
        project.commit("base");
        Some(Self { project, python })
    }

    fn command(&self, words: &[&str]) -> Lcmbench {
        self.project
            .lcmbench()
            .env("JAX_PLATFORMS", "cpu")
            .env("SEEN", self.project.path("seen"))
            .env("ASV_PYTHONPATH", self.project.root())
            .args(words)
            .arg("--python")
            .arg(&self.python)
    }

    /// Runs the benchmarks that match, with a regime if one is named.
    fn run(&self, bench: &str, regime: Option<&str>) -> Value {
        let mut command = self.command(&["run", "--bench", bench]);
        if let Some(regime) = regime {
            command = command.args(["--compile-cache", regime]);
        }
        let shared = self.project.path("shared");
        let _output = command
            .env("JAX_COMPILATION_CACHE_DIR", &shared)
            .run()
            .expect(0);
        let machine = self.project.machine_folder();
        let file = self.project.result_files().remove(0);
        let text = self.project.read(format!("results/{machine}/{file}"));
        serde_json::from_str(&text).unwrap()
    }

    /// What the processes since the last call noted.
    fn noted(&self) -> Vec<Noted> {
        let text = self.project.read("seen");
        self.project.remove("seen");
        let lines = text.lines().map(|line| {
            let json: Value = serde_json::from_str(line).unwrap();
            let text = |key: &str| json[key].as_str().unwrap().to_owned();
            Noted {
                side: text("side"),
                folder: text("folder"),
                programs: json["programs"].as_u64().unwrap(),
            }
        });
        lines.collect()
    }
}

fn folders(noted: &[Noted]) -> BTreeSet<&str> {
    noted.iter().map(|one| one.folder.as_str()).collect()
}

fn facts(record: &Value, name: &str) -> Value {
    record["lcmbench"]["benchmarks"][format!("solving.{name}")]["facts"]["compile_cache"].clone()
}

#[test]
fn cold_is_empty_and_private_and_warm_is_filled_before_anything_counts() {
    let Some(place) = Place::new() else { return };
    let record = place.run("Warm.time_solve|track_compile_count", Some("cold"));
    let noted = place.noted();
    assert!(noted.len() >= 2);
    assert_eq!(
        folders(&noted).len(),
        noted.len(),
        "each process has its own"
    );
    assert!(noted.iter().all(|one| one.programs == 0));
    assert!(noted.iter().all(|one| !PathBuf::from(&one.folder).exists()));
    assert_eq!(record["lcmbench"]["worker"]["compile_cache"], "cold");
    assert_eq!(facts(&record, "Warm.time_solve"), "cold");

    let record = place.run("Warm.time_solve|track_compile_count", Some("warm"));
    let noted = place.noted();
    assert_eq!(folders(&noted).len(), 1, "one for the run");
    assert_eq!(noted[0].programs, 0);
    assert!(
        noted[1].programs > 0,
        "the second process finds what the first one compiled"
    );
    assert!(!PathBuf::from(&noted[0].folder).exists());
    assert_eq!(record["lcmbench"]["worker"]["compile_cache"], "warm");
    assert_eq!(facts(&record, "Compiling.track_compile_count"), "warm");
}

#[test]
fn shared_is_the_user_s_own_and_what_measures_compiling_is_cold_unless_asked_otherwise() {
    let Some(place) = Place::new() else { return };
    let record = place.run("Warm.time_solve|track_compile|Careless", None);
    let noted = place.noted();
    let shared = place.project.path("shared").display().to_string();
    let own: Vec<&Noted> = noted.iter().filter(|one| one.folder == shared).collect();
    let others: Vec<&Noted> = noted.iter().filter(|one| one.folder != shared).collect();
    assert!(!own.is_empty() && !others.is_empty());
    assert!(others.iter().all(|one| one.programs == 0));
    assert_eq!(record["lcmbench"]["worker"]["compile_cache"], "shared");
    assert_eq!(facts(&record, "Warm.time_solve"), Value::Null);
    assert_eq!(facts(&record, "Compiling.track_compile_time"), "cold");
    let value = |name: &str| {
        record["results"][format!("solving.{name}")][0][0]
            .as_f64()
            .unwrap()
    };
    assert!((value("Compiling.track_compile_count") - 1.0).abs() < f64::EPSILON);
    assert!(value("Compiling.track_compile_time") > 0.0);
    // A program that is compiled within a sample marks it.
    let flags = |name: &str| record["lcmbench"]["benchmarks"][name]["flags"].to_string();
    assert!(flags("solving.Careless.time_new_program").contains("compiled-while-timed"));
    assert!(!flags("solving.Warm.time_solve").contains("compiled-while-timed"));
}

#[test]
fn base_and_head_never_share_a_warm_cache() {
    let Some(place) = Place::new() else { return };
    place.project.git(["checkout", "--quiet", "-b", "change"]);
    place.project.write("calc.py", "NAME = 'head'\n");
    place.project.commit("head");
    let words = ["continuous", "--machine", "m", "--bench", "Warm.time_solve"];
    let mut command = place
        .command(&words)
        .args(["--pairs", "2", "--max-pairs", "2"]);
    // Each side has its own files.
    command = command.env("ASV_PYTHONPATH", "");
    let _output = command.run().expect(0);
    let noted = place.noted();
    let of = |side: &str| -> Vec<&Noted> { noted.iter().filter(|one| one.side == side).collect() };
    let mut all = BTreeSet::new();
    for side in ["base", "head"] {
        let noted = of(side);
        assert!(noted.len() >= 2, "{side}");
        assert_eq!(noted[0].programs, 0, "{side}");
        assert!(noted[1..].iter().all(|one| one.programs > 0), "{side}");
        all.extend(noted.iter().map(|one| one.folder.clone()));
    }
    assert_eq!(all.len(), 2, "{all:?}");
}
