//! What `show` prints for people: measured commits, results of one commit, durations.

mod reasons;

use super::grid::{Align, Grid, plain_line};
use super::listing::{CommitResults, Details, Series, ShownBenchmark, ShownResult};
use super::row::{Cell, Side};
use super::shorten::shorten;
use super::units::{self, instant};

/// Longer parameters and values are cut in the middle.
const MOST_OF_A_PARAMETER: usize = 60;

/// More samples than this are counted instead of listed.
const MOST_SAMPLES: usize = 30;

/// The measured commits of each machine and environment, oldest first. `hash_length` is how many
/// digits of a hash are shown.
pub fn commits(series: &[Series], hash_length: usize) -> String {
    if series.is_empty() {
        return "No results yet.".to_owned();
    }
    let mut blocks = vec!["Commits with results:".to_owned()];
    for series in series {
        blocks.push(place(&series.machine, &series.environment));
        let lines: Vec<String> = series
            .commits
            .iter()
            .map(|commit| {
                let hash: String = commit.commit.chars().take(hash_length.max(1)).collect();
                let failed = match commit.failed {
                    0 => String::new(),
                    failed => format!(", {failed} failed"),
                };
                let count = counted(commit.benchmarks, "benchmark");
                format!("    {hash}  {}  {count}{failed}", instant(commit.date))
            })
            .collect();
        blocks.push(plain_lines(&lines));
    }
    blocks.join("\n\n")
}

fn place(machine: &str, environment: &str) -> String {
    plain_lines(&[
        format!("Machine    : {machine}"),
        format!("Environment: {environment}"),
    ])
}

/// The results of one commit, with repeat, number, interval and samples if `details` are asked for.
pub fn results(results: &[CommitResults], details: bool) -> String {
    let mut blocks = Vec::new();
    if let Some(first) = results.first() {
        blocks.push(heading(&first.side));
    }
    for set in results {
        for benchmark in &set.benchmarks {
            blocks.push(one_benchmark(benchmark, &set.side, details));
        }
        if set.benchmarks.is_empty() {
            let place = place(&set.side.machine, &set.side.environment);
            blocks.push(format!("{place}\n\nNo benchmark to show here."));
        }
    }
    blocks.join("\n\n")
}

fn heading(side: &Side) -> String {
    plain_line(&match &side.name {
        Some(name) => format!("Commit: {} <{name}>", side.commit),
        None => format!("Commit: {}", side.commit),
    })
}

fn one_benchmark(benchmark: &ShownBenchmark, side: &Side, details: bool) -> String {
    let mut lines = vec![plain_line(&format!(
        "{} [{}/{}]",
        benchmark.benchmark, side.machine, side.environment
    ))];
    match benchmark.results.as_slice() {
        [] => lines.push("  no combination of parameters".to_owned()),
        [single] if single.params.is_empty() => {
            let reason =
                reasons::of(single).map_or_else(String::new, |reason| format!(": {reason}"));
            lines.push(format!("  {}{reason}", value(single, &benchmark.unit)));
            if let Some(found) = single.details.as_ref().filter(|_| details) {
                lines.extend(detail_lines(found, &benchmark.unit));
            }
        }
        many => {
            let state = match benchmark.failed() {
                0 => "ok".to_owned(),
                failed => format!("{failed}/{} failed", many.len()),
            };
            lines.push(format!("  {state}"));
            let table = grid(many, &benchmark.unit, details);
            lines.extend(table.lines().map(|line| format!("  {line}")));
            lines.extend(reasons::lines(many).map(|line| format!("  {line}")));
        }
    }
    lines.push(format!(
        "  started: {}, duration: {}",
        instant(benchmark.started_at),
        seconds(benchmark.duration)
    ));
    for flag in &benchmark.flags {
        lines.push(format!("  flag: {}", plain_line(flag)));
    }
    if !benchmark.current {
        lines
            .push("  measured with a version of the benchmark that the suite no longer has".into());
    }
    lines.join("\n")
}

