//! A terminal: a bar at the bottom, lines above it.
//!
//! Measuring is quiet: the bar has no timer of its own and is drawn between jobs only, never while a
//! sample is taken.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::run::{Durations, Remaining, Reporter, RunEvent};

use super::line::one_line;
use super::teller::Teller;

/// Draws the bar and prints lines above it.
pub(super) struct TerminalReporter {
    teller: Teller,
    durations: Durations,
    remaining: Remaining,
    bar: ProgressBar,
    running: Vec<String>,
}

impl TerminalReporter {
    pub(super) fn new(teller: Teller, durations: Durations) -> Self {
        // Drawing is cheap here: it happens at most once a job.
        let target = ProgressDrawTarget::stderr_with_hz(250);
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {prefix} {wide_msg}")
        {
            bar.set_style(style.progress_chars("=> "));
        }
        Self {
            teller,
            durations,
            remaining: Remaining::default(),
            bar,
            running: Vec::new(),
        }
    }

    fn show_remaining(&self) {
        let prefix = self
            .remaining
            .seconds()
            .map_or_else(String::new, |seconds| {
                format!("{} left", human_seconds(seconds))
            });
        self.bar.set_prefix(prefix);
    }
}

impl Reporter for TerminalReporter {
    fn report(&mut self, event: &RunEvent<'_>) {
        match event {
            RunEvent::Started { plan } => {
                self.remaining = Remaining::new(plan, &self.durations);
                self.bar.set_length(plan.processes() as u64);
            }
            RunEvent::CacheStarted { key } => {
                self.bar.set_message(format!("setup_cache {key}"));
                self.bar.force_draw();
            }
            RunEvent::JobStarted { names, .. } => {
                self.running = names.iter().map(|name| (*name).to_owned()).collect();
                self.show_remaining();
                self.bar.set_message(one_line(&names.join(", ")));
                self.bar.force_draw();
            }
            RunEvent::JobFinished { wall } => {
                self.remaining.ended(&self.running, wall.as_secs_f64());
                self.bar.inc(1);
            }
            RunEvent::BenchmarkFinished(finished) => {
                self.remaining.done(finished.benchmark.name());
            }
            RunEvent::RoundStarted { .. } | RunEvent::CacheFinished { .. } => {}
            RunEvent::Finished { .. } => self.bar.finish_and_clear(),
        }
        let told = self.teller.tell(event);
        for line in told.lines(self.teller.shows_output()) {
            self.bar.println(line);
        }
    }
}

/// `45 s`, `3 min`, `2 h 5 min`.
fn human_seconds(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round();
    if seconds < 90.0 {
        format!("{:.0} s", seconds.max(0.0))
    } else if minutes < 90.0 {
        format!("{minutes:.0} min")
    } else {
        let hours = (minutes / 60.0).floor();
        format!("{hours:.0} h {:.0} min", minutes - hours * 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::human_seconds;

    #[test]
    fn times_are_told_roughly() {
        assert_eq!(human_seconds(0.2), "0 s");
        assert_eq!(human_seconds(89.0), "89 s");
        assert_eq!(human_seconds(200.0), "3 min");
        assert_eq!(human_seconds(7500.0), "2 h 5 min");
    }
}
