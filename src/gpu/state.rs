//! What a GPU does at one moment.

use nvml_wrapper::Device;
use nvml_wrapper::enum_wrappers::device::{
    Clock, ComputeMode, EccCounter, MemoryError, PerformancePolicy, TemperatureSensor,
};
use nvml_wrapper::enums::device::UsedGpuMemory;
use nvml_wrapper::error::{Bits, NvmlError};

use super::owner::{Owner, name_of, owner_of};
use super::reading::{Absence, Reading, reading};
use super::reasons::Reasons;

/// A process with a compute context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub pid: u32,
    /// Bytes; `None` where the driver does not tell.
    pub memory: Option<u64>,
    pub owner: Owner,
    /// What it is called, where it can be seen.
    pub name: Option<String>,
}

/// Nanoseconds for which the clocks were held down since the driver was loaded, by cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violations {
    pub power: Reading<u64>,
    pub thermal: Reading<u64>,
    pub board_limit: Reading<u64>,
    pub reliability: Reading<u64>,
}

/// The state of a GPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// MHz.
    pub sm_clock: Reading<u32>,
    pub memory_clock: Reading<u32>,
    pub reasons: Reading<Reasons>,
    pub violations: Violations,
    /// Degrees Celsius.
    pub temperature: Reading<u32>,
    /// Milliwatts, over the last second on most devices.
    pub power: Reading<u32>,
    pub power_limit: Reading<u32>,
    /// Millijoules since the driver was loaded.
    pub energy: Reading<u64>,
    /// Bytes in use, by whomever.
    pub memory_used: Reading<u64>,
    pub processes: Reading<Vec<Process>>,
    /// Processes on other slices of the same GPU, which share its power and its clocks.
    pub neighbours: Vec<Process>,
    pub ecc: Reading<bool>,
    /// Errors of the memory since the driver was loaded.
    pub ecc_corrected: Reading<u64>,
    pub ecc_uncorrected: Reading<u64>,
    pub pcie_replays: Reading<u32>,
    pub persistence: Reading<bool>,
    /// `default`, `exclusive-process`, `prohibited`.
    pub compute_mode: Reading<String>,
}

impl State {
    /// Everything.
    pub(super) fn read(device: Result<&Device<'_>, &Absence>) -> Self {
        Self {
            violations: Violations {
                power: violation(device, PerformancePolicy::Power),
                thermal: violation(device, PerformancePolicy::Thermal),
                board_limit: violation(device, PerformancePolicy::BoardLimit),
                reliability: violation(device, PerformancePolicy::Reliability),
            },
            power_limit: ask(device, Device::enforced_power_limit),
            ecc: ask(device, Device::is_ecc_enabled).map(|mode| mode.currently_enabled),
            ecc_corrected: ask(device, |device| {
                device.total_ecc_errors(MemoryError::Corrected, EccCounter::Volatile)
            }),
            ecc_uncorrected: ask(device, |device| {
                device.total_ecc_errors(MemoryError::Uncorrected, EccCounter::Volatile)
            }),
            pcie_replays: ask(device, Device::pcie_replay_counter),
            persistence: ask(device, Device::is_in_persistent_mode),
            compute_mode: ask(device, Device::compute_mode).map(compute_mode),
            ..Self::read_quickly(device)
        }
    }

    /// Clocks, reasons, heat, power, memory and processes; the rest counts as not supported.
    pub(super) fn read_quickly(device: Result<&Device<'_>, &Absence>) -> Self {
        Self {
            sm_clock: ask(device, |device| device.clock_info(Clock::SM)),
            memory_clock: ask(device, |device| device.clock_info(Clock::Memory)),
            reasons: ask(device, reasons),
            temperature: ask(device, |device| device.temperature(TemperatureSensor::Gpu)),
            power: ask(device, Device::power_usage),
            energy: ask(device, Device::total_energy_consumption),
            memory_used: ask(device, Device::memory_info).map(|memory| memory.used),
            processes: device.map_err(Clone::clone).and_then(processes),
            ..Self::absent(&Absence::NotSupported)
        }
    }

    /// Nothing is known, for one reason.
    pub(super) fn absent(reason: &Absence) -> Self {
        fn no<T>(reason: &Absence) -> Reading<T> {
            Err(reason.clone())
        }
        Self {
            sm_clock: no(reason),
            memory_clock: no(reason),
            reasons: no(reason),
            violations: Violations {
                power: no(reason),
                thermal: no(reason),
                board_limit: no(reason),
                reliability: no(reason),
            },
            temperature: no(reason),
            power: no(reason),
            power_limit: no(reason),
            energy: no(reason),
            memory_used: no(reason),
            processes: no(reason),
            neighbours: Vec::new(),
            ecc: no(reason),
            ecc_corrected: no(reason),
            ecc_uncorrected: no(reason),
            pcie_replays: no(reason),
            persistence: no(reason),
            compute_mode: no(reason),
        }
    }

    /// Whether the device has fallen off the bus.
    pub fn is_lost(&self) -> bool {
        self.sm_clock == Err(Absence::Lost) || self.temperature == Err(Absence::Lost)
    }
}

fn ask<'d, T>(
    device: Result<&Device<'d>, &Absence>,
    question: impl FnOnce(&Device<'d>) -> Result<T, NvmlError>,
) -> Reading<T> {
    match device {
        Ok(device) => reading(question(device)),
        Err(absence) => Err(absence.clone()),
    }
}

/// The bits as they are: the wrapper's lenient call drops those that it does not know, its strict one
/// gives them with the error.
fn reasons(device: &Device<'_>) -> Result<Reasons, NvmlError> {
    match device.current_throttle_reasons_strict() {
        Ok(reasons) => Ok(Reasons(reasons.bits())),
        Err(NvmlError::IncorrectBits(Bits::U64(bits))) => Ok(Reasons(bits)),
        Err(error) => Err(error),
    }
}

fn violation(device: Result<&Device<'_>, &Absence>, policy: PerformancePolicy) -> Reading<u64> {
    ask(device, |device| device.violation_status(policy)).map(|found| found.violation_time)
}

/// The processes of a device or slice; older drivers have an older call.
pub(super) fn processes(device: &Device<'_>) -> Reading<Vec<Process>> {
    let found = match reading(device.running_compute_processes()) {
        Err(Absence::NoSymbol) => reading(device.running_compute_processes_v2()),
        other => other,
    }?;
    Ok(found
        .into_iter()
        .map(|process| Process {
            pid: process.pid,
            owner: owner_of(process.pid),
            name: name_of(process.pid),
            memory: match process.used_gpu_memory {
                UsedGpuMemory::Used(bytes) => Some(bytes),
                UsedGpuMemory::Unavailable => None,
            },
        })
        .collect())
}

fn compute_mode(mode: ComputeMode) -> String {
    match mode {
        ComputeMode::Default => "default",
        ComputeMode::ExclusiveThread => "exclusive-thread",
        ComputeMode::Prohibited => "prohibited",
        ComputeMode::ExclusiveProcess => "exclusive-process",
    }
    .to_owned()
}
