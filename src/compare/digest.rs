//! A fast 64-bit hash that is the same in every version and on every platform. It names series and
//! finds damage; it protects against no attacker.

use std::hash::{BuildHasher, Hasher};

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash of the parts given so far; the borders between parts count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Digest(u64);

impl Digest {
    pub(super) fn new() -> Self {
        Self(0x6C63_6D62_656E_6368)
    }

    /// With one more part.
    #[must_use]
    pub(super) fn with(self, part: &[u8]) -> Self {
        let mut state = self.0;
        let (words, rest) = part.as_chunks::<8>();
        for word in words {
            state = mix(state, u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        state = mix(state, u64::from_le_bytes(last));
        Self(mix(state, part.len() as u64))
    }

    pub(super) fn value(self) -> u64 {
        let mut value = self.0;
        value = (value ^ (value >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        value = (value ^ (value >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        value ^ (value >> 32)
    }
}

/// Builds maps whose keys are digests already.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ByDigest;

impl BuildHasher for ByDigest {
    type Hasher = Taken;

    fn build_hasher(&self) -> Taken {
        Taken(0)
    }
}

/// Takes a number for its own hash.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken(u64);

impl Hasher for Taken {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = Digest(self.0).with(bytes).value();
    }

    fn write_u64(&mut self, digest: u64) {
        self.0 = digest;
    }
}

/// One multiplication folded onto itself, so that high bits reach low ones.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the two halves of the product are taken apart"
)]
fn mix(state: u64, word: u64) -> u64 {
    let product = u128::from(state ^ word) * u128::from(MULTIPLIER);
    product as u64 ^ ((product >> 64) as u64).rotate_left(23)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parts: &[&str]) -> u64 {
        parts
            .iter()
            .fold(Digest::new(), |digest, part| digest.with(part.as_bytes()))
            .value()
    }

    #[test]
    fn parts_orders_and_borders_matter() {
        let texts = [
            of(&["ab", "c"]),
            of(&["a", "bc"]),
            of(&["abc"]),
            of(&["abc", ""]),
            of(&["c", "ab"]),
            of(&["12345678"]),
            of(&["12345678", ""]),
            of(&["12345679"]),
            of(&[]),
            of(&["\0"]),
        ];
        for (i, text) in texts.iter().enumerate() {
            assert!(!texts[..i].contains(text), "{i}");
        }
    }

    #[test]
    fn the_value_is_stable() {
        // A change here orphans every cache on disk: raise the format number of the cache then.
        assert_eq!(
            of(&["bench.time_x", "(1, 'a')"]),
            17_431_821_441_837_514_974
        );
    }
}
