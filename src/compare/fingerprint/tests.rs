use super::*;
use crate::results::Provenance;

fn set(params: &[(&str, &str)]) -> ResultSet {
    ResultSet {
        env_name: "existing-py_x".to_owned(),
        params: params
            .iter()
            .map(|(name, value)| ((*name).to_owned(), Json::from(*value)))
            .collect(),
        ..ResultSet::default()
    }
}

fn with_worker(key: &str, value: &str) -> ResultSet {
    ResultSet {
        provenance: Some(Provenance {
            worker: [(key.to_owned(), Json::from(value))].into_iter().collect(),
            ..Provenance::default()
        }),
        ..set(&[])
    }
}

fn of(base: &[(&str, &str)], head: &[(&str, &str)]) -> Fingerprint {
    Fingerprint::of(&set(base), &set(head))
}

#[test]
fn rows_of_an_earlier_run_have_its_surroundings() {
    let provenance = |driver: &str, earlier: &str| {
        let environment = [("driver".to_owned(), Json::from(driver))];
        let extra = crate::json::parse(earlier).unwrap();
        Provenance {
            environment: environment.into_iter().collect(),
            extra: [("earlier_runs".to_owned(), extra)].into_iter().collect(),
            ..Provenance::default()
        }
    };
    let with = |known: Provenance| ResultSet {
        provenance: Some(known),
        results: ["m.new", "m.old"]
            .map(|name| (name.to_owned(), crate::results::BenchmarkResult::default()))
            .into_iter()
            .collect(),
        ..set(&[])
    };
    let base = with(provenance("1", "[]"));
    let earlier = r#"[{"environment": {"driver": "1"}, "benchmarks": ["m.old"]}]"#;
    let head = with(provenance("2", earlier));
    let found = Fingerprints::of(&base, &head);
    let obstacle = |name: &str| found.of_benchmark(name).all.as_deref();
    assert_eq!(
        obstacle("m.new"),
        Some("driver is 1 on the base and 2 on HEAD")
    );
    assert_eq!(obstacle("m.old"), None);
}

#[test]
fn another_processor_is_another_machine() {
    let found = of(
        &[("machine", "m"), ("cpu", "a")],
        &[("machine", "m"), ("cpu", "b")],
    );
    assert_eq!(found.differences.len(), 1);
    assert_eq!(
        found.all.as_deref(),
        Some("cpu is a on the base and b on HEAD")
    );
    assert_eq!(found.timed, None);
}

#[test]
fn an_unknown_fact_is_listed_and_no_obstacle() {
    let found = of(&[("cpu", "")], &[("cpu", "b")]);
    assert_eq!(found.differences[0].base, "none");
    assert_eq!(found.all, None);
}

#[test]
fn kernel_python_and_packages_are_remarks() {
    let found = of(
        &[("os", "Linux 6.1"), ("python", "3.11"), ("numpy", "2.0")],
        &[("os", "Linux 6.2"), ("python", "3.12"), ("numpy", "2.1")],
    );
    assert_eq!(found.differences.len(), 3);
    assert_eq!((found.all, found.timed), (None, None));
}

#[test]
fn memory_to_a_gigabyte_is_the_same() {
    let same = |base, head| {
        of(&[("ram", base)], &[("ram", head)])
            .differences
            .is_empty()
    };
    assert!(same("25276502016", "25GB"));
    assert!(same("25276502016", "25276500000"));
    assert!(!same("25276502016", "64GB"));
    assert!(!same("lots", "64GB"));
}

#[test]
fn the_setup_scope_stands_between_times_alone() {
    let found = Fingerprint::of(
        &with_worker("setup_scope", "sample"),
        &with_worker("setup_scope", "call"),
    );
    assert_eq!(found.all, None);
    assert!(found.timed.unwrap().starts_with("setup_scope is sample"));
    let unknown = Fingerprint::of(
        &with_worker("setup_scope", "auto"),
        &with_worker("setup_scope", "call"),
    );
    assert_eq!(unknown, Fingerprint::default());
    let by_asv = Fingerprint::of(&set(&[]), &with_worker("setup_scope", "call"));
    assert_eq!(by_asv, Fingerprint::default());
}

#[test]
fn the_recorded_python_is_its_version() {
    let with = |path: &str, version: &str| ResultSet {
        provenance: Some(Provenance {
            environment: [("python".to_owned(), Json::from(version))]
                .into_iter()
                .collect(),
            ..Provenance::default()
        }),
        ..set(&[("python", path)])
    };
    let found = Fingerprint::of(&with("/a/python", "3.11.2"), &with("/b/python", "3.12.0"));
    assert_eq!(found.differences.len(), 1);
    assert_eq!(found.differences[0].head, "3.12.0");
}

#[test]
fn recorded_packages_are_compared_one_by_one() {
    let with = |version: &str, driver: &str| {
        let packages: Object = [("jaxlib".to_owned(), Json::from(version))]
            .into_iter()
            .collect();
        ResultSet {
            provenance: Some(Provenance {
                environment: [
                    ("packages".to_owned(), Json::Object(packages)),
                    ("driver".to_owned(), Json::from(driver)),
                ]
                .into_iter()
                .collect(),
                ..Provenance::default()
            }),
            ..set(&[])
        }
    };
    let found = Fingerprint::of(&with("0.5", "580"), &with("0.6", "580"));
    assert_eq!(found.differences.len(), 1);
    assert_eq!(found.differences[0].what, "jaxlib");
    // As in a history, where another compiler is a border.
    assert_eq!(
        found.all.as_deref(),
        Some("jaxlib is 0.5 on the base and 0.6 on HEAD")
    );
    let found = Fingerprint::of(&with("0.5", "580"), &with("0.5", "590"));
    assert!(found.all.unwrap().starts_with("driver"));
}
