//! Result files as a test wants to look at them.

use std::path::Path;

use fs_err as fs;
use lcmbench::json::{self, Json};

/// One result file.
#[derive(Debug)]
pub(crate) struct Saved {
    pub(crate) file: Json,
}

impl Saved {
    /// Every result file below `results`, whatever the machine is called, sorted by path.
    pub(crate) fn all(results: &Path) -> Vec<Self> {
        let mut paths = Vec::new();
        for machine in read(results) {
            if machine.is_dir() {
                paths.extend(read(&machine).into_iter().filter(|path| {
                    path.extension().is_some_and(|ending| ending == "json")
                        && path.file_name().is_some_and(|name| name != "machine.json")
                }));
            }
        }
        paths.sort();
        let load = |path: &std::path::PathBuf| Self {
            file: json::parse(&fs::read_to_string(path).unwrap()).unwrap(),
        };
        paths.iter().map(load).collect()
    }

    /// The only result file below `results`.
    pub(crate) fn only(results: &Path) -> Self {
        let mut all = Self::all(results);
        assert_eq!(all.len(), 1, "result files in {}", results.display());
        all.remove(0)
    }

    /// Names of the benchmarks with a result, in the order of the file.
    pub(crate) fn names(&self) -> Vec<&str> {
        let results = self.file.get("results").and_then(Json::as_object).unwrap();
        results.keys().map(String::as_str).collect()
    }

    /// The column `result` of a benchmark, as it is written; `missing` without one.
    pub(crate) fn result(&self, benchmark: &str) -> String {
        let row = self
            .file
            .get("results")
            .and_then(|rows| rows.get(benchmark));
        match row.and_then(Json::as_array) {
            Some(row) => json::to_compact(&row[0]),
            None => String::from("missing"),
        }
    }

    /// What the `lcmbench` key says about a benchmark, as it is written; empty without anything.
    pub(crate) fn remarks(&self, benchmark: &str) -> String {
        let key = self
            .file
            .get("lcmbench")
            .and_then(|key| key.get("benchmarks"));
        key.and_then(|all| all.get(benchmark))
            .map(json::to_compact)
            .unwrap_or_default()
    }
}

fn read(folder: &Path) -> Vec<std::path::PathBuf> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect()
}
