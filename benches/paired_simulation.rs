//! Paired measurement on made-up noise: false alarms, power and cost of the verdicts, beside asv's
//! rule and a Mann-Whitney test on pooled samples.
//!
//! `cargo bench --bench paired_simulation`; seeded, needs nothing. `LCMBENCH_BENCH_REPEATS` is the number
//! of simulated windows in each cell (1500).
//!
//! Every process has ten samples. Its level is its own effect, plus drift (AR(1), 0.9 from process to
//! process), plus a slow state while the host is busy; its samples scatter upwards, and some are
//! spikes. The two sets of noise were chosen so that the exact signed-rank test on ten pairs finds
//! about what it found in the study behind the design: 93 % of 1 % and all of 2 % (quiet), 13 % of 1 %,
//! 51 % of 2 % and 94 % of 5 % (noisy).

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[expect(dead_code, reason = "of what the benches share this one needs little")]
mod support;

use std::time::Instant;

use lcmbench::stats::{
    PairedVerdict, Random, Rule, conclude, e_discoveries, hodges_lehmann, mann_whitney,
    paired_evidence, sign_flip, signed_rank_interval,
};

const SAMPLES: usize = 10;
const MOST_PAIRS: usize = 40;
const EFFECTS: [f64; 5] = [0.0, 0.01, 0.02, 0.05, 0.10];

fn main() {
    let windows = support::repeats(1500);
    println!("{windows} windows a cell\n");
    println!("| noise | pairs | rule | false alarms | 1 % | 2 % | 5 % | 10 % |");
    println!("|---|---|---|---|---|---|---|---|");
    for noise in [QUIET, NOISY] {
        for pairs in [10, 20] {
            fixed(&noise, pairs, windows);
        }
        sequential(&noise, windows);
    }
    println!("\n| noise | true change | slower | faster | same | inconclusive | mean pairs |");
    println!("|---|---|---|---|---|---|---|");
    for noise in [QUIET, NOISY] {
        four_way(&noise, windows);
    }
    suites(windows.div_ceil(4));
    decision_time();
}

/// What a host does to processes.
#[derive(Clone, Copy)]
struct Noise {
    name: &'static str,
    process: f64,
    drift: f64,
    /// Chance to become busy from one process to the next.
    busy: f64,
    /// Mean number of processes of a busy period.
    length: f64,
    /// Mean slow-down of a process in it.
    slow: f64,
    sample: f64,
}

const QUIET: Noise = Noise {
    name: "quiet",
    process: 0.0039,
    drift: 0.003,
    busy: 0.0015,
    length: 4.0,
    slow: 0.02,
    sample: 0.003,
};

const NOISY: Noise = Noise {
    name: "noisy",
    process: 0.012,
    drift: 0.008,
    busy: 0.012,
    length: 4.0,
    slow: 0.06,
    sample: 0.01,
};

/// The host as it goes on.
struct Host {
    noise: Noise,
    drift: f64,
    busy: bool,
}

impl Host {
    fn new(noise: Noise, random: &mut Random) -> Self {
        Self {
            drift: noise.drift * random.normal(),
            busy: random.uniform() < noise.busy * noise.length,
            noise,
        }
    }

    fn step(&mut self, random: &mut Random) {
        let innovation = self.noise.drift * (1.0_f64 - 0.81).sqrt();
        self.drift = 0.9 * self.drift + innovation * random.normal();
        let change = if self.busy {
            1.0 / self.noise.length
        } else {
            self.noise.busy
        };
        self.busy ^= random.uniform() < change;
    }

    /// Samples, in logarithms, of a process whose code takes `effect` longer.
    fn process(&mut self, effect: f64, random: &mut Random) -> Vec<f64> {
        self.step(random);
        let slow = if self.busy {
            -self.noise.slow * (1.0 - random.uniform()).ln()
        } else {
            0.0
        };
        let level = effect + self.noise.process * random.normal() + self.drift + slow;
        let scatter = self.noise.sample * if self.busy { 4.0 } else { 1.0 };
        let mut sample = || {
            let spike = if random.uniform() < 0.03 {
                0.2 + 0.8 * random.uniform()
            } else {
                0.0
            };
            level + (scatter * random.normal()).abs() + spike
        };
        (0..SAMPLES).map(|_| sample()).collect()
    }
}

/// One window: samples of base and head of each pair, in the order of a permuted block.
fn window(
    noise: &Noise,
    pairs: usize,
    effect: f64,
    random: &mut Random,
) -> Vec<(Vec<f64>, Vec<f64>)> {
    let coin = lcmbench::stats::Coin::new(random.bits());
    let mut host = Host::new(*noise, random);
    (0..pairs)
        .map(|pair| {
            if coin.head_first("", pair) {
                let head = host.process(effect, random);
                (host.process(0.0, random), head)
            } else {
                let base = host.process(0.0, random);
                (base, host.process(effect, random))
            }
        })
        .collect()
}

