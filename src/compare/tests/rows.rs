//! Rows, verdicts without statistics, alerts, absences.

use super::build::{
    Case, along, empty_set, failed, index, integer, missing, number, other, set, skipped,
};
use crate::compare::Options;
use crate::config::Better;
use crate::json::{Json, Object};
use crate::report::{Absence, Cell, Mark, MetricKind, Verdict};
use crate::results::{BenchmarkRecord, VERSION_STAMPS, Value};

#[test]
fn verdicts_without_two_values() {
    let case = Case::default();
    let cases = [
        (number(1.0), failed(), Verdict::Failed),
        (missing(), failed(), Verdict::Failed),
        (failed(), failed(), Verdict::Failed),
        (number(1.0), skipped(), Verdict::Skipped),
        (missing(), number(1.0), Verdict::New),
        (failed(), number(1.0), Verdict::New),
        (skipped(), number(1.0), Verdict::New),
        (other("a"), other("a"), Verdict::Same),
        (other("a"), other("b"), Verdict::NotComparable),
        (other("a"), number(1.0), Verdict::NotComparable),
        (
            number(1.0),
            number(1.0).version(Some("v2")),
            Verdict::NotComparable,
        ),
        (number(1.0), failed().version(Some("v2")), Verdict::Failed),
    ];
    for (base, head, verdict) in cases {
        let row = case.row(&base, &head);
        assert_eq!(row.verdict, verdict, "{base:?} {head:?}");
        assert!(!row.reason.is_empty() && row.confidence.is_none());
    }
}

#[test]
fn the_reason_of_a_failure_is_told() {
    let row = Case::default().row(&number(1.0), &failed().because("ValueError: no"));
    assert_eq!(row.reason, "failed: ValueError: no");
    let expected = Cell::Failed {
        reason: Some("ValueError: no".to_owned()),
    };
    assert_eq!(row.head, expected);
}

#[test]
fn one_run_against_one_run_is_never_slower() {
    let row = Case::default().row(&number(1.0), &number(3.0));
    assert_eq!(row.verdict, Verdict::Inconclusive);
    assert_eq!(row.ratio, Some(3.0));
    assert_eq!(row.confidence, None);
    assert!((row.alert.unwrap().limit - 1.1).abs() < 1e-12);
    assert_eq!(
        row.reason,
        "200 % higher, one run against one run: too little history, and no samples, to say how much is noise"
    );
}

#[test]
fn alerts_go_in_the_worse_direction() {
    let mut case = Case::default();
    let alert =
        |case: &Case, base: f64, head: f64| case.row(&number(base), &number(head)).alert.is_some();
    assert!(alert(&case, 1.0, 1.11));
    assert!(!alert(&case, 1.0, 1.09));
    assert!(!alert(&case, 1.0, 0.5));
    assert!(alert(&case, 0.0, 0.1));
    assert!(alert(&case, 1.0, f64::INFINITY));
    assert!(!alert(&case, 0.0, 0.0));
    case.limits.alert_by_kind = [("time".to_owned(), 1.5)].into();
    assert!(!alert(&case, 1.0, 1.2));
    case.limits.better_by_benchmark = vec![("bench.*".to_owned(), Better::Higher)];
    assert!(alert(&case, 1.0, 0.5));
    assert!(!alert(&case, 1.0, 2.0));
}

#[test]
fn counts_are_exact() {
    let case = Case::track("calls");
    let verdict = |base, head| case.row(&integer(base), &integer(head)).verdict;
    assert_eq!(verdict(1000, 1000), Verdict::Same);
    assert_eq!(verdict(1000, 1001), Verdict::Same);
    assert_eq!(verdict(1000, 1021), Verdict::Slower);
    assert_eq!(verdict(1021, 1000), Verdict::Faster);
    assert_eq!(verdict(0, 1), Verdict::Slower);
    assert_eq!(verdict(0, 0), Verdict::Same);
    let row = case.row(&integer(1000), &integer(1021));
    assert_eq!(row.kind, MetricKind::Count);
    assert_eq!(row.reason, "exactly 2.1 % higher");
    assert_eq!(case.row(&integer(5), &number(5.0)).verdict, Verdict::Same);
}

#[test]
fn equal_values_of_anything_but_a_time_are_the_same() {
    let row = Case::track("unit").row(&integer(7), &integer(7));
    assert_eq!(
        (row.verdict, row.reason.as_str()),
        (Verdict::Same, "equal values")
    );
    assert_eq!(
        Case::track("unit").row(&integer(7), &integer(8)).verdict,
        Verdict::Inconclusive
    );
    let time = Case::default();
    assert_eq!(
        time.row(&number(1.0), &number(1.0)).verdict,
        Verdict::Inconclusive
    );
    assert_eq!(time.row(&number(0.0), &number(0.0)).verdict, Verdict::Same);
}

