use super::*;
use crate::results::BenchmarkRecord;
use crate::suite::Kind;

fn selected(name: &str, change: impl FnOnce(&mut Benchmark)) -> Selected {
    let mut benchmark = Benchmark {
        record: BenchmarkRecord {
            name: name.to_owned(),
            ..BenchmarkRecord::default()
        },
        rounds: 1,
        ..Benchmark::default()
    };
    change(&mut benchmark);
    Selected {
        combinations: (0..benchmark.combinations()).collect(),
        benchmark,
    }
}

fn options() -> PlanOptions {
    PlanOptions {
        default_timeout: 60.0,
        ..PlanOptions::default()
    }
}

fn names(plan: &Plan) -> Vec<Vec<Vec<&str>>> {
    plan.groups
        .iter()
        .map(|group| {
            group
                .units
                .iter()
                .map(|unit| unit.members.iter().map(|m| m.benchmark.name()).collect())
                .collect()
        })
        .collect()
}

#[test]
fn groups_by_cache_in_order_of_first_appearance() {
    let cached =
        |key: &'static str| move |b: &mut Benchmark| b.setup_cache_key = Some(key.to_owned());
    let plan = Plan::new(
        &[
            selected("a", cached("m:9")),
            selected("b", |_| {}),
            selected("c", cached("m:1")),
            selected("d", cached("m:9")),
            selected("e", |b| b.rounds = 3),
        ],
        &options(),
    );
    assert_eq!(
        names(&plan),
        [
            vec![vec!["a"], vec!["d"]],
            vec![vec!["b"], vec!["e"]],
            vec![vec!["c"]]
        ]
    );
    assert_eq!(plan.rounds, 3);
    assert_eq!(plan.processes(), 7);
    let cache = plan.groups[0].setup_cache.as_ref().unwrap();
    assert_eq!((cache.key.as_str(), cache.user.as_str()), ("m:9", "a"));
}

#[test]
fn a_timeout_of_its_own_wins() {
    let mut options = options();
    options.attributes.set("timeout", "5").unwrap();
    let plan = Plan::new(
        &[
            selected("a", |b| b.timeout = Some(90.0)),
            selected("b", |_| {}),
        ],
        &options,
    );
    let timeouts: Vec<f64> = plan.benchmarks().map(|planned| planned.timeout).collect();
    assert_eq!(timeouts, [90.0, 5.0]);
}

#[test]
fn a_cache_may_take_as_long_as_its_most_patient_user() {
    let user = |timeout: Option<f64>, cache: Option<f64>| {
        move |b: &mut Benchmark| {
            b.setup_cache_key = Some("m:1".to_owned());
            b.timeout = timeout;
            b.setup_cache_timeout = cache;
        }
    };
    let timeout = |first, second| {
        let selected = [selected("a", first), selected("b", second)];
        let plan = Plan::new(&selected, &options());
        plan.groups[0].setup_cache.as_ref().unwrap().timeout
    };
    let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
    assert!(close(
        timeout(user(None, None), user(Some(90.0), None)),
        90.0
    ));
    assert!(close(
        timeout(user(Some(90.0), Some(10.0)), user(Some(20.0), None)),
        20.0
    ));
}

#[test]
fn rounds_from_the_command_line_hold_for_all() {
    let mut options = options();
    options.attributes.set("rounds", "4").unwrap();
    let plan = Plan::new(
        &[selected("a", |b| b.rounds = 2), selected("b", |_| {})],
        &options,
    );
    assert_eq!(plan.rounds, 4);
    assert_eq!(plan.processes(), 8);
}

fn in_class(class: &'static str, kind: Kind) -> impl Fn(&mut Benchmark) {
    move |b: &mut Benchmark| {
        b.class = Some(class.to_owned());
        b.kind = kind;
        if kind == Kind::Time {
            b.rounds = 2;
        }
    }
}

#[test]
fn shared_set_ups_join_the_metrics_of_a_class() {
    let selected = [
        selected("A.peakmem_x", in_class("A", Kind::PeakMemory)),
        selected("A.time_x", in_class("A", Kind::Time)),
        selected("A.track_p", |b| {
            in_class("A", Kind::Track)(b);
            b.record.params = vec![vec!["1".to_owned()]];
        }),
        selected("A.track_y", in_class("A", Kind::Track)),
        selected("B.time_x", in_class("B", Kind::Time)),
        selected("time_z", |b| b.rounds = 2),
    ];
    let alone = Plan::new(&selected, &options());
    assert_eq!(alone.groups[0].units.len(), 6);
    let shared = Plan::new(
        &selected,
        &PlanOptions {
            share_setup: true,
            ..options()
        },
    );
    assert_eq!(
        names(&shared),
        [vec![
            vec!["A.peakmem_x"],
            vec!["A.time_x", "A.track_y"],
            vec!["A.track_p"],
            vec!["B.time_x"],
            vec!["time_z"],
        ]]
    );
    let rounds: Vec<usize> = shared.groups[0].units.iter().map(|u| u.rounds).collect();
    assert_eq!(rounds, [1, 1, 1, 2, 2]);
}

#[test]
fn skipped_combinations_need_no_process() {
    let plan = Plan::new(
        &[selected("a", |b| {
            b.record.params = vec![vec!["1".to_owned(), "2".to_owned(), "3".to_owned()]];
            b.skipped = [1].into();
        })],
        &options(),
    );
    assert_eq!(plan.groups[0].units[0].combinations(), [0, 2]);
}
