//! What a GPU usually comes to, and whether it does now.

use std::path::PathBuf;

use fs_err as fs;

use super::Figures;
use crate::json::{Json, parse, to_pretty};
use crate::sys::env::Environment;
use crate::sys::files::{FileError, write_atomic};

/// So many probes are kept.
const KEPT: usize = 20;

/// Fewer say nothing about what is usual.
const FEWEST: usize = 5;

/// A figure this close to the median is always normal.
const CLOSE: f64 = 0.01;

/// So many robust standard deviations from the median are normal, too.
const DEVIATIONS: f64 = 4.0;

/// Makes the median absolute deviation of a normal distribution its standard deviation.
const TO_DEVIATION: f64 = 1.4826;

/// The state of a GPU beside its usual one.
#[derive(Debug, Clone, PartialEq)]
pub enum Judgement {
    Normal,
    /// The figures that are off, each with its value and the usual one.
    Abnormal(Vec<(&'static str, f64, f64)>),
    /// There are only so many earlier probes.
    Unknown(usize),
}

impl Judgement {
    /// `normal`, `abnormal`, `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Abnormal(_) => "abnormal",
            Self::Unknown(_) => "unknown",
        }
    }

    /// A sentence without a full stop.
    pub fn sentence(&self) -> String {
        match self {
            Self::Normal => "the GPU is in its usual state".to_owned(),
            Self::Unknown(count) => {
                format!("what is usual is known after {FEWEST} probes; there were {count} so far")
            }
            Self::Abnormal(figures) => {
                let said: Vec<String> = figures
                    .iter()
                    .map(|(name, value, usual)| {
                        let percent = 100.0 * (value / usual - 1.0);
                        format!("{name} is {value:.1} ({percent:+.1} %)")
                    })
                    .collect();
                format!("the GPU is not in its usual state: {}", said.join(", "))
            }
        }
    }
}

/// The last probes of one GPU on this machine.
#[derive(Debug, Clone)]
pub struct ProbeHistory {
    path: PathBuf,
    /// The oldest first.
    figures: Vec<Figures>,
}

impl ProbeHistory {
    /// Reads the history of the GPU with this UUID; what cannot be read counts as no history.
    pub fn load(uuid: &str, environment: &Environment) -> Self {
        let state = environment.path("XDG_STATE_HOME").or_else(|| {
            let home = environment.path("HOME")?;
            Some(home.join(".local/state"))
        });
        let state = state.unwrap_or_else(|| environment.temporary_folder());
        let name: String = uuid
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let path = state.join("lcmbench/probes").join(format!("{name}.json"));
        let text = fs::read_to_string(&path).unwrap_or_default();
        let figures = match parse(&text) {
            Ok(json) => {
                let items = json.as_array().unwrap_or_default();
                items.iter().filter_map(Figures::of_json).collect()
            }
            Err(_) => Vec::new(),
        };
        Self { path, figures }
    }

    /// Judges new figures by the earlier ones.
    pub fn judge(&self, figures: &Figures) -> Judgement {
        if self.figures.len() < FEWEST {
            return Judgement::Unknown(self.figures.len());
        }
        let mut off = Vec::new();
        for (index, (name, value)) in figures.named().into_iter().enumerate() {
            let earlier = self
                .figures
                .iter()
                .map(|one| one.named()[index].1)
                .collect();
            let usual = median(earlier);
            let distances = self
                .figures
                .iter()
                .map(|one| (one.named()[index].1 - usual).abs());
            let deviation = TO_DEVIATION * median(distances.collect());
            if (value - usual).abs() > (CLOSE * usual).max(DEVIATIONS * deviation) {
                off.push((name, value, usual));
            }
        }
        if off.is_empty() {
            Judgement::Normal
        } else {
            Judgement::Abnormal(off)
        }
    }

    /// Adds figures and writes the history.
    pub fn keep(&mut self, figures: Figures) -> Result<(), FileError> {
        self.figures.push(figures);
        let surplus = self.figures.len().saturating_sub(KEPT);
        self.figures.drain(..surplus);
        let items: Vec<Json> = self
            .figures
            .iter()
            .map(|figures| figures.to_object().into())
            .collect();
        write_atomic(&self.path, to_pretty(&items.into()).as_bytes())
    }
}

/// The median; of an even number the upper one of the middle.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(clock: f64) -> Figures {
        Figures {
            copy: 4000.0,
            clock,
            throughput: 60.0,
            launch: 2.0,
        }
    }

    #[test]
    fn a_figure_far_from_the_last_twenty_is_abnormal() {
        let home = tempfile::tempdir().unwrap();
        let environment: Environment = [("XDG_STATE_HOME", home.path())].into_iter().collect();
        let mut history = ProbeHistory::load("GPU-1", &environment);
        assert_eq!(history.judge(&figures(1980.0)), Judgement::Unknown(0));
        for clock in [1980.0, 1979.0, 1980.0, 1981.0, 1980.0] {
            history.keep(figures(clock)).unwrap();
        }
        let history = ProbeHistory::load("GPU-1", &environment);
        assert_eq!(history.judge(&figures(1975.0)), Judgement::Normal);
        let slow = history.judge(&figures(1700.0));
        assert_eq!(
            slow,
            Judgement::Abnormal(vec![("chain_mhz", 1700.0, 1980.0)])
        );
        assert_eq!(
            slow.sentence(),
            "the GPU is not in its usual state: chain_mhz is 1700.0 (-14.1 %)"
        );
        assert_eq!(
            ProbeHistory::load("GPU-2", &environment).judge(&figures(1.0)),
            Judgement::Unknown(0)
        );
    }

    #[test]
    fn a_restless_gpu_has_wider_limits_and_old_probes_go() {
        let home = tempfile::tempdir().unwrap();
        let environment: Environment = [("XDG_STATE_HOME", home.path())].into_iter().collect();
        let mut history = ProbeHistory::load("GPU-1", &environment);
        for index in 0..30 {
            history
                .keep(figures(1900.0 + 50.0 * f64::from(index % 3)))
                .unwrap();
        }
        assert_eq!(history.figures.len(), KEPT);
        assert_eq!(history.judge(&figures(1850.0)), Judgement::Normal);
    }
}
