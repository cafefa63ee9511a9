//! What a comment says about itself, for programs.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::github::{ACCEPTED, Block};
use crate::report::{Gate, json, verdict};

use super::rendering::Rendering;

/// The block of what was found.
pub(super) fn of(rendering: &Rendering<'_>) -> Block {
    let finding = rendering.finding;
    let comparison = &finding.comparison;
    let counts = Gate::words()
        .filter_map(|word| Some((word, Gate::of_word(word)?.objections(comparison))))
        .chain([(ACCEPTED, comparison.count_accepted())])
        .filter(|(_, count)| *count > 0)
        .map(|(word, count)| (word.to_owned(), count))
        .collect();
    Block {
        key: rendering.key.to_owned(),
        head: comparison.head.commit.clone(),
        base: comparison.base.as_ref().map(|base| base.commit.clone()),
        run: rendering.actions.run,
        started: finding.started,
        verdict: verdict::worst(&comparison.rows).key().to_owned(),
        counts,
        gate: rendering
            .fail_on
            .iter()
            .map(|gate| gate.word().to_owned())
            .collect(),
        sha256: digest(&json::comparison(comparison, rendering.settings)),
    }
}

/// SHA-256 in digits.
pub(super) fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes())
        .iter()
        .fold(String::with_capacity(64), |mut digits, byte| {
            // Writing into a string cannot fail.
            write!(digits, "{byte:02x}").ok();
            digits
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_sha_256() {
        assert_eq!(
            digest("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
