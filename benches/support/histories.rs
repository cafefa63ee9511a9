//! Made-up histories of results in the sizes of public ones, from a fixed seed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::process::git;

/// How large a history is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    /// Result files, spread over machines and environments.
    pub(crate) files: usize,
    pub(crate) machines: usize,
    pub(crate) environments: usize,
    pub(crate) benchmarks: usize,
    /// Combinations of parameters over all benchmarks.
    pub(crate) combinations: usize,
    /// Share of the values of the first axis that a file has. They move on with the years, as axes of real suites do.
    pub(crate) stored: f64,
    /// Share of the combinations of a file that are skipped.
    pub(crate) skipped: f64,
}

/// 1,433 files, 273 MB, 275 benchmarks, 8,000 combinations.
pub(crate) const BROAD: Shape = Shape {
    name: "broad",
    files: 1433,
    machines: 1,
    environments: 1,
    benchmarks: 275,
    combinations: 8000,
    stored: 0.26,
    skipped: 0.5,
};

/// 1,406 files, 555 MB.
pub(crate) const HEAVY: Shape = Shape {
    name: "heavy",
    files: 1406,
    machines: 1,
    environments: 2,
    benchmarks: 400,
    combinations: 8000,
    stored: 0.56,
    skipped: 0.25,
};

/// 4,675 files, 109 MB.
pub(crate) const MANY: Shape = Shape {
    name: "many",
    files: 4675,
    machines: 4,
    environments: 3,
    benchmarks: 40,
    combinations: 192,
    stored: 1.0,
    skipped: 0.25,
};

/// The first hundred files of the broad one's kind.
pub(crate) const HUNDRED: Shape = Shape {
    name: "hundred",
    files: 100,
    ..BROAD
};

impl Shape {
    /// The same suite with so many files.
    pub(crate) fn with_files(self, files: usize) -> Self {
        Self { files, ..self }
    }

    /// Commits that all files are of.
    pub(crate) fn commits(&self) -> usize {
        self.files.div_ceil(self.machines * self.environments)
    }
}

/// The author of all commits.
const AUTHOR: &str = "Bench <bench@example.org>";

/// Makes a repository with so many commits in `folder`; returns their hashes, oldest first.
pub(crate) fn commit(folder: &Path, commits: usize) -> Vec<String> {
    let mut stream = String::new();
    for number in 0..commits {
        let message = format!("commit {number}");
        write!(
            stream,
            "commit refs/heads/main\nauthor {AUTHOR} {time} +0000\ncommitter {AUTHOR} {time} +0000\ndata {}\n{message}\n",
            message.len(),
            time = time_of(number),
        )
        .expect("a text");
    }
    git(folder, &["init", "--quiet", "--initial-branch=main"], "");
    git(folder, &["fast-import", "--quiet"], &stream);
    let hashes = git(folder, &["rev-list", "--reverse", "main"], "");
    hashes.lines().map(str::to_owned).collect()
}

fn time_of(commit: usize) -> usize {
    1_600_000_000 + commit * 36_000
}

const COLUMNS: &str = "[\"result\", \"params\", \"version\", \"started_at\", \"duration\", \
                       \"stats_ci_99_a\", \"stats_ci_99_b\", \"stats_q_25\", \"stats_q_75\", \
                       \"stats_number\", \"stats_repeat\", \"samples\", \"profile\"]";

/// A history that is written file by file.
#[derive(Debug)]
pub(crate) struct History {
    shape: Shape,
    /// Values on the first axis of each benchmark; the second has four.
    sizes: Vec<usize>,
    hashes: Vec<String>,
}

const TYPES: [&str; 4] = ["'int16'", "'int32'", "'float32'", "'float64'"];

impl History {
    /// The history of these commits, oldest first.
    pub(crate) fn new(shape: Shape, hashes: Vec<String>) -> Self {
        let mut sizes = vec![shape.combinations / shape.benchmarks / TYPES.len(); shape.benchmarks];
        let rest = shape.combinations / TYPES.len() - sizes.iter().sum::<usize>();
        for size in sizes.iter_mut().take(rest) {
            *size += 1;
        }
        Self {
            shape,
            sizes,
            hashes,
        }
    }

