//! Against a stand-in for the Python side that misbehaves on demand.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Instant;

use fs_err as fs;
use tempfile::TempDir;

use super::*;
use crate::config::LaunchMethod;
use crate::json::Json;
use crate::sys::process::ExitStatus;
use crate::sys::signals::{Signals, Trigger};

/// A worker that runs the stand-in, and the folder where both keep their files.
pub(super) struct Stage {
    folder: TempDir,
    pub(super) options: WorkerOptions,
}

impl Stage {
    /// `None` without Python; `mode` is the stand-in's.
    pub(super) fn new(mode: &str) -> Option<Self> {
        let python = python()?;
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("fake.py");
        fs::write(&script, include_str!("fake.py")).unwrap();
        let temporary = folder.path().join("tmp");
        fs::create_dir(&temporary).unwrap();
        let mut options = options(&[&python, script.to_str().unwrap(), mode], "/suite");
        options.environment = options
            .environment
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .chain([("TMPDIR".into(), temporary.into())])
            .collect();
        Some(Self { folder, options })
    }

    pub(super) fn worker(&self) -> PythonWorker {
        PythonWorker::new(self.options.clone(), None).unwrap()
    }

    fn interruptible(&self) -> (PythonWorker, Trigger) {
        let (signals, trigger) = Signals::by_hand().unwrap();
        let worker = PythonWorker::new(self.options.clone(), Some(Arc::new(signals)));
        (worker.unwrap(), trigger)
    }

    /// How many entries the temporary folder has.
    fn entries(&self) -> usize {
        fs::read_dir(self.folder.path().join("tmp"))
            .unwrap()
            .count()
    }
}

/// Builds a stage or returns from the test.
macro_rules! stage {
    ($mode:expr) => {
        match Stage::new($mode) {
            Some(stage) => stage,
            None => return,
        }
    };
}

#[test]
fn a_suite_that_is_safe_is_forked_and_discovered_once() {
    let stage = stage!("safe");
    let mut worker = stage.worker();
    assert_eq!(worker.launch(), None);
    let outcome = worker.execute(&job("ok")).unwrap();
    assert_eq!(outcome.launch, Launch::Fork);
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert_eq!(*value(&outcome), Json::Int(1));
    assert_eq!(outcome.leftovers, 0);
    assert!(outcome.max_rss.unwrap() > 1_000_000);
    assert!(outcome.started_at > 1_600_000_000_000);

    let discovery = worker.discover().unwrap();
    assert_eq!(discovery.benchmarks.len(), 1);
    assert!(discovery.forks);
    assert_eq!(discovery.launch_reason, "one thread");
    assert_eq!(worker.launch().unwrap().launch, Launch::Fork);
    assert_eq!(worker.interpreter().unwrap().version, "3.12.0");
}

#[test]
fn a_suite_that_is_not_safe_is_spawned_and_its_server_ends() {
    let stage = stage!("unsafe");
    let mut worker = stage.worker();
    let discovery = worker.discover().unwrap();
    assert!(!discovery.forks);
    assert_eq!(discovery.launch_reason, "two threads");
    let outcome = worker.execute(&job("ok")).unwrap();
    assert_eq!(outcome.launch, Launch::Spawn);
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert_eq!(*value(&outcome), Json::Int(1));
    assert!(outcome.max_rss.unwrap() > 1_000_000);
}

#[test]
fn an_isolated_job_is_spawned_whatever_is_in_force() {
    let stage = stage!("safe");
    let mut worker = stage.worker();
    let mut isolated = job("ok");
    isolated.isolated = true;
    assert_eq!(worker.execute(&isolated).unwrap().launch, Launch::Spawn);
    // No import of the suite was needed for it.
    assert_eq!(worker.launch(), None);
    assert_eq!(worker.execute(&job("ok")).unwrap().launch, Launch::Fork);
}

#[test]
fn a_job_has_its_own_folder_and_nothing_stays() {
    let stage = stage!("safe");
    let mut worker = stage.worker();
    assert_eq!(stage.entries(), 1);
    for launch in [false, true] {
        let mut work = job("where");
        work.isolated = launch;
        let outcome = worker.execute(&work).unwrap();
        let place = value(&outcome).as_array().unwrap();
        let cwd = std::path::Path::new(place[0].as_str().unwrap()).to_owned();
        assert!(cwd.starts_with(fs::canonicalize(stage.folder.path()).unwrap()));
        assert_eq!(place[1], Json::Array(vec![]));
        // An empty folder may wait for the next job.
        assert!(fs::read_dir(&cwd).is_ok_and(|mut entries| entries.next().is_none()));
    }
    let cache = stage.folder.path().join("cache");
    fs::create_dir(&cache).unwrap();
    fs::write(cache.join("cache.pickle"), "").unwrap();
    let mut work = job("where");
    work.cache = Some(cache.clone());
    let outcome = worker.execute(&work).unwrap();
    let place = value(&outcome).as_array().unwrap();
    assert_eq!(place[1], Json::Array(vec!["cache.pickle".into()]));
    assert!(cache.exists());
    drop(worker);
    assert_eq!(stage.entries(), 0);
}

