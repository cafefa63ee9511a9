//! The append-only journal of a run: finished benchmarks, a line each, until they are folded in.
//!
//! It lies beside the result file as `<result file>.<unique>.journal`, which asv passes over. The
//! first line is the header, with all that folding needs; every other line is one benchmark, the
//! durations or the provenance, and replaces an earlier line about the same. What follows the last
//! line end is a line that a kill cut short, and does not count. As long as the writer lives it
//! holds a lock on the file.

use std::path::Path;

use indexmap::IndexMap;

use crate::json::{Json, Object, parse, to_compact};
use crate::sys::files::{AppendFile, FileError};

use super::merge::Addition;
use super::read::{self, Detail};
use super::writer::Writer;
use super::{
    BenchmarkProvenance, BenchmarkResult, Provenance, ResultSet, columns, result_file_name, row,
    write,
};

/// The version of the journal's layout.
const VERSION: i64 = 1;

/// How names of journals end.
pub(super) const EXTENSION: &str = ".journal";

/// The journal beside one result file.
#[derive(Debug)]
pub struct Journal {
    file: AppendFile,
}

impl Journal {
    /// Makes the journal of a run in a folder that is locked. `header` has no results.
    pub(super) fn create(folder: &Path, header: &Addition) -> Result<Self, FileError> {
        let writer = Writer::this_process();
        let set = &header.set;
        let file = result_file_name(&set.commit_hash, &set.env_name);
        let name = format!("{file}.{}{EXTENSION}", writer.unique());
        let mut file = AppendFile::create(&folder.join(name))?;
        file.try_lock()?;
        let mut line = Object::new();
        line.insert("journal".to_owned(), VERSION.into());
        line.insert("writer".to_owned(), writer.to_json());
        line.insert("aliases".to_owned(), header.aliases.clone().into());
        line.insert("set".to_owned(), write::to_object(set).into());
        file.append_line(&to_compact(&line.into()))?;
        Ok(Self { file })
    }

    /// Where the journal lies.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Notes a benchmark as it is now; `selected` are the combinations that were measured, all if
    /// `None`. A later note about the same benchmark replaces this one.
    pub fn record(
        &mut self,
        name: &str,
        result: &BenchmarkResult,
        selected: Option<&[usize]>,
        provenance: Option<&BenchmarkProvenance>,
    ) -> Result<(), FileError> {
        let mut line = Object::new();
        line.insert("benchmark".to_owned(), name.into());
        line.insert(
            "row".to_owned(),
            row::to_json(result, &columns::standard_names()),
        );
        if let Some(selected) = selected {
            line.insert("selected".to_owned(), positions(selected));
        }
        if let Some(known) = provenance.and_then(BenchmarkProvenance::to_json) {
            line.insert("lcmbench".to_owned(), known);
        }
        self.append(line)
    }

    /// Notes the seconds of builds and cache set-ups.
    pub fn record_durations(&mut self, durations: &IndexMap<String, f64>) -> Result<(), FileError> {
        let durations: Object = durations
            .iter()
            .map(|(key, seconds)| (key.clone(), (*seconds).into()))
            .collect();
        self.append(Object::from_iter([(
            "durations".to_owned(),
            durations.into(),
        )]))
    }

    /// Notes the provenance anew, for what is known only at the end; that of single benchmarks
    /// comes with them.
    pub fn record_provenance(&mut self, provenance: &Provenance) -> Result<(), FileError> {
        let provenance = provenance.to_json();
        self.append(Object::from_iter([("lcmbench".to_owned(), provenance)]))
    }

    fn append(&mut self, line: Object) -> Result<(), FileError> {
        self.file.append_line(&to_compact(&line.into()))
    }
}

fn positions(selected: &[usize]) -> Json {
    let positions = selected
        .iter()
        .map(|index| Json::Int(i64::try_from(*index).unwrap_or(i64::MAX)))
        .collect();
    Json::Array(positions)
}

/// A journal as it was read.
#[derive(Debug)]
pub(super) struct JournalContent {
    pub(super) writer: Writer,
    pub(super) addition: Addition,
    /// Lines that make no sense, counted.
    pub(super) damaged: usize,
}

