//! What this machine can tell apart, from pairs of two equal sides.

use crate::stats::{Rule, conclude, paired_evidence};

/// Slow-downs that are tried.
const STEPS: [f64; 16] = [
    0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5,
    1.0,
];

/// What pairs of two equal sides say about a machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelfTest {
    /// Windows that were looked at: one begins at every pair, around the end.
    pub windows: usize,
    /// Pairs of a window.
    pub size: usize,
    /// Windows in which a difference was shown, though there is none.
    pub false_alarms: usize,
}

impl SelfTest {
    /// The share of windows with a false alarm.
    #[expect(clippy::cast_precision_loss, reason = "numbers of windows are small")]
    pub fn rate(&self) -> f64 {
        self.false_alarms as f64 / self.windows.max(1) as f64
    }
}

/// Counts the windows of `size` pairs in which the evidence shows a difference at any time.
pub fn false_alarms(differences: &[f64], size: usize, rule: &Rule) -> SelfTest {
    let size = size.min(differences.len());
    let windows = windows(differences, size);
    SelfTest {
        size,
        false_alarms: windows
            .iter()
            .filter(|window| shown(window, rule) != 0)
            .count(),
        windows: windows.len(),
    }
}

/// The smallest slow-down, as a share, that at least 95 % of the windows of `size` pairs would have
/// shown; `None` if not even the largest that was tried (100 %). A slow-down is put onto the measured
/// differences.
pub fn smallest_found(differences: &[f64], size: usize, rule: &Rule) -> Option<f64> {
    let size = size.min(differences.len());
    let windows = windows(differences, size);
    if windows.is_empty() {
        return None;
    }
    STEPS.into_iter().find(|effect| {
        let moved = |window: &Vec<f64>| {
            let moved: Vec<f64> = window.iter().map(|d| d + effect.ln_1p()).collect();
            shown(&moved, rule) > 0
        };
        let found = windows.iter().filter(|window| moved(window)).count();
        20 * found >= 19 * windows.len()
    })
}

fn windows(differences: &[f64], size: usize) -> Vec<Vec<f64>> {
    let all = differences.len();
    if size == 0 {
        return Vec::new();
    }
    let window = |start: usize| {
        (0..size)
            .map(|at| differences[(start + at) % all])
            .collect()
    };
    (0..all).map(window).collect()
}

/// The direction of what a window shows at its end or has shown before: the evidence remembers.
fn shown(window: &[f64], rule: &Rule) -> i8 {
    paired_evidence(window, rule).map_or(0, |evidence| conclude(&evidence, rule).shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Random;

    fn noise(count: usize, spread: f64) -> Vec<f64> {
        let mut random = Random::new(3);
        (0..count).map(|_| spread * random.normal()).collect()
    }

    #[test]
    fn equal_sides_raise_hardly_any_alarm() {
        let test = false_alarms(&noise(200, 0.01), 40, &Rule::default());
        assert_eq!((test.windows, test.size), (200, 40));
        assert!(test.rate() <= 0.05, "{test:?}");
    }

    #[test]
    fn a_hidden_difference_raises_them_all() {
        let moved: Vec<f64> = noise(60, 0.005).iter().map(|d| d + 0.03).collect();
        assert!((false_alarms(&moved, 40, &Rule::default()).rate() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_can_be_found_grows_with_the_noise() {
        let rule = Rule::default();
        let quiet = smallest_found(&noise(60, 0.002), 20, &rule).unwrap();
        let loud = smallest_found(&noise(60, 0.05), 20, &rule).unwrap();
        assert!(quiet <= 0.005 && loud >= 0.03, "{quiet} {loud}");
        assert_eq!(smallest_found(&noise(60, 0.01), 5, &rule), None);
        assert_eq!(smallest_found(&[], 5, &rule), None);
    }
}
