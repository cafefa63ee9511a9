use super::*;
use crate::json::Json;
use crate::report::listing::MeasuredCommit;

fn example() -> CommitResults {
    let result = |n: &str, cell: Cell, details: Option<Details>| ShownResult {
        params: vec![("n".into(), n.into()), ("s".into(), "'x'".into())],
        cell,
        details,
    };
    let details = Details {
        repeat: 10,
        number: 400,
        ci_99: (f64::NEG_INFINITY, 1.6e-5),
        samples: Some(vec![1.45e-5; 40]),
    };
    let number = |value: f64, spread: f64| Cell::Number {
        value: Json::Float(value),
        spread: Some(spread),
    };
    CommitResults {
        side: Side {
            commit: "0c096a9b".repeat(5),
            name: Some("main".into()),
            machine: "box".into(),
            environment: "existing-py_opt_python3".into(),
        },
        date: None,
        benchmarks: vec![
            ShownBenchmark {
                benchmark: "b.P.time_p".into(),
                unit: "seconds".into(),
                current: true,
                started_at: Some(1_796_063_538_000),
                duration: Some(1.38),
                results: vec![
                    result("1", number(1.45e-5, 2e-7), Some(details.clone())),
                    result(
                        "2",
                        Cell::Failed {
                            reason: Some("ValueError: boom\nmore".into()),
                        },
                        None,
                    ),
                ],
                flags: vec!["compiled-while-timed".into()],
            },
            ShownBenchmark {
                benchmark: "b.time_a".into(),
                unit: "seconds".into(),
                current: false,
                started_at: None,
                duration: None,
                results: vec![ShownResult {
                    params: Vec::new(),
                    cell: number(6.61e-7, 0.0),
                    details: Some(Details {
                        samples: None,
                        ..details
                    }),
                }],
                flags: Vec::new(),
            },
        ],
        durations: vec![("<build>".into(), 5.39e-5)],
    }
}

#[test]
fn results_by_benchmark() {
    insta::assert_snapshot!(results(&[example()], false), @r##"
Commit: 0c096a9b0c096a9b0c096a9b0c096a9b0c096a9b <main>

b.P.time_p [box/existing-py_opt_python3]
  1/2 failed
  | n | s   |     result |
  |---|-----|-----------:|
  | 1 | 'x' | 14.5±0.2μs |
  | 2 | 'x' |     failed |
  failed (2, 'x'): ValueError: boom more
  started: 2026-11-30 18:32:18 UTC, duration: 1.38s
  flag: compiled-while-timed

b.time_a [box/existing-py_opt_python3]
  661±0ns
  started: unknown, duration: unknown
  measured with a version of the benchmark that the suite no longer has
"##);
}

#[test]
fn details_have_repeat_number_interval_and_samples() {
    let shown = results(&[example()], true);
    let row = shown
        .lines()
        .find(|line| line.contains("14.5±0.2μs"))
        .unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(
        &cells[1..7],
        ["1", "'x'", "14.5±0.2μs", "10", "400", "(-inf, 16.0μs)"]
    );
    assert_eq!(row.matches("14.5μs").count(), 30);
    assert!(row.contains(" and 10 more"));
    assert!(shown.contains("  repeat: 10\n  number: 400\n  ci_99: (-inf, 16.0μs)\n  started"));
}

#[test]
fn durations_are_sorted_and_added_up() {
    let shown = durations(&[example()]);
    assert!(
        shown.ends_with("    b.P.time_p  1.38s\n    <build>  53.9μs\n\n    total duration: 1.38s")
    );
}

#[test]
fn commits_are_listed_with_dates_and_counts() {
    let commit = |hash: &str, date: Option<i64>, benchmarks: usize, failed: usize| MeasuredCommit {
        commit: hash.repeat(20),
        date,
        benchmarks,
        failed,
    };
    let series = Series {
        machine: "box".into(),
        environment: "py3".into(),
        commits: vec![
            commit("ab", Some(1_500_000_000_000), 1, 0),
            commit("cd", None, 12, 2),
        ],
    };
    assert_eq!(
        commits(&[series], 8),
        "Commits with results:\n\nMachine    : box\nEnvironment: py3\n\n    abababab  2017-07-14 \
         02:40:00 UTC  1 benchmark\n    cdcdcdcd  unknown  12 benchmarks, 2 failed"
    );
    assert_eq!(commits(&[], 8), "No results yet.");
}
