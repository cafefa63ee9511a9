//! `lcmbench preview`, asked as a browser would.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

use lcmbench::site::has_page;
use rustix::process::Signal;

use crate::common::python::skip;
use crate::stored::{StoredProject, check, timed};

/// A port that was free just now.
fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().port()
}

/// The answer to a request, if somebody listens.
fn get(port: u16, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_mins(1))).ok()?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    )
    .ok()?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[test]
fn results_are_shown_and_shown_again_when_they_change() {
    let stored = StoredProject::with_commits(2);
    stored.save(&stored.commits[0], &[timed("m.time_plain", 0.5)]);
    let project = &stored.project;
    if !has_page() {
        let output = project.lcmbench().arg("preview").run();
        check(
            output,
            3,
            &["without the dashboard's page", "npm run build"],
        );
        skip("the page was not bundled (npm run build in web/)");
        return;
    }
    let port = free_port();
    let port_text = port.to_string();
    let mut running = project
        .lcmbench()
        .args(["preview", "--port", &port_text])
        .start();
    let index = || get(port, "/index.js").unwrap_or_default();
    running.wait_until("it serves", || index().contains("m.time_plain"));
    let page = get(port, "/").unwrap();
    assert!(page.contains("/-/reload.js"), "{page}");
    assert!(
        get(port, "/../asv.conf.json")
            .unwrap()
            .starts_with("HTTP/1.1 404 ")
    );
    assert!(!index().contains("m.Suite.peakmem_run"));

    let again = project.lcmbench().args(["preview", "--port", &port_text]);
    check(
        again.run(),
        3,
        &[&format!("port {port} cannot be listened on")],
    );

    let row = timed("m.Suite.peakmem_run", 7.0);
    stored.save(&stored.commits[1], &[timed("m.time_plain", 0.6), row]);
    let told = get(port, "/-/wait.js?after=1").unwrap();
    running.wait_until("it draws again", || index().contains("m.Suite.peakmem_run"));
    assert!(
        told.ends_with("\r\n\r\n") || told.contains("location.reload()"),
        "{told}"
    );
    running.signal(Signal::INT);
    check(
        running.wait(),
        0,
        &[&format!("serving http://127.0.0.1:{port}/"), "drawn again"],
    );
    assert!(get(port, "/").is_none());
    let status = project.git(["status", "--porcelain"]);
    assert_eq!(status, "", "the project is as it was");
}

#[test]
fn without_results_there_is_nothing_to_show() {
    let stored = StoredProject::with_commits(1);
    let output = stored.project.lcmbench().arg("preview").run();
    assert_eq!(output.code, 3, "{output:?}");
}
