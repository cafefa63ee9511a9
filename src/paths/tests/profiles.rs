//! The profiled loop.

use super::*;

#[test]
fn a_profile_runs_the_compiled_path_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut fake = Fake::new(model);
    let modes = Modes {
        profile: true,
        ..NOTHING
    };
    let mut options = options(modes);
    options.calls = None;
    folder.path().clone_into(&mut options.profile.directory);
    let report = measure_one(&mut fake, 2, &options, &mut |_| {}).unwrap();
    let target = folder.path().join("lcmbench-profile-02_model.svg");
    let Section::Profile(profile) = &report.examples[0].sections[0] else {
        panic!("{report:?}");
    };
    assert_eq!(
        (&profile.output, profile.samples),
        (&Some(target.clone()), Some(1000))
    );
    assert!(target.is_file());
    assert_ne!(fake.attached[0].output, target);
    assert_eq!(
        fake.asked[1..],
        [
            Request::Build("compiled".to_owned()),
            Request::Warm("compiled".to_owned(), 50),
            Request::Trace,
            Request::Loop("compiled".to_owned(), 5000)
        ]
    );
    assert!(!report.has_failures());

    let mut fake = Fake::new(model);
    fake.refuse_profiler = Some(PySpyError::NotPermitted {
        remedy: "do this".to_owned(),
    });
    let report = measure_one(&mut fake, 2, &options, &mut |_| {}).unwrap();
    assert_eq!(
        report.examples[0].problems()[0].sentence(),
        "failed: py-spy may not look into the process; do this"
    );
    assert_eq!(
        fake.count(|request| matches!(request, Request::Loop(..))),
        0
    );

    options.profile.bare = true;
    let mut fake = Fake::new(model);
    let report = measure_one(&mut fake, 2, &options, &mut |_| {}).unwrap();
    assert!(fake.attached.is_empty() && !report.has_failures());
}

#[test]
fn what_a_profile_needs_is_missed_before_anything_is_built() {
    let modes = Modes {
        profile: true,
        ..NOTHING
    };
    let mut options = options(modes);
    let mut fake = Fake::new(model);
    fake.refuse_profiler = Some(PySpyError::NotFound {
        python: "/venv/bin/python".into(),
    });
    let said = |fake: &mut Fake<'_>, options: &Options| {
        let report = measure_one(fake, 2, options, &mut |_| {}).unwrap();
        assert_eq!(fake.asked, [Request::Load(2)]);
        report.examples[0].problems()[0].sentence()
    };
    let missing = said(&mut fake, &options);
    assert!(
        missing.starts_with("failed: py-spy was found neither beside /venv/bin/python nor on PATH"),
        "{missing}"
    );
    options.profile.output = Some("/no/such/folder/x.svg".into());
    let unwritable = said(&mut Fake::new(model), &options);
    assert!(
        unwritable
            .starts_with("failed: the flame graph cannot be written to /no/such/folder/x.svg"),
        "{unwritable}"
    );
}

fn benchmark() -> SuiteBenchmark {
    SuiteBenchmark {
        suite: "/p/benchmarks".to_owned(),
        folder: "/tmp".to_owned(),
        name: "solving.time_it".to_owned(),
        shown: "solving.time_it(3)".to_owned(),
        combination: Some(1),
        setup_scope: crate::config::SetupScope::Auto,
        device_sync: false,
    }
}

fn profile_suite(
    fake: &mut Fake<'_>,
    options: &ProfileOptions,
) -> (SuiteProfile, Option<RunnerError>) {
    let second = Duration::from_secs(1);
    let length = Length::Lasting(second);
    profile_benchmark(fake, second, &benchmark(), length, options, &mut |_| {})
}

fn into(folder: &Path) -> ProfileOptions {
    ProfileOptions {
        output: None,
        directory: folder.to_owned(),
        rate: 100,
        bare: false,
    }
}

#[test]
fn a_benchmark_of_a_suite_is_set_up_profiled_and_torn_down() {
    let folder = tempfile::tempdir().unwrap();
    let mut fake = Fake::new(model);
    let (result, stopped) = profile_suite(&mut fake, &into(folder.path()));
    assert!(stopped.is_none());
    assert_eq!(
        fake.asked,
        [
            Request::Hello,
            Request::Prepare(benchmark()),
            Request::Trace,
            Request::Repeat(Length::Lasting(Duration::from_secs(1))),
            Request::Release
        ]
    );
    let target = folder.path().join("lcmbench-profile-solving.time_it-3.svg");
    assert!(target.is_file());
    let text = render(&suite_profile(&result), Format::Table { color: false });
    assert_eq!(
        text,
        format!(
            "solving.time_it(3)\n==================\n\
             40 calls in 2.00 s, 50.0 ms a call, with the profiler's pauses, after 3 warm-ups.\n\
             Flame graph, 1000 samples at 100 a second: {}",
            target.display()
        )
    );
}

#[test]
fn a_benchmark_that_does_not_apply_or_fails_leaves_no_graph() {
    let folder = tempfile::tempdir().unwrap();
    let left = || fs_err::read_dir(folder.path()).unwrap().count();
    let mut fake = Fake::new(|request| match request {
        Request::Prepare(_) => Ok(Reply::Skipped("needs a GPU".to_owned())),
        other => model(other),
    });
    let (result, _) = profile_suite(&mut fake, &into(folder.path()));
    assert_eq!(result.problem, Some(Problem::skipped("needs a GPU")));
    assert_eq!((fake.attached.len(), left()), (0, 0));

    for reply in [Ok(failed("ValueError: no")), Err(died())] {
        let mut reply = Some(reply);
        let mut fake = Fake::new(|request| match request {
            Request::Repeat(_) => reply.take().unwrap(),
            other => model(other),
        });
        let (result, stopped) = profile_suite(&mut fake, &into(folder.path()));
        assert!(result.problem.unwrap().is_failure() && stopped.is_none());
        assert_eq!((result.output, left()), (None, 0));
    }

    let mut fake = Fake::new(|request| match request {
        Request::Repeat(_) => Err(RunnerError::Interrupted(2)),
        other => model(other),
    });
    let (result, stopped) = profile_suite(&mut fake, &into(folder.path()));
    assert!(matches!(stopped, Some(RunnerError::Interrupted(2))));
    assert_eq!(
        render(&suite_profile(&result), Format::Markdown),
        "## solving.time_it(3)\n\nInterrupted before the loop was done."
    );
    assert_eq!(left(), 0);
}
