//! What the worker tells us.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::job::{Discovered, Interpreter, JobReport, ModuleError, PythonError};
use crate::json::{Json, Object};

/// One line of the worker's.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event {
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
pub(super) struct Imported {
    pub(super) fork_safe: bool,
    pub(super) fork_reason: String,
    pub(super) jax_imports: Vec<(String, PathBuf, u64)>,
    pub(super) packages: BTreeMap<String, PathBuf>,
    pub(super) package_file: Option<PathBuf>,
}

impl Event {
    /// Reads an event; `None` for one that is unknown or lacks what it must have.
    pub(super) fn read(object: &Object) -> Option<Self> {
        let event = match object.get("event")?.as_str()? {
            "hello" => Self::Hello(interpreter(object)?),
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
                max_rss: integer(object, "max_rss").and_then(|bytes| u64::try_from(bytes).ok()),
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
                    profile,
                },
                None => JobReport::Value {
                    benchmark,
                    value: object.get("value")?.clone(),
                    flags,
                    profile,
                },
            }
        }
        _ => return None,
    };
    Some(report)
}

/// A Python older than 3.9 says its version and nothing else.
fn interpreter(object: &Object) -> Option<Interpreter> {
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
        packages: members(object, "imported")
            .filter_map(|(name, file)| Some((name.clone(), PathBuf::from(file.as_str()?))))
            .collect(),
        package_file: path(object, "package_file"),
    })
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
mod tests {
    use super::*;
    use crate::json::parse;

    fn read(text: &str) -> Option<Event> {
        Event::read(parse(text).unwrap().as_object().unwrap())
    }

    fn report_of(text: &str) -> JobReport {
        let Some(Event::Report { id: 7, report }) = read(text) else {
            panic!("no report of job 7");
        };
        report
    }

    #[test]
    fn an_old_interpreter_says_only_its_version() {
        let Some(Event::Hello(hello)) = read(r#"{"event": "hello", "python": "3.6.15"}"#) else {
            panic!("no hello");
        };
        assert_eq!(hello.version, "3.6.15");
        assert_eq!(hello.asv_runner, None);
    }

