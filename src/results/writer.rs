//! Who writes a journal, for file systems on which locks do not tell.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use fs_err as fs;

use crate::json::{Json, Object};

/// The process that writes a journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Writer {
    pid: i64,
    /// Name of the host, empty where it is not known.
    host: String,
    /// Linux's identity of the host's present uptime, empty elsewhere.
    boot: String,
}

impl Writer {
    pub(super) fn this_process() -> Self {
        Self {
            pid: std::process::id().into(),
            host: kernel_fact("/proc/sys/kernel/hostname"),
            boot: kernel_fact("/proc/sys/kernel/random/boot_id"),
        }
    }

    /// A part of a file name that no other journal has: several in one process differ by the time.
    pub(super) fn unique(&self) -> String {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        format!("{}-{:x}", self.pid, now.as_nanos())
    }

    pub(super) fn to_json(&self) -> Json {
        let mut members = Object::new();
        members.insert("pid".to_owned(), self.pid.into());
        members.insert("host".to_owned(), self.host.clone().into());
        members.insert("boot".to_owned(), self.boot.clone().into());
        members.into()
    }

    pub(super) fn from_json(json: &Json) -> Self {
        let text = |key: &str| {
            json.get(key)
                .and_then(Json::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        Self {
            pid: json.get("pid").and_then(Json::as_i64).unwrap_or_default(),
            host: text("host"),
            boot: text("boot"),
        }
    }

    /// Whether the process is surely gone, as seen from `observer`: it was on this host, and the
    /// host was restarted since or has no such process.
    pub(super) fn is_gone(&self, observer: &Self) -> bool {
        let is_here = !self.host.is_empty() && self.host == observer.host;
        let is_restarted = self.boot != observer.boot;
        is_here && (is_restarted || !Path::new(&format!("/proc/{}", self.pid)).exists())
    }
}

fn kernel_fact(path: &str) -> String {
    fs::read_to_string(path)
        .map(|text| text.trim().to_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_processes_of_this_host_can_be_known_to_be_gone() {
        let me = Writer::this_process();
        assert_eq!(Writer::from_json(&me.to_json()), me);
        assert!(
            !Writer {
                host: "elsewhere".to_owned(),
                ..me.clone()
            }
            .is_gone(&me)
        );
        if me.host.is_empty() {
            eprintln!("skipped: the host's name is not known here");
            return;
        }
        assert!(!me.is_gone(&me));
        assert!(
            Writer {
                pid: i64::from(i32::MAX),
                ..me.clone()
            }
            .is_gone(&me)
        );
        assert!(
            Writer {
                boot: "another".to_owned(),
                ..me.clone()
            }
            .is_gone(&me)
        );
    }
}
