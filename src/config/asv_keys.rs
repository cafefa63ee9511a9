//! The keys of `asv.conf.json`: their types, and which of them this version acts on.

use crate::json::Json;

/// What a key may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    TextOrNull,
    Whole,
    Number,
    Texts,
    /// A list of text and null.
    Branches,
    /// Text, a list of text, or null.
    Command,
    List,
    Object,
}

impl Kind {
    fn admits(self, value: &Json) -> bool {
        let all =
            |test: fn(&Json) -> bool| value.as_array().is_some_and(|items| items.iter().all(test));
        let is_text = |value: &Json| value.as_str().is_some();
        match self {
            Self::Text => is_text(value),
            Self::TextOrNull => is_text(value) || value.is_null(),
            Self::Whole => whole(value).is_some(),
            Self::Number => value.as_f64().is_some(),
            Self::Texts => all(is_text),
            Self::Branches => all(|item| item.as_str().is_some() || item.is_null()),
            Self::Command => value.is_null() || is_text(value) || all(is_text),
            Self::List => value.as_array().is_some(),
            Self::Object => value.as_object().is_some(),
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::TextOrNull => "text or null",
            Self::Whole => "a whole number",
            Self::Number => "a number",
            Self::Texts => "a list of text",
            Self::Branches => "a list of text and null",
            Self::Command => "text, a list of text, or null",
            Self::List => "a list",
            Self::Object => "an object",
        }
    }
}

/// One key.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    kind: Kind,
    /// Whether this version acts on the key.
    pub(super) acted_on: bool,
}

const fn acted_on(name: &'static str, kind: Kind) -> Key {
    Key {
        name,
        kind,
        acted_on: true,
    }
}

const fn passed_over(name: &'static str, kind: Kind) -> Key {
    Key {
        name,
        kind,
        acted_on: false,
    }
}

/// Every key that asv knows.
pub(super) const KEYS: &[Key] = &[
    acted_on("version", Kind::Whole),
    acted_on("project", Kind::Text),
    acted_on("project_url", Kind::Text),
    acted_on("repo", Kind::Text),
    passed_over("repo_subdir", Kind::Text),
    acted_on("dvcs", Kind::TextOrNull),
    acted_on("branches", Kind::Branches),
    acted_on("pythons", Kind::Texts),
    acted_on("environment_type", Kind::TextOrNull),
    passed_over("matrix", Kind::Object),
    passed_over("exclude", Kind::List),
    passed_over("include", Kind::List),
    acted_on("env_dir", Kind::Text),
    acted_on("benchmark_dir", Kind::Text),
    acted_on("results_dir", Kind::Text),
    acted_on("html_dir", Kind::Text),
    acted_on("show_commit_url", Kind::Text),
    acted_on("hash_length", Kind::Whole),
    passed_over("install_timeout", Kind::Number),
    acted_on("default_benchmark_timeout", Kind::Number),
    passed_over("build_cache_size", Kind::Whole),
    passed_over("wheel_cache_size", Kind::Whole),
    passed_over("conda_channels", Kind::Texts),
    passed_over("conda_environment_file", Kind::TextOrNull),
    passed_over("build_command", Kind::Command),
    passed_over("install_command", Kind::Command),
    passed_over("uninstall_command", Kind::Command),
    acted_on("launch_method", Kind::TextOrNull),
    passed_over("plugins", Kind::Texts),
    passed_over("regressions_first_commits", Kind::Object),
    passed_over("regressions_thresholds", Kind::Object),
];

/// The key called `name`.
pub(super) fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

impl Key {
    /// What is wrong with `value`, if anything is.
    pub(super) fn complaint(&self, value: &Json) -> Option<String> {
        (!self.kind.admits(value)).then(|| {
            format!(
                "`{}` must be {}, not {}",
                self.name,
                self.kind.description(),
                described(value)
            )
        })
    }
}

/// The whole number that the value stands for; `8.0` is one.
pub(super) fn whole(value: &Json) -> Option<i64> {
    match value {
        Json::Int(number) => Some(*number),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "only integral floats below 2^53 pass, which an i64 holds"
        )]
        Json::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => Some(*number as i64),
        _ => None,
    }
}

/// The value as a message shows it: short, on one line.
fn described(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Int(number) => number.to_string(),
        Json::BigInt(digits) => digits.clone(),
        Json::Float(number) => number.to_string(),
        Json::String(text) => format!("the text {text:?}"),
        Json::Array(items) => match items.iter().find(|item| item.as_str().is_none()) {
            Some(odd) if items.iter().any(|item| item.as_str().is_some()) => {
                format!("a list with {}", described(odd))
            }
            _ => "a list".to_owned(),
        },
        Json::Object(_) => "an object".to_owned(),
    }
}

/// Whether the value asks for anything: empty text, lists and objects and null do not.
pub(super) fn says_something(value: &Json) -> bool {
    match value {
        Json::Null => false,
        Json::String(text) => !text.is_empty(),
        Json::Array(items) => !items.is_empty(),
        Json::Object(members) => !members.is_empty(),
        _ => true,
    }
}