fn floor(samples: &[f64]) -> f64 {
    samples.iter().copied().fold(f64::INFINITY, f64::min)
}

fn differences(window: &[(Vec<f64>, Vec<f64>)]) -> Vec<f64> {
    window
        .iter()
        .map(|(base, head)| floor(head) - floor(base))
        .collect()
}

/// All samples of one side, in seconds.
fn pooled(window: &[(Vec<f64>, Vec<f64>)], head: bool) -> Vec<f64> {
    let side = |pair: &(Vec<f64>, Vec<f64>)| if head { pair.1.clone() } else { pair.0.clone() };
    window.iter().flat_map(side).map(f64::exp).collect()
}

type Test = fn(&[(Vec<f64>, Vec<f64>)]) -> bool;

/// Whether a window of so many pairs raises an alarm, in either direction.
const RULES: [(&str, Test); 4] = [
    (
        "asv: p < 0.002 of pooled samples and ratio > 1.1",
        |window| {
            let (base, head) = (pooled(window, false), pooled(window, true));
            let ratio = support::median(&head) / support::median(&base);
            let p = mann_whitney(&base, &head).map_or(1.0, |test| test.p);
            p < 0.002 && !(1.0 / 1.1..=1.1).contains(&ratio)
        },
    ),
    ("Mann-Whitney of pooled samples, p < 0.01", |window| {
        let (base, head) = (pooled(window, false), pooled(window, true));
        mann_whitney(&base, &head).is_some_and(|test| test.p < 0.01)
    }),
    ("paired exact signed-rank, p < 0.01", |window| {
        signed_rank_interval(&differences(window), 0.01)
            .is_some_and(|interval| interval.low > 0.0 || interval.high < 0.0)
    }),
    ("paired clipped sign-flip, p < 0.01", |window| {
        sign_flip(&differences(window), 1) < 0.01
    }),
];

fn fixed(noise: &Noise, pairs: usize, windows: usize) {
    let mut found = [[0_usize; EFFECTS.len()]; RULES.len()];
    for (column, effect) in EFFECTS.iter().enumerate() {
        let mut random = Random::new(1);
        for _ in 0..windows {
            let window = window(noise, pairs, effect.ln_1p(), &mut random);
            for (row, (_, alarm)) in RULES.iter().enumerate() {
                found[row][column] += usize::from(alarm(&window));
            }
        }
    }
    for ((name, _), counts) in RULES.iter().zip(found) {
        let cells: Vec<String> = counts
            .iter()
            .map(|count| percent(*count, windows))
            .collect();
        println!(
            "| {} | {pairs} | {name} | {} |",
            noise.name,
            cells.join(" | ")
        );
    }
}

/// The anytime-valid test, looked at after every pair.
fn sequential(noise: &Noise, windows: usize) {
    let rule = Rule::default();
    let mut cells = Vec::new();
    for effect in EFFECTS {
        let mut random = Random::new(2);
        let (mut found, mut pairs) = (0, 0);
        for _ in 0..windows {
            let all = differences(&window(noise, MOST_PAIRS, effect.ln_1p(), &mut random));
            let stop = (1..=MOST_PAIRS).find(|count| shown(&all[..*count], &rule));
            found += usize::from(stop.is_some());
            pairs += stop.unwrap_or(MOST_PAIRS);
        }
        cells.push(format!(
            "{} @{}",
            percent(found, windows),
            mean(pairs, windows)
        ));
    }
    println!(
        "| {} | up to {MOST_PAIRS} | **anytime-valid evidence, 1 %** | {} |",
        noise.name,
        cells.join(" | ")
    );
}

fn shown(differences: &[f64], rule: &Rule) -> bool {
    paired_evidence(differences, rule).is_some_and(|evidence| conclude(&evidence, rule).shown != 0)
}

fn four_way(noise: &Noise, windows: usize) {
    let rule = Rule::default();
    for effect in [0.0, 0.01, 0.02, 0.03, 0.05] {
        let mut random = Random::new(3);
        let (mut counts, mut pairs) = ([0_usize; 4], 0);
        for _ in 0..windows {
            let all = differences(&window(noise, MOST_PAIRS, f64::ln_1p(effect), &mut random));
            let (verdict, used) = first_verdict(&all, &rule);
            counts[match verdict {
                PairedVerdict::Slower => 0,
                PairedVerdict::Faster => 1,
                PairedVerdict::Same => 2,
                PairedVerdict::Inconclusive => 3,
            }] += 1;
            pairs += used;
        }
        let cells: Vec<String> = counts
            .iter()
            .map(|count| percent(*count, windows))
            .collect();
        println!(
            "| {} | {:.0} % | {} | {} |",
            noise.name,
            100.0 * effect,
            cells.join(" | "),
            mean(pairs, windows)
        );
    }
}

