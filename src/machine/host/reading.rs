//! The files of the kernel that tell what the host is doing.

use super::{CpuTicks, LoadAverage};
use crate::machine::text::Files;

pub(super) fn load(files: &Files) -> Option<LoadAverage> {
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
pub(super) fn ticks(files: &Files) -> Option<CpuTicks> {
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

pub(super) fn governors(files: &Files) -> Vec<String> {
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
pub(super) fn turbo(files: &Files) -> Option<bool> {
    flag(files, "sys/devices/system/cpu/intel_pstate/no_turbo")
        .map(|off| !off)
        .or_else(|| flag(files, "sys/devices/system/cpu/cpufreq/boost"))
}

pub(super) fn flag(files: &Files, path: &str) -> Option<bool> {
    files.number::<u8>(path).map(|number| number != 0)
}

/// `some avg10=1.50 avg60=...` of the pressure file.
pub(super) fn pressure(files: &Files, resource: &str) -> Option<f64> {
    let text = files.text(&format!("proc/pressure/{resource}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    line.split_whitespace()
        .find_map(|word| word.strip_prefix("avg10="))?
        .parse()
        .ok()
}

pub(super) fn thermal_throttles(files: &Files) -> Option<u64> {
    processors(files)
        .iter()
        .filter_map(|name| {
            files.number::<u64>(&format!(
                "sys/devices/system/cpu/{name}/thermal_throttle/core_throttle_count"
            ))
        })
        .reduce(u64::saturating_add)
}

pub(super) fn on_mains(files: &Files) -> Option<bool> {
    let folder = "sys/class/power_supply";
    files
        .names(folder)
        .iter()
        .filter(|name| files.text(&format!("{folder}/{name}/type")).as_deref() == Some("Mains"))
        .filter_map(|name| flag(files, &format!("{folder}/{name}/online")))
        .reduce(|one, other| one || other)
}
