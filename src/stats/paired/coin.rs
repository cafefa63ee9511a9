//! Random order from a recorded seed.

/// `SplitMix64` (Steele, Lea and Flood, 2014): the same numbers on every platform.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator that begins at `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    /// Uniform in [0, 1).
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Standard normal, by the polar method of Marsaglia and Bray (1964).
    pub fn normal(&mut self) -> f64 {
        loop {
            let u = 2.0 * self.uniform() - 1.0;
            let v = 2.0 * self.uniform() - 1.0;
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                return u * (-2.0 * s.ln() / s).sqrt();
            }
        }
    }

    /// Uniform among `0..below`; 0 for nothing.
    pub fn below(&mut self, below: u64) -> u64 {
        let wide = u128::from(self.bits()) * u128::from(below);
        u64::try_from(wide >> 64).unwrap_or(0)
    }
}

fn mixed(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Which side of a pair runs first: permuted blocks of four, two of each, so that effects of the
/// position cancel. It depends on the seed, on what is measured and on the pair's number alone, so
/// that who resumes goes on with the same tosses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coin {
    seed: u64,
}

impl Coin {
    /// The coin of a recorded seed.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The recorded seed.
    pub fn seed(self) -> u64 {
        self.seed
    }

    /// Whether head runs first in pair number `pair` (from 0) of `subject`.
    pub fn head_first(self, subject: &str, pair: usize) -> bool {
        let mut random = self.random(subject, pair / 4);
        let mut block = [false, false, true, true];
        for last in (1..4_usize).rev() {
            let upto = u64::try_from(last).unwrap_or(0) + 1;
            let other = usize::try_from(random.below(upto)).unwrap_or(0);
            block.swap(last, other);
        }
        block[pair % 4]
    }

    /// The hash seed of Python in pair number `pair` of `subject`: random by pair, equal on both
    /// sides.
    pub fn hash_seed(self, subject: &str, pair: usize) -> u32 {
        let mut random = Self::new(!self.seed).random(subject, pair);
        // Zero would switch the randomisation off.
        u32::try_from(random.below(u64::from(u32::MAX)) + 1).unwrap_or(1)
    }

    fn random(self, subject: &str, number: usize) -> Random {
        // FNV-1a over the name, mixed with the seed and the number.
        let hash = subject
            .bytes()
            .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
            });
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        Random::new(mixed(self.seed ^ mixed(hash ^ mixed(number))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_four_has_two_of_each() {
        let coin = Coin::new(7);
        for block in 0..200 {
            let heads = (0..4).filter(|at| coin.head_first("a.time_x", 4 * block + at));
            assert_eq!(heads.count(), 2, "block {block}");
        }
    }

    #[test]
    fn all_six_orders_are_equally_likely() {
        let coin = Coin::new(20_261_130);
        let mut seen = std::collections::BTreeMap::new();
        for block in 0..6000 {
            let order: Vec<bool> = (0..4)
                .map(|at| coin.head_first("b", 4 * block + at))
                .collect();
            *seen.entry(order).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        // 1000 expected, standard deviation 29.
        assert!(
            seen.values().all(|count| (870..1130).contains(count)),
            "{seen:?}"
        );
    }

    #[test]
    fn seed_subject_and_number_decide_alone() {
        let tosses = |seed, subject: &str| -> Vec<bool> {
            (0..64)
                .map(|pair| Coin::new(seed).head_first(subject, pair))
                .collect()
        };
        assert_eq!(tosses(1, "a"), tosses(1, "a"));
        assert_ne!(tosses(1, "a"), tosses(2, "a"));
        assert_ne!(tosses(1, "a"), tosses(1, "b"));
        assert_ne!(
            Coin::new(1).hash_seed("a", 0),
            Coin::new(1).hash_seed("a", 1)
        );
    }

    #[test]
    fn the_generator_is_splitmix64() {
        // The first numbers of the reference implementation from seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }
}
