//! Ctrl-C: what is done is reported, and nothing goes on.

use fs_err as fs;
use rustix::process::{Pid, Signal};

use super::{paths, project};
use crate::common::python3;

#[test]
fn runs_before_an_interruption_are_reported() {
    let Some(python) = python3() else { return };
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let project = project();
        let notes = project.home().join("notes");
        fs::create_dir(&notes).unwrap();
        let mut running = paths(&project, &python)
            .args(["1", "--par-variability"])
            .env("NOTES", &notes)
            .start();
        let third = notes.join("2");
        let written = || fs::read_to_string(&third).unwrap_or_default();
        running.wait_until("the third fit runs", || !written().is_empty());
        let process = Pid::from_raw(written().parse().unwrap()).unwrap();
        running.signal(signal);
        let output = running
            .wait()
            .expect(code)
            .says("| reference |")
            .says("| start 1   |")
            .says("Interrupted by signal");
        assert!(!output.stdout.contains("| start 2 "), "{}", output.stdout);
        assert!(
            rustix::process::test_kill_process(process).is_err(),
            "the fit is still running"
        );
    }
}