/// One line for each combination.
fn grid(results: &[ShownResult], unit: &str, details: bool) -> String {
    let names = results.first().map_or(&[][..], |result| &result.params);
    let columns = names
        .iter()
        .map(|(name, _)| (name.as_str(), Align::Left))
        .chain([("result", Align::Right)]);
    let extra = [
        ("repeat", Align::Right),
        ("number", Align::Right),
        ("ci_99", Align::Left),
        ("samples", Align::Left),
    ];
    let extra = extra.into_iter().filter(|_| details);
    let mut grid = Grid::new(columns.chain(extra));
    for result in results {
        let mut cells: Vec<String> = result.params.iter().map(short).collect();
        // A row of another file may have fewer parameters than the first.
        cells.resize(names.len(), String::new());
        cells.push(value(result, unit));
        if let Some(found) = result.details.as_ref().filter(|_| details) {
            cells.push(found.repeat.to_string());
            cells.push(found.number.to_string());
            cells.push(interval(found, unit));
            cells.push(samples(found, unit).unwrap_or_default());
        }
        grid.push(cells, None);
    }
    grid.render(false)
}

fn detail_lines(details: &Details, unit: &str) -> Vec<String> {
    let mut lines = vec![
        format!("  repeat: {}", details.repeat),
        format!("  number: {}", details.number),
        format!("  ci_99: {}", interval(details, unit)),
    ];
    if let Some(samples) = samples(details, unit) {
        lines.push(format!("  samples: {samples}"));
    }
    lines
}

fn interval(details: &Details, unit: &str) -> String {
    let (low, high) = details.ci_99;
    format!("({}, {})", number(low, unit), number(high, unit))
}

fn samples(details: &Details, unit: &str) -> Option<String> {
    let samples = details.samples.as_ref()?;
    let first: Vec<String> = samples
        .iter()
        .take(MOST_SAMPLES)
        .map(|sample| number(*sample, unit))
        .collect();
    let listed = first.join(", ");
    Some(if samples.len() > MOST_SAMPLES {
        format!("{listed} and {} more", samples.len() - MOST_SAMPLES)
    } else {
        listed
    })
}

fn number(value: f64, unit: &str) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    units::asv::value(Some(&value.into()), unit, None)
}

fn value(result: &ShownResult, unit: &str) -> String {
    match &result.cell {
        Cell::Number { value, spread } => units::asv::value(Some(value), unit, *spread),
        Cell::Other(value) => units::asv::value(Some(value), unit, None),
        Cell::Failed { .. } => "failed".to_owned(),
        Cell::Skipped { .. } => "skipped".to_owned(),
        Cell::Missing => "n/a".to_owned(),
    }
}

fn short((_, value): &(String, String)) -> String {
    plain_line(&shorten(value, MOST_OF_A_PARAMETER))
}

fn seconds(duration: Option<f64>) -> String {
    duration.map_or_else(
        || "unknown".to_owned(),
        |seconds| units::asv::time(seconds, None),
    )
}

/// How long each benchmark, build and cache set-up took, the longest first.
pub fn durations(results: &[CommitResults]) -> String {
    let mut blocks = Vec::new();
    if let Some(first) = results.first() {
        blocks.push(heading(&first.side));
    }
    for set in results {
        blocks.push(place(&set.side.machine, &set.side.environment));
        let mut found: Vec<(&str, f64)> = set
            .benchmarks
            .iter()
            .filter_map(|benchmark| Some((benchmark.benchmark.as_str(), benchmark.duration?)))
            .chain(
                set.durations
                    .iter()
                    .map(|(name, time)| (name.as_str(), *time)),
            )
            .collect();
        found.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let total: f64 = found.iter().map(|(_, time)| time).sum();
        let lines: Vec<String> = found
            .iter()
            .map(|(name, time)| format!("    {name}  {}", units::asv::time(*time, None)))
            .collect();
        if !lines.is_empty() {
            blocks.push(plain_lines(&lines));
        }
        blocks.push(format!(
            "    total duration: {}",
            units::asv::time(total, None)
        ));
    }
    blocks.join("\n\n")
}

fn plain_lines(lines: &[String]) -> String {
    let plain: Vec<String> = lines.iter().map(|line| plain_line(line)).collect();
    plain.join("\n")
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

#[cfg(test)]
mod tests;
