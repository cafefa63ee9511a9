//! Regressions that the project wants: shown, said, and no reason to fail.

use super::measured::{Measured, SETTINGS, SUITE};
use super::workshop::Workshop;
use crate::stored::check;

fn with(accept: &str) -> Option<Measured> {
    Measured::with_suite(SUITE, &format!("{SETTINGS}\n{accept}"))
}

const WANTED: &str = r#"
[[accept]]
benchmark = "m.track_slow"
up-to = 25
reason = "exact | now, see <!-- benchmark-check --> @octocat"
expires = 2999-12-31
"#;

#[test]
fn it_is_shown_and_does_not_gate() {
    let Some(measured) = with(WANTED) else {
        return;
    };
    let output = measured.pr(["--fail-on", "slower,alert"]).run().expect(0);
    let body = measured.workshop.bodies().remove(0);
    for text in [
        "Accepted, so no reason to fail:",
        "up to 25 % worse until 2999-12-31 — exact &#124; now",
        "⚠️ accepted",
        "1 regression is accepted",
        "accepted:1",
    ] {
        assert!(body.contains(text), "{text}\n{body}\n{}", output.stderr);
    }
    assert!(body.contains("counts=same:2,accepted:1 "), "{body}");
    assert_eq!(body.matches("<!-- benchmark-check -->").count(), 1);
    assert!(!body.contains("@octocat"));
    let statuses = measured.statuses();
    assert_eq!(statuses[1].0, "success");
    assert!(
        statuses[1].1.starts_with("1 slower, 2 same (1 accepted)"),
        "{statuses:?}"
    );
    let gate = ["check", "--fail-on", "slower,alert"];
    let output = measured.workshop.in_pull_request(gate).run();
    check(output, 0, &["worst verdict: slower (1 accepted)"]);
    // The report for programs has it, too.
    let json = ["pr-comment", "--dry-run", "--format", "json"];
    let output = measured.workshop.in_pull_request(json).run().expect(0);
    let document: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let accepted = &document["accepted"][0];
    assert_eq!(accepted["state"], "used");
    assert_eq!(accepted["expires"], "2999-12-31");
    assert_eq!(accepted["rows"][0]["benchmark"], "m.track_slow");
    // And `compare` judges alike.
    let compare = ["compare", "main", "HEAD", "--fail-on", "slower"];
    let output = measured.workshop.in_pull_request(compare).run();
    check(output, 0, &["Accepted up to 25 % until 2999-12-31"]);
}

#[test]
fn what_is_beyond_expired_or_unused_is_said_and_gates() {
    for (change, said) in [
        (
            ("25", "15"),
            "more than 15 % worse, so not accepted: m — slow",
        ),
        (
            ("2999-12-31", "2020-01-31"),
            "expired on 2020-01-31, so it is ignored",
        ),
        (
            ("track_slow", "track_same"),
            "nothing that it is about got worse",
        ),
        (
            ("up-to", "params = [\"1\"]\nup-to"),
            "m.track_slow(1) — no benchmark that HEAD ran is called so",
        ),
    ] {
        let (from, to) = change;
        let Some(measured) = with(&WANTED.replace(from, to)) else {
            return;
        };
        drop(measured.pr(["--fail-on", "slower"]).run().expect(1));
        let body = measured.workshop.bodies().remove(0);
        assert!(
            body.contains("Declared as accepted, without effect:"),
            "{body}"
        );
        assert!(body.contains(said), "{said}\n{body}");
        assert_eq!(measured.statuses()[1].0, "failure");
    }
}

#[test]
fn a_declaration_without_a_day_is_refused() {
    let Some(measured) = with(&WANTED.replace("expires = 2999-12-31", "")) else {
        return;
    };
    let output = measured.pr([]).run();
    check(output, 3, &["missing field `expires`"]);
    let workshop = Workshop::new();
    workshop.stored.project.write(
        "lcmbench.toml",
        &WANTED.replace("2999-12-31", "\"next year\""),
    );
    let output = workshop.at_desk(["pr-comment", "--dry-run"]).run();
    check(output, 3, &["`expires` is `next year`", "2027-01-31"]);
}
