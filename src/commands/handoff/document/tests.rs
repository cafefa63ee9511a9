use serde_json::{Value, json};

use super::*;

const HEAD: &str = "0123456789abcdef0123456789abcdef01234567";

fn interrupted() -> Value {
    json!({"schema": "lcmbench-handoff", "version": 1, "head": HEAD,
        "outcome": {"kind": "interrupted", "signal": 15, "done": 1, "wanted": 3}})
}

fn error(value: &Value) -> String {
    Handoff::interpret(&value.to_string())
        .unwrap_err()
        .to_string()
}

#[test]
fn an_interruption_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("handoff.json");
    let handoff = Handoff {
        head: HEAD.to_owned(),
        told: Told::Interrupted {
            signal: libc::SIGTERM,
            done: (1, 3),
        },
    };
    handoff.write(&path).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value, interrupted());
    assert!(matches!(
        Handoff::read(&path).unwrap().told,
        Told::Interrupted {
            signal: libc::SIGTERM,
            done: (1, 3)
        }
    ));
}

#[test]
fn what_is_no_document_is_refused_without_quoting_it() {
    for (key, wrong) in [
        ("schema", json!("evil @everyone")),
        ("version", json!(2)),
        ("head", json!("$(rm)")),
        ("outcome", json!({"kind": "@everyone"})),
        (
            "outcome",
            json!({"kind": "interrupted", "signal": 9, "done": 0, "wanted": 0}),
        ),
        (
            "outcome",
            json!({"kind": "interrupted", "signal": 2, "done": 4, "wanted": 3}),
        ),
        ("markdown", json!("@everyone")),
    ] {
        let mut value = interrupted();
        value[key] = wrong;
        let said = error(&value);
        assert!(!said.contains("everyone") && !said.contains("rm"), "{said}");
    }
    assert!(Handoff::interpret("[[[[").is_err());
    assert!(Handoff::interpret(&"[".repeat(100_000)).is_err());
    let large = format!("{}{}", interrupted(), " ".repeat(8 << 20));
    let refused = Handoff::interpret(&large).unwrap_err();
    assert!(matches!(refused, HandoffError::TooLarge), "{refused}");
}

#[test]
fn a_link_a_folder_and_nothing_are_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.json");
    assert!(matches!(
        Handoff::read(&missing),
        Err(HandoffError::Missing(_))
    ));
    assert!(matches!(
        Handoff::read(folder.path()),
        Err(HandoffError::NoFile(_))
    ));
    let link = folder.path().join("link.json");
    std::os::unix::fs::symlink("/etc/hostname", &link).unwrap();
    assert!(matches!(Handoff::read(&link), Err(HandoffError::NoFile(_))));
}
