//! What the control group of this process allows and has cost, version 1 or 2.

use super::text::{Files, value_of};

/// The limit on processor time, and what was held back because of it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct CpuQuota {
    /// Processors' worth of time, the smallest of this group and those above it; `None` for no limit.
    pub(super) quota: Option<f64>,
    /// Microseconds for which the group was held back so far.
    pub(super) throttled_us: Option<u64>,
}

/// Reads the group of this process.
pub(super) fn cpu_quota(files: &Files) -> CpuQuota {
    let groups = files.text("proc/self/cgroup").unwrap_or_default();
    let first = version_1(files, &groups);
    let second = version_2(files, &groups);
    CpuQuota {
        quota: smallest(first.quota, second.quota),
        throttled_us: first.throttled_us.or(second.throttled_us),
    }
}

fn smallest(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// `0::/path`; `cpu.max` holds `quota period` or `max period`, in microseconds.
fn version_2(files: &Files, groups: &str) -> CpuQuota {
    let Some(path) = groups.lines().find_map(|line| line.strip_prefix("0::")) else {
        return CpuQuota::default();
    };
    // Under a hybrid layout the second version is mounted below `unified`.
    let root = ["sys/fs/cgroup", "sys/fs/cgroup/unified"]
        .into_iter()
        .find(|root| files.text(&format!("{root}/cgroup.controllers")).is_some())
        .unwrap_or("sys/fs/cgroup");
    let quota = folders(root, path)
        .into_iter()
        .filter_map(|folder| {
            let text = files.text(&format!("{folder}/cpu.max"))?;
            let (quota, period) = text.split_once(' ')?;
            ratio(quota, period)
        })
        .reduce(f64::min);
    let throttled_us = folders(root, path).first().and_then(|folder| {
        let text = files.text(&format!("{folder}/cpu.stat"))?;
        value_of(&text, "throttled_usec", ' ')?.parse().ok()
    });
    CpuQuota {
        quota,
        throttled_us,
    }
}

/// `3:cpu,cpuacct:/path`; quota and period in files of their own, the quota -1 for no limit.
fn version_1(files: &Files, groups: &str) -> CpuQuota {
    let found = groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        controllers
            .split(',')
            .any(|name| name == "cpu")
            .then_some((controllers, path))
    });
    let Some((controllers, path)) = found else {
        return CpuQuota::default();
    };
    let mounts = [
        format!("sys/fs/cgroup/{controllers}"),
        "sys/fs/cgroup/cpu".to_owned(),
    ];
    for root in mounts {
        let all = folders(&root, path);
        let quota = all
            .iter()
            .filter_map(|folder| {
                let quota = files.text(&format!("{folder}/cpu.cfs_quota_us"))?;
                let period = files.text(&format!("{folder}/cpu.cfs_period_us"))?;
                ratio(&quota, &period)
            })
            .reduce(f64::min);
        let throttled_us = all.first().and_then(|folder| {
            let text = files.text(&format!("{folder}/cpu.stat"))?;
            let nanoseconds: u64 = value_of(&text, "throttled_time", ' ')?.parse().ok()?;
            Some(nanoseconds / 1000)
        });
        if quota.is_some() || throttled_us.is_some() {
            return CpuQuota {
                quota,
                throttled_us,
            };
        }
    }
    CpuQuota::default()
}

fn ratio(quota: &str, period: &str) -> Option<f64> {
    let (quota, period): (f64, f64) = (quota.trim().parse().ok()?, period.trim().parse().ok()?);
    (quota > 0.0 && period > 0.0).then(|| quota / period)
}

/// The group's folder and those above it, the group's own first.
fn folders(root: &str, path: &str) -> Vec<String> {
    let mut path = path.trim_matches('/');
    let mut folders = Vec::new();
    while !path.is_empty() {
        folders.push(format!("{root}/{path}"));
        path = path.rsplit_once('/').map_or("", |(above, _)| above);
    }
    folders.push(root.to_owned());
    folders
}
