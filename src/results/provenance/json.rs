//! The `lcmbench` key as JSON. A part that is malformed is left out and said, never fatal.

use indexmap::IndexMap;

use crate::json::{Json, Object};

use super::{BenchmarkProvenance, Failure, FailureKind, Provenance};

impl Provenance {
    /// Reads the key; remarks are phrases that go on after the file's name.
    pub(in crate::results) fn from_json(json: Json, remarks: &mut Vec<String>) -> Option<Self> {
        let Json::Object(members) = json else {
            remarks.push("has an `lcmbench` key that is no object; it is ignored".to_owned());
            return None;
        };
        let mut part = Part::new("lcmbench", members, remarks);
        let mut provenance = Self {
            format: part.take("format", Json::as_i64).unwrap_or(1),
            lcmbench: part.text("lcmbench"),
            head: part.text("head"),
            dirty: part.take("dirty", Json::as_bool).unwrap_or_default(),
            worker: part.object("worker"),
            environment: part.object("environment"),
            host: part.object("host"),
            gpu: part.object("gpu"),
            benchmarks: IndexMap::new(),
            extra: Object::new(),
        };
        let benchmarks = part.object("benchmarks");
        provenance.extra = part.rest;
        for (name, json) in benchmarks {
            if let Some(known) = BenchmarkProvenance::from_json(&name, json, remarks) {
                provenance.benchmarks.insert(name, known);
            }
        }
        Some(provenance)
    }

    /// The key; parts that are empty are left out.
    pub(in crate::results) fn to_json(&self) -> Json {
        let mut members = Object::new();
        members.insert("format".to_owned(), self.format.into());
        members.insert("lcmbench".to_owned(), self.lcmbench.clone().into());
        members.insert("head".to_owned(), self.head.clone().into());
        members.insert("dirty".to_owned(), self.dirty.into());
        let benchmarks: Object = self
            .benchmarks
            .iter()
            .filter_map(|(name, known)| Some((name.clone(), known.to_json()?)))
            .collect();
        for (key, part) in [
            ("worker", &self.worker),
            ("environment", &self.environment),
            ("host", &self.host),
            ("gpu", &self.gpu),
            ("benchmarks", &benchmarks),
        ] {
            if !part.is_empty() {
                members.insert(key.to_owned(), part.clone().into());
            }
        }
        members.extend(self.extra.clone());
        members.into()
    }
}

impl BenchmarkProvenance {
    /// Reads the facts of one benchmark.
    pub(in crate::results) fn from_json(
        name: &str,
        json: Json,
        remarks: &mut Vec<String>,
    ) -> Option<Self> {
        let place = format!("lcmbench.benchmarks.{name}");
        let Json::Object(members) = json else {
            remarks.push(format!("has a `{place}` that is no object; it is ignored"));
            return None;
        };
        let mut part = Part::new(&place, members, remarks);
        Some(Self {
            failures: part.take("failures", failures).unwrap_or_default(),
            process_sizes: part
                .take("process_sizes", process_sizes)
                .unwrap_or_default(),
            flags: part.take("flags", texts).unwrap_or_default(),
            facts: part.object("facts"),
            launch: part.take("launch", |json| json.as_str().map(str::to_owned)),
            extra: part.rest,
        })
    }

    /// The facts; `None` if there are none.
    pub(in crate::results) fn to_json(&self) -> Option<Json> {
        let mut members = Object::new();
        if self.failures.iter().any(Option::is_some) {
            let failures = self
                .failures
                .iter()
                .map(Option::as_ref)
                .map(failure_to_json)
                .collect();
            members.insert("failures".to_owned(), Json::Array(failures));
        }
        if self.process_sizes.iter().any(|sizes| !sizes.is_empty()) {
            let sizes = self
                .process_sizes
                .iter()
                .map(|sizes| sizes_to_json(sizes))
                .collect();
            members.insert("process_sizes".to_owned(), Json::Array(sizes));
        }
        if !self.flags.is_empty() {
            members.insert("flags".to_owned(), self.flags.clone().into());
        }
        if !self.facts.is_empty() {
            members.insert("facts".to_owned(), self.facts.clone().into());
        }
        if let Some(launch) = &self.launch {
            members.insert("launch".to_owned(), launch.clone().into());
        }
        members.extend(self.extra.clone());
        (!members.is_empty()).then(|| members.into())
    }
}

/// The members of one object, taken out one by one.
struct Part<'r> {
    place: &'r str,
    /// What was not taken.
    rest: Object,
    remarks: &'r mut Vec<String>,
}

impl<'r> Part<'r> {
    fn new(place: &'r str, members: Object, remarks: &'r mut Vec<String>) -> Self {
        Self {
            place,
            rest: members,
            remarks,
        }
    }

    /// The member `key`, if `read` understands it; one that is null counts as missing.
    fn take<T>(&mut self, key: &str, read: impl FnOnce(&Json) -> Option<T>) -> Option<T> {
        let json = self.rest.shift_remove(key).filter(|json| !json.is_null())?;
        let value = read(&json);
        if value.is_none() {
            let place = self.place;
            self.remarks
                .push(format!("has a malformed `{place}.{key}`; it is ignored"));
        }
        value
    }

    fn text(&mut self, key: &str) -> String {
        self.take(key, |json| json.as_str().map(str::to_owned))
            .unwrap_or_default()
    }

    fn object(&mut self, key: &str) -> Object {
        self.take(key, |json| json.as_object().cloned())
            .unwrap_or_default()
    }
}

fn texts(json: &Json) -> Option<Vec<String>> {
    json.as_array()?
        .iter()
        .map(|text| text.as_str().map(str::to_owned))
        .collect()
}

fn failures(json: &Json) -> Option<Vec<Option<Failure>>> {
    json.as_array()?
        .iter()
        .map(|entry| match entry {
            Json::Null => Some(None),
            entry => failure(entry).map(Some),
        })
        .collect()
}

fn failure(json: &Json) -> Option<Failure> {
    let text = |key: &str| {
        json.get(key)
            .and_then(Json::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    Some(Failure {
        kind: FailureKind::of_word(json.get("kind")?.as_str()?)?,
        message: text("message"),
        details: text("details"),
    })
}

fn failure_to_json(failure: Option<&Failure>) -> Json {
    let Some(failure) = failure else {
        return Json::Null;
    };
    let mut members = Object::new();
    members.insert("kind".to_owned(), failure.kind.word().into());
    members.insert("message".to_owned(), failure.message.clone().into());
    if !failure.details.is_empty() {
        members.insert("details".to_owned(), failure.details.clone().into());
    }
    members.into()
}

fn process_sizes(json: &Json) -> Option<Vec<Vec<usize>>> {
    let sizes = |entry: &Json| -> Option<Vec<usize>> {
        entry
            .as_array()?
            .iter()
            .map(|size| usize::try_from(size.as_i64()?).ok())
            .collect()
    };
    json.as_array()?.iter().map(sizes).collect()
}

fn sizes_to_json(sizes: &[usize]) -> Json {
    let sizes = sizes
        .iter()
        .map(|size| Json::Int(i64::try_from(*size).unwrap_or(i64::MAX)))
        .collect();
    Json::Array(sizes)
}

#[cfg(test)]
mod tests;
