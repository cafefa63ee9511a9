//! Whole runs of lcmbench and asv on suites that do nothing: what the tools themselves cost.
//!
//! `cargo bench --bench vs_asv`; needs the virtual environment that `scripts/test` makes.

mod support;

use std::process::Command;

use support::{Place, heading, median, repeats, report};

fn main() {
    heading("lcmbench", "asv");
    suite("100 benchmarks", "trivial", repeats(5), repeats(3));
    suite(
        "100 benchmarks, 10 rows each",
        "trivial-rows",
        repeats(3),
        repeats(1),
    );
}

/// One way of starting a tool on the suite.
struct Way<'a> {
    command: Box<dyn Fn() -> Command + 'a>,
    seconds: Vec<f64>,
}

fn suite(what: &str, name: &str, repeats: usize, spawn_repeats: usize) {
    let place = Place::new(name);
    let way = |tool: fn(&Place, &[&str]) -> Command, arguments: &'static [&'static str]| Way {
        command: Box::new({
            let place = &place;
            move || tool(place, arguments)
        }),
        seconds: Vec::new(),
    };
    let mut forked = way(Place::lcmbench, &["--quick"]);
    let mut fork_server = way(Place::asv, &["--quick", "--launch-method", "forkserver"]);
    let mut spawned = way(Place::lcmbench, &["--quick", "--launch-method", "spawn"]);
    let mut spawning = way(Place::asv, &["--quick"]);
    // Alternating, so that a change of the machine's speed meets both tools.
    for round in 0..repeats.max(spawn_repeats) {
        for way in [&mut forked, &mut fork_server] {
            if round < repeats {
                way.measure(&place);
            }
        }
        for way in [&mut spawned, &mut spawning] {
            if round < spawn_repeats {
                way.measure(&place);
            }
        }
    }
    let asv_spawn = spawning.median();
    let name = |way: &str| format!("{what}, {way}");
    report(
        &name("against asv's default (spawn)"),
        forked.median(),
        asv_spawn,
        "s",
        Some(0.05),
    );
    report(
        &name("against asv's fork server"),
        forked.median(),
        fork_server.median(),
        "s",
        Some(0.2),
    );
    report(
        &name("spawned, against asv's spawn"),
        spawned.median(),
        asv_spawn,
        "s",
        Some(0.5),
    );
}

impl Way<'_> {
    fn measure(&mut self, place: &Place) {
        let wall = place.time(&mut (self.command)());
        self.seconds.push(wall.as_secs_f64());
    }

    fn median(&self) -> f64 {
        median(&self.seconds)
    }
}
