//! What the host was doing: facts about noise, taken before and after a run.
//!
//! Everything is read from `/proc` and `/sys` without rights; what a host does not tell is absent.

use std::path::Path;

use crate::json::{Json, Object};

use super::cgroup::cpu_quota;
use super::noise::noise;
use super::text::{Files, value_of};

/// The state of the host at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HostFacts {
    pub load: Option<LoadAverage>,
    /// Ticks of all processors since the start of the host.
    pub ticks: Option<CpuTicks>,
    /// The frequency governors in use, sorted, each once.
    pub governors: Vec<String>,
    /// Whether the processors may go beyond their nominal frequency.
    pub turbo: Option<bool>,
    /// Whether hyper-threading is on.
    pub smt: Option<bool>,
    /// The processors that this process may use, a list such as `0-3`.
    pub cpus_allowed: Option<String>,
    /// Processors' worth of time that the control group may use.
    pub cgroup_quota: Option<f64>,
    /// Microseconds for which the control group was held back so far.
    pub cgroup_throttled_us: Option<u64>,
    /// Share of the last ten seconds in which some task waited for a processor, per cent.
    pub pressure_cpu: Option<f64>,
    /// The same for memory.
    pub pressure_memory: Option<f64>,
    /// The same for input and output.
    pub pressure_io: Option<f64>,
    /// How often the processors were slowed down because of heat.
    pub thermal_throttles: Option<u64>,
    /// Pages read back from swap so far.
    pub swapped_in: Option<u64>,
    /// Whether the kernel lays programs out at random: `full`, `partial`, `off`.
    pub address_layout: Option<String>,
    /// Whether the host runs on mains; absent where there is no battery.
    pub on_mains: Option<bool>,
}

/// `/proc/loadavg`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LoadAverage {
    pub one_minute: f64,
    pub five_minutes: f64,
    pub fifteen_minutes: f64,
}

/// The first line of `/proc/stat`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CpuTicks {
    pub total: u64,
    /// Neither working nor waiting for a disk.
    pub idle: u64,
    /// Taken by other guests of the same physical machine.
    pub steal: u64,
}

impl HostFacts {
    /// The facts of this host, now.
    pub fn now() -> Self {
        Self::read(Path::new("/"))
    }

    /// The facts in the tree below `root`.
    fn read(root: &Path) -> Self {
        let files = Files::at(root);
        let quota = cpu_quota(&files);
        Self {
            load: load(&files),
            ticks: ticks(&files),
            governors: governors(&files),
            turbo: turbo(&files),
            smt: flag(&files, "sys/devices/system/cpu/smt/active"),
            cpus_allowed: files
                .text("proc/self/status")
                .and_then(|text| value_of(&text, "Cpus_allowed_list", ':').map(str::to_owned)),
            cgroup_quota: quota.quota,
            cgroup_throttled_us: quota.throttled_us,
            pressure_cpu: pressure(&files, "cpu"),
            pressure_memory: pressure(&files, "memory"),
            pressure_io: pressure(&files, "io"),
            thermal_throttles: thermal_throttles(&files),
            swapped_in: files
                .text("proc/vmstat")
                .and_then(|text| value_of(&text, "pswpin", ' ')?.parse().ok()),
            address_layout: files
                .number::<u8>("proc/sys/kernel/randomize_va_space")
                .map(|mode| match mode {
                    0 => "off".to_owned(),
                    1 => "partial".to_owned(),
                    _ => "full".to_owned(),
                }),
            on_mains: on_mains(&files),
        }
    }

    /// How many processors this process may use.
    pub fn processors(&self) -> Option<u32> {
        let list = self.cpus_allowed.as_deref()?;
        list.split(',')
            .map(|range| match range.split_once('-') {
                Some((first, last)) => {
                    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
                    Some(last.checked_sub(first)? + 1)
                }
                None => range.parse::<u32>().ok().map(|_| 1),
            })
            .sum()
    }

    /// The facts as the record keeps them; absent ones have no key.
    pub fn to_object(&self) -> Object {
        let mut object = Object::new();
        if let Some(load) = self.load {
            let load = vec![load.one_minute, load.five_minutes, load.fifteen_minutes];
            object.insert("load".to_owned(), Json::from(load));
        }
        if !self.governors.is_empty() {
            object.insert("governors".to_owned(), Json::from(self.governors.clone()));
        }
        let mut put = |key: &str, value: Option<Json>| {
            if let Some(value) = value {
                object.insert(key.to_owned(), value);
            }
        };
        put("turbo", self.turbo.map(Json::from));
        put("smt", self.smt.map(Json::from));
        put("cpus_allowed", self.cpus_allowed.clone().map(Json::from));
        put("cgroup_quota", self.cgroup_quota.map(Json::from));
        put("pressure_cpu", self.pressure_cpu.map(Json::from));
        put("pressure_memory", self.pressure_memory.map(Json::from));
        put("pressure_io", self.pressure_io.map(Json::from));
        put(
            "address_layout",
            self.address_layout.clone().map(Json::from),
        );
        put("on_mains", self.on_mains.map(Json::from));
        object
    }
}

