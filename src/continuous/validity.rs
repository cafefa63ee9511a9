//! Reasons to void a pair that can be known without looking at what it measured.

use crate::machine::HostFacts;

/// Share of the processors' time that a hypervisor may take away.
const MOST_STEAL: f64 = 0.10;

/// What stood in the way of a pair, if anything did. Both sides count alike.
pub(super) fn disturbance(before: &HostFacts, after: &HostFacts) -> Option<String> {
    if let (Some(old), Some(new)) = (&before.ticks, &after.ticks) {
        let total = new.total.saturating_sub(old.total);
        let stolen = new.steal.saturating_sub(old.steal);
        let share = share(stolen, total);
        if share > MOST_STEAL {
            return Some(format!(
                "the hypervisor took {:.0} % of the processors' time",
                100.0 * share
            ));
        }
    }
    let grew = |old: Option<u64>, new: Option<u64>| matches!((old, new), (Some(old), Some(new)) if new > old);
    if grew(before.swapped_in, after.swapped_in) {
        return Some("the host swapped memory in".to_owned());
    }
    if grew(before.cgroup_throttled_us, after.cgroup_throttled_us) {
        return Some("the container's processor quota ran out".to_owned());
    }
    if grew(before.thermal_throttles, after.thermal_throttles) {
        return Some("a processor was throttled for its heat".to_owned());
    }
    None
}

#[expect(clippy::cast_precision_loss, reason = "ticks of one pair are few")]
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::CpuTicks;

    fn facts(total: u64, steal: u64, swapped: u64) -> HostFacts {
        HostFacts {
            ticks: Some(CpuTicks {
                total,
                idle: 0,
                steal,
            }),
            swapped_in: Some(swapped),
            ..HostFacts::default()
        }
    }

    #[test]
    fn steal_and_swap_void_a_pair() {
        let before = facts(1000, 10, 5);
        assert_eq!(disturbance(&before, &facts(1100, 20, 5)), None);
        let stolen = disturbance(&before, &facts(1100, 30, 5)).unwrap();
        assert!(stolen.contains("20 %"), "{stolen}");
        assert!(
            disturbance(&before, &facts(1100, 10, 6))
                .unwrap()
                .contains("swapped")
        );
        assert_eq!(disturbance(&HostFacts::default(), &facts(1, 1, 1)), None);
    }
}
