//! What would run, in text and in JSON.

use crate::commands::progress::plain;
use crate::json::{Json, to_pretty};
use crate::report::shorten;
use crate::run::{Durations, count, expected_seconds, module_name, roughly};
use crate::suite::Selected;
use crate::worker::Discovery;

/// Version of the JSON form.
const FORMAT: i64 = 1;
/// Longest list of parameters in one line, in characters.
const LONGEST: usize = 100;

/// Everything that is listed.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct Listing<'a> {
    pub(in crate::commands) discovery: &'a Discovery,
    pub(in crate::commands) selected: &'a [Selected],
    pub(in crate::commands) durations: &'a Durations,
}

impl Listing<'_> {
    /// A line a benchmark, its parameters below, and the sum at the end.
    pub(in crate::commands) fn text(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for one in self.selected {
            lines.push(format!(
                "{}{}{}",
                plain(one.benchmark.name()).replace('\n', " "),
                combinations(one),
                self.durations
                    .of_selected(one)
                    .map_or_else(String::new, |seconds| format!("  ({})", roughly(seconds))),
            ));
            lines.extend(parameters(one));
        }
        lines.push(self.sum());
        lines
    }

    fn sum(&self) -> String {
        let combinations: usize = self.selected.iter().map(|one| one.combinations.len()).sum();
        let benchmarks = count(self.selected.len(), "benchmark");
        let mut text = if combinations == self.selected.len() {
            benchmarks
        } else {
            format!("{benchmarks}, {}", count(combinations, "combination"))
        };
        let (seconds, unknown) = expected_seconds(self.selected, self.durations);
        text = match unknown {
            0 => format!("{text}; expected to take {}", roughly(seconds)),
            _ if unknown == self.selected.len() => {
                let takes = if unknown == 1 {
                    "it takes"
                } else {
                    "they take"
                };
                format!("{text}; how long {takes} is not known yet")
            }
            _ => format!(
                "{text}; expected to take {} and what {} of unknown duration take",
                roughly(seconds),
                count(unknown, "benchmark")
            ),
        };
        text
    }

    /// Where the suite imports JAX when it is imported, one line each.
    pub(super) fn jax_imports(&self) -> Vec<String> {
        let imports = self.discovery.jax_imports.iter();
        imports
            .map(|(module, file, line)| {
                format!(
                    "module {module} imports JAX at module level: {}:{line}",
                    file.display()
                )
            })
            .collect()
    }

    /// The JSON form, on several lines.
    pub(super) fn json(&self) -> String {
        let (seconds, unknown) = expected_seconds(self.selected, self.durations);
        let interpreter = &self.discovery.interpreter;
        let launch = if self.discovery.forks {
            "fork"
        } else {
            "spawn"
        };
        let jax: Vec<Json> = self
            .discovery
            .jax_imports
            .iter()
            .map(|(module, file, line)| {
                Json::from([
                    ("module", module.clone().into()),
                    ("file", file.to_string_lossy().into_owned().into()),
                    ("line", whole(*line)),
                ])
            })
            .collect();
        let errors: Vec<Json> = self
            .discovery
            .module_errors
            .iter()
            .map(|failed| {
                Json::from([
                    ("module", module_name(failed).into()),
                    ("type", failed.error.class.clone().into()),
                    ("message", failed.error.message.clone().into()),
                    ("traceback", failed.error.traceback.clone().into()),
                ])
            })
            .collect();
        let benchmarks: Vec<Json> = self.selected.iter().map(|one| self.entry(one)).collect();
        let known = unknown == 0;
        to_pretty(&Json::from([
            ("format", FORMAT.into()),
            ("python", interpreter.version.clone().into()),
            (
                "executable",
                interpreter.executable.to_string_lossy().into_owned().into(),
            ),
            ("launch", launch.into()),
            ("launch_reason", self.discovery.launch_reason.clone().into()),
            ("benchmarks", Json::Array(benchmarks)),
            (
                "expected_seconds",
                if known { seconds.into() } else { Json::Null },
            ),
            ("jax_imports", Json::Array(jax)),
            ("module_errors", Json::Array(errors)),
        ]))
    }

    fn entry(&self, one: &Selected) -> Json {
        let benchmark = &one.benchmark;
        let record = &benchmark.record;
        let combinations: Vec<Json> = one
            .combinations
            .iter()
            .map(|index| {
                Json::from([
                    ("index", whole(*index as u64)),
                    ("name", record.display_name(*index).into()),
                    ("skipped", benchmark.skipped.contains(index).into()),
                ])
            })
            .collect();
        let optional = |text: &Option<String>| text.clone().map_or(Json::Null, Json::from);
        Json::from([
            ("name", record.name.clone().into()),
            ("type", record.kind.clone().into()),
            ("unit", record.unit.clone().into()),
            ("version", optional(&record.version)),
            ("param_names", record.param_names.clone().into()),
            ("params", record.params.clone().into()),
            ("combinations", Json::Array(combinations)),
            ("rounds", whole(benchmark.rounds as u64)),
            ("timeout", benchmark.timeout.map_or(Json::Null, Json::from)),
            ("setup_cache_key", optional(&benchmark.setup_cache_key)),
            ("file", benchmark.file.to_string_lossy().into_owned().into()),
            ("line", whole(benchmark.line)),
            (
                "expected_seconds",
                self.durations
                    .of_selected(one)
                    .map_or(Json::Null, Json::from),
            ),
        ])
    }
}

/// ` [6 combinations]`, ` [2 of 6 combinations]`, with what the suite skips.
fn combinations(one: &Selected) -> String {
    if !one.benchmark.parameterised() {
        return if one.benchmark.skipped.is_empty() {
            String::new()
        } else {
            " [skipped by the suite]".to_owned()
        };
    }
    let all = one.benchmark.combinations();
    let chosen = one.combinations.len();
    let skipped = one
        .combinations
        .iter()
        .filter(|index| one.benchmark.skipped.contains(index))
        .count();
    let mut text = if chosen == all {
        count(all, "combination")
    } else {
        format!("{chosen} of {}", count(all, "combination"))
    };
    if skipped > 0 {
        text = format!("{text}, {skipped} skipped by the suite");
    }
    format!(" [{text}]")
}

/// The axes of a benchmark that is selected whole, else the selected combinations.
fn parameters(one: &Selected) -> Vec<String> {
    let record = &one.benchmark.record;
    if !one.benchmark.parameterised() {
        return Vec::new();
    }
    if one.combinations.len() == one.benchmark.combinations() {
        let axes = record.params.iter().enumerate();
        return axes
            .map(|(at, values)| {
                let name = record.param_names.get(at).map_or("param", String::as_str);
                let values = values.join(", ");
                format!("    {}", limited(&format!("{name}: {values}")))
            })
            .collect();
    }
    one.combinations
        .iter()
        .map(|index| {
            let values = record.combination(*index).join(", ");
            format!("    {}", limited(&format!("({values})")))
        })
        .collect()
}

fn limited(text: &str) -> String {
    shorten(&plain(text).replace(['\n', '\t'], " "), LONGEST)
}

fn whole(number: u64) -> Json {
    Json::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests;
