//! Reads `asv.conf.json`.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::json::{Json, Object};

use super::ConfigError;
use super::asv_keys::{self, KEYS, says_something, whole};
use super::json5_text::{self, Json5Error};
use super::nearest::suggestion;

/// The version of the format that asv writes and this tool reads.
const FORMAT: i64 = 1;

/// What stands in an `asv.conf.json`; `None` where a key is absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct AsvFile {
    pub(super) path: PathBuf,
    pub(super) project: Option<String>,
    pub(super) project_url: Option<String>,
    pub(super) repo: Option<String>,
    pub(super) branches: Option<Vec<Option<String>>>,
    pub(super) benchmark_dir: Option<String>,
    pub(super) results_dir: Option<String>,
    pub(super) html_dir: Option<String>,
    pub(super) env_dir: Option<String>,
    pub(super) show_commit_url: Option<String>,
    pub(super) hash_length: Option<usize>,
    /// Seconds.
    pub(super) default_benchmark_timeout: Option<f64>,
    /// The interpreter of `pythons`, where `environment_type` is `existing` and one is named.
    pub(super) python: Option<String>,
    /// `auto`, `spawn` or `forkserver`.
    pub(super) launch_method: Option<String>,
    pub(super) warnings: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// Reads the file and checks its keys.
pub(super) fn read(path: &Path) -> Result<AsvFile, ConfigError> {
    let text = fs::read_to_string(path).map_err(ConfigError::read)?;
    interpret(path, &text)
}

/// [`read`] without the disk.
fn interpret(path: &Path, text: &str) -> Result<AsvFile, ConfigError> {
    let members = json5_text::parse(text).map_err(|error| syntax(path, error))?;
    let source = Source {
        path,
        members: &members,
        lines: json5_text::key_lines(text),
    };
    source.check_version()?;
    source.check_types()?;
    source.check_values()?;
    Ok(AsvFile {
        path: path.to_owned(),
        project: source.text("project"),
        project_url: source.text("project_url"),
        repo: source.text("repo").filter(|repo| !repo.is_empty()),
        branches: source.branches(),
        benchmark_dir: source.text("benchmark_dir"),
        results_dir: source.text("results_dir"),
        html_dir: source.text("html_dir"),
        env_dir: source.text("env_dir"),
        show_commit_url: source.text("show_commit_url"),
        hash_length: source
            .get("hash_length")
            .and_then(whole)
            .and_then(|length| usize::try_from(length).ok()),
        default_benchmark_timeout: source
            .get("default_benchmark_timeout")
            .and_then(Json::as_f64),
        python: source.python(),
        launch_method: source.text("launch_method"),
        warnings: source.warnings(),
        notes: source.notes(),
    })
}

fn syntax(path: &Path, error: Json5Error) -> ConfigError {
    ConfigError::Syntax {
        path: path.to_owned(),
        line: error.line,
        column: error.column,
        message: error.message,
    }
}

struct Source<'a> {
    path: &'a Path,
    members: &'a Object,
    lines: Vec<(String, usize)>,
}