/// The record of a run's host: `before`, `after`, and `during` with what can only be told from both
/// (shares of processor time; throttled microseconds; counts).
pub fn host_record(before: &HostFacts, after: &HostFacts) -> Object {
    let mut during = Object::new();
    if let (Some(first), Some(last)) = (before.ticks, after.ticks) {
        let grown = |first: u64, last: u64| last.saturating_sub(first);
        let total = grown(first.total, last.total);
        if total > 0 {
            during.insert(
                "steal".to_owned(),
                share(grown(first.steal, last.steal), total),
            );
            during.insert(
                "idle".to_owned(),
                share(grown(first.idle, last.idle), total),
            );
        }
    }
    for (key, first, last) in [
        (
            "cgroup_throttled_us",
            before.cgroup_throttled_us,
            after.cgroup_throttled_us,
        ),
        (
            "thermal_throttles",
            before.thermal_throttles,
            after.thermal_throttles,
        ),
        ("swapped_in", before.swapped_in, after.swapped_in),
    ] {
        if let (Some(first), Some(last)) = (first, last) {
            let grown = i64::try_from(last.saturating_sub(first)).unwrap_or(i64::MAX);
            during.insert(key.to_owned(), Json::Int(grown));
        }
    }
    let noise: Object = noise(before)
        .into_iter()
        .filter(|source| source.way_out.is_some())
        .map(|source| (source.about.to_owned(), source.sentence.into()))
        .collect();
    [
        ("before", before.to_object()),
        ("after", after.to_object()),
        ("during", during),
        ("noise", noise),
    ]
    .into_iter()
    .filter(|(_, facts)| !facts.is_empty())
    .map(|(key, facts)| (key.to_owned(), Json::Object(facts)))
    .collect()
}

/// The record of a run that has just begun: `before` alone.
pub fn host_at_start(before: &HostFacts) -> Object {
    let mut record = host_record(before, before);
    record.retain(|key, _| key == "before");
    record
}

/// A share of the total, to four decimals.
#[expect(
    clippy::cast_precision_loss,
    reason = "tick counts are far below 2^53, and four decimals are kept"
)]
fn share(part: u64, total: u64) -> Json {
    let share = part as f64 / total as f64;
    Json::Float((share * 1e4).round() / 1e4)
}

fn load(files: &Files) -> Option<LoadAverage> {
    let text = files.text("proc/loadavg")?;
    let mut numbers = text.split_whitespace().map(str::parse);
    let mut next = || numbers.next()?.ok();
    Some(LoadAverage {
        one_minute: next()?,
        five_minutes: next()?,
        fifteen_minutes: next()?,
    })
}

/// user nice system idle iowait irq softirq steal; guest time is part of user time already.
fn ticks(files: &Files) -> Option<CpuTicks> {
    let text = files.text("proc/stat")?;
    let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let counts: Vec<u64> = line
        .split_whitespace()
        .map_while(|word| word.parse().ok())
        .take(8)
        .collect();
    Some(CpuTicks {
        total: counts.iter().sum(),
        idle: *counts.get(3)?,
        steal: counts.get(7).copied().unwrap_or(0),
    })
}

/// The folders `cpu0`, `cpu1`, ...
fn processors(files: &Files) -> Vec<String> {
    let mut names = files.names("sys/devices/system/cpu");
    names.retain(|name| {
        name.strip_prefix("cpu")
            .is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()))
    });
    names
}

fn governors(files: &Files) -> Vec<String> {
    let mut found: Vec<String> = processors(files)
        .iter()
        .filter_map(|name| {
            files.text(&format!(
                "sys/devices/system/cpu/{name}/cpufreq/scaling_governor"
            ))
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Intel's driver has a switch that turns turbo off, the others one that turns boost on.
fn turbo(files: &Files) -> Option<bool> {
    flag(files, "sys/devices/system/cpu/intel_pstate/no_turbo")
        .map(|off| !off)
        .or_else(|| flag(files, "sys/devices/system/cpu/cpufreq/boost"))
}

fn flag(files: &Files, path: &str) -> Option<bool> {
    files.number::<u8>(path).map(|number| number != 0)
}

/// `some avg10=1.50 avg60=...` of the pressure file.
fn pressure(files: &Files, resource: &str) -> Option<f64> {
    let text = files.text(&format!("proc/pressure/{resource}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    line.split_whitespace()
        .find_map(|word| word.strip_prefix("avg10="))?
        .parse()
        .ok()
}

fn thermal_throttles(files: &Files) -> Option<u64> {
    processors(files)
        .iter()
        .filter_map(|name| {
            files.number::<u64>(&format!(
                "sys/devices/system/cpu/{name}/thermal_throttle/core_throttle_count"
            ))
        })
        .reduce(u64::saturating_add)
}

fn on_mains(files: &Files) -> Option<bool> {
    let folder = "sys/class/power_supply";
    files
        .names(folder)
        .iter()
        .filter(|name| files.text(&format!("{folder}/{name}/type")).as_deref() == Some("Mains"))
        .filter_map(|name| flag(files, &format!("{folder}/{name}/online")))
        .reduce(|one, other| one || other)
}

#[cfg(test)]
mod tests;
