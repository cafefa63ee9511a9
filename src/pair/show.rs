//! The summary for people.

use crate::paths::{Cell, Part, Table};
use crate::report::units::{Scale, percent, ratio};

use super::summary::{PairSummary, ScenarioSummary, State, Status, VoidPair};

/// The report of a summary.
pub fn document(summary: &PairSummary) -> Vec<Part> {
    let options = &summary.options;
    let mut parts = vec![
        Part::Title("Paired scenarios".to_owned()),
        Part::line(format!(
            "base {}, head {}, harness {}",
            short(&options.base_revision),
            short(&options.head_revision),
            short(&options.harness_revision)
        )),
        Part::line(format!(
            "{} bits on {}, {} repeats ({}), compile cache {}",
            options.precision.bits(),
            options.backend.word(),
            options.repeats,
            if summary.balanced {
                "balanced"
            } else {
                "unbalanced: one order has a pair more than the other"
            },
            match options.cache {
                super::CacheState::Cold => "cold",
                super::CacheState::Warm => "warm",
            }
        )),
    ];
    if let Some(kind) = summary.gpu.get("gpu") {
        let driver = summary.gpu.get("driver").map(String::as_str);
        parts.push(Part::line(format!(
            "GPU: {kind}, driver {}",
            driver.unwrap_or("unknown")
        )));
    }
    if let Some(line) = disturbed(summary) {
        parts.push(Part::line(line));
    }
    if summary.state == State::Unfinished {
        parts.push(Part::strong(
            "Unfinished: what was measured until now; `lcmbench pair --resume` goes on.",
        ));
    }
    parts.push(Part::Table(times(summary)));
    parts.push(Part::Table(evidence(summary)));
    for scenario in &summary.scenarios {
        parts.extend(words(scenario));
    }
    parts
}

/// How many pairs had to be measured again.
fn disturbed(summary: &PairSummary) -> Option<String> {
    let voids = summary
        .scenarios
        .iter()
        .flat_map(|scenario| &scenario.voids);
    let (replaced, lost): (Vec<&VoidPair>, Vec<&VoidPair>) = voids.partition(|void| void.replaced);
    if replaced.is_empty() && lost.is_empty() {
        return None;
    }
    Some(format!(
        "pairs during which the GPU was disturbed: {} measured again, {} given up",
        replaced.len(),
        lost.len()
    ))
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

fn times(summary: &PairSummary) -> Table {
    let mut table = Table::new([
        ("scenario", false),
        ("status", false),
        ("pairs", true),
        ("base", true),
        ("head", true),
        ("head/base", true),
        ("interval", false),
        ("verdict", false),
        ("first call", true),
    ]);
    for scenario in &summary.scenarios {
        let lowest = |pick: fn(&super::summary::PairRatio) -> f64| {
            scenario
                .pairs
                .iter()
                .map(pick)
                .fold(f64::INFINITY, f64::min)
        };
        let (base, head) = (
            lowest(|pair| pair.base_seconds),
            lowest(|pair| pair.head_seconds),
        );
        let scale = Scale::fitting("seconds", [base, head]);
        let seconds = |value: f64| {
            if value.is_finite() {
                scale.show_float(value)
            } else {
                "-".to_owned()
            }
        };
        let time = scenario.time.as_ref();
        let row = table.push([
            Cell::from(scenario.name.clone()),
            Cell::strong(status(scenario.status)),
            Cell::from(scenario.pairs.len().to_string()),
            Cell::from(seconds(base)),
            Cell::from(seconds(head)),
            Cell::strong(ratio(time.map(|time| time.ratio))),
            Cell::from(time.map_or_else(|| "-".to_owned(), interval)),
            Cell::from(time.map_or_else(|| no_verdict(scenario).to_owned(), verdict)),
            Cell::from(ratio(scenario.first_call_ratio)),
        ]);
        row.flagged = matches!(scenario.status, Status::Rejected | Status::Failed);
    }
    table
}

fn interval(time: &super::summary::TimeChange) -> String {
    match time.interval {
        Some([low, high]) => format!("{} to {}", ratio(Some(low)), ratio(Some(high))),
        None => "needs 8 pairs".to_owned(),
    }
}

/// Where there is no pair of times.
fn no_verdict(scenario: &ScenarioSummary) -> &'static str {
    if scenario.voids.iter().any(|void| !void.replaced) {
        "disturbed"
    } else {
        "-"
    }
}

