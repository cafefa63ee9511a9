//! What the worker tells us.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::job::{Discovered, Interpreter, JobReport, ModuleError, PythonError};
use super::session::ReadEvent;
use crate::json::{Json, Object};

/// One line of the worker's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Event {
    Hello(Interpreter),
    Benchmark(Discovered),
    ModuleError(ModuleError),
    /// The request cannot be done; with the number of the job, if it was one.
    SuiteError {
        message: String,
        id: Option<i64>,
    },
    Imported(Imported),
    Started {
        id: i64,
        pid: i32,
    },
    Report {
        id: i64,
        report: JobReport,
    },
    /// The forked process of a job has ended. `status` is the status word of `wait(2)`.
    Exited {
        id: i64,
        status: i32,
        max_rss: Option<u64>,
    },
}

/// The event `discovered`: the suite has been imported.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Imported {
    pub(super) fork_safe: bool,
    pub(super) fork_reason: String,
    pub(super) jax_imports: Vec<(String, PathBuf, u64)>,
    pub(super) packages: BTreeMap<String, PathBuf>,
    pub(super) package_file: Option<PathBuf>,
    pub(super) package_strays: BTreeMap<String, PathBuf>,
}

impl ReadEvent for Event {
    fn read(object: &Object) -> Option<Self> {
        let event = match object.get("event")?.as_str()? {
            "hello" => Self::Hello(interpreter_of(object)?),
            "benchmark" => Self::Benchmark(benchmark(object)?),
            "module_error" => Self::ModuleError(ModuleError {
                module: text(object, "module")?,
                object: text(object, "object"),
                error: error(object),
            }),
            "suite_error" => Self::SuiteError {
                message: text(object, "message")?,
                id: integer(object, "id"),
            },
            "discovered" => Self::Imported(imported(object)?),
            "started" => Self::Started {
                id: integer(object, "id")?,
                pid: i32::try_from(integer(object, "pid")?)
                    .ok()
                    .filter(|pid| *pid > 1)?,
            },
            "exited" => Self::Exited {
                id: integer(object, "id")?,
                status: i32::try_from(integer(object, "status")?).ok()?,
                max_rss: count(object, "max_rss").filter(|bytes| *bytes > 0),
            },
            name => Self::Report {
                id: integer(object, "id")?,
                report: report(name, object)?,
            },
        };
        Some(event)
    }
}

fn report(name: &str, object: &Object) -> Option<JobReport> {
    let report = match name {
        "cached" => JobReport::Cached,
        "skipped" => JobReport::Skipped {
            benchmark: text(object, "benchmark")?,
            reason: text(object, "reason").unwrap_or_default(),
        },
        "failed" => JobReport::Failed {
            benchmark: text(object, "benchmark")?,
            kind: text(object, "kind")?,
            error: error(object),
        },
        "result" => {
            let benchmark = text(object, "benchmark")?;
            let flags = texts(object, "flags");
            let facts = object.get("facts").and_then(Json::as_object);
            let facts = facts.cloned().unwrap_or_default();
            let profile = text(object, "profile");
            match object.get("samples") {
                Some(samples) => JobReport::Samples {
                    benchmark,
                    samples: samples
                        .as_array()?
                        .iter()
                        .map(Json::as_f64)
                        .collect::<Option<_>>()?,
                    number: integer(object, "number")?,
                    flags,
                    facts,
                    profile,
                },
                None => JobReport::Value {
                    benchmark,
                    value: object.get("value")?.clone(),
                    flags,
                    facts,
                    profile,
                },
            }
        }
        _ => return None,
    };
    Some(report)
}

/// A Python older than 3.9 says its version and nothing else.
pub(crate) fn interpreter_of(object: &Object) -> Option<Interpreter> {
    Some(Interpreter {
        version: text(object, "python")?,
        implementation: text(object, "implementation").unwrap_or_default(),
        executable: path(object, "executable").unwrap_or_default(),
        prefix: path(object, "prefix").unwrap_or_default(),
        asv_runner: text(object, "asv_runner"),
        setup_scope: text(object, "setup_scope").unwrap_or_default(),
        packages: members(object, "packages")
            .filter_map(|(name, version)| Some((name.clone(), version.as_str()?.to_owned())))
            .collect(),
    })
}

fn benchmark(object: &Object) -> Option<Discovered> {
    let source = object.get("source").and_then(Json::as_object);
    let skipped = object.get("skip_params").and_then(Json::as_array);
    Some(Discovered {
        record: object.get("record")?.as_object()?.clone(),
        file: source
            .and_then(|source| path(source, "file"))
            .unwrap_or_default(),
        line: source
            .and_then(|source| count(source, "line"))
            .unwrap_or_default(),
        skip_params: skipped
            .unwrap_or_default()
            .iter()
            .filter_map(|index| usize::try_from(index.as_i64()?).ok())
            .collect(),
        module: text(object, "module").unwrap_or_default(),
        class: text(object, "class"),
    })
}

fn imported(object: &Object) -> Option<Imported> {
    let imports = object.get("jax_imports").and_then(Json::as_array);
    Some(Imported {
        fork_safe: object.get("fork_safe")?.as_bool()?,
        fork_reason: text(object, "fork_reason").unwrap_or_default(),
        jax_imports: imports
            .unwrap_or_default()
            .iter()
            .filter_map(Json::as_object)
            .filter_map(|place| {
                Some((
                    text(place, "module")?,
                    path(place, "file")?,
                    count(place, "line")?,
                ))
            })
            .collect(),
        packages: files(object, "imported"),
        package_file: path(object, "package_file"),
        package_strays: files(object, "package_strays"),
    })
}

/// An object of names and files.
fn files(object: &Object, key: &str) -> BTreeMap<String, PathBuf> {
    members(object, key)
        .filter_map(|(name, file)| Some((name.clone(), PathBuf::from(file.as_str()?))))
        .collect()
}

fn error(object: &Object) -> PythonError {
    let empty = Object::new();
    let error = object
        .get("error")
        .and_then(Json::as_object)
        .unwrap_or(&empty);
    PythonError {
        class: text(error, "type").unwrap_or_default(),
        message: text(error, "message").unwrap_or_default(),
        traceback: text(error, "traceback").unwrap_or_default(),
    }
}

fn text(object: &Object, key: &str) -> Option<String> {
    Some(object.get(key)?.as_str()?.to_owned())
}

fn texts(object: &Object, key: &str) -> Vec<String> {
    let items = object.get(key).and_then(Json::as_array).unwrap_or_default();
    items
        .iter()
        .filter_map(|item| Some(item.as_str()?.to_owned()))
        .collect()
}

fn path(object: &Object, key: &str) -> Option<PathBuf> {
    text(object, key).map(PathBuf::from)
}

fn integer(object: &Object, key: &str) -> Option<i64> {
    object.get(key)?.as_i64()
}

fn count(object: &Object, key: &str) -> Option<u64> {
    u64::try_from(integer(object, key)?).ok()
}

fn members<'a>(object: &'a Object, key: &str) -> impl Iterator<Item = (&'a String, &'a Json)> {
    object
        .get(key)
        .and_then(Json::as_object)
        .into_iter()
        .flatten()
}

#[cfg(test)]
mod tests;
