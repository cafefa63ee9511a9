//! Who measures: the machine's identity in asv's format, and facts about the host's noise.

use std::collections::BTreeMap;

use crate::json::Object;

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
}
