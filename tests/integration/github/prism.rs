//! The stand-in and the client behind Prism, which holds both to GitHub's own description of its API:
//! a bad request does not reach the stand-in, and a bad answer of it becomes an error.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::description::cut;
use super::fake::{REPOSITORY, Source};
use super::measured::Measured;
use super::workshop::{BOT, Workshop};
use crate::common::command::Lcmbench;
use crate::common::python::skip;
use crate::stored::check;

/// Reading the description takes long on a busy machine.
const PATIENCE: Duration = Duration::from_mins(3);

/// A proxy that checks requests and answers; ended when dropped.
struct Prism {
    child: Child,
    url: String,
}

impl Drop for Prism {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the harness itself reads the outer environment"
)]
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from)
}

/// The program, and GitHub's description, which `npm` installs beside it; what is missing is said.
fn needed() -> Option<(PathBuf, PathBuf)> {
    let Some(program) = variable("LCMBENCH_TEST_PRISM") else {
        skip("LCMBENCH_TEST_PRISM names no Prism");
        return None;
    };
    let packages = program.parent().and_then(Path::parent);
    let description = packages
        .unwrap_or(&program)
        .join("@octokit/openapi/generated/api.github.com.json");
    if !description.is_file() {
        skip(&format!("{} is not there", description.display()));
        return None;
    }
    Some((program, description))
}

/// Prism before the workshop's stand-in.
fn start((program, description): (PathBuf, PathBuf), workshop: &Workshop) -> Prism {
    let part = cut(&description, &workshop.stored.project.home());
    let prism = listening(&program, &part, &workshop.fake.url());
    let address = prism.url.trim_start_matches("http://").to_owned();
    workshop.fake.state().public = Some(address);
    prism
}

fn listening(program: &Path, description: &Path, upstream: &str) -> Prism {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let child = Command::new(program)
        .args(["proxy", "--errors", "--host", "127.0.0.1", "--port"])
        .arg(port.to_string())
        .arg(description)
        .arg(upstream)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("Prism starts");
    let mut prism = Prism {
        child,
        url: format!("http://127.0.0.1:{port}"),
    };
    let deadline = Instant::now() + PATIENCE;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        let ended = prism.child.try_wait().unwrap();
        assert!(
            ended.is_none() && Instant::now() < deadline,
            "Prism does not listen"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    prism
}

#[test]
fn github_s_own_description_accepts_our_requests_and_the_stand_in_s_answers() {
    let Some(needed) = needed() else {
        return;
    };
    let workshop = Workshop::new();
    let prism = start(needed, &workshop);
    {
        let mut state = workshop.fake.state();
        for _ in 0..130 {
            state.comment(7, "somebody", "text");
        }
        state.comment(7, BOT, &Workshop::legacy(&workshop.stored.commits[3]));
        state.comment(7, "writer", &Workshop::legacy(&workshop.stored.commits[3]));
        state.comment(7, BOT, &Workshop::of_run(&workshop.stored.commits[3], 3));
        state.changed_files = vec!["code.py".to_owned()];
    }
    let through = |arguments: &[&str]| {
        workshop
            .in_pull_request([])
            .env("GITHUB_API_URL", &prism.url)
            .args(arguments)
            .run()
    };
    // Lists, edits and deletes; then creates; then reads all that the check reads, and writes.
    check(
        through(&["pr-comment"]),
        0,
        &["comment edited; 1 older deleted"],
    );
    check(
        through(&["pr-comment", "--key", "gpu"]),
        0,
        &["comment posted"],
    );
    check(
        through(&["check", "--status", "--not-needed", "*.md"]),
        0,
        &["passes", "written"],
    );
    let desk = workshop
        .at_desk(["pr-comment", "--key", "desk"])
        .env("GITHUB_API_URL", &prism.url)
        .run();
    check(desk, 0, &["comment posted"]);
    doctor(&workshop, &prism);
    // Prism itself works: a state that GitHub does not know is refused before the stand-in sees it.
    let before = workshop.fake.state().requests.len();
    let refused = raw_post(&prism.url, &workshop.head());
    assert!(refused.starts_with("HTTP/1.1 422"), "{refused}");
    assert_eq!(workshop.fake.state().requests.len(), before);
}

#[test]
fn github_s_own_description_accepts_what_a_measurement_says() {
    let Some(needed) = needed() else {
        return;
    };
    let Some(measured) = Measured::new() else {
        return;
    };
    let fake = &measured.workshop.fake;
    let prism = start(needed, &measured.workshop);
    let output = measured
        .pr(["--check-run", "benchmark report", "--fail-on", "slower"])
        .env("GITHUB_API_URL", &prism.url)
        .run();
    check(output, 1, &["comment posted"]);
    let states: Vec<String> = measured
        .statuses()
        .into_iter()
        .map(|(state, _)| state)
        .collect();
    assert_eq!(states, ["pending", "failure"]);
    assert_eq!(fake.state().check_runs.len(), 1);
    // The same by a hand-over: found by owner, branch and commit, commented, finished.
    let _handed = measured
        .pr(["--handoff", "handoff.json"])
        .env("GITHUB_API_URL", "http://127.0.0.1:1")
        .run()
        .expect(0);
    let run = json!({"workflow_run": {"head_sha": measured.workshop.head(), "head_branch": "topic",
        "head_repository": {"full_name": REPOSITORY}, "pull_requests": []}});
    let arguments = ["report", "--handoff", "handoff.json", "--key", "handed"];
    let reported = measured
        .workshop
        .in_actions("workflow_run", &run, arguments)
        .env("GITHUB_API_URL", &prism.url)
        .run();
    check(reported, 0, &["comment posted"]);
    assert_eq!(measured.workshop.bodies().len(), 2);
    assert_eq!(measured.statuses().last().unwrap().0, "success");
}

/// All that the doctor asks: of a classic token and of a workflow's, with a branch that shows its
/// protection and with one that does not.
fn doctor(workshop: &Workshop, prism: &Prism) {
    {
        let mut state = workshop.fake.state();
        state.scopes = Some("repo");
        state.ruleset = Some(Source::Anybody);
        state.protection = Some(Source::App(15_368));
    }
    let asked = |command: Lcmbench| command.env("GITHUB_API_URL", &prism.url).run().stdout;
    let said = asked(workshop.at_desk(["doctor"]));
    assert!(
        said.contains("has the scope repo, which is enough"),
        "{said}"
    );
    assert!(said.contains("from GitHub Actions"), "{said}");
    workshop.fake.state().hides_protection = true;
    let said = asked(workshop.in_pull_request(["doctor"]));
    assert!(said.contains("reads pull requests and statuses"), "{said}");
    assert!(said.contains("from GitHub Actions"), "{said}");
}

fn raw_post(url: &str, sha: &str) -> String {
    use std::io::{Read as _, Write as _};
    let address = url.trim_start_matches("http://");
    let body = r#"{"state": "passed"}"#;
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "POST /repos/owner/project/statuses/{sha} HTTP/1.1\r\nHost: {address}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
