use super::*;
use crate::json::Json;
use crate::results::{
    BenchmarkProvenance, BenchmarkRecord, BenchmarkResult, Failure, FailureKind, SampleStats, Value,
};
use crate::run::{Finished, PlanOptions};
use crate::suite::{Benchmark, Selected};

pub(in crate::commands::progress) fn failure(message: &str, details: &str) -> Failure {
    Failure {
        kind: FailureKind::Exception,
        message: message.to_owned(),
        details: details.to_owned(),
    }
}

pub(in crate::commands::progress) fn finished(
    name: &str,
    params: &[&str],
    cells: Vec<(Value, Option<Failure>)>,
) -> Finished {
    let axis: Vec<String> = params.iter().map(|value| (*value).to_owned()).collect();
    let params = if axis.is_empty() { vec![] } else { vec![axis] };
    let (values, failures): (Vec<Value>, Vec<Option<Failure>>) = cells.into_iter().unzip();
    Finished {
        benchmark: Benchmark {
            record: BenchmarkRecord {
                name: name.to_owned(),
                unit: "seconds".to_owned(),
                params,
                ..BenchmarkRecord::default()
            },
            ..Benchmark::default()
        },
        combinations: (0..values.len()).collect(),
        result: BenchmarkResult {
            values,
            ..BenchmarkResult::default()
        },
        provenance: BenchmarkProvenance {
            failures,
            ..BenchmarkProvenance::default()
        },
        output: String::new(),
    }
}

fn seconds(value: f64) -> Value {
    Value::Number(Json::Float(value))
}

pub(in crate::commands::progress) fn plan(names: &[&str]) -> Plan {
    let selected: Vec<Selected> = names
        .iter()
        .map(|name| Selected {
            benchmark: finished(name, &[], vec![]).benchmark,
            combinations: vec![0],
        })
        .collect();
    Plan::new(&selected, &PlanOptions::default())
}

fn lines(teller: &mut Teller, finished: &Finished) -> Vec<String> {
    let told = teller.tell(&RunEvent::BenchmarkFinished(finished));
    told.lines(teller.shows_output())
}

#[test]
fn one_calm_line_a_benchmark() {
    let mut teller = Teller::new(false);
    let plan = plan(&["a.time_long_name", "b.track", "c", "d", "e"]);
    teller.tell(&RunEvent::Started { plan: &plan });
    let mut timed = finished("a.time_long_name", &[], vec![(seconds(0.00123), None)]);
    timed.result.stats = vec![Some(SampleStats {
        ci_99: (0.0, 1.0),
        q_25: 0.001_20,
        q_75: 0.001_26,
        number: 1,
        repeat: 10,
    })];
    assert_eq!(
        lines(&mut teller, &timed),
        ["[1/5] a.time_long_name  1.23±0.03ms"]
    );
    let failed = finished(
        "b.track",
        &[],
        vec![(Value::Failed, Some(failure("ValueError: no", "Trace\nend")))],
    );
    assert_eq!(
        lines(&mut teller, &failed),
        [
            "[2/5] b.track           failed: ValueError: no",
            "    Trace",
            "    end"
        ]
    );
    let skipped = finished(
        "c",
        &[],
        vec![(Value::Skipped, Some(failure("not here", "")))],
    );
    assert_eq!(
        lines(&mut teller, &skipped),
        ["[3/5] c                 skipped: not here"]
    );
    let mut text = finished("d", &[], vec![(Value::Other("fast".into()), None)]);
    text.provenance.flags = vec!["unfinished-array".to_owned()];
    assert_eq!(
        lines(&mut teller, &text),
        ["[4/5] d                 \"fast\" [unfinished-array]"]
    );
}

#[test]
fn combinations_are_summed_up_and_each_failure_has_its_reason() {
    let mut teller = Teller::new(false);
    let benchmark = finished(
        "p",
        &["1", "2", "3", "'x'"],
        vec![
            (seconds(0.002), None),
            (Value::Failed, Some(failure("ValueError: no", "Trace"))),
            (seconds(0.001), None),
            (Value::Failed, Some(failure("ValueError: no", "Trace"))),
        ],
    );
    assert_eq!(
        lines(&mut teller, &benchmark),
        [
            "[1/0] p  1.00ms to 2.00ms in 2 combinations, 2 failed",
            "    (2) failed: ValueError: no",
            "    Trace",
            "    the same for 1 more combination",
        ]
    );
    let none = finished(
        "p",
        &["1", "2"],
        vec![(Value::Skipped, None), (Value::Skipped, None)],
    );
    assert_eq!(
        lines(&mut teller, &none),
        ["[2/0] p  skipped in all 2 combinations"]
    );
}

#[test]
fn what_suites_print_is_shown_when_asked_for_and_steers_no_terminal() {
    let mut printed = finished("a", &[], vec![(seconds(1.0), None)]);
    printed.output = "hello\u{1b}[31m\nthere\r\n".to_owned();
    assert_eq!(lines(&mut Teller::new(false), &printed), ["[1/0] a  1.00s"]);
    assert_eq!(
        lines(&mut Teller::new(true), &printed),
        ["[1/0] a  1.00s", "    | hello[31m", "    | there"]
    );
}

#[test]
fn long_reasons_are_cut_from_the_front() {
    let details: Vec<String> = (0..30).map(|line| format!("line {line}")).collect();
    let failed = finished(
        "a",
        &[],
        vec![(Value::Failed, Some(failure("E", &details.join("\n"))))],
    );
    let lines = lines(&mut Teller::new(false), &failed);
    assert_eq!(lines.len(), 22);
    assert_eq!(lines[1], "    … 10 earlier lines");
    assert_eq!(lines[21], "    line 29");
}

#[test]
fn caches_and_rounds_are_announced() {
    let mut teller = Teller::new(false);
    let told = teller.tell(&RunEvent::CacheFinished {
        key: "m:1",
        wall: std::time::Duration::from_millis(1250),
        failure: None,
        output: "",
    });
    assert_eq!(told.lines(false), ["setup_cache m:1: 1.2 s"]);
    let round = |rounds| RunEvent::RoundStarted {
        round: 1,
        rounds,
        benchmarks: 1,
    };
    assert_eq!(
        teller.tell(&round(2)).lines(false),
        ["round 1 of 2: 1 benchmark"]
    );
    assert!(teller.tell(&round(1)).lines(false).is_empty());
}
