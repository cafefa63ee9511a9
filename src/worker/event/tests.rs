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
        "modules": {"a": "/s/a.py"}, "imported": {"jax": "/e/jax/__init__.py", "odd": null},
            "package_file": "/c/lcm/__init__.py", "package_strays": {"lcm.a": "/o/a.py"}}"#,
    );
    assert_eq!(
        imported,
        Some(Event::Imported(Imported {
            fork_safe: true,
            fork_reason: "one thread".to_owned(),
            jax_imports: vec![("a".to_owned(), "/s/a.py".into(), 3)],
            packages: BTreeMap::from([("jax".to_owned(), "/e/jax/__init__.py".into())]),
            package_file: Some("/c/lcm/__init__.py".into()),
            package_strays: BTreeMap::from([("lcm.a".to_owned(), "/o/a.py".into())]),
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
        "number": 4, "facts": {"allocator": "on-demand"}, "flags": ["compiled-while-timed"]}"#,
    );
    let JobReport::Samples {
        samples,
        number: 4,
        flags,
        facts,
        profile: None,
        ..
    } = samples
    else {
        panic!("no samples: {samples:?}");
    };
    assert_eq!(samples[..2], [1.0, 2.5]);
    assert!(samples[2].is_nan());
    assert_eq!(flags, ["compiled-while-timed"]);
    assert_eq!(facts.get("allocator"), Some(&"on-demand".into()));

    assert_eq!(
        report_of(
            r#"{"event": "result", "id": 7, "benchmark": "b", "value": Infinity,
            "flags": [], "profile": "eJw="}"#
        ),
        JobReport::Value {
            benchmark: "b".to_owned(),
            value: Json::Float(f64::INFINITY),
            flags: vec![],
            facts: Object::new(),
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
