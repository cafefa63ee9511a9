//! The GPUs: can they be asked, and are they set up for measuring?

use fs_err as fs;

use super::finding::Finding;
use super::subject::{Subject, sentence};
use crate::gpu::{Device, Library, LibraryError, Owner, State, Target, described};

pub(super) fn examine(subject: &Subject<'_>) -> Vec<Finding> {
    let library = match Library::open(&subject.context.environment) {
        Ok(library) => library,
        Err(error) if error.is_absence() => {
            return vec![Finding::fine(format!(
                "no GPU of NVIDIA's: {}",
                sentence(error)
            ))];
        }
        Err(error) => {
            let way_out = match &error {
                LibraryError::Mismatch => "restart the host, or reload the driver as root",
                LibraryError::NoPermission => {
                    "`ls -l /dev/nvidia*` shows who may; in a container: `--gpus all`"
                }
                _ => "`nvidia-smi` may say more",
            };
            return vec![Finding::warning(
                format!("{}; GPUs are neither locked nor watched", sentence(error)),
                way_out,
            )];
        }
    };
    let devices = match library.devices() {
        Ok(devices) => devices,
        Err(absence) => {
            return vec![Finding::warning(
                format!("the GPUs cannot be listed: {}", absence.words()),
                "`nvidia-smi` may say more",
            )];
        }
    };
    let mut findings = Vec::new();
    for (index, device) in devices.into_iter().enumerate() {
        match device {
            Ok(device) => findings.extend(of_device(device)),
            Err(absence) => findings.push(Finding::warning(
                format!("GPU {index} cannot be opened: {}", absence.words()),
                "`nvidia-smi` may say more; `--gpu` names those that work",
            )),
        }
    }
    findings
}

fn of_device(device: Device) -> Vec<Finding> {
    let index = device.index;
    let target = Target {
        device,
        slice: None,
    };
    let state = target.state();
    let label = target.label();
    let mut findings = vec![known(&label, &state)];
    let mut warn = |is_bad: bool, sentence: String, way_out: String| {
        if is_bad {
            findings.push(Finding::warning(format!("{label}: {sentence}"), way_out));
        }
    };
    warn(
        state.persistence == Ok(false),
        "persistence mode is off: the driver starts anew for each process".to_owned(),
        format!("as root: `nvidia-smi -i {index} -pm 1`"),
    );
    warn(
        state.compute_mode == Ok("prohibited".to_owned()),
        "no process may compute on it".to_owned(),
        format!("as root: `nvidia-smi -i {index} -c DEFAULT`"),
    );
    if let Ok(reasons) = state.reasons {
        warn(
            reasons.odd().0 != 0,
            format!("its clocks are held down: {}", reasons.names().join(", ")),
            "look after the cooling and the power supply; `nvidia-smi -q -d PERFORMANCE` says more"
                .to_owned(),
        );
    }
    warn(
        matches!(state.ecc_uncorrected, Ok(errors) if errors > 0),
        "its memory had errors that could not be corrected".to_owned(),
        format!("as root: `nvidia-smi -i {index} -r` resets it when nobody uses it"),
    );
    if let Ok(processes) = &state.processes {
        let others: Vec<String> = processes
            .iter()
            .filter(|process| process.owner != Owner::Ours)
            .map(described)
            .collect();
        warn(
            !others.is_empty(),
            format!("others compute on it: {}", others.join(", ")),
            "`lcmbench run` waits for them".to_owned(),
        );
    }
    if let Some(node) = far_node(&target.device) {
        warn(
            true,
            format!(
                "it is near the processors of node {node}, which this process may not use alone"
            ),
            format!("`numactl --cpunodebind={node} --membind={node} lcmbench ...`"),
        );
    }
    findings
}

/// What the GPU is, and what its driver does not tell.
fn known(label: &str, state: &State) -> Finding {
    let mut unknown = Vec::new();
    for (what, is_known) in [
        ("clocks", state.sm_clock.is_ok()),
        ("reasons for its clocks", state.reasons.is_ok()),
        ("time lost to heat", state.violations.thermal.is_ok()),
        ("energy", state.energy.is_ok()),
        ("processes", state.processes.is_ok()),
        ("errors of the memory", state.ecc_uncorrected.is_ok()),
    ] {
        if !is_known {
            unknown.push(what);
        }
    }
    if unknown.is_empty() {
        Finding::fine(format!("{label} tells all that is looked at"))
    } else {
        Finding::fine(format!(
            "{label} does not tell: {}; that is not watched",
            unknown.join(", ")
        ))
    }
}

/// The node of memory that the GPU is near, where the host has several and this process is not kept on it.
fn far_node(device: &Device) -> Option<u32> {
    let bus = device.bus_id.as_ref().ok()?.to_lowercase();
    // The library writes eight digits of the domain, the kernel four.
    let bus = bus.strip_prefix("0000").unwrap_or(&bus);
    let text = fs::read_to_string(format!("/sys/bus/pci/devices/{bus}/numa_node")).ok()?;
    let node: u32 = text.trim().parse().ok()?;
    let near = fs::read_to_string(format!("/sys/devices/system/node/node{node}/cpulist")).ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let allowed = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    (near.trim() != allowed.trim()).then_some(node)
}
