//! `results/<machine>/machine.json`: who measured what lies in a folder.

use std::path::Path;

use crate::json::{Json, Object, parse, to_pretty};
use crate::machine::Machine;
use crate::sys::files::write_atomic;

use super::store::read_text;
use super::{SaveError, Store, row};

/// asv's file about the machine of a folder.
pub const MACHINE_FILE: &str = "machine.json";

/// The version of asv's `machine.json`.
const VERSION: i64 = 1;

impl Store {
    /// Writes the machine's `machine.json` as asv does.
    pub fn save_machine(&self, machine: &Machine) -> Result<(), SaveError> {
        let path = self.machine_path(&machine.name)?.join(MACHINE_FILE);
        let mut members: Object = machine.params();
        members.insert("version".to_owned(), Json::Int(VERSION));
        write_atomic(&path, to_pretty(&members.into()).as_bytes())?;
        Ok(())
    }
}

/// The machine of a `machine.json`; `None` if there is no such file.
pub(super) fn read_machine(path: &Path) -> Result<Option<Machine>, String> {
    if !path.exists() {
        return Ok(None);
    }
    let json = parse(&read_text(path)?).map_err(|error| format!("is no JSON ({error})"))?;
    match json.get("version") {
        Some(Json::Int(VERSION)) => {}
        Some(_) => return Err("is of a version that this does not read".to_owned()),
        None => return Err("has no version".to_owned()),
    }
    let Json::Object(mut members) = json else {
        return Err("is no object".to_owned());
    };
    members.shift_remove("version");
    let Some(Json::String(name)) = members.shift_remove("machine") else {
        return Err("has no `machine`".to_owned());
    };
    let facts = members
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| (key, row::text(value)))
        .collect();
    Ok(Some(Machine { name, facts }))
}
