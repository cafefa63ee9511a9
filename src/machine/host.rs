//! What the host was doing: facts about noise, taken before and after a run.
//!
//! Everything is read from `/proc` and `/sys` without rights; what a host does not tell is absent.

mod reading;
mod record;

use std::path::Path;

use crate::json::{Json, Object};

use super::cgroup::cpu_quota;
use super::text::{Files, value_of};

use reading::{flag, governors, load, on_mains, pressure, thermal_throttles, ticks, turbo};

pub use record::{host_at_start, host_record};

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

#[cfg(test)]
mod tests;
