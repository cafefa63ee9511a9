//! Reads `lcmbench.toml` and the table `[tool.lcmbench]` of `pyproject.toml`.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::ConfigError;
use super::nearest::suggestion;
use super::toml_model::TomlSettings;

/// The settings of a TOML file, and its text for the lines of messages.
#[derive(Debug, Clone, Default)]
pub(super) struct TomlFile {
    pub(super) path: PathBuf,
    text: String,
    pub(super) settings: TomlSettings,
}

#[derive(Deserialize)]
struct PyProject {
    tool: Option<Tools>,
}

#[derive(Deserialize)]
struct Tools {
    lcmbench: Option<TomlSettings>,
}

impl TomlFile {
    /// Reads the text of an `lcmbench.toml`.
    pub(super) fn of_own_file(path: &Path, text: String) -> Result<Self, ConfigError> {
        match toml::from_str(&text) {
            Ok(settings) => Ok(Self {
                path: path.to_owned(),
                text,
                settings,
            }),
            Err(error) => Err(explained(path, &text, &error)),
        }
    }

    /// Reads the text of a `pyproject.toml`; `None` if it has no `[tool.lcmbench]`.
    pub(super) fn of_pyproject(path: &Path, text: String) -> Result<Option<Self>, ConfigError> {
        let project: PyProject =
            toml::from_str(&text).map_err(|error| explained(path, &text, &error))?;
        let settings = project.tool.and_then(|tools| tools.lcmbench);
        Ok(settings.map(|settings| Self {
            path: path.to_owned(),
            text,
            settings,
        }))
    }

    /// An error at the given place in the text.
    pub(super) fn wrong(&self, span: &Range<usize>, message: impl Into<String>) -> ConfigError {
        ConfigError::Key {
            path: self.path.clone(),
            line: line_of(&self.text, span.start),
            message: message.into(),
        }
    }

    /// Where `part` stands as it is written inside `span`, or all of `span`: the line of one item of a
    /// list that goes over several.
    pub(super) fn span_of(&self, span: &Range<usize>, part: &str) -> Range<usize> {
        let within = self.text.get(span.clone()).unwrap_or_default();
        match within.find(part) {
            Some(at) => span.start + at..span.start + at + part.len(),
            None => span.clone(),
        }
    }
}

/// 1-based line of the byte at `offset`.
fn line_of(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or(text);
    before.matches('\n').count() + 1
}

fn explained(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let span = error.span().unwrap_or(0..0);
    let message = error.message().trim_end().replace('\n', ", ");
    let message = if let Some((kind, word, known)) = unknown_word(&message) {
        let listed = known
            .iter()
            .map(|key| format!("`{key}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let meant = suggestion(word, known.iter().copied());
        format!("unknown {kind} `{word}`{meant} (known here: {listed})")
    } else if let Some(key) = key_of_line(text, span.start) {
        format!("`{key}`: {message}")
    } else {
        message
    };
    ConfigError::Key {
        path: path.to_owned(),
        line: line_of(text, span.start),
        message,
    }
}

/// What serde says of a word that is not in its list: whether a key or a value is meant, the word, and
/// the list.
fn unknown_word(message: &str) -> Option<(&'static str, &str, Vec<&str>)> {
    let (kind, rest) = if let Some(rest) = message.strip_prefix("unknown field ") {
        ("key", rest)
    } else {
        ("value", message.strip_prefix("unknown variant ")?)
    };
    // Odd parts of the text between backticks are the words.
    let mut words = rest.split('`').skip(1).step_by(2);
    let word = words.next()?;
    Some((kind, word, words.collect()))
}

/// The key of the line `key = value` that `offset` lies in, if it lies in the value.
fn key_of_line(text: &str, offset: usize) -> Option<&str> {
    let before = text.get(..offset)?;
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let (key, _) = line.split_once('=')?;
    let key = key.trim();
    (!key.is_empty() && !key.starts_with('#')).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        TomlFile::of_own_file(Path::new("lcmbench.toml"), text.to_owned())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn an_unknown_key_names_line_and_nearest_key() {
        let message = error("package = \"lcm\"\n\nsetup_scope = \"call\"\n");
        assert!(
            message.starts_with(
                "lcmbench.toml, line 3: unknown key `setup_scope`; did you mean `setup-scope`? \
                 (known here: `package`, `main-branch`,"
            ),
            "{message}"
        );
        let message = error("[environment]\nname = \"a\"\nalias = [\"b\"]\n");
        assert_eq!(
            message,
            "lcmbench.toml, line 3: unknown key `alias`; did you mean `aliases`? \
             (known here: `name`, `aliases`)"
        );
        let message = error("\n[alerts]\ndefault = 1.2\n");
        assert!(
            message
                .starts_with("lcmbench.toml, line 2: unknown key `alerts`; did you mean `alert`?"),
            "{message}"
        );
        let message = error("[[labels.benchmark]]\nmatch = \"A\"\nlabel = \"a\"\norder = 1\n");
        assert_eq!(
            message,
            "lcmbench.toml, line 4: unknown key `order` (known here: `match`, `label`)"
        );
    }

    #[test]
    fn an_unknown_value_names_the_known_ones() {
        assert_eq!(
            error("launch = \"forks\"\n"),
            "lcmbench.toml, line 1: unknown value `forks`; did you mean `fork`? \
             (known here: `auto`, `fork`, `spawn`)"
        );
    }

    #[test]
    fn a_wrong_type_names_key_and_line() {
        assert_eq!(
            error("# settings\npackage = 3\n"),
            "lcmbench.toml, line 2: `package`: invalid type: integer `3`, expected a string"
        );
        assert_eq!(
            error("[env]\nA = \"1\"\nB = false\n"),
            "lcmbench.toml, line 3: `B`: invalid type: boolean `false`, expected a string"
        );
        assert_eq!(
            error("[pr]\nbench = { a = 1 }\n"),
            "lcmbench.toml, line 2: `bench`: invalid type: map, expected a string or a list of strings"
        );
    }

    #[test]
    fn a_missing_key_names_the_table() {
        assert_eq!(
            error("package = \"a\"\n\n[[labels.benchmark]]\nmatch = \"A\"\n"),
            "lcmbench.toml, line 3: missing field `label`"
        );
    }

    #[test]
    fn broken_toml_names_its_line() {
        let message = error("package = \"a\"\nmachine = \n");
        assert!(message.starts_with("lcmbench.toml, line 2: "), "{message}");
        let message = error("package = \"a\"\npackage = \"b\"\n");
        assert!(message.starts_with("lcmbench.toml, line 2: "), "{message}");
        assert!(message.contains("duplicate key"), "{message}");
    }

    #[test]
    fn a_pyproject_without_our_table_is_none_of_ours() {
        let path = Path::new("pyproject.toml");
        let read = |text: &str| TomlFile::of_pyproject(path, text.to_owned());
        assert!(read("[project]\nname = \"x\"\n").unwrap().is_none());
        assert!(read("[tool.ruff]\nline-length = 1\n").unwrap().is_none());
        let file = read("[tool.ruff]\nx = 1\n\n[tool.lcmbench]\npackage = \"lcm\"\n").unwrap();
        assert_eq!(
            file.unwrap()
                .settings
                .package
                .map(toml::Spanned::into_inner),
            Some("lcm".to_owned())
        );
        let message = read("[tool.ruff]\nx = 1\n\n[tool.lcmbench]\npackge = \"lcm\"\n")
            .unwrap_err()
            .to_string();
        assert!(
            message.starts_with(
                "pyproject.toml, line 5: unknown key `packge`; did you mean `package`?"
            ),
            "{message}"
        );
    }
}
