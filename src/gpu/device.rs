//! One GPU: what it is, and handles for what it does.

use std::sync::Arc;

use nvml_wrapper::Nvml;
use nvml_wrapper::enum_wrappers::device::Clock;

use super::owner::Owner;
use super::reading::{Reading, reading};
use super::state::{Process, State, processes};

/// A GPU as the management library knows it.
#[derive(Debug, Clone)]
pub struct Device {
    nvml: Arc<Nvml>,
    /// Its number in the order of the bus.
    pub index: u32,
    pub uuid: String,
    pub name: String,
    /// `00000000:1B:00.0`.
    pub bus_id: Reading<String>,
    /// Bytes.
    pub memory: Reading<u64>,
    /// `9.0`.
    pub capability: Reading<String>,
    /// Highest clocks, MHz.
    pub max_sm_clock: Reading<u32>,
    pub max_memory_clock: Reading<u32>,
    /// Whether it is cut into slices (MIG).
    pub mig: Reading<bool>,
    /// The slices, if it is.
    pub slices: Vec<Slice>,
}

/// A slice of a GPU (MIG device).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// Its number within the GPU.
    pub index: u32,
    pub uuid: String,
}

impl Device {
    /// Opens the GPU of this number.
    pub(super) fn open(nvml: &Arc<Nvml>, index: u32) -> Reading<Self> {
        let device = reading(nvml.device_by_index(index))?;
        let mig = reading(device.mig_mode()).map(|mode| mode.current == 1);
        let slices = match mig {
            Ok(true) => slices(&device),
            _ => Vec::new(),
        };
        Ok(Self {
            index,
            uuid: reading(device.uuid())?,
            name: reading(device.name())?,
            bus_id: reading(device.pci_info()).map(|place| place.bus_id),
            memory: reading(device.memory_info()).map(|memory| memory.total),
            capability: reading(device.cuda_compute_capability())
                .map(|found| format!("{}.{}", found.major, found.minor)),
            max_sm_clock: reading(device.max_clock_info(Clock::SM)),
            max_memory_clock: reading(device.max_clock_info(Clock::Memory)),
            mig,
            slices,
            nvml: Arc::clone(nvml),
        })
    }

    /// Its state at this moment. Costs about a millisecond.
    pub fn state(&self) -> State {
        let device = reading(self.nvml.device_by_index(self.index));
        State::read(device.as_ref())
    }

    /// The same, but only what can change within a process run and costs little.
    pub fn quick_state(&self) -> State {
        let device = reading(self.nvml.device_by_index(self.index));
        State::read_quickly(device.as_ref())
    }

    /// The processes and the used memory of one slice.
    fn of_slice(&self, slice: &Slice) -> (Reading<Vec<Process>>, Reading<u64>) {
        let parent = reading(self.nvml.device_by_index(self.index));
        let found = parent.and_then(|parent| {
            let slice = reading(parent.mig_device_by_index(slice.index))?;
            let memory = reading(slice.memory_info()).map(|memory| memory.used);
            Ok((processes(&slice), memory))
        });
        found.unwrap_or_else(|absence| (Err(absence.clone()), Err(absence)))
    }
}

/// What is measured on: a whole GPU, or a slice of one.
#[derive(Debug, Clone)]
pub struct Target {
    pub device: Device,
    pub slice: Option<Slice>,
}

impl Target {
    /// The name that CUDA knows it by.
    pub fn uuid(&self) -> &str {
        self.slice
            .as_ref()
            .map_or(&self.device.uuid, |slice| &slice.uuid)
    }

    /// The name for people: `GPU 0 (NVIDIA H200)`, `slice 1 of GPU 0 (NVIDIA H200)`.
    pub fn label(&self) -> String {
        let whole = format!("GPU {} ({})", self.device.index, self.device.name);
        match &self.slice {
            Some(slice) => format!("slice {} of {whole}", slice.index),
            None => whole,
        }
    }

    /// Its state at this moment; about a millisecond.
    pub fn state(&self) -> State {
        self.narrowed(self.device.state())
    }

    /// What can change within a process run, and costs little.
    pub fn quick_state(&self) -> State {
        self.narrowed(self.device.quick_state())
    }

    /// Clocks, heat and power are those of the whole GPU; processes and memory are the slice's.
    fn narrowed(&self, whole: State) -> State {
        let Some(slice) = &self.slice else {
            return whole;
        };
        let (processes, memory_used) = self.device.of_slice(slice);
        let within: Vec<u32> = match &processes {
            Ok(found) => found.iter().map(|process| process.pid).collect(),
            Err(_) => Vec::new(),
        };
        let neighbours = match whole.processes {
            Ok(all) => all
                .into_iter()
                .filter(|process| process.owner != Owner::Ours && !within.contains(&process.pid))
                .collect(),
            Err(_) => Vec::new(),
        };
        State {
            memory_used,
            processes,
            neighbours,
            ..whole
        }
    }
}

fn slices(device: &nvml_wrapper::Device<'_>) -> Vec<Slice> {
    let most = device.mig_device_count().unwrap_or(0);
    (0..most)
        .filter_map(|index| {
            let slice = device.mig_device_by_index(index).ok()?;
            Some(Slice {
                index,
                uuid: slice.uuid().ok()?,
            })
        })
        .collect()
}
