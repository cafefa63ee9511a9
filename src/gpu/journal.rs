//! What was seen of the GPUs over a whole run, for the record.

use std::collections::BTreeMap;

use super::device::Target;
use super::lease::described;
use super::library::Versions;
use super::observation::{Observation, Seen};
use super::reading::{Absence, Reading};
use super::reasons::Reasons;
use super::state::State;
use crate::json::{Json, Object};

/// Adds up the observations of a run.
#[derive(Debug, Default)]
pub struct Journal {
    devices: Vec<Summary>,
    /// How many process runs were watched, and how many had each flag.
    runs: usize,
    flags: BTreeMap<String, usize>,
}

/// One GPU over a run.
#[derive(Debug)]
struct Summary {
    before: State,
    after: State,
    reasons: Reasons,
    clocks: Vec<u32>,
    temperature: Option<u32>,
    power: Option<u32>,
    /// Millijoules within process runs; `None` where the driver does not count them.
    energy: Option<u64>,
    foreign: BTreeMap<u32, String>,
}

impl Journal {
    /// Adds what was seen around one process run, and its flags.
    pub fn add(&mut self, observation: &Observation, flags: &[String]) {
        self.runs += 1;
        for flag in flags {
            *self.flags.entry(flag.clone()).or_default() += 1;
        }
        for (index, seen) in observation.devices.iter().enumerate() {
            if self.devices.len() <= index {
                self.devices.push(Summary::new(seen));
            }
            self.devices[index].add(seen);
        }
    }

    /// The record: versions, and of each GPU what it is, its first and last state, and what happened
    /// between them.
    pub fn record(&self, targets: &[Target], versions: Option<&Versions>) -> Object {
        let mut record = Object::new();
        if let Some(versions) = versions {
            let mut known = Part::default();
            known.put("driver", &versions.driver);
            known.put("cuda", &versions.cuda);
            known.put("library", &versions.library);
            record = known.members;
        }
        let devices = targets.iter().enumerate().map(|(index, target)| {
            let mut device = identity(target);
            if let Some(summary) = self.devices.get(index) {
                summary.describe(&mut device);
            }
            Json::Object(device)
        });
        let devices: Vec<Json> = devices.collect();
        if !devices.is_empty() {
            record.insert("devices".to_owned(), devices.into());
        }
        if self.runs > 0 {
            record.insert("runs".to_owned(), integer(self.runs));
        }
        if !self.flags.is_empty() {
            let flags: Object = self
                .flags
                .iter()
                .map(|(flag, count)| (flag.clone(), integer(*count)))
                .collect();
            record.insert("flags".to_owned(), flags.into());
        }
        record
    }
}

impl Summary {
    fn new(seen: &Seen) -> Self {
        Self {
            before: seen.before.clone(),
            after: seen.after.clone(),
            reasons: Reasons::default(),
            clocks: Vec::new(),
            temperature: None,
            power: None,
            energy: Some(0),
            foreign: BTreeMap::new(),
        }
    }

    fn add(&mut self, seen: &Seen) {
        self.after = seen.after.clone();
        self.reasons = Reasons(self.reasons.0 | seen.reasons().0);
        self.clocks.extend(seen.busy_clock());
        for state in seen.all() {
            if let Ok(celsius) = state.temperature {
                self.temperature = self.temperature.max(Some(celsius));
            }
            if let Ok(milliwatts) = state.power {
                self.power = self.power.max(Some(milliwatts));
            }
        }
        self.energy = self
            .energy
            .zip(seen.energy())
            .map(|(before, more)| before + more);
        for process in seen.foreign() {
            let said = described(&process);
            self.foreign.entry(process.pid).or_insert(said);
        }
    }

    fn describe(&self, device: &mut Object) {
        for (key, state) in [("before", &self.before), ("after", &self.after)] {
            device.insert(key.to_owned(), state_record(state).into());
        }
        let mut during = Object::new();
        let mut put = |key: &str, value: Option<Json>| {
            if let Some(value) = value {
                during.insert(key.to_owned(), value);
            }
        };
        put("reasons", Some(bits(self.reasons)));
        put("reason_names", Some(self.reasons.names().into()));
        put("temperature_max", self.temperature.map(number));
        put("power_max_mw", self.power.map(number));
        put("energy_mj", self.energy.map(large));
        if let (Some(least), Some(most)) = (self.clocks.iter().min(), self.clocks.iter().max()) {
            put("sm_clock_min", Some(number(*least)));
            put("sm_clock_max", Some(number(*most)));
        }
        if !self.foreign.is_empty() {
            let names: Vec<String> = self.foreign.values().cloned().collect();
            put("foreign", Some(names.into()));
        }
        device.insert("during".to_owned(), during.into());
    }
}

