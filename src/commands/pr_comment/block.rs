//! What a comment says about itself, for programs.

use std::fmt::Write as _;

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::config::Settings;
use crate::github::{ActionsContext, Block};
use crate::report::{Comparison, Gate, json, verdict};
use crate::results::ResultSet;

use super::Arguments;

/// The block of a comparison.
pub(super) fn of(
    comparison: &Comparison,
    head: &ResultSet,
    arguments: &Arguments,
    actions: &ActionsContext,
    settings: &Settings,
) -> Block {
    let counts = Gate::words()
        .filter_map(|word| {
            let count = Gate::of_word(word)?.objections(comparison);
            (count > 0).then(|| (word.to_owned(), count))
        })
        .collect();
    Block {
        key: arguments.key.clone(),
        head: comparison.head.commit.clone(),
        base: comparison.base.as_ref().map(|base| base.commit.clone()),
        run: actions.run,
        started: started(head),
        verdict: verdict::worst(&comparison.rows).key().to_owned(),
        counts,
        sha256: digest(&json::comparison(comparison, &settings.report)),
    }
}

/// When the newest of the benchmarks was started; of files without times the date of the commit.
fn started(head: &ResultSet) -> Timestamp {
    let newest = head
        .results
        .values()
        .filter_map(|result| result.started_at)
        .max();
    newest
        .or(head.date)
        .and_then(|millis| Timestamp::from_millisecond(millis).ok())
        .unwrap_or(Timestamp::UNIX_EPOCH)
}

fn digest(text: &str) -> String {
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