    /// Writes `benchmarks.json`, the descriptions of the machines, and the results of all commits but
    /// the last `held_back`; returns number and bytes of the result files.
    pub(crate) fn write(&self, results: &Path, held_back: usize) -> (usize, u64) {
        fs::create_dir_all(results).expect("a folder");
        fs::write(results.join("benchmarks.json"), self.index()).expect("a file");
        for machine in 0..self.shape.machines {
            let folder = results.join(machine_name(machine));
            fs::create_dir_all(&folder).expect("a folder");
            let text = format!("{{{}, \"version\": 1}}", machine_facts(machine));
            fs::write(folder.join("machine.json"), text).expect("a file");
        }
        let commits = self.hashes.len() - held_back;
        (0..commits).fold((0, 0), |(files, bytes), commit| {
            let (more, size) = self.write_commit(results, commit);
            (files + more, bytes + size)
        })
    }

    /// Writes the results of one commit on all machines and environments.
    pub(crate) fn write_commit(&self, results: &Path, commit: usize) -> (usize, u64) {
        let lines = self.shape.machines * self.shape.environments;
        let mut written = (0, 0);
        for line in 0..lines {
            if commit * lines + line >= self.shape.files {
                break;
            }
            let (machine, environment) = (line % self.shape.machines, line / self.shape.machines);
            let text = self.results(commit, machine, environment);
            let path = self.path(results, commit, machine, environment);
            fs::write(path, &text).expect("a file");
            written = (written.0 + 1, written.1 + text.len() as u64);
        }
        written
    }

    /// Takes the results of one commit away.
    pub(crate) fn forget_commit(&self, results: &Path, commit: usize) {
        for machine in 0..self.shape.machines {
            for environment in 0..self.shape.environments {
                fs::remove_file(self.path(results, commit, machine, environment)).ok();
            }
        }
    }

    fn path(&self, results: &Path, commit: usize, machine: usize, environment: usize) -> PathBuf {
        let name = format!(
            "{}-{}.json",
            &self.hashes[commit][..8],
            environment_name(environment)
        );
        results.join(machine_name(machine)).join(name)
    }

    fn index(&self) -> String {
        let mut text = "{".to_owned();
        for number in 0..self.shape.benchmarks {
            let name = benchmark_name(number);
            write!(
                text,
                "\"{name}\": {{\"code\": \"def time_method(self, size, dtype):\\n    work(size)\", \"name\": \"{name}\", \
                 \"param_names\": [\"size\", \"dtype\"], \"params\": {}, \"type\": \"time\", \"unit\": \"seconds\", \
                 \"version\": \"{}\"}}, ",
                axes(0..self.sizes[number]),
                version(number)
            )
            .expect("a text");
        }
        text + "\"version\": 2}"
    }

    /// A result file as asv writes it.
    fn results(&self, commit: usize, machine: usize, environment: usize) -> String {
        let seed = (commit * 64 + machine * 8 + environment) as u64;
        let mut generator = Generator(seed.wrapping_mul(0xA076_1D64_78BD_642F) ^ 0x0135_290A);
        let age = share(commit, self.hashes.len());
        let mut text = format!(
            "{{\"commit_hash\": \"{}\", \"env_name\": \"{}\", \"date\": {}000, \"params\": {{{}, \"python\": \"3.12\", \
             \"numpy\": \"\"}}, \"python\": \"3.12\", \"requirements\": {{\"numpy\": \"\"}}, \"env_vars\": {{}}, \
             \"result_columns\": {COLUMNS}, \"results\": {{",
            self.hashes[commit],
            environment_name(environment),
            time_of(commit),
            machine_facts(machine),
        );
        for number in 0..self.shape.benchmarks {
            if number > 0 {
                text.push_str(", ");
            }
            self.row(number, commit, age, &mut generator, &mut text);
        }
        text + "}, \"durations\": {\"<build>\": 12.345678901234567}, \"version\": 2}"
    }

