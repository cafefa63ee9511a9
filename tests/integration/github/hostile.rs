//! Names and reasons that want to be markup, markers, mentions or commands to the runner.

use super::workshop::{BOT, MARKER, Workshop};
use crate::stored::plain;

const NAMES: [&str; 8] = [
    "m.time_a|b`c`<!-- benchmark-check -->",
    "m.time_@everyone",
    "m.time_<img src=x>",
    "m.time_](https://evil.example)#1",
    "m.time_::error::gone",
    "m.time_##[error]gone",
    "m.time_\\n::set-output name=x::y",
    "m.time_\\n<!-- head-sha:00000000 -->\\n@octocat",
];

/// A head with all hostile names, with values and failed, and perhaps one of 70,000 characters.
fn hostile(with_long_name: bool) -> Workshop {
    let workshop = Workshop::unmeasured();
    let mut rows: Vec<String> = NAMES.iter().map(|name| plain(name, "1.5")).collect();
    rows.extend(
        NAMES
            .iter()
            .map(|name| plain(&format!("{name}_failed"), "null")),
    );
    if with_long_name {
        rows.push(plain(&format!("m.time_{}", "x@|".repeat(24_000)), "1.5"));
    }
    workshop.stored.save(&workshop.head(), &rows);
    let base: Vec<String> = NAMES.iter().map(|name| plain(name, "1.0")).collect();
    workshop.stored.save(&workshop.stored.commits[2], &base);
    workshop
}

#[test]
fn nothing_breaks_out_of_comment_summary_or_log() {
    let workshop = hostile(false);
    assert_harmless(&workshop);
    // All names are in the comment, as text.
    let body = workshop.bodies().remove(0);
    assert!(body.matches("everyone").count() >= 2, "{body}");
}

#[test]
fn a_name_of_70000_characters_leaves_the_verdict_in_the_comment() {
    let workshop = hostile(true);
    assert_harmless(&workshop);
    let body = workshop.bodies().remove(0);
    assert!(body.contains("rows are left out"), "{body}");
}

fn assert_harmless(workshop: &Workshop) {
    let output = workshop.in_pull_request(["pr-comment"]).run().expect(0);
    let body = workshop.bodies().remove(0);
    let summary = workshop.summary();
    assert!(body.chars().count() <= 65_000);
    for text in [&body, &summary] {
        assert_eq!(text.matches(MARKER).count(), 1, "{text}");
        assert_eq!(
            text.matches("head-sha:").count(),
            1 + text.matches("&#60;!-- head-sha:").count()
        );
        for bad in ["@everyone", "@octocat", "<img", "](https://evil", "#1 "] {
            assert!(!text.contains(bad), "{bad} in\n{text}");
        }
    }
    let logged = workshop
        .in_pull_request(["pr-comment", "--dry-run"])
        .run()
        .expect(0);
    let table = workshop
        .in_pull_request(["pr-comment", "--dry-run", "--format", "table"])
        .run()
        .expect(0);
    for output in [output, logged, table] {
        for line in output.stdout.lines().chain(output.stderr.lines()) {
            assert!(!line.trim_start().starts_with("::"), "{line:.200}");
            assert!(!line.contains("##["), "{line:.200}");
        }
    }
}

#[test]
fn a_forged_block_in_a_comment_of_the_bot_is_only_text() {
    let workshop = Workshop::unmeasured();
    let body = Workshop::of_run(&workshop.head(), 1)
        .replace("verdict=same", "verdict=::error::@everyone")
        .replace("same:1", "::set-output:1,same:99999999999999999999999");
    workshop.fake.state().comment(7, BOT, &body);
    let output = workshop.in_pull_request(["check"]).run().expect(0);
    for line in output.stdout.lines().chain(output.stderr.lines()) {
        assert!(!line.contains("::error::") && !line.contains('@'), "{line}");
    }
}
