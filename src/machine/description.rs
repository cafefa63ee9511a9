//! A machine as asv describes it, and its file in the results folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::json::{self, Json, Object};
use crate::sys::files::write_atomic;

use super::{FORMAT, MachineError};

/// A machine as asv describes it. All values are text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Machine {
    /// The name under which results are filed (`machine` on disk).
    pub name: String,
    /// `arch`, `cpu`, `num_cpu`, `os`, `ram` and whatever else the file holds.
    pub facts: BTreeMap<String, String>,
}

impl Machine {
    /// The machine's part of a result's `params`: all facts and `machine`, sorted by key.
    pub fn params(&self) -> Object {
        let mut all: BTreeMap<&str, &str> = self
            .facts
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        all.insert("machine", &self.name);
        all.into_iter()
            .map(|(key, value)| (key.to_owned(), value.into()))
            .collect()
    }

    /// The machine's folder in a results folder.
    pub fn folder(&self, results: &Path) -> PathBuf {
        results.join(&self.name)
    }

    /// Writes `<results>/<machine>/machine.json`, unless it says the same already.
    pub fn save(&self, results: &Path) -> Result<(), MachineError> {
        let mut members = self.params();
        members.insert("version".to_owned(), Json::Int(FORMAT));
        let content = json::to_pretty(&Json::Object(members));
        let path = self.folder(results).join("machine.json");
        if fs::read_to_string(&path).is_ok_and(|stored| stored == content) {
            return Ok(());
        }
        write_atomic(&path, content.as_bytes()).map_err(MachineError::Write)
    }
}

/// The name must be one that a folder can have.
pub fn check_name(name: &str) -> Result<(), MachineError> {
    let unusable = name.trim().is_empty()
        || matches!(name, "." | ".." | "version")
        || name.contains(['/', '\0', '\n']);
    if unusable {
        return Err(MachineError::Name {
            name: name.to_owned(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_file_is_as_asv_writes_it() {
        let machine = Machine {
            name: "vm".to_owned(),
            facts: [
                ("ram", "25GB"),
                ("os", "Linux 6.18.44"),
                ("num_cpu", "2"),
                ("cpu", "Intel(R) Xeon(R) Processor"),
                ("arch", "x86_64"),
            ]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
        };
        let results = tempfile::tempdir().unwrap();
        machine.save(results.path()).unwrap();
        let path = results.path().join("vm/machine.json");
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "{\n    \"arch\": \"x86_64\",\n    \"cpu\": \"Intel(R) Xeon(R) Processor\",\n    \
             \"machine\": \"vm\",\n    \"num_cpu\": \"2\",\n    \"os\": \"Linux 6.18.44\",\n    \
             \"ram\": \"25GB\",\n    \"version\": 1\n}"
        );
        let keys: Vec<String> = machine.params().into_keys().collect();
        assert_eq!(keys, ["arch", "cpu", "machine", "num_cpu", "os", "ram"]);

        let written = fs::metadata(&path).unwrap().modified().unwrap();
        machine.save(results.path()).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), written);
    }

    #[test]
    fn names_that_no_folder_can_have_are_refused() {
        for name in ["", " ", ".", "..", "a/b", "a\0b", "version"] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        for name in ["gpu-01", "Some-MBP.example.club", "größe", "a b"] {
            assert!(check_name(name).is_ok(), "{name:?}");
        }
    }
}
