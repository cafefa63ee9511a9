//! Reasons to void a pair that can be known without looking at what it measured.

use crate::machine::HostFacts;
use crate::run::Noticed;

/// Share of the processors' time that a hypervisor may take away.
const MOST_STEAL: f64 = 0.10;

/// Share of its time that a process may wait for a processor.
pub(super) const MOST_DELAY: f64 = 0.50;

/// What is known of a pair but for what it measured.
pub(super) struct Circumstances<'a> {
    /// The host before and after both processes.
    pub(super) host: [&'a HostFacts; 2],
    /// What was noticed around the processes of base and head.
    pub(super) sides: [Vec<&'a Noticed>; 2],
    /// The share of waiting that is usual here.
    pub(super) usual_delay: f64,
}

/// A reason to void a pair, in words.
type Reason = fn(&Circumstances<'_>) -> Option<String>;

/// All reasons, in the order in which they are told.
const REASONS: [Reason; 7] = [
    stolen,
    swapped,
    out_of_quota,
    too_hot,
    disturbed_gpu,
    compiled,
    waited,
];

/// What stood in the way of a pair, if anything did. Both sides count alike.
pub(super) fn void_reason(known: &Circumstances<'_>) -> Option<String> {
    REASONS.iter().find_map(|reason| reason(known))
}

fn stolen(known: &Circumstances<'_>) -> Option<String> {
    let [before, after] = known.host;
    let (old, new) = before.ticks.as_ref().zip(after.ticks.as_ref())?;
    let total = new.total.saturating_sub(old.total);
    let share = share(new.steal.saturating_sub(old.steal), total);
    (share > MOST_STEAL).then(|| {
        let percent = 100.0 * share;
        format!("the hypervisor took {percent:.0} % of the processors' time")
    })
}

fn swapped(known: &Circumstances<'_>) -> Option<String> {
    let grew = known.grew(|facts| facts.swapped_in);
    grew.then(|| "the host swapped memory in".to_owned())
}

fn out_of_quota(known: &Circumstances<'_>) -> Option<String> {
    let grew = known.grew(|facts| facts.cgroup_throttled_us);
    grew.then(|| "the container's processor quota ran out".to_owned())
}

fn too_hot(known: &Circumstances<'_>) -> Option<String> {
    let grew = known.grew(|facts| facts.thermal_throttles);
    grew.then(|| "a processor was throttled for its heat".to_owned())
}

fn disturbed_gpu(known: &Circumstances<'_>) -> Option<String> {
    let [base, head] = &known.sides;
    gpu_disturbance([base, head].map(|side| side.iter().copied()))
}

/// Why a pair does not count by what was seen of the GPUs around the processes of base and head.
pub(super) fn gpu_disturbance<'a, I>(sides: [I; 2]) -> Option<String>
where
    I: Iterator<Item = &'a Noticed>,
{
    let [base, head] = sides.map(|side| {
        let flags = side.flat_map(|noticed| &noticed.flags);
        flags.cloned().collect::<Vec<String>>()
    });
    crate::gpu::void_reason(&base, &head)
}

fn compiled(known: &Circumstances<'_>) -> Option<String> {
    let compiled = known.noticed().any(|noticed| noticed.compiled);
    compiled.then(|| "JAX compiled inside a timed call".to_owned())
}

/// Where processes wait all the time, one more that does is no disturbance: samples that are shorter than
/// a time slice are made for such a host.
fn waited(known: &Circumstances<'_>) -> Option<String> {
    let longest = longest_delay(known.noticed())?;
    (longest > MOST_DELAY && known.usual_delay <= MOST_DELAY).then(|| {
        let percent = 100.0 * longest;
        format!("a process waited {percent:.0} % of its time for a processor")
    })
}

impl<'a> Circumstances<'a> {
    /// Both sides.
    fn noticed(&self) -> impl Iterator<Item = &'a Noticed> {
        self.sides.iter().flatten().copied()
    }

    /// Whether a counter of the host grew.
    fn grew(&self, counter: impl Fn(&HostFacts) -> Option<u64>) -> bool {
        let [before, after] = self.host.map(counter);
        before.zip(after).is_some_and(|(old, new)| new > old)
    }
}

/// The longest share of waiting among processes; `None` where none is known.
pub(super) fn longest_delay<'a>(noticed: impl Iterator<Item = &'a Noticed>) -> Option<f64> {
    noticed
        .filter_map(|noticed| noticed.run_queue_delay)
        .max_by(f64::total_cmp)
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

    fn reason(host: [&HostFacts; 2], sides: [&Noticed; 2], usual_delay: f64) -> Option<String> {
        void_reason(&Circumstances {
            host,
            sides: sides.map(|noticed| vec![noticed]),
            usual_delay,
        })
    }

    #[test]
    fn steal_and_swap_void_a_pair() {
        let before = facts(1000, 10, 5);
        let quiet = Noticed::default();
        let with = |after: &HostFacts| reason([&before, after], [&quiet, &quiet], 0.0);
        assert_eq!(with(&facts(1100, 20, 5)), None);
        let stolen = with(&facts(1100, 30, 5)).unwrap();
        assert!(stolen.contains("20 %"), "{stolen}");
        assert!(with(&facts(1100, 10, 6)).unwrap().contains("swapped"));
        let nothing = HostFacts::default();
        let unknown = reason([&nothing, &facts(1, 1, 1)], [&quiet, &quiet], 0.0);
        assert_eq!(unknown, None);
    }

    #[test]
    fn what_was_noticed_on_either_side_voids_a_pair() {
        let host = HostFacts::default();
        let quiet = Noticed::default();
        let flagged = Noticed {
            flags: vec!["throttled".to_owned()],
            ..Noticed::default()
        };
        let compiled = Noticed {
            compiled: true,
            ..Noticed::default()
        };
        for sides in [[&quiet, &flagged], [&flagged, &quiet]] {
            let found = reason([&host, &host], sides, 0.0).unwrap();
            assert!(found.starts_with("throttled on "), "{found}");
        }
        for sides in [[&quiet, &compiled], [&compiled, &quiet]] {
            assert!(reason([&host, &host], sides, 0.0).unwrap().contains("JAX"));
        }
    }

    #[test]
    fn waiting_voids_a_pair_unless_it_is_usual() {
        let host = HostFacts::default();
        let waited = |share| Noticed {
            run_queue_delay: Some(share),
            ..Noticed::default()
        };
        let with =
            |base, head, usual| reason([&host, &host], [&waited(base), &waited(head)], usual);
        assert_eq!(with(0.5, 0.2, 0.1), None);
        let found = "a process waited 75 % of its time for a processor";
        assert_eq!(with(0.1, 0.75, 0.1).unwrap(), found);
        assert_eq!(with(0.75, 0.1, 0.1).unwrap(), found);
        assert_eq!(with(0.75, 0.9, 0.7), None);
    }
}