#[test]
fn numbers_without_a_ratio_are_inconclusive_and_say_so() {
    let case = Case::track("unit");
    let row = case.row(&integer(0), &integer(3));
    assert_eq!((row.verdict, row.ratio), (Verdict::Inconclusive, None));
    assert!(
        row.reason.starts_with("one value is zero"),
        "{}",
        row.reason
    );
    let row = case.row(&number(-1.0), &number(-2.0));
    assert_eq!(row.ratio, Some(2.0));
    assert!(row.reason.starts_with("one value is negative"));
    let row = case.row(&number(1.0), &number(f64::INFINITY));
    assert!(row.reason.starts_with("one value is infinite"));
    // Both have logarithms, but their ratio is larger than any number.
    let row = case.row(&number(5e-324), &number(1e308));
    assert_eq!(row.ratio, None);
    assert!(row.alert.is_some());
}

#[test]
fn parameters_are_matched_by_their_strings() {
    let name = "bench.time_x";
    let mut base = empty_set();
    base.results.insert(
        name.to_owned(),
        along(&["1", "2", "3"], &[10.0, 20.0, 30.0]),
    );
    let mut head = empty_set();
    head.results.insert(
        name.to_owned(),
        along(&["3", "4", "2"], &[31.0, 41.0, 21.0]),
    );
    let mut case = Case::default();
    case.index.benchmarks[name].param_names = vec!["n".to_owned()];
    let rows = case.compare(Some(&base), &head, &Options::default()).rows;
    let found: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.combination,
                row.params[0].1.as_str(),
                row.base.as_f64(),
                row.head.as_f64(),
                row.verdict,
            )
        })
        .collect();
    let expected = [
        (0, "3", Some(30.0), Some(31.0), Verdict::Inconclusive),
        (1, "4", None, Some(41.0), Verdict::New),
        (2, "2", Some(20.0), Some(21.0), Verdict::Inconclusive),
        (3, "1", Some(10.0), None, Verdict::Gone),
    ];
    assert_eq!(found, expected);
    assert_eq!(rows[0].params[0].0, "n");
}

#[test]
fn a_combination_of_one_side_alone_is_no_change_of_version() {
    let name = "bench.time_x".to_owned();
    let mut base = empty_set();
    base.results
        .insert(name.clone(), along(&["1", "2"], &[1.0, 2.0]));
    let mut head = empty_set();
    let mut changed = along(&["2", "3"], &[2.0, 3.0]);
    changed.version = Some("v2".to_owned());
    head.results.insert(name, changed);
    let rows = Case::default()
        .compare(Some(&base), &head, &Options::default())
        .rows;
    let found: Vec<_> = rows.iter().map(|row| (row.verdict, row.mark)).collect();
    let expected = [
        (Verdict::NotComparable, Mark::Incomparable),
        (Verdict::New, Mark::Blank),
        (Verdict::Gone, Mark::Blank),
    ];
    assert_eq!(found, expected);
}

#[test]
fn rows_are_sorted_by_name_and_use_what_the_file_holds() {
    let (base, head) = (number(1.0), number(1.0));
    let base = set(&[("b.peakmem_y", &base), ("a.time_x", &base)]);
    let head = set(&[("b.peakmem_y", &head), ("a.time_x", &head)]);
    let case = Case {
        index: index(&[]),
        ..Case::default()
    };
    let rows = case.compare(Some(&base), &head, &Options::default()).rows;
    assert_eq!(rows[0].benchmark, "a.time_x");
    assert_eq!(
        (rows[1].kind, rows[1].unit.as_str()),
        (MetricKind::Memory, "bytes")
    );
}

#[test]
fn without_a_base_nothing_is_compared() {
    let head = set(&[("bench.time_x", &number(1.0)), ("bench.time_y", &failed())]);
    let comparison = Case::default().compare(None, &head, &Options::default());
    assert_eq!(comparison.base, None);
    let verdicts: Vec<Verdict> = comparison.rows.iter().map(|row| row.verdict).collect();
    assert_eq!(verdicts, [Verdict::NotComparable, Verdict::Failed]);
    assert_eq!(comparison.rows[0].head.as_f64(), Some(1.0));
    assert!(comparison.absent.is_empty() && comparison.remarks.is_empty());
}

