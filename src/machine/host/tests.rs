use fs_err as fs;

use super::*;

fn host(entries: &[(&str, &str)]) -> HostFacts {
    let root = tempfile::tempdir().unwrap();
    for (path, content) in entries {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    HostFacts::read(root.path())
}

#[test]
fn a_host_that_tells_everything_is_read_whole() {
    let facts = host(&[
        ("proc/loadavg", "0.52 1.50 2.25 3/456 7890\n"),
        ("proc/stat", "cpu  100 0 50 800 20 5 5 20 7 0\ncpu0 1 2 3\n"),
        (
            "proc/self/status",
            "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-3,6\n",
        ),
        ("proc/self/cgroup", "0::/user.slice/job\n"),
        ("sys/fs/cgroup/cgroup.controllers", "cpu memory\n"),
        ("sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n"),
        ("sys/fs/cgroup/user.slice/job/cpu.max", "max 100000\n"),
        (
            "sys/fs/cgroup/user.slice/job/cpu.stat",
            "usage_usec 1\nthrottled_usec 4200\n",
        ),
        (
            "proc/pressure/cpu",
            "some avg10=46.14 avg60=1.00 avg300=1.00 total=5\nfull avg10=0.00 x\n",
        ),
        (
            "proc/pressure/memory",
            "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
        ),
        (
            "proc/pressure/io",
            "some avg10=2.50 avg60=0.00 avg300=0.00 total=0\n",
        ),
        ("proc/vmstat", "nr_free_pages 1\npswpin 17\npswpout 3\n"),
        ("sys/devices/system/cpu/smt/active", "1\n"),
        ("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"),
        (
            "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
            "powersave\n",
        ),
        (
            "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor",
            "performance\n",
        ),
        (
            "sys/devices/system/cpu/cpu10/cpufreq/scaling_governor",
            "powersave\n",
        ),
        (
            "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count",
            "3\n",
        ),
        (
            "sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count",
            "4\n",
        ),
        ("proc/sys/kernel/randomize_va_space", "2\n"),
        ("sys/devices/system/cpu/cpuidle/current_driver", "none\n"),
        ("sys/class/power_supply/AC/type", "Mains\n"),
        ("sys/class/power_supply/AC/online", "0\n"),
        ("sys/class/power_supply/BAT0/type", "Battery\n"),
    ]);
    assert_eq!(
        facts,
        HostFacts {
            load: Some(LoadAverage {
                one_minute: 0.52,
                five_minutes: 1.5,
                fifteen_minutes: 2.25
            }),
            ticks: Some(CpuTicks {
                total: 1000,
                idle: 800,
                steal: 20
            }),
            governors: vec!["performance".to_owned(), "powersave".to_owned()],
            turbo: Some(false),
            smt: Some(true),
            cpus_allowed: Some("0-3,6".to_owned()),
            cgroup_quota: Some(1.5),
            cgroup_throttled_us: Some(4200),
            pressure_cpu: Some(46.14),
            pressure_memory: Some(0.0),
            pressure_io: Some(2.5),
            thermal_throttles: Some(7),
            swapped_in: Some(17),
            address_layout: Some("full".to_owned()),
            on_mains: Some(false),
        }
    );
}

#[test]
fn a_host_that_tells_nothing_leaves_no_keys() {
    let facts = host(&[]);
    assert_eq!(facts, HostFacts::default());
    assert!(facts.to_object().is_empty());
    assert!(host_record(&facts, &facts).is_empty());
    let odd = host(&[
        ("proc/loadavg", "x y z"),
        ("proc/stat", "cpu \n"),
        ("proc/pressure/cpu", "some avg60=1"),
        ("sys/devices/system/cpu/smt/active", "maybe"),
    ]);
    assert_eq!(odd, HostFacts::default());
}

#[test]
fn the_first_version_of_control_groups_is_read_too() {
    let facts = host(&[
        (
            "proc/self/cgroup",
            "4:memory:/x\n3:cpu,cpuacct:/docker/abc\n0::/\n",
        ),
        (
            "sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us",
            "50000\n",
        ),
        (
            "sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us",
            "100000\n",
        ),
        (
            "sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.stat",
            "nr_periods 1\nthrottled_time 5000000\n",
        ),
    ]);
    assert_eq!(facts.cgroup_quota, Some(0.5));
    assert_eq!(facts.cgroup_throttled_us, Some(5000));
    // Inside a container the group is mounted as the root, under one controller's name.
    let facts = host(&[
        ("proc/self/cgroup", "1:cpu:/docker/abc\n"),
        ("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"),
        ("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"),
    ]);
    assert_eq!(facts.cgroup_quota, None);
}

#[test]
fn the_record_tells_what_happened_during_the_run() {
    let before = host(&[
        ("proc/loadavg", "0.10 0.20 0.30 1/2 3\n"),
        ("proc/stat", "cpu  100 0 0 100 0 0 0 0 0 0\n"),
        ("proc/vmstat", "pswpin 10\n"),
    ]);
    let after = host(&[
        ("proc/loadavg", "1.00 0.20 0.30 1/2 3\n"),
        ("proc/stat", "cpu  150 0 0 130 0 0 0 20 0 0\n"),
        ("proc/vmstat", "pswpin 12\n"),
    ]);
    let record = host_record(&before, &after);
    assert_eq!(
        crate::json::to_compact(&Json::Object(record)),
        "{\"before\": {\"load\": [0.1, 0.2, 0.3]}, \"after\": {\"load\": [1.0, 0.2, 0.3]}, \
         \"during\": {\"steal\": 0.2, \"idle\": 0.3, \"swapped_in\": 2}}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn this_host_tells_its_load_and_its_ticks() {
    let facts = HostFacts::now();
    assert!(facts.load.is_some());
    assert!(facts.ticks.unwrap().total > 0);
    assert!(facts.cpus_allowed.is_some());
}
