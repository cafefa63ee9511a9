//! What was gathered before, so that it is not gone through again.
//!
//! The ledger is disposable: without it everything is read again. It is of one version of this
//! program and one set of rules. A file counts as known only if it is the very one: by size, times
//! and number on the disk, or else by the digest of its content.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fs_err as fs;
use sha2::{Digest as _, Sha256};

use crate::json::{Json, Object, parse, to_compact};
use crate::sys::files::{Stamp, write_whole};

/// Raised whenever what is stored, or what is done to results, changes.
const FORMAT: i64 = 2;

/// The digest of a content.
pub(in crate::history) fn digest(content: &[u8]) -> String {
    let mut text = String::with_capacity(32);
    for byte in &Sha256::digest(content)[..16] {
        text.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or('0'));
        text.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or('0'));
    }
    text
}

/// What must be known of a file of the history without reading it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Facts {
    /// Full hash of the measured commit.
    pub(super) commit: String,
    pub(super) date: i64,
    pub(super) environment: String,
    pub(super) python: String,
    /// The benchmarks with results.
    pub(super) names: Arc<[String]>,
}

/// A file of the history, as it was left.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Settled {
    pub(super) stamp: Stamp,
    pub(super) digest: String,
    /// Digest of the description of its machine.
    pub(super) machine: String,
    pub(super) facts: Facts,
}

/// A local file whose results are in the history.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Taken {
    pub(super) stamp: Stamp,
    pub(super) digest: String,
    /// The file of the history, relative, and its digest with these results in it.
    pub(super) target: String,
    pub(super) target_digest: String,
}

/// All that is known.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    /// By path below the folder of the history.
    pub(super) settled: BTreeMap<String, Settled>,
    /// By absolute path.
    pub(super) taken: BTreeMap<String, Taken>,
    /// Files that were changed before this are known by their stamps.
    pub(super) trusted_before: Duration,
}

impl Ledger {
    /// Reads the ledger of these rules; an empty one if there is none that can be used.
    pub(super) fn read(path: &Path, rules: &str) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        parse(&text)
            .ok()
            .and_then(|json| Self::from_json(&json, rules))
            .unwrap_or_default()
    }

    /// Writes the ledger. A failure is no error: everything is read again the next time.
    pub(super) fn write(&self, path: &Path, rules: &str) {
        let text = to_compact(&self.to_json(rules));
        write_whole(path, text.as_bytes()).ok();
    }

    /// Whether the file is the known one; returns its present stamp.
    pub(super) fn is_still(&self, path: &Path, stamp: Stamp, known: &str) -> Option<Stamp> {
        let present = Stamp::of(path)?;
        let trusted = present == stamp && present.is_before(self.trusted_before);
        (trusted || digest(&fs::read(path).ok()?) == known).then_some(present)
    }

    fn to_json(&self, rules: &str) -> Json {
        let mut suites: Vec<Json> = Vec::new();
        let mut places: HashMap<&[String], usize> = HashMap::new();
        let mut settled = Object::new();
        for (path, entry) in &self.settled {
            let names: &[String] = &entry.facts.names;
            let place = *places.entry(names).or_insert_with(|| {
                suites.push(names.to_vec().into());
                suites.len() - 1
            });
            let record = vec![
                stamp_json(entry.stamp),
                entry.digest.clone().into(),
                entry.machine.clone().into(),
                entry.facts.date.into(),
                entry.facts.environment.clone().into(),
                entry.facts.python.clone().into(),
                i64::try_from(place).unwrap_or(-1).into(),
                entry.facts.commit.clone().into(),
            ];
            settled.insert(path.clone(), Json::Array(record));
        }
        let taken: Object = self
            .taken
            .iter()
            .map(|(path, entry)| {
                let record = vec![
                    stamp_json(entry.stamp),
                    entry.digest.clone().into(),
                    entry.target.clone().into(),
                    entry.target_digest.clone().into(),
                ];
                (path.clone(), Json::Array(record))
            })
            .collect();
        let trusted = Stamp::trusted_before();
        let members: Object = [
            ("format", Json::from(FORMAT)),
            ("program", env!("CARGO_PKG_VERSION").to_owned().into()),
            ("rules", rules.to_owned().into()),
            (
                "trusted_before",
                i64::try_from(trusted.as_nanos()).unwrap_or(0).into(),
            ),
            ("suites", Json::Array(suites)),
            ("settled", settled.into()),
            ("taken", taken.into()),
        ]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect();
        members.into()
    }

    fn from_json(json: &Json, rules: &str) -> Option<Self> {
        let is_ours = json.get("format")?.as_i64()? == FORMAT
            && json.get("program")?.as_str()? == env!("CARGO_PKG_VERSION")
            && json.get("rules")?.as_str()? == rules;
        is_ours.then_some(())?;
        let suites: Option<Vec<Arc<[String]>>> = json
            .get("suites")?
            .as_array()?
            .iter()
            .map(|names| {
                let names = names.as_array()?.iter();
                names.map(|name| name.as_str().map(str::to_owned)).collect()
            })
            .collect();
        let suites = suites?;
        let mut ledger = Self {
            trusted_before: Duration::from_nanos(
                u64::try_from(json.get("trusted_before")?.as_i64()?).ok()?,
            ),
            ..Self::default()
        };
        for (path, record) in json.get("settled")?.as_object()? {
            let fields = record.as_array()?;
            let text = |at: usize| fields.get(at)?.as_str().map(str::to_owned);
            let place = usize::try_from(fields.get(6)?.as_i64()?).ok()?;
            let entry = Settled {
                stamp: stamp_from(fields.first()?)?,
                digest: text(1)?,
                machine: text(2)?,
                facts: Facts {
                    commit: text(7)?,
                    date: fields.get(3)?.as_i64()?,
                    environment: text(4)?,
                    python: text(5)?,
                    names: Arc::clone(suites.get(place)?),
                },
            };
            ledger.settled.insert(path.clone(), entry);
        }
        for (path, record) in json.get("taken")?.as_object()? {
            let fields = record.as_array()?;
            let text = |at: usize| fields.get(at)?.as_str().map(str::to_owned);
            let entry = Taken {
                stamp: stamp_from(fields.first()?)?,
                digest: text(1)?,
                target: text(2)?,
                target_digest: text(3)?,
            };
            ledger.taken.insert(path.clone(), entry);
        }
        Some(ledger)
    }
}

fn stamp_json(stamp: Stamp) -> Json {
    stamp.numbers().map(Json::from).to_vec().into()
}

fn stamp_from(json: &Json) -> Option<Stamp> {
    let numbers: Option<Vec<i64>> = json.as_array()?.iter().map(Json::as_i64).collect();
    numbers?.try_into().ok().map(Stamp::from_numbers)
}

#[cfg(test)]
mod tests;
