//! Which steps of a series asv calls a regression: those for the worse that no later step takes back.

use super::steps::Step;

/// A relative step that is none.
const THRESHOLD: f64 = 0.05;

/// The regression of a series.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Regression {
    pub(super) latest: f64,
    pub(super) best: f64,
    pub(super) jumps: Vec<Jump>,
}

/// A step upwards: after one position, at the next, from one level to the best one since.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Jump {
    pub(super) before: usize,
    pub(super) at: usize,
    pub(super) old: f64,
    pub(super) new: f64,
}

/// The regression in these steps, if there is one.
pub(super) fn regression(steps: &[Step]) -> Option<Regression> {
    let last = steps.last()?;
    let mut jumps: Vec<Jump> = Vec::new();
    let (mut best, mut error) = (last.value, last.error);
    // The least of all newer levels, which is what the step is said to lead to.
    let mut least = last.value;
    // What was best before a piece of a single commit, which may be an outlier.
    let mut before_outlier = None;
    for pair in steps.windows(2).rev() {
        let (step, next) = (&pair[0], &pair[1]);
        let tolerance = step.error.max(error).max(THRESHOLD * step.value);
        if best > step.value + tolerance {
            jumps.push(Jump {
                before: step.right - 1,
                at: next.left,
                old: step.value,
                new: least,
            });
            if step.right - step.left < 2 {
                before_outlier = Some((best, error));
            }
            (best, error) = (step.value, step.error);
        } else if let Some((known, its_error)) = before_outlier.take()
            && known <= step.value + tolerance
        {
            jumps.pop();
            (best, error) = (known, its_error);
        }
        least = least.min(step.value);
    }
    jumps.reverse();
    (!jumps.is_empty()).then_some(Regression {
        latest: last.value,
        best: least,
        jumps,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(levels: &[(usize, usize, f64)]) -> Option<Vec<(usize, usize, f64, f64)>> {
        let steps: Vec<Step> = levels
            .iter()
            .map(|&(left, right, value)| Step {
                left,
                right,
                value,
                least: value,
                error: 0.002,
            })
            .collect();
        let found = regression(&steps)?;
        let jumps = found.jumps.iter();
        Some(
            jumps
                .map(|jump| (jump.before, jump.at, jump.old, jump.new))
                .collect(),
        )
    }

    #[test]
    fn steps_for_the_worse_that_stay_are_regressions() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(0, 9, 1.0)]), None);
        assert_eq!(of(&[(0, 5, 2.0), (5, 9, 1.0)]), None);
        assert_eq!(of(&[(0, 5, 1.0), (5, 9, 1.04)]), None);
        assert_eq!(
            of(&[(0, 5, 1.0), (5, 9, 2.0)]),
            Some(vec![(4, 5, 1.0, 2.0)])
        );
        // One that was taken back is none.
        assert_eq!(of(&[(0, 3, 1.0), (3, 6, 2.0), (6, 9, 1.0)]), None);
        // A single fast commit is no level to fall from.
        assert_eq!(of(&[(0, 3, 2.0), (3, 4, 1.0), (4, 9, 2.0)]), None);
        // The new value is the best one since.
        assert_eq!(
            of(&[(0, 4, 1.0), (4, 8, 1.1), (8, 20, 1.13)]),
            Some(vec![(3, 4, 1.0, 1.1)])
        );
    }
}