fn verdict(time: &super::summary::TimeChange) -> String {
    match time.more_pairs {
        Some(more) => format!("{}, about {more} more pairs", time.verdict),
        None => time.verdict.clone(),
    }
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Accepted => "accepted",
        Status::Rejected => "REJECTED",
        Status::Failed => "FAILED",
        Status::Unfinished => "unfinished",
    }
}

fn evidence(summary: &PairSummary) -> Table {
    let mut table = Table::new([
        ("scenario", false),
        ("outputs", false),
        ("largest difference", false),
        ("programs", false),
        ("host memory", true),
        ("device memory", true),
        ("declarations", false),
    ]);
    for scenario in &summary.scenarios {
        table.push([
            Cell::from(scenario.name.clone()),
            Cell::from(outputs(scenario)),
            Cell::from(largest(scenario)),
            Cell::from(programs(scenario)),
            Cell::from(ratio(scenario.memory.host_ratio)),
            Cell::from(match scenario.memory.device_ratio {
                Some(found) => ratio(Some(found)),
                None => scenario.memory.device.clone(),
            }),
            Cell::from(declarations(scenario)),
        ]);
    }
    table
}

fn outputs(scenario: &ScenarioSummary) -> String {
    let within = scenario.outputs.iter().filter(|leaf| leaf.within).count();
    format!("{within} of {} within", scenario.outputs.len())
}

fn largest(scenario: &ScenarioSummary) -> String {
    let of = |pick: fn(&super::parity::LeafParity) -> f64| {
        scenario.outputs.iter().map(pick).fold(0.0, f64::max)
    };
    let absolute = of(|leaf| leaf.largest_absolute);
    if absolute == 0.0 {
        return "none".to_owned();
    }
    format!(
        "{absolute:.2e} ({}, {:.0} ULP)",
        percent(of(|leaf| leaf.largest_relative)),
        of(|leaf| leaf.largest_ulp.unwrap_or(0.0))
    )
}

fn programs(scenario: &ScenarioSummary) -> String {
    let cores = &scenario.cores;
    if cores.is_empty() {
        return "-".to_owned();
    }
    let same = cores
        .iter()
        .filter(|core| core.same_program == Some(true))
        .count();
    if same == cores.len() {
        return format!("{same} equal");
    }
    let added: usize = cores.iter().map(|core| core.lines_added).sum();
    let removed: usize = cores.iter().map(|core| core.lines_removed).sum();
    format!("{same} of {} equal, +{added} -{removed} lines", cores.len())
}

fn declarations(scenario: &ScenarioSummary) -> String {
    let all = &scenario.declarations;
    if all.is_empty() {
        return "-".to_owned();
    }
    let met = all.iter().filter(|one| one.as_expected).count();
    format!("{met} of {} as expected", all.len())
}

fn words(scenario: &ScenarioSummary) -> Vec<Part> {
    let mut parts = Vec::new();
    if !scenario.reasons.is_empty() {
        parts.push(Part::Heading(format!(
            "{}: {}",
            scenario.name,
            status(scenario.status)
        )));
        parts.extend(
            scenario
                .reasons
                .iter()
                .map(|reason| Part::strong(reason.clone())),
        );
    }
    let remarks = scenario.remarks.iter();
    parts.extend(remarks.map(|remark| Part::line(format!("{}: {remark}", scenario.name))));
    parts
}
