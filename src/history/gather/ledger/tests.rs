use super::*;
use tempfile::TempDir;

const RULES: &str = "machine versions";

fn of_one_file(stamp: Stamp) -> Ledger {
    let mut ledger = Ledger::default();
    let settled = |commit: &str, names: &Arc<[String]>| Settled {
        stamp,
        digest: digest(b"settled"),
        machine: digest(b"machine"),
        facts: Facts {
            commit: commit.repeat(40),
            date: 1_735_689_600_000,
            environment: "env".to_owned(),
            python: "3.12".to_owned(),
            names: Arc::clone(names),
        },
    };
    let both: Arc<[String]> = ["a.time_x".to_owned(), "__proto__".to_owned()].into();
    let none: Arc<[String]> = [].into();
    for (commit, names) in [("a", &both), ("b", &none), ("c", &both)] {
        let path = format!("box/{}-env.json", commit.repeat(8));
        ledger.settled.insert(path, settled(commit, names));
    }
    ledger.taken.insert(
        "/project/results/box/aaaaaaaa-env.json".to_owned(),
        Taken {
            stamp,
            digest: digest(b"taken"),
            target: "box/aaaaaaaa-env.json".to_owned(),
            target_digest: digest(b"settled"),
        },
    );
    ledger
}

#[test]
fn what_is_written_is_read_under_the_same_rules_only() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("ledger.json");
    let written = of_one_file(Stamp::from_numbers([1, 2, 3, 4, 5, -6]));
    written.write(&path, RULES);

    let read = Ledger::read(&path, RULES);
    assert_eq!(read.settled, written.settled);
    assert_eq!(read.taken, written.taken);
    assert!(read.trusted_before > Duration::ZERO);
    assert!(Ledger::read(&path, "machine").settled.is_empty());
}

#[test]
fn what_cannot_be_used_is_an_empty_ledger() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("ledger.json");
    assert!(Ledger::read(&path, RULES).settled.is_empty());
    of_one_file(Stamp::from_numbers([0; 6])).write(&path, RULES);
    let whole = fs::read_to_string(&path).unwrap();
    let other = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from} is not in {whole}");
        whole.replacen(from, to, 1)
    };
    let version = format!("\"program\": \"{}\"", env!("CARGO_PKG_VERSION"));
    for text in [
        String::new(),
        whole[..whole.len() / 2].to_owned(),
        other("\"format\": 2", "\"format\": 1"),
        other(&version, "\"program\": \"0.0.0\""),
        other("[0, 0, 0, 0, 0, 0]", "[0, 0, 0, 0, 0]"),
        other("\"suites\": [[", "\"suites\": [3, ["),
        other(
            "\"suites\": [[\"a.time_x\", \"__proto__\"], []]",
            "\"suites\": []",
        ),
    ] {
        fs::write(&path, &text).unwrap();
        let read = Ledger::read(&path, RULES);
        assert!(read.settled.is_empty() && read.taken.is_empty(), "{text}");
    }
}

#[test]
fn a_file_is_known_by_its_stamp_if_it_is_old_enough_and_else_by_its_content() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("result.json");
    fs::write(&path, "one").unwrap();
    let stamp = Stamp::of(&path).unwrap();

    // Trusted: the content is not looked at, so that even a wrong digest does not count.
    let mut ledger = Ledger {
        trusted_before: Duration::MAX,
        ..Ledger::default()
    };
    assert_eq!(ledger.is_still(&path, stamp, "wrong"), Some(stamp));
    // Changed too late before the stamp was taken: only the content tells.
    ledger.trusted_before = Duration::ZERO;
    assert_eq!(ledger.is_still(&path, stamp, "wrong"), None);
    assert_eq!(ledger.is_still(&path, stamp, &digest(b"one")), Some(stamp));
    // Another stamp with the same content: the present one is to be kept.
    ledger.trusted_before = Duration::MAX;
    let earlier = Stamp::from_numbers([3, 0, 0, 0, 0, 0]);
    assert_eq!(
        ledger.is_still(&path, earlier, &digest(b"one")),
        Some(stamp)
    );

    fs::write(&path, "another").unwrap();
    assert_eq!(ledger.is_still(&path, stamp, &digest(b"one")), None);
    fs::remove_file(&path).unwrap();
    assert_eq!(ledger.is_still(&path, stamp, &digest(b"one")), None);
}
