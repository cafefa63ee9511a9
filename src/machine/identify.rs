//! Which machine this is, by asv's rules, and its description.

use crate::json::{Json, Object};
use crate::sys::env::Environment;

use super::detect::Detected;
use super::entry::{self, FIELDS, Fields, text_of};
use super::registry::Registry;
use super::{Machine, MachineError, check_name};

/// The machine, and what is to be said about its description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identified {
    pub machine: Machine,
    /// Something is probably not as it should be.
    pub warnings: Vec<String>,
    /// Worth knowing, nothing wrong.
    pub notes: Vec<String>,
}

/// The machine that measures, for a run.
///
/// `requested` is the name from flag, configuration or `LCMBENCH_MACHINE`; without it the host's name
/// counts, or the only entry of `~/.asv-machine.json` where that has no entry of the host's name. A
/// stored entry is taken as it is; what it lacks is filled from what is detected, and the file is
/// brought up to date. A home folder that is missing or cannot be written does not stop a run.
pub fn identify(
    requested: Option<&str>,
    environment: &Environment,
    detected: &Detected,
) -> Result<Identified, MachineError> {
    let (mut identified, registry) = examined(requested, environment, detected)?;
    if let Some(mut registry) = registry
        && let Err(error) = registry.save()
    {
        let error = anyhow::Error::from(error);
        identified
            .warnings
            .push(format!("the machine's description is not kept: {error:#}"));
    }
    Ok(identified)
}

/// The same without a trace: the file stays as it is.
pub fn look_up(
    requested: Option<&str>,
    environment: &Environment,
    detected: &Detected,
) -> Result<Identified, MachineError> {
    examined(requested, environment, detected).map(|(identified, _)| identified)
}

/// The machine, and the file with its entry brought up to date but not written.
fn examined(
    requested: Option<&str>,
    environment: &Environment,
    detected: &Detected,
) -> Result<(Identified, Option<Registry>), MachineError> {
    let mut identified = Identified::default();
    let mut registry = match Registry::open(environment) {
        Ok(registry) => Some(registry),
        Err(MachineError::NoHome) => None,
        Err(error) => return Err(error),
    };
    let (key, name) = choose(requested, registry.as_ref(), detected);
    check_name(&name)?;
    let stored = registry
        .as_ref()
        .and_then(|registry| registry.get(&key).cloned());
    let is_new = stored.is_none();
    let mut entry = stored.unwrap_or_default();
    let added = entry::fill(&mut entry, &name, detected);
    identified.machine = machine_of(&name, &entry);
    identified
        .notes
        .extend(disagreements(&name, &entry, detected));
    if is_new {
        identified.notes.push(format!(
            "machine `{name}` was not described yet; it is taken as detected \
             (`lcmbench machine` changes that)"
        ));
    } else if !added.is_empty() {
        identified.notes.push(format!(
            "the description of machine `{name}` lacked {}; filled with what is detected",
            added.join(", ")
        ));
    }
    if let Some(registry) = &mut registry {
        registry.set(&key, entry);
    }
    Ok((identified, registry))
}

/// Describes the machine in `~/.asv-machine.json`, for the command `machine`.
///
/// With single facts given only these are set, and what the entry lacks is filled; without any, every
/// fact is brought up to what is detected (memory only when it differs by more than one gigabyte).
pub fn register(
    requested: Option<&str>,
    fields: &Fields,
    environment: &Environment,
    detected: &Detected,
) -> Result<Machine, MachineError> {
    let mut registry = Registry::open(environment)?;
    let (key, name) = choose(requested, Some(&registry), detected);
    check_name(&name)?;
    let mut entry = registry.get(&key).cloned().unwrap_or_default();
    if fields.is_empty() {
        entry::refresh(&mut entry, detected);
    } else {
        entry::set(&mut entry, fields);
    }
    entry::fill(&mut entry, &name, detected);
    let machine = machine_of(&name, &entry);
    registry.set(&key, entry);
    registry.save()?;
    Ok(machine)
}

/// The key of the entry in the file and the machine's name, which asv takes from inside the entry.
fn choose(
    requested: Option<&str>,
    registry: Option<&Registry>,
    detected: &Detected,
) -> (String, String) {
    if let Some(name) = requested {
        return (name.to_owned(), name.to_owned());
    }
    let host = detected.host.as_str();
    let found = registry.and_then(|registry| match registry.get(host) {
        Some(entry) => Some((host, entry)),
        None => registry.only(),
    });
    match found {
        Some((key, entry)) => {
            let name = entry.get("machine").and_then(Json::as_str);
            let name = name.filter(|name| !name.is_empty()).unwrap_or(key);
            (key.to_owned(), name.to_owned())
        }
        None => (host.to_owned(), host.to_owned()),
    }
}

fn machine_of(name: &str, entry: &Object) -> Machine {
    let facts = entry
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), "machine" | "version"))
        .filter_map(|(key, value)| Some((key.clone(), text_of(value)?)))
        .collect();
    Machine {
        name: name.to_owned(),
        facts,
    }
}

/// Facts of the entry that this host contradicts. The processor's and the system's text are free, so only
/// hard facts are compared.
fn disagreements(name: &str, entry: &Object, detected: &Detected) -> Option<String> {
    let differing: Vec<String> = FIELDS
        .into_iter()
        .filter(|field| matches!(*field, "arch" | "num_cpu" | "ram"))
        .filter_map(|field| {
            let stored = text_of(entry.get(field)?)?;
            let here = entry::detected_value(detected, field)?;
            (!entry::agrees(&stored, detected, field))
                .then(|| format!("{field} {stored} (here {here})"))
        })
        .collect();
    (!differing.is_empty()).then(|| {
        format!(
            "machine `{name}` is described with {}; if this is that machine, \
             `lcmbench machine --yes` updates it, else name this one with --machine",
            differing.join(", ")
        )
    })
}

#[cfg(test)]
mod tests;
