//! In which order paths take turns.

/// How many rounds the calls of a path are spread over, if they suffice.
const ROUNDS: u32 = 20;

/// The calls of each round: `calls` split as evenly as can be.
pub(super) fn blocks(calls: u32) -> Vec<u32> {
    let rounds = calls.clamp(1, ROUNDS);
    let (each, more) = (calls / rounds, calls % rounds);
    (0..rounds)
        .map(|round| each + u32::from(round < more))
        .collect()
}

/// The order of `count` paths in each of `rounds` rounds: every round begins one further, and every
/// pass over all beginnings runs in the opposite direction to the one before, so that no path always
/// follows the same other one.
pub(super) fn orders(count: usize, rounds: usize) -> Vec<Vec<usize>> {
    (0..rounds)
        .map(|round| {
            let first = if count == 0 { 0 } else { round % count };
            let mut order: Vec<usize> = (0..count).map(|place| (first + place) % count).collect();
            if (round / count.max(1)) % 2 == 1 {
                order.reverse();
            }
            order
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn calls_are_split_evenly() {
        assert_eq!(blocks(200), vec![10; 20]);
        assert_eq!(blocks(43)[..5], [3, 3, 3, 2, 2]);
        assert_eq!(blocks(3), [1, 1, 1]);
        assert_eq!(blocks(1), [1]);
    }

    #[test]
    fn paths_take_turns_in_both_directions() {
        assert_eq!(
            orders(3, 6),
            [
                [0, 1, 2],
                [1, 2, 0],
                [2, 0, 1],
                [2, 1, 0],
                [0, 2, 1],
                [1, 0, 2]
            ]
        );
        assert_eq!(orders(2, 4), [[0, 1], [1, 0], [1, 0], [0, 1]]);
        assert_eq!(orders(0, 2), [Vec::<usize>::new(), Vec::new()]);
    }

    proptest! {
        #[test]
        fn no_call_is_lost_and_each_path_has_its_turn(calls in 1_u32..5000, count in 1_usize..6) {
            let blocks = blocks(calls);
            prop_assert_eq!(blocks.iter().sum::<u32>(), calls);
            prop_assert!(blocks.iter().all(|block| *block > 0));
            for mut order in orders(count, blocks.len()) {
                order.sort_unstable();
                prop_assert_eq!(order, (0..count).collect::<Vec<_>>());
            }
        }
    }
}
