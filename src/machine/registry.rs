//! `~/.asv-machine.json`: the machines that this user measures on.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::json::{self, Json, Object};
use crate::sys::env::Environment;
use crate::sys::files::write_atomic;

use super::{FORMAT, MachineError};

/// The file, read. Entries and keys that nobody asks for are kept as they are.
#[derive(Debug, Clone)]
pub struct Registry {
    path: PathBuf,
    members: Object,
    /// Whether it says something else than the file on disk.
    changed: bool,
}

impl Registry {
    /// Reads the file of the user; one that does not exist is empty.
    pub fn open(environment: &Environment) -> Result<Self, MachineError> {
        let home = environment.path("HOME").ok_or(MachineError::NoHome)?;
        Self::read(&home.join(".asv-machine.json"))
    }

    fn read(path: &Path) -> Result<Self, MachineError> {
        let empty = Self {
            path: path.to_owned(),
            members: Object::new(),
            changed: false,
        };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(empty),
            Err(error) => return Err(MachineError::Read(error)),
        };
        let value = json::parse(&text).map_err(|source| MachineError::Broken {
            path: path.to_owned(),
            source,
        })?;
        let shape = || MachineError::Shape {
            path: path.to_owned(),
        };
        let Json::Object(members) = value else {
            return Err(shape());
        };
        for (name, entry) in &members {
            if name == "version" {
                if entry.as_i64() != Some(FORMAT) {
                    return Err(MachineError::Version {
                        path: path.to_owned(),
                        version: json::to_compact(entry),
                    });
                }
            } else if entry.as_object().is_none() {
                return Err(shape());
            }
        }
        Ok(Self { members, ..empty })
    }

    /// Where the file lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The entry called `name`.
    pub fn get(&self, name: &str) -> Option<&Object> {
        if name == "version" {
            return None;
        }
        self.members.get(name)?.as_object()
    }

    /// The names of all machines, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members
            .keys()
            .map(String::as_str)
            .filter(|name| *name != "version")
    }

    /// Name and entry of the only machine, if there is exactly one.
    pub(super) fn only(&self) -> Option<(&str, &Object)> {
        let mut names = self.names();
        let name = names.next()?;
        match names.next() {
            Some(_) => None,
            None => self.get(name).map(|entry| (name, entry)),
        }
    }

    /// Puts an entry in, in place of the one of that name.
    pub(super) fn set(&mut self, name: &str, entry: Object) {
        if self.get(name) != Some(&entry) {
            self.members.insert(name.to_owned(), Json::Object(entry));
            self.changed = true;
        }
    }

    /// Writes the file if anything was changed.
    pub fn save(&mut self) -> Result<(), MachineError> {
        if !self.changed {
            return Ok(());
        }
        self.members
            .entry("version".to_owned())
            .or_insert(Json::Int(FORMAT));
        let content = json::to_pretty(&Json::Object(self.members.clone()));
        write_atomic(&self.path, content.as_bytes()).map_err(MachineError::Write)?;
        self.changed = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Registry, MachineError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".asv-machine.json");
        fs::write(&path, text).unwrap();
        Registry::read(&path)
    }

    #[test]
    fn other_entries_odd_keys_and_the_version_survive() {
        let folder = tempfile::tempdir().unwrap();
        let environment: Environment = [("HOME", folder.path())].into_iter().collect();
        let path = folder.path().join(".asv-machine.json");
        fs::write(
            &path,
            "{\"b\": {\"ram\": 8589934592, \"gpu\": [\"A100\"], \"machine\": \"b\"}, \"version\": 1}",
        )
        .unwrap();
        let mut registry = Registry::open(&environment).unwrap();
        let entry: Object = [("machine".to_owned(), "a".into())].into_iter().collect();
        registry.set("a", entry);
        registry.save().unwrap();
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "{\n    \"a\": {\n        \"machine\": \"a\"\n    },\n    \"b\": {\n        \"gpu\": [\n            \
             \"A100\"\n        ],\n        \"machine\": \"b\",\n        \"ram\": 8589934592\n    },\n    \
             \"version\": 1\n}"
        );
    }

    #[test]
    fn nothing_is_written_without_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".asv-machine.json");
        let mut registry = Registry::read(&path).unwrap();
        registry.save().unwrap();
        assert!(!path.exists());
        fs::write(&path, "{\"a\": {\"machine\": \"a\"}}").unwrap();
        let mut registry = Registry::read(&path).unwrap();
        let same = registry.get("a").unwrap().clone();
        registry.set("a", same);
        registry.save().unwrap();
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "{\"a\": {\"machine\": \"a\"}}"
        );
    }

    #[test]
    fn the_only_machine_is_found_whatever_the_version_key_counts() {
        let one = read("{\"version\": 1, \"x\": {}}").unwrap();
        assert_eq!(one.only().map(|(name, _)| name), Some("x"));
        assert!(read("{\"x\": {}, \"y\": {}}").unwrap().only().is_none());
        assert!(read("{}").unwrap().only().is_none());
        assert!(one.get("version").is_none());
    }

    #[test]
    fn files_that_cannot_be_used_say_why() {
        assert!(matches!(
            read("{\"a\": {},"),
            Err(MachineError::Broken { .. })
        ));
        assert!(matches!(read("[1]"), Err(MachineError::Shape { .. })));
        assert!(matches!(
            read("{\"a\": 1}"),
            Err(MachineError::Shape { .. })
        ));
        let newer = read("{\"version\": 2}").unwrap_err().to_string();
        assert!(newer.contains("has version 2"), "{newer}");
        assert!(matches!(
            Registry::open(&Environment::default()),
            Err(MachineError::NoHome)
        ));
    }
}
