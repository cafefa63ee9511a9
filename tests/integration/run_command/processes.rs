//! The processes of a run: shared, forked, started afresh, profiled.

use super::*;

/// A metric that tells in which process it ran, and how often that was set up.
const SHARED: &str = r#"
import os

class Model:
    def setup(self):
        self.count = getattr(self, "count", 0) + 1

    def track_first(self):
        return os.getpid()

    def track_second(self):
        return os.getpid()

    def track_set_ups(self):
        return self.count

    def time_nothing(self):
        pass
"#;

#[test]
fn metrics_of_a_class_can_share_one_set_up() {
    let Some(suite) = Suite::with(SHARED) else {
        return;
    };
    let pid = |name: &str| suite.cell(&format!("bench.Model.track_{name}"), 0);
    let _alone = suite.run([], 0);
    assert_ne!(pid("first"), pid("second"));
    let _shared = suite.run(["--share-setup"], 0);
    assert_eq!(pid("first"), pid("second"));
    assert_eq!(suite.cell("bench.Model.track_set_ups", 0), numbers(&[1]));
    let samples = suite.cell("bench.Model.time_nothing", 10);
    assert_eq!(
        samples,
        numbers(&[10]),
        "one round takes the samples of two"
    );
    let file = suite.file();
    let worker = file.get("lcmbench").unwrap().get("worker").unwrap();
    assert_eq!(worker.get("share_setup"), Some(&Json::Bool(true)));
}

#[test]
fn processes_are_forked_or_started_afresh_as_asked() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    for (method, launch) in [("spawn", "spawn"), ("forkserver", "fork"), ("auto", "fork")] {
        let _run = suite.run(
            ["--quick", "-b", "track_fine", "--launch-method", method],
            0,
        );
        let known = suite.provenance("bench.track_fine");
        assert_eq!(known.get("launch"), Some(&launch.into()), "{method}");
    }
    let peak = "class Peak:\n    def peakmem_list(self):\n        return [0] * 1000\n";
    suite.project.write("benchmarks/peak.py", peak);
    suite.project.commit("Peak memory");
    let _peak = suite
        .command(["quick", "-b", "peakmem"], 0)
        .says("M  peak.Peak.peakmem_list");
}

/// As in a shell that was opened in a container from outside: the leader of our session has no number
/// here.
#[test]
fn a_session_from_outside_the_pid_namespace_is_no_hindrance() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    let namespace = ["--pid", "--fork", "--mount-proc"];
    let tried = std::process::Command::new("unshare")
        .args(namespace)
        .arg("true")
        .status();
    if !tried.is_ok_and(|status| status.success()) {
        skip("this user cannot make a PID namespace with unshare");
        return;
    }
    let output = suite
        .project
        .program("unshare")
        .args(namespace)
        .arg(env!("CARGO_BIN_EXE_lcmbench"))
        .args(["quick", "-b", "track_fine", "--python"])
        .arg(&suite.python)
        .run()
        .expect(0);
    assert!(output.stdout.contains("bench.track_fine"), "{output:?}");
}

#[test]
fn a_profile_covers_all_combinations() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    let _run = suite.run(["-b", "track_double", "--profile"], 0);
    let Json::String(profile) = suite.cell("bench.Model.track_double", 12) else {
        panic!("no profile");
    };
    let script = "import base64, marshal, sys, zlib\n\
                  stats = marshal.loads(zlib.decompress(base64.b64decode(sys.argv[1])))\n\
                  print([calls[0] for key, calls in stats.items() if key[2] == 'track_double'])";
    let output = suite
        .project
        .program(&suite.python)
        .args(["-c", script, &profile])
        .run()
        .expect(0);
    assert_eq!(output.stdout.trim(), "[2]", "one call for each combination");
}