#[test]
fn the_process_under_test_gets_no_token() {
    let mut stage = stage!("safe");
    stage.options.environment = stage
        .options
        .environment
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()))
        .chain([
            ("GITHUB_TOKEN".into(), "secret".into()),
            ("PYTHONPATH".into(), "/somewhere".into()),
        ])
        .collect();
    stage.options.benchmark_env = [("XLA_FLAGS".to_owned(), "--x".to_owned())].into();
    let mut worker = stage.worker();
    assert_eq!(worker.withheld(), ["GITHUB_TOKEN"]);
    let outcome = worker.execute(&job("environment")).unwrap();
    let seen = value(&outcome);
    assert_eq!(seen.get("GITHUB_TOKEN"), None);
    assert_eq!(seen.get("PYTHONPATH"), Some(&"/somewhere".into()));
    assert_eq!(seen.get("XLA_FLAGS"), Some(&"--x".into()));
}

#[test]
fn a_crash_right_after_the_fork_makes_the_suite_go_on_spawned() {
    let stage = stage!("safe");
    let mut worker = stage.worker();
    let outcome = worker.execute(&job("fork_crash")).unwrap();
    assert_eq!(*value(&outcome), "spawned".into());
    assert_eq!(outcome.launch, Launch::Spawn);
    assert_eq!(
        *worker.launch().unwrap(),
        LaunchChoice {
            launch: Launch::Spawn,
            reason: "fork_crash died of signal 11, SIGSEGV when forked, and worked when spawned"
                .to_owned(),
        }
    );
    assert_eq!(worker.execute(&job("ok")).unwrap().launch, Launch::Spawn);
    // Another import does not bring the fork back.
    let discovery = worker.discover().unwrap();
    assert!(!discovery.forks);
    assert!(discovery.launch_reason.starts_with("fork_crash died"));
}

#[test]
fn a_crash_that_is_the_benchmarks_own_changes_nothing() {
    let stage = stage!("safe");
    let mut worker = stage.worker();
    let outcome = worker.execute(&job("crash")).unwrap();
    assert_eq!(outcome.ending, Ending::Signaled(libc::SIGSEGV));
    assert_eq!(outcome.launch, Launch::Spawn);
    let outcome = worker.execute(&job("late_crash")).unwrap();
    assert_eq!(outcome.ending, Ending::Signaled(libc::SIGSEGV));
    assert_eq!(outcome.launch, Launch::Fork);
    assert_eq!(outcome.reports.len(), 1);
    assert_eq!(worker.launch().unwrap().launch, Launch::Fork);
}

#[test]
fn who_asks_for_fork_gets_fork() {
    let mut stage = stage!("unsafe");
    stage.options.launch = LaunchMethod::Fork;
    let mut worker = stage.worker();
    let outcome = worker.execute(&job("fork_crash")).unwrap();
    assert_eq!(outcome.launch, Launch::Fork);
    assert_eq!(outcome.ending, Ending::Signaled(libc::SIGSEGV));
    let choice = worker.launch().unwrap();
    assert_eq!(choice.launch, Launch::Fork);
    assert!(choice.reason.ends_with("not safe: two threads"));
}

#[test]
fn who_asks_for_spawn_needs_no_import() {
    let mut stage = stage!("die_importing");
    stage.options.launch = LaunchMethod::Spawn;
    let mut worker = stage.worker();
    assert_eq!(worker.execute(&job("ok")).unwrap().launch, Launch::Spawn);
    assert_eq!(worker.launch().unwrap().reason, "spawn was asked for");
}

#[test]
fn a_dead_server_is_started_again() {
    let stage = stage!("safe");
    let mut worker = stage.worker();
    // Between two jobs.
    assert_eq!(
        *value(&worker.execute(&job("last_words")).unwrap()),
        Json::Int(1)
    );
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(worker.execute(&job("ok")).unwrap().launch, Launch::Fork);
    // When it is given a job.
    let flag = stage.folder.path().join("flag");
    let mut work = job("before_start");
    work.attributes
        .insert("flag".to_owned(), flag.to_str().unwrap().into());
    let outcome = worker.execute(&work).unwrap();
    assert!(flag.exists());
    assert_eq!((outcome.launch, outcome.reports.len()), (Launch::Fork, 1));
}

#[test]
fn a_job_that_takes_its_server_along_is_lost_and_the_others_go_on() {
    let stage = stage!("safe");
    for launch in [LaunchMethod::Auto, LaunchMethod::Fork] {
        let mut options = stage.options.clone();
        options.launch = launch;
        let mut worker = PythonWorker::new(options, None).unwrap();
        for _ in 0..2 {
            // Not tried again in a process of its own: its parent would be this one.
            let outcome = worker.execute(&job("kill_server")).unwrap();
            let killed = ExitStatus::Signal(libc::SIGKILL);
            assert_eq!(outcome.ending, Ending::WithItsWorker(killed));
            assert_eq!((outcome.launch, outcome.leftovers), (Launch::Fork, 1));
            assert_eq!(outcome.reports, []);
            assert_eq!(worker.execute(&job("ok")).unwrap().launch, Launch::Fork);
        }
        let error = worker.execute(&job("kill_server")).unwrap_err();
        assert!(matches!(error, WorkerError::Avoided { .. }), "{error}");
        assert_eq!(worker.execute(&job("ok")).unwrap().launch, Launch::Fork);
    }
}