    #[test]
    fn an_interpreter_says_who_it_is() {
        let hello = read(
            r#"{"event": "hello", "python": "3.12.1", "implementation": "CPython",
            "executable": "/e/bin/python", "prefix": "/e", "pid": 9, "asv_runner": "0.3.2",
            "setup_scope": "call", "packages": {"numpy": "2.0"}, "later": 1}"#,
        );
        assert_eq!(
            hello,
            Some(Event::Hello(Interpreter {
                version: "3.12.1".to_owned(),
                implementation: "CPython".to_owned(),
                executable: "/e/bin/python".into(),
                prefix: "/e".into(),
                asv_runner: Some("0.3.2".to_owned()),
                setup_scope: "call".to_owned(),
                packages: BTreeMap::from([("numpy".to_owned(), "2.0".to_owned())]),
            }))
        );
    }

    #[test]
    fn discovery_is_read() {
        let Some(Event::Benchmark(benchmark)) = read(
            r#"{"event": "benchmark", "record": {"name": "a.time_x"}, "source":
            {"file": "/s/a.py", "line": 12}, "skip_params": [0, 2], "module": "a", "class": null}"#,
        ) else {
            panic!("no benchmark");
        };
        assert_eq!(benchmark.record["name"], "a.time_x".into());
        assert_eq!((benchmark.file, benchmark.line), ("/s/a.py".into(), 12));
        assert_eq!(benchmark.skip_params, [0, 2]);
        assert_eq!(benchmark.class, None);

        let error = read(
            r#"{"event": "module_error", "module": "b", "object": null, "error":
            {"type": "ImportError", "message": "no c", "traceback": "Traceback"}}"#,
        );
        assert_eq!(
            error,
            Some(Event::ModuleError(ModuleError {
                module: "b".to_owned(),
                object: None,
                error: PythonError {
                    class: "ImportError".to_owned(),
                    message: "no c".to_owned(),
                    traceback: "Traceback".to_owned(),
                },
            }))
        );

        let imported = read(
            r#"{"event": "discovered", "fork_safe": true, "fork_reason": "one thread",
            "jax_imports": [{"module": "a", "file": "/s/a.py", "line": 3}], "loaded_jax": true,
            "modules": {"a": "/s/a.py"}, "imported": {"jax": "/e/jax/__init__.py", "odd": null}}"#,
        );
        assert_eq!(
            imported,
            Some(Event::Imported(Imported {
                fork_safe: true,
                fork_reason: "one thread".to_owned(),
                jax_imports: vec![("a".to_owned(), "/s/a.py".into(), 3)],
                packages: BTreeMap::from([("jax".to_owned(), "/e/jax/__init__.py".into())]),
                package_file: Some("/c/lcm/__init__.py".into()),
            }))
        );
        let refused = read(r#"{"event": "suite_error", "message": "no __init__.py", "id": null}"#);
        assert_eq!(
            refused,
            Some(Event::SuiteError {
                message: "no __init__.py".to_owned(),
                id: None
            })
        );
    }

    #[test]
    fn reports_are_read() {
        let samples = report_of(
            r#"{"event": "result", "id": 7, "benchmark": "a.time_x", "samples": [1, 2.5, NaN],
            "number": 4, "flags": ["compiled-while-timed"]}"#,
        );
        let JobReport::Samples {
            samples,
            number: 4,
            flags,
            profile: None,
            ..
        } = samples
        else {
            panic!("no samples: {samples:?}");
        };
        assert_eq!(samples[..2], [1.0, 2.5]);
        assert!(samples[2].is_nan());
        assert_eq!(flags, ["compiled-while-timed"]);

        assert_eq!(
            report_of(
                r#"{"event": "result", "id": 7, "benchmark": "b", "value": Infinity,
                "flags": [], "profile": "eJw="}"#
            ),
            JobReport::Value {
                benchmark: "b".to_owned(),
                value: Json::Float(f64::INFINITY),
                flags: vec![],
                profile: Some("eJw=".to_owned()),
            }
        );
        assert_eq!(
            report_of(r#"{"event": "skipped", "id": 7, "benchmark": "b", "reason": "why"}"#),
            JobReport::Skipped {
                benchmark: "b".to_owned(),
                reason: "why".to_owned()
            }
        );
        assert_eq!(
            report_of(r#"{"event": "failed", "id": 7, "benchmark": "b", "kind": "no-value"}"#),
            JobReport::Failed {
                benchmark: "b".to_owned(),
                kind: "no-value".to_owned(),
                error: PythonError::default()
            }
        );
        assert_eq!(
            report_of(r#"{"event": "cached", "id": 7}"#),
            JobReport::Cached
        );
    }

    #[test]
    fn ends_are_read() {
        assert_eq!(
            read(r#"{"event": "started", "id": 7, "pid": 4711}"#),
            Some(Event::Started { id: 7, pid: 4711 })
        );
        assert_eq!(
            read(
                r#"{"event": "exited", "id": 7, "pid": 4711, "status": 9, "max_rss": 1024,
                "user": 0.5, "system": 0.1}"#
            ),
            Some(Event::Exited {
                id: 7,
                status: 9,
                max_rss: Some(1024)
            })
        );
    }

    #[test]
    fn what_is_unknown_or_incomplete_is_no_event() {
        for text in [
            r#"{"id": 7}"#,
            r#"{"event": 3}"#,
            r#"{"event": "weather", "id": 7}"#,
            r#"{"event": "result", "id": 7, "benchmark": "b"}"#,
            r#"{"event": "result", "id": 7, "benchmark": "b", "samples": ["x"], "number": 1}"#,
            // Signals to such "processes" would go to others.
            r#"{"event": "started", "id": 7, "pid": 1}"#,
            r#"{"event": "started", "id": 7, "pid": -5}"#,
            r#"{"event": "started", "id": 7, "pid": 99999999999}"#,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
