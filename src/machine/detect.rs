//! What the operating system says about the machine, as asv asks for it.

use std::path::Path;
use std::process::{Command, Stdio};

use super::text::{Files, value_of};

/// A machine as detected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Detected {
    /// The host name, as the kernel has it.
    pub host: String,
    /// `x86_64`, `aarch64`, `arm64`.
    pub arch: String,
    /// The model; empty where the system does not say (most ARM kernels).
    pub cpu: String,
    /// Processors that are online, as text.
    pub num_cpu: String,
    /// Name and release of the kernel.
    pub os: String,
    /// Physical memory, bytes.
    pub ram: Option<u64>,
}

impl Detected {
    /// Asks this host.
    pub fn of_host() -> Self {
        let names = rustix::system::uname();
        let lossy = |text: &std::ffi::CStr| text.to_string_lossy().into_owned();
        let files = Files::at(Path::new("/"));
        let (cpu, num_cpu, ram) = if cfg!(target_os = "macos") {
            (
                sysctl("machdep.cpu.brand_string").unwrap_or_default(),
                sysctl("hw.logicalcpu"),
                sysctl("hw.memsize").and_then(|bytes| bytes.parse().ok()),
            )
        } else {
            (
                cpu_model(&files).unwrap_or_default(),
                online_processors(&files).map(|count| count.to_string()),
                total_memory(&files),
            )
        };
        Self {
            host: lossy(names.nodename()),
            arch: lossy(names.machine()),
            cpu,
            num_cpu: num_cpu.unwrap_or_else(usable_processors),
            os: format!("{} {}", lossy(names.sysname()), lossy(names.release())),
            ram,
        }
    }
}

/// The first `model name` of `/proc/cpuinfo`.
fn cpu_model(files: &Files) -> Option<String> {
    let text = files.text("proc/cpuinfo")?;
    value_of(&text, "model name", ':').map(str::to_owned)
}

/// The processors in `/sys/devices/system/cpu/online`, a list such as `0-3,6`.
fn online_processors(files: &Files) -> Option<usize> {
    files
        .text("sys/devices/system/cpu/online")
        .and_then(|list| list_length(&list))
        .or_else(|| {
            let text = files.text("proc/cpuinfo")?;
            let count = text
                .lines()
                .filter(|line| line.starts_with("processor"))
                .count();
            (count > 0).then_some(count)
        })
}

fn list_length(list: &str) -> Option<usize> {
    list.split(',')
        .map(|range| match range.split_once('-') {
            Some((first, last)) => {
                let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
                Some(last.checked_sub(first)? + 1)
            }
            None => range.parse::<usize>().ok().map(|_| 1),
        })
        .sum()
}

fn usable_processors() -> String {
    std::thread::available_parallelism().map_or_else(|_| "1".to_owned(), |count| count.to_string())
}

/// `MemTotal` of `/proc/meminfo`, whose `kB` are 1024 bytes.
fn total_memory(files: &Files) -> Option<u64> {
    let text = files.text("proc/meminfo")?;
    let value = value_of(&text, "MemTotal", ':')?;
    match value.strip_suffix("kB") {
        Some(number) => number.trim().parse::<u64>().ok()?.checked_mul(1024),
        None => value.parse().ok(),
    }
}

/// One value of macOS's `sysctl`.
fn sysctl(name: &str) -> Option<String> {
    let output = Command::new("/usr/sbin/sysctl")
        .args(["-n", name])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use fs_err as fs;

    use super::*;

    fn files(entries: &[(&str, &str)]) -> (tempfile::TempDir, Files) {
        let root = tempfile::tempdir().unwrap();
        for (path, content) in entries {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let files = Files::at(root.path());
        (root, files)
    }

    #[test]
    fn the_files_of_linux_are_read_as_asv_reads_them() {
        let (_root, files) = files(&[
            (
                "proc/cpuinfo",
                "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) @ 2.0GHz: x\n\
                 processor\t: 1\nmodel name\t: other\n",
            ),
            (
                "proc/meminfo",
                "MemTotal:       24684084 kB\nMemFree:  1 kB\n",
            ),
            ("sys/devices/system/cpu/online", "0-3,6,8-9\n"),
        ]);
        assert_eq!(
            cpu_model(&files).as_deref(),
            Some("Intel(R) Xeon(R) @ 2.0GHz: x")
        );
        assert_eq!(total_memory(&files), Some(25_276_502_016));
        assert_eq!(online_processors(&files), Some(7));
    }

    #[test]
    fn what_is_not_there_is_absent_and_processors_can_be_counted_elsewhere() {
        let (_root, nothing) = files(&[]);
        assert_eq!(cpu_model(&nothing), None);
        assert_eq!(total_memory(&nothing), None);
        assert_eq!(online_processors(&nothing), None);
        let (_root, arm) = files(&[(
            "proc/cpuinfo",
            "processor\t: 0\nBogoMIPS\t: 48\nprocessor\t: 1\n",
        )]);
        assert_eq!(cpu_model(&arm), None);
        assert_eq!(online_processors(&arm), Some(2));
        let (_root, odd) = files(&[
            ("proc/meminfo", "MemTotal: many kB"),
            ("sys/devices/system/cpu/online", "x"),
        ]);
        assert_eq!(total_memory(&odd), None);
        assert_eq!(online_processors(&odd), None);
    }

    #[test]
    fn this_host_has_every_field_but_perhaps_the_model() {
        let detected = Detected::of_host();
        assert!(!detected.host.is_empty());
        assert!(!detected.arch.is_empty());
        assert!(detected.os.contains(' '));
        assert!(detected.num_cpu.parse::<u32>().unwrap() >= 1);
        assert!(detected.ram.unwrap() > 100_000_000);
    }
}
