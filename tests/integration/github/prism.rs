//! The stand-in and the client behind Prism, which holds both to GitHub's own description of its API:
//! a bad request does not reach the stand-in, and a bad answer of it becomes an error.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::measured::Measured;
use super::workshop::{BOT, Workshop};
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

/// The program and GitHub's description; what is missing is said.
fn needed() -> Option<(PathBuf, PathBuf)> {
    let Some(program) = variable("LCMBENCH_TEST_PRISM") else {
        skip("LCMBENCH_TEST_PRISM names no Prism");
        return None;
    };
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let data = variable("LCMBENCH_TEST_DATA").unwrap_or(beside);
    let description = data.join("github-openapi-slim.json");
    if !description.is_file() {
        skip(&format!("{} is not there", description.display()));
        return None;
    }
    Some((program, description))
}

fn start(program: &Path, description: &Path, upstream: &str) -> Prism {
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
    let Some((program, description)) = needed() else {
        return;
    };
    let workshop = Workshop::new();
    let prism = start(&program, &description, &workshop.fake.url());
    let address = prism.url.trim_start_matches("http://").to_owned();
    {
        let mut state = workshop.fake.state();
        state.public = Some(address);
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
    // Prism itself works: a state that GitHub does not know is refused before the stand-in sees it.
    let before = workshop.fake.state().requests.len();
    let refused = raw_post(&prism.url, &workshop.head());
    assert!(refused.starts_with("HTTP/1.1 422"), "{refused}");
    assert_eq!(workshop.fake.state().requests.len(), before);
}

#[test]
fn github_s_own_description_accepts_what_a_measurement_says() {
    let Some((program, description)) = needed() else {
        return;
    };
    let Some(measured) = Measured::new() else {
        return;
    };
    let fake = &measured.workshop.fake;
    let prism = start(&program, &description, &fake.url());
    fake.state().public = Some(prism.url.trim_start_matches("http://").to_owned());
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