#[test]
fn benchmarks_of_the_base_alone_are_told_apart() {
    let one = number(1.0);
    let names = [
        "b.time_gone",
        "b.time_left_out",
        "b.time_lost",
        "b.time_ran",
    ];
    let base = set(&names.map(|name| (name, &one)));
    let head = set(&[("b.time_ran", &one)]);
    let mut case = Case {
        index: index(&[
            ("b.time_left_out", "time", "seconds"),
            ("b.time_lost", "time", "seconds"),
            ("b.time_ran", "time", "seconds"),
        ]),
        ..Case::default()
    };
    // Selected by one of its combinations.
    case.index.benchmarks["b.time_lost"] = BenchmarkRecord {
        params: vec![vec!["1".to_owned(), "2".to_owned()]],
        ..case.index.benchmarks["b.time_lost"].clone()
    };
    let absences = |options: &Options| -> Vec<(String, Absence)> {
        let comparison = case.compare(Some(&base), &head, options);
        assert_eq!(comparison.rows.len(), 1);
        comparison
            .absent
            .into_iter()
            .map(|absent| (absent.benchmark, absent.absence))
            .collect()
    };
    let named = |absences: [Absence; 3]| -> Vec<(String, Absence)> {
        names
            .iter()
            .map(|&name| name.to_owned())
            .zip(absences)
            .collect()
    };
    assert_eq!(
        absences(&Options::default()),
        named([Absence::Gone, Absence::NotRun, Absence::NotRun])
    );
    let selected = |name: &str| name == "b.time_lost(2)" || name == "b.time_ran";
    let options = Options {
        selected: Some(&selected),
        ..Options::default()
    };
    assert_eq!(
        absences(&options),
        named([Absence::Gone, Absence::NotSelected, Absence::NotRun])
    );
    let in_suite = |name: &str| name != "b.time_lost";
    let options = Options {
        in_suite: Some(&in_suite),
        ..Options::default()
    };
    assert_eq!(
        absences(&options),
        named([Absence::NotRun, Absence::NotRun, Absence::Gone])
    );
}

#[test]
fn another_machine_is_not_comparable_unless_forced() {
    let base = set(&[("bench.time_x", &number(1.0))]);
    let mut head = set(&[
        ("bench.time_x", &number(2.0)),
        ("bench.time_new", &number(2.0)),
    ]);
    head.params
        .insert("machine".to_owned(), Json::from("other"));
    let case = Case::default();
    let comparison = case.compare(Some(&base), &head, &Options::default());
    assert_eq!(comparison.rows[0].verdict, Verdict::New);
    assert_eq!(comparison.rows[1].verdict, Verdict::NotComparable);
    assert_eq!(comparison.rows[1].alert, None);
    assert_eq!(
        comparison.rows[1].reason,
        "machine is m on the base and other on HEAD"
    );
    assert_eq!(comparison.differences.len(), 1);
    assert_eq!(
        comparison.remarks,
        ["Not comparable: machine is m on the base and other on HEAD."]
    );
    let forced = Options {
        force: true,
        ..Options::default()
    };
    let comparison = case.compare(Some(&base), &head, &forced);
    assert_eq!(comparison.rows[1].verdict, Verdict::Inconclusive);
    assert!(comparison.remarks[0].starts_with("Compared as asked"));
}

#[test]
fn a_dirty_tree_is_remarked() {
    let base = set(&[("bench.time_x", &number(1.0))]);
    let mut head = base.clone();
    head.provenance.as_mut().unwrap().dirty = true;
    let comparison = Case::default().compare(Some(&base), &head, &Options::default());
    assert_eq!(
        comparison.remarks[0],
        "HEAD was measured with uncommitted changes."
    );
}

#[test]
fn versions_that_were_taken_off_are_remarked() {
    let old = number(1.0).version(None);
    let mut base = set(&[("bench.time_x", &old), ("bench.time_y", &old)]);
    let head = set(&[
        ("bench.time_x", &number(1.0)),
        ("bench.time_y", &number(1.0)),
    ]);
    let mut stamps = Object::new();
    stamps.insert("bench.time_x".to_owned(), "v1".into());
    let provenance = base.provenance.as_mut().unwrap();
    provenance
        .extra
        .insert(VERSION_STAMPS.to_owned(), stamps.into());
    let comparison = Case::default().compare(Some(&base), &head, &Options::default());
    assert!(
        comparison.remarks[0].starts_with("Versions of 1 benchmark could not be compared"),
        "{:?}",
        comparison.remarks
    );
    let comparison = Case::default().compare(Some(&head), &head, &Options::default());
    assert!(!comparison.remarks.join(" ").contains("Versions"));
}

#[test]
fn odd_files_do_not_stop_the_comparison() {
    // Fewer and more values than combinations, statistics that do not line up.
    let mut base = empty_set();
    let mut short = along(&["1", "2", "3"], &[1.0]);
    short.params.push(Vec::new());
    base.results.insert("bench.time_x".to_owned(), short);
    let mut long = along(&["1"], &[1.0, 2.0, 3.0]);
    long.values
        .push(Value::Number(Json::BigInt("9".repeat(400))));
    let mut head = empty_set();
    head.results.insert("bench.time_x".to_owned(), long);
    let comparison = Case::default().compare(Some(&base), &head, &Options::default());
    assert_eq!(comparison.rows.len(), 5);
}