    fn row(
        &self,
        number: usize,
        commit: usize,
        age: f64,
        generator: &mut Generator,
        text: &mut String,
    ) {
        let size = self.sizes[number];
        let stored = part(size, self.shape.stored).clamp(1, size);
        let first = part(size - stored, age);
        let mut columns: [String; 7] = Default::default();
        for value in first..first + stored {
            for kind in 0..TYPES.len() {
                let own = (number * 977 + value * 31 + kind) as u64;
                let cells = if Generator(own ^ 0x4D).uniform() < self.shape.skipped {
                    ["NaN", "null", "null", "null", "null", "null", "null"].map(str::to_owned)
                } else {
                    self.cells(own, commit, generator)
                };
                for (column, cell) in columns.iter_mut().zip(cells) {
                    column.push_str(if column.is_empty() { "[" } else { ", " });
                    column.push_str(&cell);
                }
            }
        }
        write!(
            text,
            "\"{}\": [{}], {}, \"{}\", {}123, 1.2345",
            benchmark_name(number),
            columns[0],
            axes(first..first + stored),
            version(number),
            time_of(commit) + 100_000_000,
        )
        .expect("a text");
        for column in &columns[1..] {
            write!(text, ", {column}]").expect("a text");
        }
        text.push(']');
    }

    fn cells(&self, own: u64, commit: usize, generator: &mut Generator) -> [String; 7] {
        let mut series = Generator(own);
        let typical = 1e-6 * (10.0 * series.uniform()).exp();
        // Two steps in the life of each series.
        let steps = [0, 1].map(|_| {
            (
                part(self.hashes.len(), series.uniform()),
                0.8 + 0.5 * series.uniform(),
            )
        });
        let level = steps.iter().filter(|(at, _)| commit >= *at);
        let level: f64 = typical * level.map(|(_, factor)| factor).product::<f64>();
        let value = level * (1.0 + 0.03 * (generator.uniform() + generator.uniform() - 1.0));
        let spread = 0.005 + 0.02 * generator.uniform();
        [
            format!("{value:?}"),
            format!("{:.4e}", value * (1.0 - spread)),
            format!("{:.4e}", value * (1.0 + spread)),
            format!("{:.4e}", value * (1.0 - spread / 2.0)),
            format!("{:.4e}", value * (1.0 + spread / 2.0)),
            "1000".to_owned(),
            "10".to_owned(),
        ]
    }
}

fn machine_name(machine: usize) -> String {
    format!("bench-{machine}")
}

fn machine_facts(machine: usize) -> String {
    format!(
        "\"arch\": \"x86_64\", \"cpu\": \"made up\", \"machine\": \"{}\", \"num_cpu\": \"2\", \"os\": \"Linux\", \
         \"ram\": \"16GB\"",
        machine_name(machine)
    )
}

fn environment_name(environment: usize) -> String {
    let python = 10 + environment;
    format!("virtualenv-py3.{python}-numpy")
}

fn benchmark_name(number: usize) -> String {
    format!(
        "bench_module_{}.TimeClass{}.time_method_{number}",
        number / 20,
        number / 5
    )
}

fn version(number: usize) -> String {
    format!(
        "{:064x}",
        (number as u128 + 1) * 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835
    )
}

/// Axes with these sizes, as JSON.
fn axes(sizes: std::ops::Range<usize>) -> String {
    let sizes: Vec<String> = sizes.map(|size| format!("\"{}\"", size * 1000)).collect();
    let types: Vec<String> = TYPES.iter().map(|kind| format!("\"{kind}\"")).collect();
    format!("[[{}], [{}]]", sizes.join(", "), types.join(", "))
}

/// Place of an item among `all`, from zero to one.
fn share(place: usize, all: usize) -> f64 {
    float(place) / float(all.saturating_sub(1).max(1))
}

/// So many of `whole` as the share says.
fn part(whole: usize, share: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a small number"
    )]
    let part = (float(whole) * share).round() as usize;
    part
}

fn float(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("a small number"))
}

/// `SplitMix64`.
#[derive(Debug)]
struct Generator(u64);

impl Generator {
    /// From zero to one.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        f64::from(u32::try_from((z ^ (z >> 31)) >> 32).expect("32 bits")) / f64::from(u32::MAX)
    }
}
