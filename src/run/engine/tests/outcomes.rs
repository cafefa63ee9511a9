//! What comes of the ways in which a process can end.

use super::*;

#[test]
fn a_skip_is_nan_and_no_failure() {
    assert_eq!(
        does(Behaviour::SkipsWith("not here")),
        (
            Value::Skipped,
            Some((FailureKind::Skipped, "not here".to_owned()))
        )
    );
    assert_eq!(
        does(Behaviour::Returns(Json::Float(f64::NAN))).0,
        Value::Skipped
    );
}

#[test]
fn what_raises_is_null_with_its_exception() {
    assert_eq!(
        does(Behaviour::Raises("no")),
        failed(FailureKind::Exception, "ValueError: no")
    );
}

#[test]
fn what_returns_nothing_is_null() {
    assert_eq!(
        does(Behaviour::Returns(Json::Null)),
        failed(FailureKind::NoValue, "returned nothing")
    );
}

#[test]
fn values_that_are_no_numbers_are_kept_as_they_are() {
    let text = Json::from("fast");
    assert_eq!(
        does(Behaviour::Returns(text.clone())),
        (Value::Other(text), None)
    );
    assert_eq!(
        does(Behaviour::Returns(Json::Float(f64::INFINITY))),
        (Value::Number(Json::Float(f64::INFINITY)), None)
    );
    assert_eq!(
        does(Behaviour::Returns(Json::Int(5))),
        (Value::Number(Json::Int(5)), None)
    );
    assert_eq!(
        does(Behaviour::Returns(Json::Bool(true))),
        (Value::Other(Json::Bool(true)), None)
    );
}

#[test]
fn a_returned_object_with_samples_and_number_is_a_timing() {
    let timing: crate::json::Object = [
        ("samples".to_owned(), Json::from(vec![2.0, 4.0])),
        ("number".to_owned(), Json::Int(3)),
    ]
    .into_iter()
    .collect();
    let executor = MockExecutor::default().on("b", &[Behaviour::Returns(Json::Object(timing))]);
    let outcome = Trial::new(executor).run(&[selected("b", |_| {})]);
    assert_eq!(numbers(&only(&outcome).result), [Some(3.0)]);
    assert_eq!(only(&outcome).result.stats[0].as_ref().unwrap().number, 3);
}

#[test]
fn every_bad_ending_is_null_with_its_reason() {
    assert_eq!(
        does(Behaviour::EndsWith(Ending::TimedOut)),
        failed(FailureKind::Timeout, "timed out after 60 s")
    );
    assert_eq!(
        does(Behaviour::EndsWith(Ending::Signaled(libc::SIGSEGV))),
        failed(FailureKind::Signal, "the process died of SIGSEGV")
    );
    assert_eq!(
        does(Behaviour::EndsWith(Ending::Exited(7))),
        failed(
            FailureKind::Exit,
            "the process ended with exit code 7 and no result"
        )
    );
    // asv wants exit status 0 as well as a result.
    assert_eq!(
        does(Behaviour::ReturnsThenEndsWith(
            Json::Int(1),
            Ending::Signaled(libc::SIGABRT)
        )),
        failed(FailureKind::Signal, "the process died of SIGABRT")
    );
    assert_eq!(
        does(Behaviour::Breaks),
        failed(
            FailureKind::Exit,
            "the benchmark suite cannot be imported: gone"
        )
    );
}

#[test]
fn a_failed_cache_fails_all_its_users_once_and_they_are_not_run() {
    let cached = |b: &mut Benchmark| {
        b.rounds = 2;
        b.setup_cache_key = Some("m:1".to_owned());
    };
    let executor = MockExecutor::default().on("setup_cache", &[Behaviour::Raises("no cache")]);
    let mut trial = Trial::new(executor);
    let outcome = trial.run(&[selected("a", cached), selected("b", cached)]);
    assert_eq!(trial.executor.log, ["cache a"]);
    for finished in &outcome.finished {
        assert_eq!(finished.result.values, [Value::Failed]);
        assert_eq!(finished.result.duration, None);
        let failure = finished.provenance.failures[0].as_ref().unwrap();
        assert_eq!(failure.kind, FailureKind::SetupCache);
        assert_eq!(
            failure.message,
            "setup_cache m:1 failed: ValueError: no cache"
        );
    }
    assert_eq!(
        outcome.durations.get("<setup_cache m:1>").copied(),
        Some(1.0)
    );
}

#[test]
fn combinations_that_the_suite_skips_are_nan_and_start_no_process() {
    let mut trial = Trial::new(MockExecutor::default());
    let outcome = trial.run(&[selected("b", |b| {
        parameters(&["1", "2"])(b);
        b.skipped = [0].into();
    })]);
    assert_eq!(trial.executor.log, ["b-1"]);
    assert_eq!(numbers(&only(&outcome).result), [None, Some(1.0)]);
    assert_eq!(only(&outcome).result.values[0], Value::Skipped);
}

#[test]
fn what_failed_in_every_combination_is_not_run_again() {
    let executor = MockExecutor::default()
        .on("a", &[Behaviour::Raises("no")])
        .on("b-0", &[Behaviour::Raises("no")]);
    let mut trial = Trial::new(executor);
    trial.run(&[
        selected("a", rounds(2)),
        selected("b", |b| {
            b.rounds = 2;
            parameters(&["1", "2"])(b);
        }),
    ]);
    assert_eq!(trial.executor.log, ["a", "b-0", "b-1", "b-0", "b-1"]);
}

#[test]
fn the_last_round_decides_whether_a_combination_failed() {
    let good = samples(&[&[2.0], &[2.0]], 1);
    let run = |first: &Behaviour, second: &Behaviour| {
        let executor = MockExecutor::default().on("b-0", &[first.clone(), second.clone()]);
        let outcome = Trial::new(executor).run(&[selected("b", |b| {
            b.rounds = 2;
            parameters(&["1", "2"])(b);
        })]);
        only(&outcome).result.values[0].clone()
    };
    let bad = Behaviour::Raises("no");
    assert_eq!(run(&good, &bad), Value::Failed);
    assert_eq!(run(&bad, &good), Value::Number(Json::Float(2.0)));
}
