//! `compare` on a history of 1,500 result files: processor time of the whole process, beside asv's.
//!
//! `cargo bench --bench compare`; needs the virtual environment that `scripts/test` makes. The
//! files are made up from a fixed seed. Only the newest have a content of their own: neither tool
//! reads the others, which are links to one of them.

#[expect(dead_code, reason = "of what the benches share this one needs little")]
mod support;

#[path = "support/process.rs"]
mod process;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use tempfile::TempDir;

use process::{git, run_in};
use support::{median, repeats, venv};

const COMMITS: usize = 1500;
/// Base, HEAD, and more than the sixty neighbours that are read.
const DISTINCT: usize = 70;
const MACHINE: &str = "bench";
const ENVIRONMENT: &str = "virtualenv-py3.12-numpy";

/// Benchmarks, combinations of each, and the goal in milliseconds of processor time.
const SHAPES: [(usize, usize, f64); 3] = [(44, 1, 10.0), (300, 10, 50.0), (500, 20, 120.0)];

fn main() {
    print("\n| rows | file | lcmbench, cached | first time | asv | ratio | goal |");
    print("|---|---|---|---|---|---|---|");
    for (benchmarks, combinations, goal) in SHAPES {
        let place = Place::new(benchmarks, combinations);
        let cold = place.ours();
        let mut warm = Vec::new();
        let mut theirs = Vec::new();
        for round in 0..repeats(15) {
            warm.push(place.ours());
            if round < repeats(3) {
                theirs.push(place.asvs());
            }
        }
        let (warm, theirs) = (median(&warm), median(&theirs));
        let verdict = if warm <= goal { "met" } else { "MISSED" };
        print(&format!(
            "| {} | {} kB | {warm:.1} ms | {cold:.1} ms | {theirs:.0} ms | {:.0} | {goal:.0} ms: {verdict} |",
            benchmarks * combinations,
            place.file_size / 1000,
            theirs / warm,
        ));
    }
    print("\nProcessor time (user and system) of the whole process; ratio is asv's to ours.");
}

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn print(line: &str) {
    println!("{line}");
}

/// A repository with a history of results.
struct Place {
    root: TempDir,
    venv: PathBuf,
    file_size: u64,
}

impl Place {
    fn new(benchmarks: usize, combinations: usize) -> Self {
        let mut place = Self {
            root: tempfile::tempdir().expect("a temporary folder"),
            venv: venv(),
            file_size: 0,
        };
        let suite = Suite {
            benchmarks,
            combinations,
        };
        let machine = place.path(&format!("project/results/{MACHINE}"));
        fs::create_dir_all(&machine).expect("a results folder");
        fs::create_dir(place.path("home")).expect("a home");
        place.write("project/asv.conf.json", CONFIGURATION);
        place.write("project/results/benchmarks.json", &suite.index());
        let described = format!("{{{MACHINE_FIELDS}, \"version\": 1}}");
        place.write(
            &format!("project/results/{MACHINE}/machine.json"),
            &described,
        );
        place.write(
            "home/.asv-machine.json",
            &format!("{{\"{MACHINE}\": {{{MACHINE_FIELDS}}}, \"version\": 1}}"),
        );
        let hashes = place.commits();
        place.file_size = write_results(&suite, &machine, &hashes);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).expect("a file");
    }

    /// Makes the commits; returns their hashes, newest first.
    fn commits(&self) -> Vec<String> {
        let mut stream = String::new();
        for number in 0..COMMITS {
            let message = format!("commit {number}");
            write!(
                stream,
                "commit refs/heads/main\ncommitter Bench <bench@example.org> {} +0000\ndata {}\n{message}\n",
                1_700_000_000 + number * 3600,
                message.len()
            )
            .expect("a text");
        }
        let project = self.path("project");
        git(&project, &["init", "--quiet", "--initial-branch=main"], "");
        git(&project, &["fast-import", "--quiet"], &stream);
        let hashes = git(&project, &["rev-list", "main"], "");
        hashes.lines().map(str::to_owned).collect()
    }

    fn ours(&self) -> f64 {
        self.time(
            Path::new(env!("CARGO_BIN_EXE_lcmbench")),
            &["compare", "HEAD~1", "HEAD"],
        )
    }

    fn asvs(&self) -> f64 {
        let asv = self.venv.join("bin/asv");
        self.time(&asv, &["compare", "-m", MACHINE, "HEAD~1", "HEAD"])
    }

    /// Milliseconds of processor time.
    fn time(&self, program: &Path, arguments: &[&str]) -> f64 {
        let (exit, printed) = run_in(self.root.path(), program, arguments);
        assert!(!printed.is_empty());
        (exit.user + exit.system).as_secs_f64() * 1000.0
    }
}

const CONFIGURATION: &str = "{\"version\": 1, \"project\": \"bench\", \"repo\": \".\", \
                             \"branches\": [\"main\"], \"environment_type\": \"virtualenv\"}";

