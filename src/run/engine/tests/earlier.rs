//! What a run makes of the results that are there already.

use super::*;

fn file_with(benchmark: &str, result: BenchmarkResult) -> ResultSet {
    ResultSet {
        results: [(benchmark.to_owned(), result)].into_iter().collect(),
        ..ResultSet::default()
    }
}

fn stats(number: i64) -> crate::results::SampleStats {
    crate::results::SampleStats {
        ci_99: (0.0, 1.0),
        q_25: 0.0,
        q_75: 1.0,
        number,
        repeat: 2,
    }
}

#[test]
fn appended_samples_join_the_old_ones_with_their_number() {
    let old = BenchmarkResult {
        values: vec![Value::Number(Json::Float(5.0))],
        version: Some("v".to_owned()),
        stats: vec![Some(stats(70))],
        samples: vec![Some(vec![5.0, 5.0])],
        ..BenchmarkResult::default()
    };
    let executor = MockExecutor::default().on("b", &[samples(&[&[1.0], &[2.0]], 9)]);
    let mut trial = Trial::new(executor);
    trial.options.samples = SampleOptions {
        record: true,
        append: true,
    };
    trial.earlier = Some(file_with("b", old.clone()));
    let outcome = trial.run(&[selected("b", rounds(2))]);
    let finished = only(&outcome);
    assert_eq!(finished.result.samples, [Some(vec![5.0, 5.0, 1.0, 2.0])]);
    assert_eq!(finished.result.stats[0].as_ref().unwrap().number, 70);
    assert_eq!(finished.provenance.process_sizes, [vec![2, 1, 1]]);

    // Without the flag, and for another version, the old samples are gone.
    let mut fresh = Trial::new(MockExecutor::default().on("b", &[samples(&[&[1.0]], 9)]));
    fresh.options.samples.record = true;
    fresh.earlier = Some(file_with("b", old.clone()));
    let outcome = fresh.run(&[selected("b", |_| {})]);
    assert_eq!(only(&outcome).result.samples, [Some(vec![1.0])]);

    fresh.options.samples.append = true;
    fresh.earlier = Some(file_with(
        "b",
        BenchmarkResult {
            version: Some("other".to_owned()),
            ..old
        },
    ));
    let outcome = fresh.run(&[selected("b", |_| {})]);
    assert_eq!(only(&outcome).result.samples, [Some(vec![1.0])]);
}

#[test]
fn combinations_that_are_not_selected_keep_their_older_value_or_are_nan() {
    let old = BenchmarkResult {
        values: vec![Value::Number(Json::Int(7)), Value::Failed],
        params: vec![axis(&["x", "z"])],
        version: Some("v".to_owned()),
        ..BenchmarkResult::default()
    };
    let mut trial = Trial::new(MockExecutor::default());
    trial.earlier = Some(file_with("b", old));
    let mut partly = selected("b", parameters(&["x", "y", "z"]));
    partly.combinations = vec![1];
    let outcome = trial.run(&[partly]);
    assert_eq!(
        only(&outcome).result.values,
        [
            Value::Number(Json::Int(7)),
            Value::Number(Json::Int(1)),
            Value::Failed
        ]
    );
    let mut alone = selected("b", parameters(&["x", "y"]));
    alone.combinations = vec![1];
    let outcome = Trial::new(MockExecutor::default()).run(&[alone]);
    assert_eq!(
        only(&outcome).result.values,
        [Value::Skipped, Value::Number(Json::Int(1))]
    );
}
