//! What each file was drawn from, so that one whose sources are the same is not drawn again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fs_err as fs;

use crate::json::{Json, Object, parse, to_compact};
use crate::sys::files::{Stamp, write_whole};

/// Raised whenever the same sources are drawn otherwise.
const FORMAT: i64 = 1;

/// The memory of one folder; it may be deleted at any time.
#[derive(Debug, Default)]
pub(super) struct Memory {
    path: Option<PathBuf>,
    known: HashMap<String, Drawing>,
    trusted_before: Duration,
    /// What is there now.
    present: Vec<(String, Drawing)>,
}

/// A file as it was drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Drawing {
    /// Digest of what it was drawn from.
    source: String,
    stamp: Stamp,
}

impl Memory {
    /// Reads the memory at a path; an empty one if there is none that can be used.
    pub(super) fn read(path: Option<&Path>) -> Self {
        let text = path.and_then(|path| fs::read_to_string(path).ok());
        let read = text.and_then(|text| Self::from_json(&parse(&text).ok()?));
        Self {
            path: path.map(Path::to_owned),
            ..read.unwrap_or_default()
        }
    }

    /// Whether the file is the one that was drawn from this; if so it is remembered on.
    pub(super) fn is_from(&mut self, name: &str, path: &Path, source: &str) -> bool {
        let Some(known) = self.known.get(name) else {
            return false;
        };
        let same = known.source == source
            && known.stamp.is_before(self.trusted_before)
            && Stamp::of(path) == Some(known.stamp);
        if same {
            self.present.push((name.to_owned(), known.clone()));
        }
        same
    }

    /// Remembers a file that was drawn from this.
    pub(super) fn add(&mut self, name: &str, path: &Path, source: String) {
        if let Some(stamp) = Stamp::of(path).filter(|_| self.path.is_some()) {
            self.present
                .push((name.to_owned(), Drawing { source, stamp }));
        }
    }

    /// Writes down what is there now. A failure is no error: everything is drawn again.
    pub(super) fn write(&self) {
        if let Some(path) = &self.path {
            write_whole(path, to_compact(&self.to_json()).as_bytes()).ok();
        }
    }

    fn to_json(&self) -> Json {
        let files = self.present.iter().map(|(name, drawing)| {
            let numbers = drawing.stamp.numbers().map(Json::from);
            let mut record = vec![drawing.source.clone().into()];
            record.extend(numbers);
            (name.clone(), Json::Array(record))
        });
        let trusted = Stamp::trusted_before().as_nanos();
        Json::from([
            ("format", Json::from(FORMAT)),
            ("program", env!("CARGO_PKG_VERSION").to_owned().into()),
            ("trusted_before", i64::try_from(trusted).unwrap_or(0).into()),
            ("files", files.collect::<Object>().into()),
        ])
    }

    fn from_json(json: &Json) -> Option<Self> {
        let is_ours = json.get("format")?.as_i64()? == FORMAT
            && json.get("program")?.as_str()? == env!("CARGO_PKG_VERSION");
        is_ours.then_some(())?;
        let trusted = u64::try_from(json.get("trusted_before")?.as_i64()?).ok()?;
        let mut known = HashMap::new();
        for (name, record) in json.get("files")?.as_object()? {
            let (source, numbers) = record.as_array()?.split_first()?;
            let numbers: Option<Vec<i64>> = numbers.iter().map(Json::as_i64).collect();
            let drawing = Drawing {
                source: source.as_str()?.to_owned(),
                stamp: Stamp::from_numbers(numbers?.try_into().ok()?),
            };
            known.insert(name.clone(), drawing);
        }
        Some(Self {
            known,
            trusted_before: Duration::from_nanos(trusted),
            ..Self::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_until_it_or_its_source_changes() {
        let folder = tempfile::tempdir().unwrap();
        let (path, drawn) = (folder.path().join("memory"), folder.path().join("a.js"));
        fs::write(&drawn, "1").unwrap();
        let mut memory = Memory::read(Some(&path));
        assert!(!memory.is_from("a.js", &drawn, "s"));
        memory.add("a.js", &drawn, "s".to_owned());
        memory.write();
        // A file that was written just now may change again within a tick.
        assert!(!Memory::read(Some(&path)).is_from("a.js", &drawn, "s"));
        let later = || {
            let mut memory = Memory::read(Some(&path));
            memory.trusted_before = Duration::MAX;
            memory
        };
        assert!(later().is_from("a.js", &drawn, "s"));
        assert!(!later().is_from("a.js", &drawn, "other"));
        assert!(!later().is_from("b.js", &drawn, "s"));
        fs::write(&drawn, "22").unwrap();
        assert!(!later().is_from("a.js", &drawn, "s"));
        fs::remove_file(&drawn).unwrap();
        assert!(!later().is_from("a.js", &drawn, "s"));
        fs::write(&path, "{\"format\": 0}").unwrap();
        assert!(later().known.is_empty());
    }
}
