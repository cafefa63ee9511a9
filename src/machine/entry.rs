//! One machine's entry: what it holds, what it lacks, what a host would say.

use crate::json::{Json, Object};

use super::detect::Detected;
use super::ram;

/// The facts that asv has about a machine beside its name, in the order of its file.
pub const FIELDS: [&str; 5] = ["arch", "cpu", "num_cpu", "os", "ram"];

/// Facts that the user gives, in the order of [`FIELDS`]; `None` where nothing was said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields {
    pub arch: Option<String>,
    pub cpu: Option<String>,
    pub num_cpu: Option<String>,
    pub os: Option<String>,
    pub ram: Option<String>,
}

impl Fields {
    /// Name and value of each fact that is given.
    fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let values = [&self.arch, &self.cpu, &self.num_cpu, &self.os, &self.ram];
        FIELDS
            .into_iter()
            .zip(values)
            .filter_map(|(name, value)| Some((name, value.as_deref()?)))
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.given().next().is_none()
    }
}

/// The text of a fact: machine files hold numbers, too.
pub(super) fn text_of(value: &Json) -> Option<String> {
    match value {
        Json::Null => None,
        Json::String(text) => Some(text.clone()),
        other => Some(crate::json::to_compact(other)),
    }
}

/// What the host says of the fact `name`; `None` if it says nothing.
pub(super) fn detected_value(detected: &Detected, name: &str) -> Option<String> {
    match name {
        "arch" => Some(detected.arch.clone()),
        "cpu" => Some(detected.cpu.clone()),
        "num_cpu" => Some(detected.num_cpu.clone()),
        "os" => Some(detected.os.clone()),
        "ram" => Some(detected.ram.map_or_else(String::new, ram::in_gigabytes)),
        _ => None,
    }
}

/// Whether the stored fact agrees with the host's; memory does within one gigabyte.
pub(super) fn agrees(stored: &str, detected: &Detected, name: &str) -> bool {
    if name == "ram" {
        return detected.ram.is_none_or(|bytes| ram::means(stored, bytes));
    }
    detected_value(detected, name).is_none_or(|value| value == stored)
}

/// Adds the name and every fact that the entry lacks; returns the names of what was added.
pub(super) fn fill(entry: &mut Object, name: &str, detected: &Detected) -> Vec<&'static str> {
    let mut added = Vec::new();
    if entry.get("machine").and_then(Json::as_str) != Some(name) {
        entry.insert("machine".to_owned(), name.into());
        added.push("machine");
    }
    for field in FIELDS {
        let lacks = entry
            .get(field)
            .is_none_or(|value| text_of(value).is_none());
        if let Some(value) = detected_value(detected, field).filter(|_| lacks) {
            entry.insert(field.to_owned(), value.into());
            added.push(field);
        }
    }
    added
}

/// Brings every fact up to what the host says, as asv's `machine --yes` does, but leaves memory that
/// agrees within one gigabyte as it is written. Other keys stay.
pub(super) fn refresh(entry: &mut Object, detected: &Detected) {
    for field in FIELDS {
        let stored = entry.get(field).and_then(text_of);
        let keeps = stored.is_some_and(|stored| agrees(&stored, detected, field));
        if let Some(value) = detected_value(detected, field).filter(|_| !keeps) {
            entry.insert(field.to_owned(), value.into());
        }
    }
}

/// Sets the facts that are given.
pub(super) fn set(entry: &mut Object, fields: &Fields) {
    for (name, value) in fields.given() {
        entry.insert(name.to_owned(), value.into());
    }
}
