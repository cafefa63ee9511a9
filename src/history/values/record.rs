//! Values as bytes: little-endian, every text and list after its length.

use std::collections::HashMap;
use std::sync::Arc;

use crate::history::borders::fact_named;

use super::{FileValues, RowKey, RowValues};

/// Stands for no version.
const NONE: u32 = u32::MAX;

/// Keys and versions that records refer to by their number.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    pub(super) keys: Vec<Arc<RowKey>>,
    pub(super) versions: Vec<Arc<str>>,
    key_places: HashMap<Arc<RowKey>, u32>,
    version_places: HashMap<Arc<str>, u32>,
}

/// What was new in a record, in the order of the numbers.
#[derive(Debug, Default)]
pub(super) struct Additions {
    pub(super) keys: Vec<Arc<RowKey>>,
    pub(super) versions: Vec<Arc<str>>,
}

impl Dictionary {
    pub(super) fn add_key(&mut self, key: Arc<RowKey>) -> u32 {
        let place = number(self.keys.len());
        self.keys.push(Arc::clone(&key));
        self.key_places.insert(key, place);
        place
    }

    /// The key that is there already, or this one.
    pub(super) fn known(&self, key: RowKey) -> Arc<RowKey> {
        let known = self.key_places.get_key_value(&key);
        known.map_or_else(|| Arc::new(key), |(known, _)| Arc::clone(known))
    }

    pub(super) fn add_version(&mut self, version: Arc<str>) -> u32 {
        let place = number(self.versions.len());
        self.versions.push(Arc::clone(&version));
        self.version_places.insert(version, place);
        place
    }

    /// The record of these values, and what it made new.
    pub(super) fn encode(&mut self, values: &FileValues) -> (Vec<u8>, Additions) {
        let mut new = Additions::default();
        let mut out = Writer::default();
        out.text(&values.commit);
        out.text(&values.environment);
        out.number(values.facts.len());
        for (name, fact) in &values.facts {
            out.text(name);
            out.text(fact);
        }
        out.number(values.rows.len());
        for row in &values.rows {
            let key = self.key_places.get(&row.key).copied();
            out.word(key.unwrap_or_else(|| {
                new.keys.push(Arc::clone(&row.key));
                self.add_key(Arc::clone(&row.key))
            }));
            let version = row.version.as_ref().map_or(NONE, |version| {
                let known = self.version_places.get(version).copied();
                known.unwrap_or_else(|| {
                    new.versions.push(Arc::clone(version));
                    self.add_version(Arc::clone(version))
                })
            });
            out.word(version);
            out.number(row.values.len());
            out.number(row.bounds.len());
            for value in &row.values {
                out.0.extend_from_slice(&value.to_le_bytes());
            }
            for bound in row.bounds.as_flattened() {
                out.0.extend_from_slice(&bound.to_le_bytes());
            }
        }
        (out.0, new)
    }

    /// The values of a record; `None` for what is none.
    pub(super) fn decode(&self, record: &[u8]) -> Option<FileValues> {
        let mut from = Reader(record);
        let mut values = FileValues {
            commit: from.text()?.to_owned(),
            environment: from.text()?.to_owned(),
            ..FileValues::default()
        };
        for _ in 0..from.word()? {
            let name = fact_named(from.text()?)?;
            values.facts.insert(name, from.text()?.to_owned());
        }
        let rows = from.word()?;
        for _ in 0..rows {
            let key = Arc::clone(self.keys.get(place(from.word()?))?);
            let version = match from.word()? {
                NONE => None,
                version => Some(Arc::clone(self.versions.get(place(version))?)),
            };
            let (count, bounded) = (place(from.word()?), place(from.word()?));
            let (numbers, _) = from.take(count.checked_mul(8)?)?.as_chunks::<8>();
            let (bounds, _) = from.take(bounded.checked_mul(8)?)?.as_chunks::<8>();
            values.rows.push(RowValues {
                key,
                version,
                values: numbers
                    .iter()
                    .map(|word| f64::from_le_bytes(*word))
                    .collect(),
                bounds: bounds
                    .iter()
                    .map(|&[a, b, c, d, e, f, g, h]| {
                        [
                            f32::from_le_bytes([a, b, c, d]),
                            f32::from_le_bytes([e, f, g, h]),
                        ]
                    })
                    .collect(),
            });
        }
        from.0.is_empty().then_some(values)
    }
}

impl RowKey {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.text(&self.benchmark);
        out.number(self.params.len());
        for axis in &self.params {
            out.number(axis.len());
            for value in axis {
                out.text(value);
            }
        }
        out.0
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let benchmark = from.text()?.into();
        let mut params = Vec::new();
        for _ in 0..from.word()? {
            let mut axis = Vec::new();
            for _ in 0..from.word()? {
                axis.push(from.text()?.to_owned());
            }
            params.push(axis);
        }
        from.0.is_empty().then_some(Self { benchmark, params })
    }
}

#[derive(Debug, Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn word(&mut self, word: u32) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    fn number(&mut self, length: usize) {
        self.word(number(length));
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }
}

struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn word(&mut self) -> Option<u32> {
        let bytes = self.take(4)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    }

    fn text(&mut self) -> Option<&'b str> {
        let length = place(self.word()?);
        std::str::from_utf8(self.take(length)?).ok()
    }
}

/// Longer lists do not occur: the file that they came from would be larger than any memory.
fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn place(word: u32) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}