#[test]
fn odd_events_do_no_harm() {
    let stage = stage!("safe");
    let mut worker = stage.worker();
    let outcome = worker.execute(&job("half_a_line")).unwrap();
    assert_eq!(outcome.ending, Ending::Exited(3));
    assert_eq!(outcome.reports, []);
    let outcome = worker.execute(&job("other_job")).unwrap();
    assert_eq!(*value(&outcome), Json::Int(2));
    let outcome = worker.execute(&job("silent")).unwrap();
    assert_eq!(
        (outcome.ending, outcome.reports),
        (Ending::Exited(0), vec![])
    );
}

#[test]
fn a_refused_job_is_an_error_and_the_server_goes_on() {
    let stage = stage!("safe");
    let mut worker = stage.worker();
    let error = worker.execute(&job("refuse")).unwrap_err();
    assert_eq!(error.to_string(), "the worker refused: too many processes");
    assert_eq!(worker.execute(&job("ok")).unwrap().launch, Launch::Fork);
}

#[test]
fn the_deadline_runs_from_the_request() {
    let stage = stage!("safe");
    let mut worker = stage.worker();
    worker.execute(&job("ok")).unwrap();
    for isolated in [false, true] {
        let mut work = job("hang");
        work.isolated = isolated;
        work.deadline = Duration::from_millis(500);
        let outcome = worker.execute(&work).unwrap();
        assert_eq!(outcome.ending, Ending::TimedOut);
        assert_eq!(outcome.stdout, "hanging\n");
        assert!(outcome.wall >= Duration::from_millis(500));
        assert!(outcome.wall < Duration::from_secs(5));
    }
    // The output of one job is not that of the next.
    assert_eq!(worker.execute(&job("ok")).unwrap().stdout, "");
}

#[test]
fn a_signal_ends_a_job_and_all_that_follow() {
    let stage = stage!("safe");
    for isolated in [false, true] {
        let (mut worker, trigger) = stage.interruptible();
        worker.execute(&job("ok")).unwrap();
        let sender = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            trigger.send(15).unwrap();
        });
        let mut work = job("hang");
        work.isolated = isolated;
        let begun = Instant::now();
        let outcome = worker.execute(&work).unwrap();
        assert_eq!(outcome.ending, Ending::Interrupted(15));
        assert!(begun.elapsed() < Duration::from_secs(10));
        sender.join().unwrap();
        let error = worker.execute(&job("ok")).unwrap_err();
        assert!(matches!(error, WorkerError::Interrupted(15)), "{error}");
    }
}

#[test]
fn a_signal_ends_an_import() {
    let stage = stage!("mute");
    let (mut worker, trigger) = stage.interruptible();
    trigger.send(2).unwrap();
    let error = worker.discover().unwrap_err();
    assert!(matches!(error, WorkerError::Interrupted(2)), "{error}");
}

#[test]
fn what_is_no_worker_is_named() {
    let mut stage = stage!("mute");
    stage.options.start_timeout = Duration::from_millis(200);
    let error = stage.worker().discover().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the worker ended before it answered (no answer within 0.2 s); it printed nothing"
    );

    let stage = stage!("babble");
    let error = stage.worker().discover().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "`{}` ended before it started the worker (exit code 4); is it a Python? The last it \
             printed:\nno worker here",
            stage.options.command()
        )
    );
    let mut options = stage.options.clone();
    options.launch = LaunchMethod::Spawn;
    let mut worker = PythonWorker::new(options, None).unwrap();
    let error = worker.execute(&job("ok")).unwrap_err();
    assert!(matches!(error, WorkerError::NoPython { .. }), "{error}");

    let stage = stage!("die_importing");
    let error = stage.worker().discover().unwrap_err();
    assert!(error.to_string().contains("(exit code 5)"), "{error}");

    let stage = stage!("broken");
    let error = stage.worker().discover().unwrap_err();
    assert!(matches!(error, WorkerError::Suite(message) if message == "no __init__.py"));
}

#[test]
fn a_python_that_is_missing_or_too_old_is_named() {
    let missing = options(&["/no/such/python"], "/suite");
    let error = PythonWorker::new(missing, None)
        .unwrap()
        .discover()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot start Python with `/no/such/python`"
    );

    // One that says it itself.
    let stage = stage!("old");
    let error = stage.worker().discover().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("is Python 3.8.1; lcmbench needs 3.9 or newer")
    );

    // One that cannot even read the program.
    let script = stage.folder.path().join("old python");
    let text = "#!/bin/sh\nif [ \"$1\" = -c ]; then echo Python 2.7.18; else echo SyntaxError >&2; exit 1; fi\n";
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let old = options(&[script.to_str().unwrap()], "/suite");
    let error = PythonWorker::new(old, None)
        .unwrap()
        .discover()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "`'{}'` is Python 2.7.18; lcmbench needs 3.9 or newer",
            script.display()
        )
    );
}
