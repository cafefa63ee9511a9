//! False alarms and power of the rule by history, on made-up histories with fixed seeds.

use super::build::{Case, history, index, number, set};
use crate::compare::Options;
use crate::report::Verdict;

/// `SplitMix64`.
struct Generator(u64);

impl Generator {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
        let bits = ((z ^ (z >> 31)) >> 11) as f64;
        bits / 9_007_199_254_740_992.0
    }

    /// Standard normal, by the polar method.
    fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square: f64 = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * square.ln() / square).sqrt();
            }
        }
    }

    /// Student's t with three degrees of freedom: heavy tails.
    fn heavy(&mut self) -> f64 {
        let chi: f64 = (0..3).map(|_| self.normal().powi(2)).sum();
        self.normal() / (chi / 3.0).sqrt()
    }
}

/// A series of a benchmark whose sessions vary by `noise`.
#[derive(Clone, Copy)]
struct World {
    points: usize,
    noise: f64,
    heavy: bool,
    /// Lasting jumps of the level within the history.
    jumps: usize,
    /// Correlation of neighbouring sessions.
    correlation: f64,
}

impl World {
    /// Logarithms of the history, the base and HEAD.
    fn series(self, generator: &mut Generator) -> Vec<f64> {
        let mut state = 0.0;
        let mut level = 0.0;
        let every = self.points / (self.jumps + 1) + 1;
        (0..self.points + 2)
            .map(|at| {
                if at > 0 && at % every == 0 && at < self.points {
                    level += if generator.uniform() < 0.5 { 0.2 } else { -0.1 };
                }
                let fresh = if self.heavy {
                    generator.heavy()
                } else {
                    generator.normal()
                };
                let rest = (1.0 - self.correlation * self.correlation).sqrt();
                state = self.correlation * state + rest * fresh;
                level + self.noise * state
            })
            .collect()
    }

    /// Shares of slower, faster and same in `count` benchmarks whose HEAD is slower by `change`.
    fn shares(self, seed: u64, count: usize, change: f64) -> [f64; 3] {
        let mut generator = Generator(seed);
        let names: Vec<String> = (0..count).map(|i| format!("b.time_{i}")).collect();
        let all: Vec<Vec<f64>> = names
            .iter()
            .map(|_| {
                let mut series = self.series(&mut generator);
                series[self.points + 1] += change.ln_1p();
                series.iter().map(|log| log.exp()).collect()
            })
            .collect();
        let past: Vec<(&str, &[f64])> = names
            .iter()
            .zip(&all)
            .map(|(name, series)| (name.as_str(), &series[..self.points]))
            .collect();
        let at = |place: usize| {
            let values: Vec<_> = all.iter().map(|series| number(series[place])).collect();
            let given: Vec<_> = names.iter().map(String::as_str).zip(&values).collect();
            set(&given)
        };
        let case = Case {
            history: history(&past),
            index: index(&[]),
            ..Case::default()
        };
        let (base, head) = (at(self.points), at(self.points + 1));
        let rows = case.compare(Some(&base), &head, &Options::default()).rows;
        [Verdict::Slower, Verdict::Faster, Verdict::Same].map(|verdict| {
            let hits = rows.iter().filter(|row| row.verdict == verdict).count();
            #[expect(clippy::cast_precision_loss, reason = "small counts")]
            let share = hits as f64 / rows.len() as f64;
            share
        })
    }
}

const QUIET: World = World {
    points: 30,
    noise: 0.01,
    heavy: false,
    jumps: 0,
    correlation: 0.0,
};

const COUNT: usize = 4000;

/// The nominal one per cent, and twice the standard error of a rate from so many rows.
const LIMIT: f64 = 0.013;

fn false_alarms(world: World, seed: u64) -> f64 {
    let [slower, faster, _] = world.shares(seed, COUNT, 0.0);
    slower + faster
}

#[test]
fn false_alarms_stay_within_one_per_cent() {
    // Noise of 3 %, so that the smallest effect protects nobody.
    for (seed, points) in [(1, 10), (2, 15), (3, 30), (4, 60)] {
        let world = World {
            points,
            noise: 0.03,
            ..QUIET
        };
        let rate = false_alarms(world, seed);
        assert!(rate <= LIMIT, "{points} points: {rate}");
        let drifting = World {
            correlation: 0.6,
            ..world
        };
        let rate = false_alarms(drifting, seed);
        assert!(rate <= LIMIT, "{points} points, drifting: {rate}");
        let jumping = World { jumps: 2, ..world };
        let rate = false_alarms(jumping, seed);
        assert!(rate <= LIMIT, "{points} points, jumping: {rate}");
    }
}

#[test]
fn heavy_tails_cost_little() {
    // Nothing that looks at one run against another can know a tail that it never saw.
    for (seed, points) in [(5, 10), (6, 30), (7, 60)] {
        let world = World {
            points,
            noise: 0.03,
            heavy: true,
            ..QUIET
        };
        let rate = false_alarms(world, seed);
        assert!(rate <= 0.035, "{points} points: {rate}");
    }
}

#[test]
fn slow_downs_of_five_per_cent_are_found() {
    for (points, noise, least) in [(10, 0.005, 0.93), (20, 0.006, 0.93), (60, 0.008, 0.85)] {
        let world = World {
            points,
            noise,
            ..QUIET
        };
        let [slower, faster, _] = world.shares(8, COUNT, 0.05);
        assert!(slower >= least, "{points} points: {slower}");
        assert!(faster < 1e-3, "{faster}");
    }
}

#[test]
fn lasting_jumps_in_the_history_take_little_power() {
    let world = World {
        points: 40,
        noise: 0.005,
        jumps: 3,
        ..QUIET
    };
    let [slower, _, _] = world.shares(9, COUNT, 0.05);
    assert!(slower >= 0.95, "{slower}");
}

#[test]
fn the_same_is_said_where_it_can_be_known() {
    let world = World {
        noise: 0.002,
        ..QUIET
    };
    let [slower, faster, same] = world.shares(10, COUNT, 0.0);
    assert!(same >= 0.9 && slower + faster <= 1e-3, "{same}");
    // A change of twice the smallest effect is never the same.
    let [_, _, same] = world.shares(10, COUNT, 0.04);
    assert!(same <= 1e-3, "{same}");
}
