//! A class with a set-up of two seconds and three metrics: how many set-ups a run costs.
//!
//! `cargo bench --bench share_setup`; needs the virtual environment that `scripts/test` makes.

mod support;

use support::{Place, heading, median, repeats, report};

/// Seconds of one set-up of the suite.
const SETUP: f64 = 2.0;

fn main() {
    let place = Place::new("compiling");
    let (mut shared, mut plain, mut asv) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..repeats(3) {
        let seconds = |command: &mut std::process::Command| place.time(command).as_secs_f64();
        shared.push(seconds(&mut place.lcmbench(&["--share-setup"])));
        plain.push(seconds(&mut place.lcmbench(&[])));
        asv.push(seconds(&mut place.asv(&[])));
    }
    heading("wall time", "one set-up");
    report(
        "lcmbench with share_setup",
        median(&shared),
        SETUP,
        "s",
        Some(1.2),
    );
    report("lcmbench without", median(&plain), SETUP, "s", None);
    report("asv", median(&asv), SETUP, "s", None);
}