impl Source<'_> {
    fn get(&self, key: &str) -> Option<&Json> {
        self.members.get(key)
    }

    fn text(&self, key: &str) -> Option<String> {
        self.get(key)?.as_str().map(str::to_owned)
    }

    /// The line of the occurrence that counts: the last.
    fn line(&self, key: &str) -> usize {
        self.lines
            .iter()
            .rev()
            .find(|(name, _)| name == key)
            .map_or(1, |(_, line)| *line)
    }

    fn wrong(&self, key: &str, message: impl Into<String>) -> ConfigError {
        ConfigError::Key {
            path: self.path.to_owned(),
            line: self.line(key),
            message: message.into(),
        }
    }

    fn check_version(&self) -> Result<(), ConfigError> {
        let Some(version) = self.get("version") else {
            return Err(ConfigError::File {
                path: self.path.to_owned(),
                message: format!("the key `version` is missing; write `\"version\": {FORMAT}`"),
            });
        };
        match whole(version) {
            Some(FORMAT) => Ok(()),
            Some(older) if older < FORMAT => Err(self.wrong(
                "version",
                format!("`version` {older} is an old format; update the file to version {FORMAT}"),
            )),
            Some(newer) => Err(self.wrong(
                "version",
                format!("`version` {newer} is newer than the {FORMAT} that this lcmbench reads"),
            )),
            None => Err(self.wrong("version", format!("`version` must be the number {FORMAT}"))),
        }
    }

    fn check_types(&self) -> Result<(), ConfigError> {
        for (name, value) in self.members {
            if let Some(complaint) = asv_keys::find(name).and_then(|key| key.complaint(value)) {
                return Err(self.wrong(name, complaint));
            }
        }
        Ok(())
    }

    fn check_values(&self) -> Result<(), ConfigError> {
        for key in ["benchmark_dir", "results_dir", "html_dir", "env_dir"] {
            if self.get(key).and_then(Json::as_str) == Some("") {
                return Err(self.wrong(key, format!("`{key}` is empty; it must name a folder")));
            }
        }
        if self.get("branches").and_then(Json::as_array) == Some(&[]) {
            return Err(self.wrong(
                "branches",
                "`branches` is empty; name a branch or leave it out",
            ));
        }
        if let Some(timeout) = self.get("default_benchmark_timeout").and_then(Json::as_f64)
            && (timeout.is_nan() || timeout <= 0.0)
        {
            return Err(self.wrong(
                "default_benchmark_timeout",
                "`default_benchmark_timeout` must be a number of seconds above 0",
            ));
        }
        if let Some(length) = self.get("hash_length").and_then(whole)
            && !(1..=40).contains(&length)
        {
            return Err(self.wrong("hash_length", "`hash_length` must be between 1 and 40"));
        }
        if let Some(method) = self.get("launch_method").and_then(Json::as_str)
            && !matches!(method, "auto" | "spawn" | "forkserver")
        {
            return Err(self.wrong(
                "launch_method",
                format!(
                    "`launch_method` is `{method}`; it must be `auto`, `spawn` or `forkserver`"
                ),
            ));
        }
        Ok(())
    }

    fn branches(&self) -> Option<Vec<Option<String>>> {
        let items = self.get("branches")?.as_array()?;
        Some(
            items
                .iter()
                .map(|item| item.as_str().map(str::to_owned))
                .collect(),
        )
    }

    fn pythons(&self) -> Vec<&str> {
        let items = self
            .get("pythons")
            .and_then(Json::as_array)
            .unwrap_or_default();
        items.iter().filter_map(Json::as_str).collect()
    }

    fn is_existing(&self) -> bool {
        self.get("environment_type").and_then(Json::as_str) == Some("existing")
    }

    fn python(&self) -> Option<String> {
        match self.pythons()[..] {
            [only] if self.is_existing() && only != "same" => Some(only.to_owned()),
            _ => None,
        }
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for (name, value) in self.members {
            if asv_keys::find(name).is_none() {
                let meant = suggestion(name, KEYS.iter().map(|key| key.name));
                let path = self.path.display();
                let line = self.line(name);
                // asv keeps unknown keys for its plugins, so this is no error.
                warnings.push(format!("{path}, line {line}: unknown key `{name}`{meant}"));
            } else if let Some((first, last)) = self.repeated(name) {
                let path = self.path.display();
                warnings.push(format!(
                    "{path}, line {last}: `{name}` stands on line {first} too; this one counts"
                ));
            }
            if name == "repo" && value.as_str() == Some("") {
                let path = self.path.display();
                let line = self.line(name);
                warnings.push(format!(
                    "{path}, line {line}: `repo` is empty; asv refuses that"
                ));
            }
        }
        warnings
    }

    fn repeated(&self, key: &str) -> Option<(usize, usize)> {
        let mut lines = self.lines.iter().filter(|(name, _)| name == key);
        let first = lines.next()?.1;
        let last = lines.next_back()?.1;
        Some((first, last))
    }

    fn notes(&self) -> Vec<String> {
        let passed_over: Vec<String> = self
            .members
            .iter()
            .filter(|(name, value)| self.is_passed_over(name, value))
            .map(|(name, _)| format!("`{name}` (line {})", self.line(name)))
            .collect();
        if passed_over.is_empty() {
            return Vec::new();
        }
        vec![format!(
            "{}: this version does not act on {}; it measures in a Python environment that exists",
            self.path.display(),
            passed_over.join(", ")
        )]
    }

    /// Whether the user asks for something with this key that does not happen.
    fn is_passed_over(&self, name: &str, value: &Json) -> bool {
        match name {
            "environment_type" => says_something(value) && !self.is_existing(),
            "pythons" => match self.pythons()[..] {
                [] => false,
                [only] => only != "same" && !self.is_existing(),
                _ => true,
            },
            "dvcs" => says_something(value) && value.as_str() != Some("git"),
            _ => asv_keys::find(name).is_some_and(|key| !key.acted_on) && says_something(value),
        }
    }
}

#[cfg(test)]
mod tests;
