//! The doctor's look at GitHub: token, scopes, and what the main branch requires.

use std::net::TcpListener;

use super::fake::{ACTIONS_TOKEN, Source};
use super::workshop::Workshop;
use crate::common::command::Lcmbench;

const ACTIONS_APP: i64 = 15_368;

/// The doctor at a desk. The suite is none of its concern here, so the exit code is that of a project
/// without one.
fn at_desk(workshop: &Workshop) -> Lcmbench {
    workshop.at_desk(["doctor"])
}

/// The lines about GitHub.
fn said(command: Lcmbench) -> String {
    let stdout = command.run().stdout;
    let mut lines = Vec::new();
    let mut is_ours = false;
    for line in stdout.lines() {
        if !line.starts_with("        ") {
            is_ours = line.contains(" GitHub: ");
        }
        if is_ours {
            lines.push(line);
        }
    }
    lines.join("\n")
}

#[test]
fn a_classic_token_and_a_pinned_rule_are_well() {
    let workshop = Workshop::unmeasured();
    {
        let mut state = workshop.fake.state();
        state.scopes = Some("repo, gist");
        state.ruleset = Some(Source::App(ACTIONS_APP));
    }
    assert_eq!(
        said(at_desk(&workshop)),
        "OK      GitHub: the token of GH_TOKEN works for owner/project and has the scopes repo, gist, which \
         is enough for comment and status\n\
         OK      GitHub: main requires benchmark-check from GitHub Actions"
    );
    let state = workshop.fake.state();
    assert!(
        state.requests.iter().all(|line| line.starts_with("GET ")),
        "{:?}",
        state.requests
    );
}

#[test]
fn a_scope_that_is_missing_is_named() {
    let workshop = Workshop::unmeasured();
    {
        let mut state = workshop.fake.state();
        state.scopes = Some("gist");
        state.is_private = true;
        state
            .permissions
            .insert("dev".to_owned(), "read".to_owned());
    }
    let text = said(at_desk(&workshop));
    for part in [
        "warning GitHub: the token of GH_TOKEN works for owner/project and has the scope gist; comment and \
         status need `repo`",
        "may not push to owner/project",
        "warning GitHub: main does not require benchmark-check",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn the_permissions_of_a_workflow_s_token_are_named_as_lines() {
    let workshop = Workshop::unmeasured();
    workshop.fake.state().withheld = vec!["pull-requests: read", "statuses: read"];
    workshop.fake.state().protection = Some(Source::Anybody);
    let doctor = || workshop.in_pull_request(["doctor"]);
    let text = said(doctor());
    for part in [
        "the token of GITHUB_TOKEN works for owner/project and lacks pull-requests: read, statuses: read",
        "          permissions:\n            contents: read\n            pull-requests: write\n            \
         statuses: write",
        "main requires benchmark-check from anybody: whoever may push can set it",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    workshop.fake.state().withheld.clear();
    let text = said(doctor());
    assert!(
        text.contains("OK      GitHub: the token of GITHUB_TOKEN works"),
        "{text}"
    );
}

#[test]
fn a_protection_that_may_not_be_read_is_said_with_the_way_out() {
    let workshop = Workshop::unmeasured();
    {
        let mut state = workshop.fake.state();
        state.protection = Some(Source::App(ACTIONS_APP));
        state.hides_protection = true;
        state.withheld = vec!["administration: read"];
    }
    let text = said(at_desk(&workshop));
    for part in [
        "warning GitHub: whether main requires benchmark-check is not known: the token may not read the \
         branch protection",
        "-> look at https://github.com/owner/project/settings/rules, or run this with the token",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // An administrator is told.
    workshop.fake.state().withheld.clear();
    let text = said(at_desk(&workshop));
    assert!(
        text.contains("main requires benchmark-check from GitHub Actions"),
        "{text}"
    );
}

#[test]
fn a_token_that_github_refuses_is_an_error_and_none_a_warning() {
    let workshop = Workshop::unmeasured();
    let text = said(at_desk(&workshop).env("LCMBENCH_TOKEN", "ghp_old"));
    assert_eq!(
        text,
        "error   GitHub: GitHub does not accept the token of LCMBENCH_TOKEN (401: Bad credentials)\n        \
         -> it may have expired; set another in LCMBENCH_TOKEN"
    );
    // The tests' PATH may lead to a `gh` that is logged in nowhere: its HOME is empty.
    let text = said(at_desk(&workshop).env("GH_TOKEN", ""));
    assert!(
        text.starts_with("warning GitHub: there is no token for GitHub"),
        "{text}"
    );
    workshop.stored.project.git([
        "remote",
        "set-url",
        "origin",
        "https://github.com/owner/gone.git",
    ]);
    let text = said(at_desk(&workshop));
    assert!(text.contains("shows no repository owner/gone"), "{text}");
    assert!(
        !text.contains(ACTIONS_TOKEN) && !text.contains("ghp_"),
        "{text}"
    );
}

#[test]
fn without_a_network_or_a_remote_it_is_calm() {
    let workshop = Workshop::unmeasured();
    // A port that nobody listens at.
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let text = said(at_desk(&workshop).env("GITHUB_API_URL", format!("http://127.0.0.1:{port}")));
    assert!(
        text.starts_with(
            "OK      GitHub: GitHub was not reached, so neither the token of GH_TOKEN"
        ),
        "{text}"
    );
    workshop.stored.project.git(["remote", "remove", "origin"]);
    assert_eq!(
        said(at_desk(&workshop)),
        "OK      GitHub: no remote is on GitHub, so neither a token nor a rule of the branch was looked for"
    );
}