const MACHINE_FIELDS: &str = "\"arch\": \"x86_64\", \"cpu\": \"made up\", \"machine\": \"bench\", \
                              \"num_cpu\": \"2\", \"os\": \"Linux\", \"ram\": \"16GB\"";

const COLUMNS: &str = "[\"result\", \"params\", \"version\", \"started_at\", \"duration\", \
                       \"stats_ci_99_a\", \"stats_ci_99_b\", \"stats_q_25\", \"stats_q_75\", \
                       \"stats_number\", \"stats_repeat\", \"samples\", \"profile\"]";

/// The suite whose results are made up.
struct Suite {
    benchmarks: usize,
    combinations: usize,
}

impl Suite {
    fn name(number: usize) -> String {
        let module = number / 20;
        format!(
            "bench_module_{module}.TimeClass{}.time_method_{number}",
            number / 5
        )
    }

    fn version(number: usize) -> String {
        format!(
            "{:064x}",
            (number as u128 + 1) * 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835
        )
    }

    /// The axes of all benchmarks, as JSON.
    fn axes(&self) -> String {
        if self.combinations == 1 {
            return "[]".to_owned();
        }
        let axis: Vec<String> = (0..self.combinations / 2)
            .map(|size| format!("\"{}\"", size * 1000))
            .collect();
        format!("[[{}], [\"'float64'\", \"'int32'\"]]", axis.join(", "))
    }

    fn index(&self) -> String {
        let names = if self.combinations == 1 {
            "[]"
        } else {
            "[\"size\", \"dtype\"]"
        };
        let mut text = "{".to_owned();
        for number in 0..self.benchmarks {
            let name = Self::name(number);
            write!(
                text,
                "\"{name}\": {{\"code\": \"def time_method(self, size, dtype):\\n    work(size)\", \
                 \"name\": \"{name}\", \"param_names\": {names}, \"params\": {}, \"type\": \"time\", \
                 \"unit\": \"seconds\", \"version\": \"{}\"}}, ",
                self.axes(),
                Self::version(number)
            )
            .expect("a text");
        }
        text + "\"version\": 2}"
    }

    /// A result file as asv writes it.
    fn results(&self, hash: &str, generator: &mut Generator) -> String {
        let mut text = format!(
            "{{\"commit_hash\": \"{hash}\", \"env_name\": \"{ENVIRONMENT}\", \"date\": 1700000000000, \
             \"params\": {{{MACHINE_FIELDS}, \"python\": \"3.12\", \"numpy\": \"\"}}, \"python\": \"3.12\", \
             \"requirements\": {{\"numpy\": \"\"}}, \"env_vars\": {{}}, \"result_columns\": {COLUMNS}, \
             \"results\": {{"
        );
        for number in 0..self.benchmarks {
            let mut columns: [Vec<String>; 7] = Default::default();
            for combination in 0..self.combinations {
                let typical =
                    1e-6 * f64::from(u32::try_from(1 + number % 97 + combination).expect("small"));
                let value = typical * (1.0 + 0.02 * generator.uniform());
                let row = [
                    format!("{value:?}"),
                    format!("{:.4e}", value * 0.97),
                    format!("{:.4e}", value * 1.03),
                    format!("{:.4e}", value * 0.99),
                    format!("{:.4e}", value * 1.01),
                    "1000".to_owned(),
                    "10".to_owned(),
                ];
                for (column, cell) in columns.iter_mut().zip(row) {
                    column.push(cell);
                }
            }
            let separator = if number == 0 { "" } else { ", " };
            let [value, statistics @ ..] = columns.map(|column| format!("[{}]", column.join(", ")));
            write!(
                text,
                "{separator}\"{}\": [{value}, {}, \"{}\", 1700000000000, 1.2345, {}]",
                Self::name(number),
                self.axes(),
                Self::version(number),
                statistics.join(", ")
            )
            .expect("a text");
        }
        text + "}, \"durations\": {}, \"version\": 2}"
    }
}

/// Writes the result files of all commits; returns the size of one.
fn write_results(suite: &Suite, machine: &Path, hashes: &[String]) -> u64 {
    let mut generator = Generator(20_240_117);
    let path = |hash: &str| machine.join(format!("{}-{ENVIRONMENT}.json", &hash[..8]));
    for (number, hash) in hashes.iter().enumerate() {
        if number < DISTINCT {
            fs::write(path(hash), suite.results(hash, &mut generator)).expect("a result");
        } else {
            fs::hard_link(path(&hashes[number % DISTINCT]), path(hash)).expect("a link");
        }
    }
    fs::metadata(path(&hashes[0])).expect("a result").len()
}

/// `SplitMix64`.
struct Generator(u64);

impl Generator {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        f64::from(u32::try_from(z >> 33).expect("31 bits")) / f64::from(1 << 30) / 2.0
    }
}
