//! asv reads our files, and we read asv's.

use fs_err as fs;
use lcmbench::json::{Json, parse};

use crate::common::{Project, VENV, oracle};

use super::both::{Both, MACHINE};

/// The example with two commits that change no benchmark, only what is measured.
fn two_commits(both: &Both, measure: impl Fn(&Both)) -> (String, String) {
    let project = &both.project;
    let base = project.git(["rev-parse", "HEAD"]);
    measure(both);
    project.apply("examples/savings-change.patch");
    let head = project.commit("Faster and slower");
    measure(both);
    (base, head)
}

fn example(venv: &std::path::Path) -> Both {
    let project = Project::new();
    project.copy("examples/savings", "");
    Both::of(venv, project)
}

#[test]
fn asv_shows_compares_and_publishes_ours() {
    let Some(venv) = oracle(VENV) else { return };
    let both = example(&venv);
    let (base, head) = two_commits(&both, |both| {
        let _ours = both.lcmbench_run(["--quick"], 2);
    });

    let shown = both
        .asv(["show", "--machine", MACHINE, &head])
        .run()
        .expect(0);
    let shown = shown.says("simulating.Simulate.time_simulate");
    assert!(
        shown.stdout.contains("solving.time_risk_neutral [box/"),
        "{}",
        shown.stdout
    );
    assert!(!shown.stdout.contains("No results"), "{}", shown.stdout);

    let compared = both
        .asv(["compare", "--machine", MACHINE, &base, &head])
        .run()
        .expect(0)
        .says("solving.Solve.track_iterations(15, 'patient')");
    assert!(!compared.stdout.contains("Traceback"));

    let _published = both.asv(["publish", "--no-pull"]).run().expect(0);
    let graphs = files_below(&both.project.path("html/graphs"));
    let is_graph = |path: &&std::path::PathBuf| {
        path.ends_with("solving.Solve.track_iterations.json")
            && !path.components().any(|part| part.as_os_str() == "summary")
    };
    let graph = graphs
        .iter()
        .find(is_graph)
        .unwrap_or_else(|| panic!("no graph of the benchmark in {graphs:?}"));
    let points = parse(&fs::read_to_string(graph).unwrap()).unwrap();
    let points = points.as_array().unwrap();
    assert_eq!(points.len(), 2, "one point a commit");
    let values = points[0].as_array().unwrap()[1].as_array().unwrap();
    let values: Vec<_> = values.iter().filter_map(Json::as_f64).collect();
    assert_eq!(values, [59.0, 113.0, 59.0, 113.0]);
}

#[test]
fn lcmbench_shows_and_compares_what_asv_wrote() {
    let Some(venv) = oracle(VENV) else { return };
    let both = example(&venv);
    let (base, head) = two_commits(&both, |both| {
        let _asv = both.asv_run(["--quick"], 2);
    });

    let shown = both
        .project
        .lcmbench()
        .args(["show", &head])
        .run()
        .expect(0);
    let shown = shown.says("simulating.Simulate.time_simulate");
    assert!(shown.stdout.contains("113"), "{}", shown.stdout);

    let compared = both
        .project
        .lcmbench()
        .args(["compare", &base, &head])
        .run()
        .expect(0);
    for row in [
        "simulating.Simulate.time_simulate",
        "solving.Solve.track_iterations(15, 'patient')",
        "solving.time_risk_neutral",
    ] {
        assert!(compared.stdout.contains(row), "{row}\n{}", compared.stdout);
    }
}

/// After asv has saved into a file of ours, our key is gone and the rest still reads.
#[test]
fn both_tools_save_into_one_file() {
    let Some(venv) = oracle(VENV) else { return };
    let both = Both::suite(&venv, "params");
    let _ours = both.lcmbench_run(["--quick", "--bench", "OneAxis"], 0);
    let _asv = both.asv_run(["--quick", "--bench", "by_function.track_function"], 0);
    let _ours = both.lcmbench_run(["--quick", "--bench", "Tuples"], 0);

    let head = both.project.git(["rev-parse", "HEAD"]);
    let shown = both
        .project
        .lcmbench()
        .args(["show", &head])
        .run()
        .expect(0);
    for name in [
        "axes.OneAxis.track_it",
        "by_function.track_function",
        "axes.Tuples.track_sum",
    ] {
        assert!(shown.stdout.contains(name), "{name}\n{}", shown.stdout);
    }
}

fn files_below(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}
