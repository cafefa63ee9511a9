//! Against the Python package, with a suite whose benchmarks end in every way there is.

use std::time::Instant;

use fs_err as fs;
use tempfile::TempDir;

use super::*;
use crate::config::LaunchMethod;
use crate::json::Json;

/// A suite in a temporary folder.
pub(super) struct Suite {
    folder: TempDir,
    options: WorkerOptions,
}

impl Suite {
    /// `None` without Python.
    pub(super) fn new() -> Option<Self> {
        let python = python()?;
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("suite");
        fs::create_dir(&suite).unwrap();
        fs::write(suite.join("__init__.py"), "").unwrap();
        fs::write(suite.join("endings.py"), include_str!("endings.py")).unwrap();
        fs::write(suite.join("broken.py"), "import no_such_module\n").unwrap();
        let options = options(&[&python], suite);
        Some(Self { folder, options })
    }

    /// One worker that forks and one that spawns.
    pub(super) fn workers(&self) -> [PythonWorker; 2] {
        [LaunchMethod::Auto, LaunchMethod::Spawn].map(|launch| {
            let mut options = self.options.clone();
            options.launch = launch;
            PythonWorker::new(options, None).unwrap()
        })
    }
}

/// Builds a suite or returns from the test.
macro_rules! suite {
    () => {
        match Suite::new() {
            Some(suite) => suite,
            None => return,
        }
    };
}

/// Runs `endings.<name>` and checks that it was launched as the worker's choice says.
fn run(worker: &mut PythonWorker, name: &str) -> JobOutcome {
    let outcome = worker.execute(&job(&format!("endings.{name}"))).unwrap();
    let method = worker.launch().map(|choice| choice.launch);
    assert_eq!(Some(outcome.launch), method, "{name}: {outcome:?}");
    outcome
}

/// `kind`, class and message of the one failure that a job reports.
fn failure(outcome: &JobOutcome) -> (&str, &str, &str) {
    match outcome.reports.as_slice() {
        [JobReport::Failed { kind, error, .. }] => (kind, &error.class, &error.message),
        reports => panic!("not one failure: {reports:?}, {outcome:?}"),
    }
}

#[test]
fn discovery_lists_benchmarks_and_the_module_that_is_broken() {
    let suite = suite!();
    let mut worker = PythonWorker::new(suite.options.clone(), None).unwrap();
    let discovery = worker.discover().unwrap();
    let found = |name: &str| {
        let named = |benchmark: &&Discovered| benchmark.record["name"] == name.into();
        discovery.benchmarks.iter().find(named).unwrap()
    };
    let time_loop = found("endings.time_loop");
    assert_eq!(
        time_loop.file,
        suite.options.benchmark_dir.join("endings.py")
    );
    assert_eq!(time_loop.module, "endings");
    assert!(time_loop.line > 1);
    assert_eq!(time_loop.record["type"], "time".into());
    let parameters = found("endings.Parameters.track_length");
    assert_eq!(parameters.class.as_deref(), Some("Parameters"));
    assert_eq!(
        parameters.record["param_names"],
        vec!["number", "text"].into()
    );
    let [broken] = discovery.module_errors.as_slice() else {
        panic!("{:?}", discovery.module_errors);
    };
    assert_eq!(broken.module, "broken");
    assert_eq!(broken.error.class, "ModuleNotFoundError");
    assert!(broken.error.traceback.contains("no_such_module"));
    assert!(discovery.forks, "{}", discovery.launch_reason);
    assert!(discovery.interpreter.version.starts_with("3."));
}

#[test]
fn timings_and_values_arrive() {
    let suite = suite!();
    for mut worker in suite.workers() {
        let mut quick = job("endings.time_loop");
        for (name, value) in [("number", 3), ("repeat", 2), ("rounds", 1)] {
            quick.attributes.insert(name.to_owned(), Json::Int(value));
        }
        quick
            .attributes
            .insert("warmup_time".to_owned(), Json::Int(0));
        let outcome = worker.execute(&quick).unwrap();
        let [
            JobReport::Samples {
                samples, number, ..
            },
        ] = outcome.reports.as_slice()
        else {
            panic!("no samples: {outcome:?}");
        };
        assert_eq!((samples.len(), *number), (2, 3));
        assert!(samples.iter().all(|sample| (1e-8..1.0).contains(sample)));
        assert_eq!(outcome.ending, Ending::Exited(0));

        let mut value_of = |name: &str| value(&run(&mut worker, name)).clone();
        assert_eq!(value_of("track_answer"), Json::Int(42));
        assert!(value_of("track_nan").as_f64().unwrap().is_nan());
        assert_eq!(value_of("track_infinity"), Json::Float(f64::INFINITY));
        assert_eq!(value_of("track_text"), "text".into());
        let dict = value_of("track_dict");
        assert_eq!(
            dict.get("a"),
            Some(&Json::Array(vec![Json::Int(1), Json::Null]))
        );
    }
}

