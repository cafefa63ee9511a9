//! How long processes have waited for a processor so far.

use std::collections::VecDeque;

use crate::run::Noticed;
use crate::stats::{median_of_sorted, sorted};

use super::validity::{MOST_DELAY, longest_delay};

/// So many pairs say what is usual.
const RECENT: usize = 20;

/// The longest waits of pairs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Waits {
    /// Of each of the last pairs, as a share of the time of its process.
    recent: VecDeque<f64>,
    /// Pairs of which the wait is known.
    pub pairs: usize,
    /// Those in which a process waited longer than it ran.
    pub long: usize,
}

impl Waits {
    /// What is usual here: the median of the last pairs; 0 before there is any.
    pub fn usual(&self) -> f64 {
        let recent: Vec<f64> = self.recent.iter().copied().collect();
        median_of_sorted(&sorted(&recent)).unwrap_or(0.0)
    }

    /// Whether processes wait longer than they run as a rule.
    pub fn are_usual(&self) -> bool {
        self.usual() > MOST_DELAY
    }

    /// Takes in a pair, one that does not count as well.
    pub(super) fn note<'a>(&mut self, noticed: impl Iterator<Item = &'a Noticed>) {
        let Some(longest) = longest_delay(noticed) else {
            return;
        };
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(longest);
        self.pairs += 1;
        self.long += usize::from(longest > MOST_DELAY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(waits: &mut Waits, shares: &[Option<f64>]) {
        let noticed: Vec<Noticed> = shares
            .iter()
            .map(|share| Noticed {
                run_queue_delay: *share,
                ..Noticed::default()
            })
            .collect();
        waits.note(noticed.iter());
    }

    #[test]
    fn the_usual_wait_is_the_median_of_the_last_pairs() {
        let mut waits = Waits::default();
        assert!(!waits.are_usual());
        note(&mut waits, &[Some(0.2), Some(0.8)]);
        assert!(waits.are_usual());
        note(&mut waits, &[Some(0.1), None]);
        assert!((waits.usual() - 0.45).abs() < 1e-12);
        note(&mut waits, &[None]);
        assert_eq!((waits.pairs, waits.long), (2, 1));
        for _ in 0..RECENT {
            note(&mut waits, &[Some(0.9)]);
        }
        assert!((waits.usual() - 0.9).abs() < 1e-12);
    }
}
