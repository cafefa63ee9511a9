//! Sources of noise that a host shows without rights, and what an administrator could do about each.

use super::host::HostFacts;

/// Load per processor from which benchmarks wait for processors.
const BUSY: f64 = 0.5;

/// Per cent of the last ten seconds in which somebody waited for a resource.
const PRESSED: f64 = 10.0;

/// One source of noise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoiseSource {
    /// `governor`, `load`.
    pub about: &'static str,
    pub sentence: String,
    /// What to do; `None` where all is well.
    pub way_out: Option<String>,
}

/// All sources that the facts say anything about.
pub fn noise(facts: &HostFacts) -> Vec<NoiseSource> {
    let mut sources = Vec::new();
    let mut add = |about, is_bad: bool, sentence: String, way_out: &str| {
        sources.push(NoiseSource {
            about,
            sentence,
            way_out: is_bad.then(|| way_out.to_owned()),
        });
    };
    if !facts.governors.is_empty() {
        add(
            "governor",
            facts.governors != ["performance"],
            format!("the frequency governor is {}", facts.governors.join(", ")),
            "as root: `cpupower frequency-set -g performance`",
        );
    }
    if let Some(turbo) = facts.turbo {
        let state = if turbo { "may" } else { "may not" };
        add(
            "turbo",
            turbo,
            format!("processors {state} go beyond their nominal frequency"),
            "as root: `echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo`, or `echo 0 > \
             /sys/devices/system/cpu/cpufreq/boost`",
        );
    }
    if let Some(smt) = facts.smt {
        let state = if smt { "on" } else { "off" };
        add(
            "hyper-threading",
            smt,
            format!("hyper-threading is {state}"),
            "as root: `echo off > /sys/devices/system/cpu/smt/control`; without rights \
             `--cpu-affinity` with one processor of each core",
        );
    }
    if let Some(load) = facts.load {
        let processors = facts.processors().unwrap_or(1);
        let share = load.one_minute / f64::from(processors);
        add(
            "load",
            share > BUSY,
            format!(
                "the load of the last minute is {} on {processors} processors",
                load.one_minute
            ),
            "wait until the host is quiet; `top` shows who works",
        );
    }
    for (about, what, pressure) in [
        ("pressure of processors", "a processor", facts.pressure_cpu),
        ("pressure of memory", "memory", facts.pressure_memory),
        ("pressure of disks", "a disk", facts.pressure_io),
    ] {
        if let Some(percent) = pressure {
            add(
                about,
                percent > PRESSED,
                format!("in {percent} % of the last ten seconds somebody waited for {what}"),
                "wait until the host is quiet; `top` and `iotop` show who works",
            );
        }
    }
    if let Some(quota) = facts.cgroup_quota {
        add(
            "quota",
            true,
            format!("the control group may use {quota} processors' worth of time"),
            "start the container without a limit on processor time, or with a set of processors of \
             its own (`--cpuset-cpus`)",
        );
    }
    if let Some(throttles) = facts.thermal_throttles {
        add(
            "heat",
            throttles > 0,
            format!("processors were slowed down by heat {throttles} times since the start"),
            "look after the cooling",
        );
    }
    if let Some(layout) = &facts.address_layout {
        add(
            "address layout",
            layout != "full",
            format!("the layout of programs is at random: {layout}"),
            "as root: `sysctl kernel.randomize_va_space=2`; processes then average its effects",
        );
    }
    if let Some(on_mains) = facts.on_mains {
        let state = if on_mains { "mains" } else { "battery" };
        add(
            "power",
            !on_mains,
            format!("the host runs on {state}"),
            "plug it in",
        );
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::LoadAverage;

    fn bad(facts: &HostFacts) -> Vec<&'static str> {
        noise(facts)
            .into_iter()
            .filter(|source| source.way_out.is_some())
            .map(|source| source.about)
            .collect()
    }

    #[test]
    fn a_quiet_host_has_no_warning_and_says_what_was_looked_at() {
        let facts = HostFacts {
            load: Some(LoadAverage {
                one_minute: 0.1,
                ..LoadAverage::default()
            }),
            governors: vec!["performance".to_owned()],
            turbo: Some(false),
            smt: Some(false),
            pressure_cpu: Some(0.5),
            thermal_throttles: Some(0),
            address_layout: Some("full".to_owned()),
            on_mains: Some(true),
            cpus_allowed: Some("0-3".to_owned()),
            ..HostFacts::default()
        };
        assert_eq!(bad(&facts), Vec::<&str>::new());
        assert_eq!(noise(&facts).len(), 8);
        assert!(noise(&HostFacts::default()).is_empty());
    }

    #[test]
    fn each_source_is_warned_of() {
        let facts = HostFacts {
            load: Some(LoadAverage {
                one_minute: 8.0,
                ..LoadAverage::default()
            }),
            governors: vec!["performance".to_owned(), "powersave".to_owned()],
            turbo: Some(true),
            smt: Some(true),
            cgroup_quota: Some(1.5),
            pressure_cpu: Some(40.0),
            thermal_throttles: Some(3),
            address_layout: Some("off".to_owned()),
            on_mains: Some(false),
            cpus_allowed: Some("0-3,8".to_owned()),
            ..HostFacts::default()
        };
        assert_eq!(
            bad(&facts),
            [
                "governor",
                "turbo",
                "hyper-threading",
                "load",
                "pressure of processors",
                "quota",
                "heat",
                "address layout",
                "power"
            ]
        );
        assert_eq!(facts.processors(), Some(5));
    }
}
