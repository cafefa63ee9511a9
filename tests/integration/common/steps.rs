//! Made-up histories with known steps: three families of noise, from fixed seeds.

/// The noise of a series; its typical size is 1.5 % in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noise {
    /// Normal.
    Gauss,
    /// Student's t with 2.5 degrees of freedom, and 3 % of the points spikes upwards.
    HeavyTails,
    /// Normal, each point correlated by 0.6 with the one before.
    Correlated,
}

impl Noise {
    pub(crate) const ALL: [Self; 3] = [Self::Gauss, Self::HeavyTails, Self::Correlated];

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Gauss => "Gauss",
            Self::HeavyTails => "heavy tails",
            Self::Correlated => "AR(1) 0.6",
        }
    }
}

/// A series of logarithms and where its level changes.
#[derive(Debug, Clone)]
pub(crate) struct Steps {
    pub(crate) series: Vec<f64>,
    pub(crate) at: Vec<usize>,
}

/// Standard deviation of the noise.
const NOISE: f64 = 0.015;

/// Points between two steps, and before the first and after the last.
const APART: usize = 20;

/// The size of a step is drawn between these.
const SIZES: (f64, f64) = (0.03, 0.15);

/// A series of `length` points with `steps` steps of 3 to 15 %.
pub(crate) fn steps(noise: Noise, length: usize, steps: usize, generator: &mut Generator) -> Steps {
    let mut at: Vec<usize> = Vec::new();
    while at.len() < steps {
        let place = APART + generator.below(length - 2 * APART);
        if at.iter().all(|other| other.abs_diff(place) >= APART) {
            at.push(place);
        }
    }
    at.sort_unstable();
    let mut series = Vec::with_capacity(length);
    let (mut level, mut state) = (0.0, generator.normal());
    for index in 0..length {
        if at.contains(&index) {
            let size = SIZES.0 + (SIZES.1 - SIZES.0) * generator.uniform();
            level += if generator.uniform() < 0.5 {
                size
            } else {
                -size
            };
        }
        series.push(level + NOISE * generator.noise(noise, &mut state));
    }
    Steps { series, at }
}

/// Found and true steps of many series.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Score {
    series: f64,
    truly: f64,
    found: f64,
    right: f64,
}

impl Score {
    /// Counts a series: a step is found if a point lies within three of it.
    pub(crate) fn count(&mut self, truly: &[usize], found: &[usize]) {
        let mut free: Vec<usize> = found.to_vec();
        let mut right = 0_u32;
        for step in truly {
            let near = free.iter().position(|point| point.abs_diff(*step) <= 3);
            if let Some(near) = near {
                free.remove(near);
                right += 1;
            }
        }
        self.series += 1.0;
        self.truly += count(truly.len());
        self.found += count(found.len());
        self.right += f64::from(right);
    }

    /// The harmonic mean of the share of steps that are found and of points that are right.
    pub(crate) fn f1(self) -> f64 {
        2.0 * self.right / (self.truly + self.found)
    }

    /// Points that are no step, per series.
    pub(crate) fn false_points(self) -> f64 {
        (self.found - self.right) / self.series
    }
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// `SplitMix64`.
#[derive(Debug, Clone)]
pub(crate) struct Generator(pub(crate) u64);

impl Generator {
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let bits = u32::try_from((z ^ (z >> 31)) >> 32).unwrap_or(0);
        (f64::from(bits) + 0.5) / 4_294_967_296.0
    }

    /// A number from zero to `bound`, `bound` left out.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bits = self.uniform() * 4_294_967_296.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between zero and 2^32"
        )]
        let bits = bits as usize;
        bits % bound
    }

    /// Standard normal, by the polar method.
    pub(crate) fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square: f64 = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * square.ln() / square).sqrt();
            }
        }
    }

    /// Student's t with 2.5 degrees of freedom: a chi squared of 2.5 is one of 2 (an exponential)
    /// and a gamma variate of shape 1/4, which Ahrens and Dieter's rejection gives.
    fn heavy(&mut self) -> f64 {
        let chi = -2.0 * self.uniform().ln() + 2.0 * self.quarter_gamma();
        self.normal() / (chi / 2.5).sqrt()
    }

    fn quarter_gamma(&mut self) -> f64 {
        const SHAPE: f64 = 0.25;
        let bound = 1.0 + SHAPE / std::f64::consts::E;
        loop {
            let p = bound * self.uniform();
            if p <= 1.0 {
                let x = p.powf(1.0 / SHAPE);
                if self.uniform() <= (-x).exp() {
                    return x;
                }
            } else {
                let x = -((bound - p) / SHAPE).ln();
                if self.uniform() <= x.powf(SHAPE - 1.0) {
                    return x;
                }
            }
        }
    }

    fn noise(&mut self, noise: Noise, state: &mut f64) -> f64 {
        match noise {
            Noise::Gauss => self.normal(),
            Noise::HeavyTails => {
                let spike = if self.uniform() < 0.03 {
                    20.0 * self.uniform()
                } else {
                    0.0
                };
                self.heavy() + spike
            }
            Noise::Correlated => {
                *state = 0.6 * *state + 0.8 * self.normal();
                *state
            }
        }
    }
}