/// The first verdict other than inconclusive, and after how many pairs.
fn first_verdict(differences: &[f64], rule: &Rule) -> (PairedVerdict, usize) {
    (1..=differences.len())
        .filter_map(|count| {
            let evidence = paired_evidence(&differences[..count], rule)?;
            Some((conclude(&evidence, rule).verdict, count))
        })
        .find(|(verdict, _)| *verdict != PairedVerdict::Inconclusive)
        .unwrap_or((PairedVerdict::Inconclusive, differences.len()))
}

/// Suites of 300 benchmarks, two stages, e-BH over all.
fn suites(runs: usize) {
    const SIZE: usize = 300;
    let rule = Rule::default();
    println!(
        "\n{runs} runs of a suite of {SIZE} benchmarks: 8 pairs, candidates up to 40, e-BH at 5 %\n"
    );
    println!(
        "| noise | truly slower | runs with a false alarm | false among all alarms | found | pairs a benchmark |"
    );
    println!("|---|---|---|---|---|---|");
    for noise in [QUIET, NOISY] {
        for (slower, effect) in [(0, 0.0), (6, 0.02), (6, 0.03), (6, 0.05)] {
            let mut random = Random::new(4);
            let (mut with_any, mut wrong, mut right, mut pairs) = (0, 0, 0, 0);
            for _ in 0..runs {
                let mut e_values = Vec::with_capacity(SIZE);
                let mut called = Vec::with_capacity(SIZE);
                for at in 0..SIZE {
                    let effect = if at < slower { f64::ln_1p(effect) } else { 0.0 };
                    let all = differences(&window(&noise, MOST_PAIRS, effect, &mut random));
                    let (e, verdict, used) = two_stages(&all, &rule, SIZE);
                    e_values.push(e);
                    called.push(matches!(
                        verdict,
                        PairedVerdict::Slower | PairedVerdict::Faster
                    ));
                    pairs += used;
                }
                let alarms: Vec<usize> = e_discoveries(&e_values, 0.05)
                    .iter()
                    .zip(&called)
                    .enumerate()
                    .filter(|(_, (found, called))| **found && **called)
                    .map(|(at, _)| at)
                    .collect();
                let false_alarms = alarms.iter().filter(|at| **at >= slower).count();
                with_any += usize::from(false_alarms > 0);
                wrong += false_alarms;
                right += alarms.len() - false_alarms;
            }
            println!(
                "| {} | {slower} by {:.0} % | {} | {} | {} | {} |",
                noise.name,
                100.0 * effect,
                percent(with_any, runs),
                percent(wrong, wrong + right),
                percent(right, slower * runs),
                mean(pairs, SIZE * runs)
            );
        }
    }
}

/// The schedule of `lcmbench continuous` for one benchmark of `m`: the last e-value, the verdict and
/// the pairs that were measured.
fn two_stages(all: &[f64], rule: &Rule, m: usize) -> (f64, PairedVerdict, usize) {
    const FIRST: usize = 8;
    let candidate = sign_flip(&all[..FIRST], 0) < 0.06
        && hodges_lehmann(&all[..FIRST]).is_some_and(|estimate| estimate.abs() >= 0.01_f64.ln_1p());
    let mut used = FIRST;
    loop {
        let Some(evidence) = paired_evidence(&all[..used], rule) else {
            return (1.0, PairedVerdict::Inconclusive, used);
        };
        let verdict = conclude(&evidence, rule).verdict;
        let e = evidence.change.e_value();
        let settled = match verdict {
            PairedVerdict::Same => true,
            PairedVerdict::Slower | PairedVerdict::Faster => e >= as_float(m) / 0.05,
            PairedVerdict::Inconclusive => false,
        };
        if settled || used == all.len() || (!candidate) {
            return (e, verdict, used);
        }
        used += 1;
    }
}

fn decision_time() {
    let mut random = Random::new(5);
    let all = differences(&window(&NOISY, MOST_PAIRS, 0.02, &mut random));
    let rule = Rule::default();
    let mut times: Vec<f64> = (0..200)
        .map(|_| {
            let began = Instant::now();
            std::hint::black_box(first_verdict_of_all(std::hint::black_box(&all), &rule));
            began.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "\nOne decision of {MOST_PAIRS} pairs: {:.0} us (median of 200); the goal is 1000 us.",
        1e6 * times[100]
    );
}

fn first_verdict_of_all(all: &[f64], rule: &Rule) -> Option<PairedVerdict> {
    Some(conclude(&paired_evidence(all, rule)?, rule).verdict)
}

fn percent(count: usize, of: usize) -> String {
    if of == 0 {
        return "-".to_owned();
    }
    format!("{:.1} %", 100.0 * as_float(count) / as_float(of))
}

fn mean(total: usize, of: usize) -> String {
    format!("{:.1}", as_float(total) / as_float(of))
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn as_float(count: usize) -> f64 {
    count as f64
}