/// What a GPU is.
pub fn identity(target: &Target) -> Object {
    let device = &target.device;
    let mut part = Part::default();
    part.put("index", &Ok(device.index));
    part.put("name", &Ok(device.name.clone()));
    part.put("uuid", &Ok(device.uuid.clone()));
    if let Some(slice) = &target.slice {
        part.put("slice", &Ok(slice.index));
        part.put("slice_uuid", &Ok(slice.uuid.clone()));
    }
    part.put("bus_id", &device.bus_id);
    part.put("memory", &device.memory);
    part.put("capability", &device.capability);
    part.put("max_sm_clock", &device.max_sm_clock);
    part.put("max_memory_clock", &device.max_memory_clock);
    part.put("mig", &device.mig);
    part.finish()
}

/// A state: what is known by its name, and what is not with the reason under `unknown`.
pub fn state_record(state: &State) -> Object {
    let mut part = Part::default();
    part.put("sm_clock", &state.sm_clock);
    part.put("memory_clock", &state.memory_clock);
    part.put("reasons", &state.reasons);
    part.put("violations_power_ns", &state.violations.power);
    part.put("violations_thermal_ns", &state.violations.thermal);
    part.put("violations_board_limit_ns", &state.violations.board_limit);
    part.put("violations_reliability_ns", &state.violations.reliability);
    part.put("temperature", &state.temperature);
    part.put("power_mw", &state.power);
    part.put("power_limit_mw", &state.power_limit);
    part.put("energy_mj", &state.energy);
    part.put("memory_used", &state.memory_used);
    let processes = state.processes.as_ref().map_err(Clone::clone);
    part.put(
        "processes",
        &processes.map(|all| all.iter().map(described).collect::<Vec<_>>()),
    );
    part.put("ecc", &state.ecc);
    part.put("ecc_corrected", &state.ecc_corrected);
    part.put("ecc_uncorrected", &state.ecc_uncorrected);
    part.put("pcie_replays", &state.pcie_replays);
    part.put("persistence", &state.persistence);
    part.put("compute_mode", &state.compute_mode);
    part.finish()
}

/// The members of an object under construction.
#[derive(Debug, Default)]
struct Part {
    members: Object,
    unknown: Object,
}

impl Part {
    fn put<T: ToJson>(&mut self, key: &str, reading: &Reading<T>) {
        match reading {
            Ok(value) => self.members.insert(key.to_owned(), value.to_json()),
            Err(absence) => self.unknown.insert(key.to_owned(), why(absence)),
        };
    }

    fn finish(mut self) -> Object {
        if !self.unknown.is_empty() {
            self.members
                .insert("unknown".to_owned(), self.unknown.into());
        }
        self.members
    }
}

fn why(absence: &Absence) -> Json {
    absence.words().into()
}

trait ToJson {
    fn to_json(&self) -> Json;
}

impl ToJson for u32 {
    fn to_json(&self) -> Json {
        number(*self)
    }
}

impl ToJson for u64 {
    fn to_json(&self) -> Json {
        large(*self)
    }
}

impl ToJson for bool {
    fn to_json(&self) -> Json {
        (*self).into()
    }
}

impl ToJson for String {
    fn to_json(&self) -> Json {
        self.clone().into()
    }
}

impl ToJson for Vec<String> {
    fn to_json(&self) -> Json {
        self.clone().into()
    }
}

impl ToJson for Reasons {
    fn to_json(&self) -> Json {
        bits(*self)
    }
}

/// All 64 bits, as people look them up.
fn bits(reasons: Reasons) -> Json {
    format!("{:#x}", reasons.0).into()
}

fn number(value: u32) -> Json {
    i64::from(value).into()
}

fn large(value: u64) -> Json {
    i64::try_from(value).unwrap_or(i64::MAX).into()
}

fn integer(value: usize) -> Json {
    i64::try_from(value).unwrap_or(i64::MAX).into()
}
