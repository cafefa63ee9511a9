//! Memory of both sides, and the evidence about it that every process must have.

use crate::json::Object;
use crate::pair::checkout::Role;
use crate::pair::evidence::DeviceMemory;
use crate::pair::options::Backend;
use crate::pair::summary::MemorySummary;

use super::{Judged, Process};

impl Judged<'_> {
    pub(super) fn memory(&mut self, pairs: &[(usize, Process, Process)]) {
        let host = |side: fn(&(usize, Process, Process)) -> &Process| {
            pairs
                .iter()
                .filter_map(|pair| side(pair).measured.host_peak)
                .max()
        };
        let device = |side: fn(&(usize, Process, Process)) -> &Process| {
            let peak = |pair| match side(pair).measured.device {
                DeviceMemory::Measured(bytes) => Some(bytes),
                _ => None,
            };
            pairs.iter().filter_map(peak).max()
        };
        let ratio = |base: Option<i64>, head: Option<i64>| Some(as_float(head?) / as_float(base?));
        let (base, head) = (host(|pair| &pair.1), host(|pair| &pair.2));
        let (base_device, head_device) = (device(|pair| &pair.1), device(|pair| &pair.2));
        let not_applicable = pairs.iter().all(|(_, base, head)| {
            [base, head]
                .iter()
                .all(|process| process.measured.device == DeviceMemory::NotApplicable)
        });
        let word = if base_device.is_some() && head_device.is_some() {
            "measured"
        } else if not_applicable && !pairs.is_empty() {
            "not applicable"
        } else {
            "missing"
        };
        self.summary.memory = MemorySummary {
            base_host_peak: base,
            head_host_peak: head,
            host_ratio: ratio(base, head),
            device: word.to_owned(),
            base_device_peak: base_device,
            head_device_peak: head_device,
            device_ratio: ratio(base_device, head_device),
        };
    }

    /// Evidence that every process must have.
    pub(super) fn completeness(&mut self, repeat: usize, process: &Process, side: Role) {
        let measured = &process.measured;
        if measured.host_peak.is_none_or(|bytes| bytes <= 0) {
            self.reject(format!(
                "{side} has no host high-water mark in repeat {repeat}"
            ));
        }
        match (self.backend, &measured.device) {
            (Backend::Gpu, DeviceMemory::Measured(_))
            | (Backend::Cpu, DeviceMemory::NotApplicable) => {}
            (Backend::Gpu, _) => self.reject(format!(
                "{side} has no measured peak of device memory in repeat {repeat}"
            )),
            (Backend::Cpu, _) => self.reject(format!(
                "{side} has no record that device memory is not applicable in repeat {repeat}"
            )),
        }
        for core in &measured.cores {
            let text = core
                .file
                .as_deref()
                .and_then(|file| self.text(process, file));
            if text.is_none_or(|text| text.trim().is_empty()) {
                self.reject(format!("{side}: the core `{}` has no HLO", core.name));
            }
            if core.memory.as_ref().is_none_or(Object::is_empty) {
                self.reject(format!(
                    "{side}: the compiler tells nothing about the memory of the core `{}`",
                    core.name
                ));
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "bytes of memory are below 2^53")]
fn as_float(bytes: i64) -> f64 {
    bytes as f64
}
