//! Series from folders.

use super::*;
use crate::history::testing::{commits, set, store, value, values};
use crate::json::testing::object;
use crate::results::{Detail, Provenance, ResultSet, Store};

fn load_all(store: &Store, count: u32, settings: &HistorySettings) -> SeriesSet {
    let wanted = Wanted {
        details: true,
        settings,
        environment: &EnvironmentSettings {
            name: Some("cuda".to_owned()),
            aliases: vec!["old-env".to_owned()],
        },
        read: &|file| {
            let (loaded, _) = store.load(file, Detail::Values)?;
            Ok(Some(FileValues::of(&loaded.set, settings.rules)))
        },
    };
    let folders = store.machines().items;
    let files: Vec<Vec<ResultFile>> = folders
        .iter()
        .map(|folder| store.files(folder).items)
        .collect();
    let listed: Vec<(&MachineFolder, &[ResultFile])> = folders
        .iter()
        .zip(&files)
        .map(|(folder, files)| (folder, &files[..]))
        .collect();
    load(&listed, commits(count), &wanted)
}

fn shown(line: &Line) -> Vec<String> {
    line.series
        .iter()
        .map(|series| {
            let points: Vec<String> = series
                .places
                .iter()
                .zip(&series.values)
                .map(|(place, value)| format!("{place}:{value}"))
                .collect();
            format!(
                "{}{:?} {}",
                series.benchmark,
                series.params,
                points.join(" ")
            )
        })
        .collect()
}

#[test]
fn series_run_along_the_commits_over_aliases_names_and_axes() {
    let mut sets = Vec::new();
    for number in 0..6 {
        let mut set = set(number, if number < 2 { "old-env" } else { "cuda" });
        let name = if number < 3 { "b.time_x" } else { "b.track_x" };
        set.results
            .insert(name.to_owned(), value(f64::from(number), None));
        let axis: &[(&str, f64)] = if number == 4 {
            &[("2", 20.0), ("3", 30.0)]
        } else {
            &[("1", 10.0), ("2", 21.0)]
        };
        set.results.insert("b.p".to_owned(), values(axis));
        set.results.insert("gone".to_owned(), value(f64::NAN, None));
        sets.push(set);
    }
    // Of no commit of the branch.
    sets.push(set(77, "cuda"));
    let (_folder, store) = store(&sets);
    let settings = HistorySettings {
        retired: vec!["gone".to_owned()],
        ..HistorySettings::default()
    };
    let set = load_all(&store, 6, &settings);
    assert_eq!(
        (set.elsewhere, set.lines.len(), set.problems),
        (1, 1, vec![])
    );
    let line = &set.lines[0];
    assert_eq!(line.environment, "cuda");
    assert_eq!(line.measured, [0, 1, 2, 3, 4, 5]);
    let mut all = shown(line);
    all.sort();
    assert_eq!(
        all,
        [
            "b.p[\"1\"] 0:10 1:10 2:10 3:10 5:10",
            "b.p[\"2\"] 0:21 1:21 2:21 3:21 4:20 5:21",
            "b.p[\"3\"] 4:30",
            "b.track_x[] 0:0 1:1 2:2 3:3 4:4 5:5",
        ]
    );
}

#[test]
fn with_the_rules_off_nothing_is_joined() {
    let mut settings = HistorySettings::default();
    settings.rules.environments = false;
    settings.rules.renames = false;
    let mut first = set(0, "old-env");
    first
        .results
        .insert("b.time_x".to_owned(), value(1.0, None));
    let mut second = set(1, "cuda");
    second
        .results
        .insert("b.track_x".to_owned(), value(1.0, None));
    let (_folder, store) = store(&[first, second]);
    let set = load_all(&store, 2, &settings);
    assert_eq!(set.lines.len(), 2);
    assert_eq!(shown(&set.lines[1]), ["b.time_x[] 0:1"]);
}

#[test]
fn a_driver_is_a_border_and_what_is_unknown_is_none() {
    let drivers = [
        Some("550"),
        None,
        Some("550"),
        Some("560"),
        None,
        Some("560"),
    ];
    let sets: Vec<ResultSet> = (0_u32..)
        .zip(drivers)
        .map(|(number, driver)| {
            let mut set = set(number, "cuda");
            if let Some(driver) = driver {
                let environment =
                    format!(r#"{{"driver": "{driver}", "packages": {{"jaxlib": "1"}}}}"#);
                set.provenance = Some(Provenance {
                    environment: object(&environment),
                    ..Provenance::default()
                });
            }
            set
        })
        .collect();
    let (_folder, store) = store(&sets);
    let set = load_all(&store, 6, &HistorySettings::default());
    assert_eq!(
        set.lines[0].borders,
        [Border {
            place: 3,
            what: "driver",
            before: "550".to_owned(),
            after: "560".to_owned(),
        }]
    );
}

#[test]
fn versions_are_known_from_the_row_or_from_the_kept_stamp() {
    let mut first = set(0, "cuda");
    first.results.insert("b.x".to_owned(), value(1.0, None));
    first.provenance = Some(Provenance {
        extra: object(r#"{"versions": {"b.x": "one"}}"#),
        ..Provenance::default()
    });
    let mut second = set(1, "cuda");
    second
        .results
        .insert("b.x".to_owned(), value(1.0, Some("two")));
    let (_folder, store) = store(&[first, second]);
    let set = load_all(&store, 2, &HistorySettings::default());
    let series = &set.lines[0].series[0];
    assert_eq!(
        (series.version_at(0), series.version_at(1)),
        (Some("one"), Some("two"))
    );
}