impl JournalContent {
    /// Whether there is anything to fold.
    pub(super) fn is_empty(&self) -> bool {
        self.addition.set.results.is_empty() && self.addition.set.durations.is_empty()
    }
}

/// Why a journal cannot be folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NotAJournal {
    /// Its writer was killed before the first line was done: there is nothing in it.
    Empty,
    /// A phrase that goes on after the file's name.
    Unreadable(String),
}

/// Reads the text of a journal.
pub(super) fn read_journal(text: &str) -> Result<JournalContent, NotAJournal> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.split('\n');
    let first = lines.next().filter(|line| !line.is_empty());
    let mut content = header(first.ok_or(NotAJournal::Empty)?)?;
    for line in lines {
        if add_line(&mut content.addition, line).is_none() {
            content.damaged += 1;
        }
    }
    Ok(content)
}

fn header(line: &str) -> Result<JournalContent, NotAJournal> {
    let unreadable = |message: &str| NotAJournal::Unreadable(message.to_owned());
    let json = parse(line).map_err(|error| unreadable(&format!("is damaged ({error})")))?;
    match json.get("journal") {
        Some(Json::Int(VERSION)) => {}
        Some(Json::Int(_)) => return Err(unreadable("was written by a later version")),
        _ => return Err(unreadable("is no journal")),
    }
    let set = json.get("set").map(to_compact).unwrap_or_default();
    let reading = read::read_results(&set, Detail::Full)
        .map_err(|refusal| unreadable(&format!("has a header that {}", refusal.message)))?;
    let aliases = json
        .get("aliases")
        .and_then(Json::as_array)
        .unwrap_or_default();
    let aliases = aliases.iter().filter_map(Json::as_str).map(str::to_owned);
    Ok(JournalContent {
        writer: Writer::from_json(json.get("writer").unwrap_or(&Json::Null)),
        addition: Addition {
            set: reading.set,
            aliases: aliases.collect(),
            selected: IndexMap::new(),
        },
        damaged: 0,
    })
}

/// Puts a line into the addition; `None` if it makes no sense.
fn add_line(addition: &mut Addition, line: &str) -> Option<()> {
    let Json::Object(mut members) = parse(line).ok()? else {
        return None;
    };
    let lcmbench = members.shift_remove("lcmbench");
    if let Some(Json::String(name)) = members.shift_remove("benchmark") {
        let result = row::from_json(&columns::standard_names(), &members.shift_remove("row")?)?;
        let known =
            lcmbench.and_then(|json| BenchmarkProvenance::from_json(&name, json, &mut Vec::new()));
        add_known(&mut addition.set, &name, known);
        match members.shift_remove("selected") {
            Some(selected) => {
                let selected: Option<Vec<usize>> = selected
                    .as_array()?
                    .iter()
                    .map(|index| usize::try_from(index.as_i64()?).ok())
                    .collect();
                addition.selected.insert(name.clone(), selected?);
            }
            None => {
                addition.selected.shift_remove(&name);
            }
        }
        addition.set.results.insert(name, result);
    } else if let Some(Json::Object(durations)) = members.shift_remove("durations") {
        for (key, seconds) in durations {
            addition.set.durations.insert(key, seconds.as_f64()?);
        }
    } else {
        let provenance = Provenance::from_json(lcmbench?, &mut Vec::new())?;
        let old = addition.set.provenance.take().unwrap_or_default();
        addition.set.provenance = Some(Provenance {
            benchmarks: old.benchmarks,
            ..provenance
        });
    }
    Some(())
}

fn add_known(set: &mut ResultSet, name: &str, known: Option<BenchmarkProvenance>) {
    if let Some(known) = known {
        let provenance = set.provenance.get_or_insert_default();
        provenance.benchmarks.insert(name.to_owned(), known);
    } else if let Some(provenance) = &mut set.provenance {
        provenance.benchmarks.shift_remove(name);
    }
}

#[cfg(test)]
mod tests;
