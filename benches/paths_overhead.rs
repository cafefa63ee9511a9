//! What the timed loop of `lcmbench paths` adds to calls: the same calls in a bare loop around
//! `perf_counter`, in turns, in one process.
//!
//! `cargo bench --bench paths_overhead`; needs a Python with `NumPy`: that of `LCMBENCH_TEST_VENV`, or
//! the virtual environment that `scripts/test` makes.

use std::path::{Path, PathBuf};
use std::process::Command;

/// At most so many times the bare loop.
const GOAL: f64 = 1.02;

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    #[expect(clippy::disallowed_methods, reason = "a bench has no settings to read")]
    let venv = std::env::var_os("LCMBENCH_TEST_VENV")
        .map_or_else(|| root.join("target/test-venvs/asv"), PathBuf::from);
    let output = Command::new(venv.join("bin/python"))
        .arg(root.join("benches/paths_overhead.py"))
        .output()
        .expect("Python starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");

    println!("\n| a call | lcmbench paths | bare loop | ratio, median of rounds | goal |");
    println!("|---|---|---|---|---|");
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let (name, numbers) = line.split_once('\t').expect("a name and numbers");
        let numbers: Vec<f64> = numbers
            .split('\t')
            .map(|number| number.parse().expect("a number"))
            .collect();
        let [ours, bare, ratio] = numbers[..] else {
            panic!("three numbers are expected: {line}");
        };
        let verdict = if ratio <= GOAL { "met" } else { "MISSED" };
        println!(
            "| {name} | {:.1} ns | {:.1} ns | {ratio:.4} | {GOAL}: {verdict} |",
            ours * 1e9,
            bare * 1e9
        );
    }
}
