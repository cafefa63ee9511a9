//! asv reads a normalised history, as one line.

use fs_err as fs;
use lcmbench::config::{EnvironmentSettings, HistorySettings};
use lcmbench::history::{FileValues, Wanted, load, normalise};
use lcmbench::json::{Json, parse};
use lcmbench::results::{Detail, Store};
use lcmbench::vcs::Repository;

use crate::common::{VENV, oracle};
use crate::stored::{ENVIRONMENT, StoredProject, plain, result_file};

const COMMITS: usize = 12;

/// Twelve commits: the kernel and the memory drift, `time_run` becomes `track_run`, and no stored
/// version is that of the suite.
fn drifting() -> StoredProject {
    let stored = StoredProject::with_commits(COMMITS);
    stored.project.write(
        "asv.conf.json",
        r#"{"version": 1, "project": "p", "repo": ".", "branches": ["main"], "environment_type": "existing"}"#,
    );
    stored.project.write(
        "results/benchmarks.json",
        r#"{"m.Suite.track_run": {"code": "", "name": "m.Suite.track_run", "param_names": [], "params": [],
            "type": "track", "unit": "seconds", "version": "9"}, "version": 2}"#,
    );
    stored.machine("box");
    for (index, commit) in stored.commits.iter().enumerate() {
        let name = if index < 5 {
            "m.Suite.time_run"
        } else {
            "m.Suite.track_run"
        };
        let row = plain(name, &format!("{index}.5"));
        let facts = format!(
            r#""date": {}, "params": {{"arch": "x86_64", "cpu": "c", "num_cpu": "2", "os": "Linux {index}", "ram": "{}", "#,
            1_704_067_200_000 + 3_600_000 * index,
            8_000_000_000 + 1000 * index
        );
        let text = result_file(commit, "box", ENVIRONMENT, &[row]);
        let text = text.replace(r#""date": 1704067200000, "params": {"#, &facts);
        let path = format!("results/box/{}-{ENVIRONMENT}.json", &commit[..8]);
        stored.project.write(path, &text);
    }
    stored
}

#[test]
fn asv_publishes_and_compares_a_normalised_history() {
    let Some(venv) = oracle(VENV) else { return };
    let stored = drifting();
    let asv = |arguments: &[&str]| {
        let command = stored.project.program(venv.join("bin/asv")).args(arguments);
        command.run().expect(0)
    };
    let _before = asv(&["publish", "--no-pull"]);
    assert_eq!(graphs(&stored).len(), 0, "asv shows none of it as it is");

    let store = Store::new(stored.project.path("results"));
    let settings = HistorySettings::default();
    let environment = EnvironmentSettings::default();
    let (report, problems) = normalise(&store, &settings, &environment).unwrap();
    assert_eq!((report.files, problems), (COMMITS, vec![]));
    let (again, _) = normalise(&store, &settings, &environment).unwrap();
    assert!(again.is_unchanged(), "{:?}", again.lines());

    let _after = asv(&["publish", "--no-pull"]);
    let graphs = graphs(&stored);
    assert_eq!(graphs.len(), 1, "{graphs:?}");
    let expected: Vec<f64> = (0_u32..)
        .take(COMMITS)
        .map(|index| f64::from(index) + 0.5)
        .collect();
    assert_eq!(graphs[0], expected);

    // What is read as series here is what asv draws.
    let repository = Repository::discover(&stored.project.root()).unwrap();
    let mut commits: Vec<_> = repository
        .first_parents("main")
        .unwrap()
        .map(Result::unwrap)
        .collect();
    commits.reverse();
    let wanted = Wanted {
        details: false,
        settings: &settings,
        environment: &environment,
        read: &|file| {
            let (loaded, _) = store.load(file, Detail::Values)?;
            Ok(Some(FileValues::of(&loaded.set, settings.rules)))
        },
    };
    let folder = store.machines().items.remove(0);
    let files = store.files(&folder).items;
    let set = load(&[(&folder, &files)], commits, &wanted);
    assert_eq!(set.lines.len(), 1);
    assert_eq!(set.lines[0].series.len(), 1);
    assert_eq!(set.lines[0].series[0].values, expected);

    let [first, last] = [&stored.commits[0], &stored.commits[COMMITS - 1]];
    let compared = asv(&["compare", "--machine", "box", first, last]);
    assert!(
        compared.stdout.contains("m.Suite.track_run"),
        "{}",
        compared.stdout
    );
}

/// The values of all graphs of the benchmark.
fn graphs(stored: &StoredProject) -> Vec<Vec<f64>> {
    let mut folders = vec![stored.project.path("html/graphs")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("summary") {
                    folders.push(path);
                }
            } else if path.ends_with("m.Suite.track_run.json") {
                let graph = parse(&fs::read_to_string(path).unwrap()).unwrap();
                let points = graph.as_array().unwrap_or_default();
                let value = |point: &Json| point.as_array()?[1].as_f64();
                found.push(points.iter().filter_map(value).collect());
            }
        }
    }
    found
}