#[test]
fn failures_keep_their_reason() {
    let suite = suite!();
    for mut worker in suite.workers() {
        let outcome = run(&mut worker, "track_raises");
        assert_eq!(
            failure(&outcome),
            ("exception", "ValueError", "broken on purpose")
        );
        assert_eq!(outcome.ending, Ending::Exited(0));
        assert_eq!(failure(&run(&mut worker, "track_nothing")).0, "no-value");
        assert_eq!(
            failure(&run(&mut worker, "track_object")).0,
            "unserializable"
        );
        assert_eq!(
            failure(&run(&mut worker, "track_writes_to_closed")).1,
            "OSError"
        );
    }
}

#[test]
fn crashes_and_exits_are_seen() {
    let suite = suite!();
    for mut worker in suite.workers() {
        // Before the worker knows how it launches.
        run(&mut worker, "track_answer");
        for (name, ending) in [
            ("track_exit", Ending::Exited(3)),
            ("track_segfault", Ending::Signaled(libc::SIGSEGV)),
            ("track_killed", Ending::Signaled(libc::SIGKILL)),
        ] {
            let outcome = worker.execute(&job(&format!("endings.{name}"))).unwrap();
            assert_eq!(outcome.ending, ending, "{name}");
            assert_eq!(outcome.reports, [], "{name}");
        }
        // Crashes of their own make nobody doubt the fork, and the server goes on.
        assert_eq!(*value(&run(&mut worker, "track_answer")), Json::Int(42));
    }
}

#[test]
fn streams_are_kept_capped_and_may_be_closed() {
    let suite = suite!();
    for mut worker in suite.workers() {
        let outcome = run(&mut worker, "track_prints");
        assert_eq!(outcome.stdout, "to standard output\n");
        assert_eq!(outcome.stderr, "to standard error\n");
        let outcome = run(&mut worker, "track_prints_100_megabytes");
        assert_eq!(*value(&outcome), Json::Int(1));
        assert!(outcome.stdout.starts_with("[99934472 bytes before this"));
        assert!(outcome.stdout.ends_with("x\nthe end\n"));
        let outcome = run(&mut worker, "track_closed_streams");
        assert_eq!(*value(&outcome), Json::Int(1));
        // It has closed the worker's own descriptor: no report can come.
        let outcome = worker.execute(&job("endings.track_closes_all")).unwrap();
        assert_eq!(outcome.reports, []);
        assert_eq!(
            run(&mut worker, "track_prints").stdout,
            "to standard output\n"
        );
    }
}

#[test]
fn deadlines_hold_whatever_the_job_does() {
    let suite = suite!();
    for mut worker in suite.workers() {
        run(&mut worker, "track_answer");
        for (name, output) in [
            ("track_hangs", "hanging\n"),
            ("track_chatters", "again\nagain\n"),
            ("track_ignores_term", "ignoring\n"),
        ] {
            let mut work = job(&format!("endings.{name}"));
            work.deadline = Duration::from_secs(1);
            let outcome = worker.execute(&work).unwrap();
            assert_eq!(outcome.ending, Ending::TimedOut, "{name}");
            assert!(outcome.stdout.starts_with(output), "{name}: {outcome:?}");
            assert!(outcome.wall >= Duration::from_secs(1));
            assert_eq!(outcome.leftovers, 0, "{name}");
        }
        assert_eq!(*value(&run(&mut worker, "track_answer")), Json::Int(42));
    }
}

#[test]
fn leftover_children_are_ended_and_counted() {
    let suite = suite!();
    for mut worker in suite.workers() {
        let outcome = run(&mut worker, "track_leaves_children");
        assert_eq!((value(&outcome), outcome.leftovers), (&Json::Int(1), 2));
        let outcome = run(&mut worker, "track_leaves_a_fork");
        assert_eq!((value(&outcome), outcome.leftovers), (&Json::Int(1), 1));
        assert_eq!(run(&mut worker, "track_answer").leftovers, 0);
    }
}

