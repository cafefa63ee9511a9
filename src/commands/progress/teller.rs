//! What is said about each event, whoever prints it.

use crate::run::{Plan, RunEvent, count};

use super::line::{one_line, plain, standing};
use super::reasons::Shown;

/// Longest name that other lines are padded to, in characters.
const WIDEST: usize = 60;

/// Turns events into lines.
#[derive(Debug)]
pub(super) struct Teller {
    show_output: bool,
    total: usize,
    done: usize,
    width: usize,
    shown: Shown,
}

/// Lines about one thing, and what a suite printed meanwhile.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// The line itself; `None` when there is nothing to say.
    pub(super) line: Option<String>,
    /// Reasons, to be indented below it.
    pub(super) below: Vec<String>,
    /// What the suite printed.
    pub(super) output: String,
}

impl Teller {
    pub(super) fn new(show_output: bool) -> Self {
        Self {
            show_output,
            total: 0,
            done: 0,
            width: 0,
            shown: Shown::default(),
        }
    }

    /// Whether what suites print is always shown.
    pub(super) fn shows_output(&self) -> bool {
        self.show_output
    }

    pub(super) fn tell(&mut self, event: &RunEvent<'_>) -> Told {
        match event {
            RunEvent::Started { plan } => {
                self.begin(plan);
                Told::default()
            }
            RunEvent::RoundStarted {
                round,
                rounds,
                benchmarks,
            } if *rounds > 1 => Told {
                line: Some(format!(
                    "round {round} of {rounds}: {}",
                    count(*benchmarks, "benchmark")
                )),
                ..Told::default()
            },
            RunEvent::CacheFinished {
                key,
                wall,
                failure,
                output,
            } => {
                if let Some(failure) = failure {
                    let owner = format!("setup_cache {key}");
                    self.shown.note(owner, &failure.details);
                }
                Told {
                    line: Some(match failure {
                        None => format!("setup_cache {key}: {:.1} s", wall.as_secs_f64()),
                        Some(failure) => {
                            format!("setup_cache {key} failed: {}", one_line(&failure.message))
                        }
                    }),
                    below: failure.map_or_else(Vec::new, |failure| {
                        plain(&failure.details).lines().map(str::to_owned).collect()
                    }),
                    output: plain(output),
                }
            }
            RunEvent::BenchmarkFinished(finished) => {
                self.done += 1;
                let digits = self.total.to_string().len();
                let name = one_line(finished.benchmark.name());
                Told {
                    line: Some(format!(
                        "[{:>digits$}/{}] {name:width$}  {}",
                        self.done,
                        self.total,
                        standing(finished),
                        width = self.width,
                    )),
                    below: self.shown.reasons(finished),
                    output: plain(&finished.output),
                }
            }
            RunEvent::RoundStarted { .. }
            | RunEvent::CacheStarted { .. }
            | RunEvent::JobStarted { .. }
            | RunEvent::JobFinished { .. }
            | RunEvent::Finished { .. } => Told::default(),
        }
    }

    fn begin(&mut self, plan: &Plan) {
        self.total = plan.benchmarks().count();
        self.width = plan
            .benchmarks()
            .map(|planned| one_line(planned.benchmark.name()).chars().count())
            .max()
            .unwrap_or(0)
            .min(WIDEST);
    }
}

impl Told {
    /// The lines of a log: the line, the reasons indented, and the output if it is to be shown.
    pub(super) fn lines(&self, show_output: bool) -> Vec<String> {
        let mut lines: Vec<String> = self.line.iter().cloned().collect();
        let indented = |text: &String| format!("    {text}").trim_end().to_owned();
        lines.extend(self.below.iter().map(indented));
        if show_output {
            let output = self.output.trim_end().lines();
            lines.extend(output.map(|line| format!("    | {line}").trim_end().to_owned()));
        }
        lines
    }
}

#[cfg(test)]
pub(super) mod tests;
