//! What the Python side tells about fixtures.

use crate::json::{Json, Object};

/// A line of the list of fixtures.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Entry {
    pub number: i64,
    pub name: String,
    /// What the model exercises: `plain`, `convolution`, `subcycle`, `profile`.
    pub exercises: Vec<String>,
    /// Why this is no fixture; `None` where it is one.
    pub reason: Option<String>,
    /// Why this fixture cannot be used as it is.
    pub error: Option<String>,
}

/// A fixture that has been loaded.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Loaded {
    pub(super) entry: Entry,
    pub(super) notes: Vec<String>,
    pub(super) paths: Vec<PathInfo>,
    /// Label of the path whose values are right.
    pub(super) reference: String,
    /// Label of the path that is profiled and that fits run on.
    pub(super) compiled: String,
    /// Whether a fit is declared.
    pub(super) fits: bool,
    /// Labels of the functions that a fit counts and that planning consists of.
    pub(super) counted: Vec<String>,
    pub(super) planning: Vec<String>,
    /// Bounds of the free parameters, in the model's order.
    pub(super) parameters: Vec<Bounds>,
    /// Changes when the measured work does.
    pub(super) definition: String,
}

/// A path of a fixture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PathInfo {
    pub(super) label: String,
    /// Why it cannot be had here.
    pub(super) unavailable: Option<String>,
    /// Its first call compiles.
    pub(super) compiles: bool,
}

/// A free parameter's name and bounds; infinite where there are none.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bounds {
    pub(super) name: String,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Entry {
    /// Reads an entry; what is missing is empty.
    pub(super) fn read(fields: &Object) -> Self {
        Self {
            number: fields.get("number").and_then(Json::as_i64).unwrap_or(0),
            name: text(fields, "name").unwrap_or_default(),
            exercises: texts(fields, "exercises"),
            reason: text(fields, "reason"),
            error: text(fields, "error"),
        }
    }
}

impl Loaded {
    pub(super) fn read(fields: &Object) -> Self {
        let objects = |key: &str| -> Vec<&Object> {
            let items = fields.get(key).and_then(Json::as_array);
            items
                .unwrap_or_default()
                .iter()
                .filter_map(Json::as_object)
                .collect()
        };
        let is = |fields: &Object, key: &str| fields.get(key).and_then(Json::as_bool) == Some(true);
        let number = |fields: &Object, key: &str| fields.get(key).and_then(Json::as_f64);
        Self {
            entry: Entry::read(fields),
            notes: texts(fields, "notes"),
            paths: objects("paths")
                .into_iter()
                .map(|path| PathInfo {
                    label: text(path, "label").unwrap_or_default(),
                    unavailable: text(path, "unavailable"),
                    compiles: is(path, "compiles"),
                })
                .collect(),
            reference: text(fields, "reference").unwrap_or_default(),
            compiled: text(fields, "compiled").unwrap_or_default(),
            fits: is(fields, "fits"),
            counted: texts(fields, "counted"),
            planning: texts(fields, "planning"),
            parameters: objects("parameters")
                .into_iter()
                .filter(|parameter| is(parameter, "free"))
                .map(|parameter| Bounds {
                    name: text(parameter, "name").unwrap_or_default(),
                    low: number(parameter, "low").unwrap_or(f64::NEG_INFINITY),
                    high: number(parameter, "high").unwrap_or(f64::INFINITY),
                })
                .collect(),
            definition: text(fields, "definition").unwrap_or_default(),
        }
    }

    /// Why the path of this label cannot be had; `None` if it can.
    pub(super) fn unavailable(&self, label: &str) -> Option<&str> {
        let path = self.paths.iter().find(|path| path.label == label)?;
        path.unavailable.as_deref()
    }

    /// The path that fits run on: the compiled one, or the reference where that cannot be had.
    pub(super) fn fit_path(&self) -> &str {
        if self.unavailable(&self.compiled).is_none() {
            &self.compiled
        } else {
            &self.reference
        }
    }
}

pub(super) fn text(fields: &Object, key: &str) -> Option<String> {
    fields.get(key).and_then(Json::as_str).map(str::to_owned)
}

fn texts(fields: &Object, key: &str) -> Vec<String> {
    let items = fields.get(key).and_then(Json::as_array);
    items
        .unwrap_or_default()
        .iter()
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}