#[test]
fn parameters_skips_and_caches_work() {
    let suite = suite!();
    for mut worker in suite.workers() {
        let mut work = job("endings.Parameters.track_length");
        work.combination = Some(1);
        let outcome = worker.execute(&work).unwrap();
        assert_eq!(*value(&outcome), Json::Int(300));
        work.combination = Some(2);
        let outcome = worker.execute(&work).unwrap();
        let [JobReport::Skipped { reason, .. }] = outcome.reports.as_slice() else {
            panic!("not skipped: {outcome:?}");
        };
        assert!(reason.contains("not for two"), "{reason}");

        let cache = tempfile::tempdir_in(suite.folder.path()).unwrap();
        let path = fs::canonicalize(cache.path()).unwrap();
        let mut work = job("endings.Cached.track_cache");
        work.kind = JobKind::SetupCache;
        work.cache = Some(path.clone());
        let outcome = worker.execute(&work).unwrap();
        assert_eq!(outcome.reports, [JobReport::Cached], "{outcome:?}");
        assert!(path.join("cache.pickle").is_file());
        work.kind = JobKind::Benchmark;
        let outcome = worker.execute(&work).unwrap();
        let place: Json = path.to_str().unwrap().into();
        assert_eq!(*value(&outcome), Json::Array(vec![place.clone(), place]));

        let mut work = job("endings.BadCache.track_cache");
        work.kind = JobKind::SetupCache;
        work.cache = Some(path);
        let outcome = worker.execute(&work).unwrap();
        assert_eq!(
            failure(&outcome),
            ("exception", "RuntimeError", "no cache today")
        );
    }
}

#[test]
fn a_job_is_at_home_in_its_own_folder() {
    let suite = suite!();
    for mut worker in suite.workers() {
        for _ in 0..2 {
            let outcome = run(&mut worker, "track_folder");
            let place = value(&outcome).as_array().unwrap();
            assert!(!std::path::Path::new(place[0].as_str().unwrap()).exists());
            assert_eq!(place[1], Json::Bool(false));
        }
    }
}

#[test]
fn the_environment_and_the_processors_are_as_asked() {
    let mut suite = suite!();
    suite.options.cpu_affinity = Some(vec![0]);
    suite.options.environment = suite
        .options
        .environment
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()))
        .chain([
            ("GITHUB_TOKEN".into(), "secret".into()),
            ("PYTHONPATH".into(), "/somewhere".into()),
        ])
        .collect();
    for mut worker in suite.workers() {
        let outcome = run(&mut worker, "track_environment");
        assert_eq!(value(&outcome).get("GITHUB_TOKEN"), None);
        assert_eq!(
            value(&outcome).get("PYTHONPATH"),
            Some(&"/somewhere".into())
        );
        let outcome = run(&mut worker, "track_affinity");
        assert_eq!(*value(&outcome), Json::Array(vec![Json::Int(0)]));
    }
}

#[test]
fn memory_is_measured_in_a_process_of_its_own() {
    let suite = suite!();
    let mut worker = PythonWorker::new(suite.options.clone(), None).unwrap();
    let mut work = job("endings.peakmem_block");
    work.isolated = true;
    let outcome = worker.execute(&work).unwrap();
    assert_eq!(outcome.launch, Launch::Spawn);
    let bytes = value(&outcome).as_f64().unwrap();
    assert!((50e6..150e6).contains(&bytes), "{bytes}");
}

#[test]
fn a_wrapper_around_python_may_stay_in_between() {
    let mut suite = suite!();
    let python = suite.options.python.remove(0);
    // Not `exec`: the shell waits, as `pixi run` does.
    let script = format!("echo wrapped; '{python}' \"$@\"; exit $?");
    suite.options.python = ["sh", "-c", &script, "wrapper"].map(str::to_owned).to_vec();
    for mut worker in suite.workers() {
        assert_eq!(*value(&run(&mut worker, "track_answer")), Json::Int(42));
        let mut work = job("endings.track_ignores_term");
        work.deadline = Duration::from_secs(1);
        let outcome = worker.execute(&work).unwrap();
        assert_eq!(outcome.ending, Ending::TimedOut);
        assert_eq!(outcome.leftovers, 0);
        assert_eq!(*value(&run(&mut worker, "track_answer")), Json::Int(42));
    }
}

#[test]
fn the_worker_goes_down_with_everything_it_started() {
    let suite = suite!();
    let mut worker = PythonWorker::new(suite.options.clone(), None).unwrap();
    run(&mut worker, "track_answer");
    let begun = Instant::now();
    drop(worker);
    assert!(begun.elapsed() < Duration::from_secs(10));
}
