//! The documents that list things: `index.json`, `info.json`, and the entries of lists.

use crate::config::Settings;
use crate::json::{Json, Object, to_pretty};
use crate::results::{BenchmarkIndex, MachineFolder, ResultFile};

use super::graphs::{Graph, Graphs, number, revision_json};
use super::regressions::Regression;
use super::revisions::Revisions;
use super::steps::Step;

/// The version of asv whose files these are like.
const LIKE: &str = "0.6.6";

/// Version of asv's `machine.json`.
const MACHINE_VERSION: i64 = 1;

fn texts(texts: [&str; 3]) -> Json {
    texts.map(Json::from).to_vec().into()
}

pub(super) fn index(
    all: &Graphs<'_>,
    graphs: &[Graph<'_>],
    folders: &[(&MachineFolder, &[ResultFile])],
    revisions: &Revisions,
    benchmarks: &BenchmarkIndex,
    settings: &Settings,
) -> Json {
    let mut listed = all.measured.clone();
    let mut tags = Object::new();
    for (name, commit) in &revisions.tags {
        if let Some((number, date)) = revisions.numbers.get(commit) {
            tags.insert(name.clone(), revision_json(*number));
            // Of a tag's commit asv takes the date from the repository.
            listed.insert(*number, (commit.clone(), *date));
        }
    }
    let of_revisions = |value: &dyn Fn(&(String, i64)) -> Json| -> Json {
        let members = listed.iter();
        members
            .map(|(number, of)| (number.to_string(), value(of)))
            .collect::<Object>()
            .into()
    };
    let param = |value: &Option<String>| value.clone().map_or(Json::Null, Json::from);
    let params: Object = all
        .dimensions()
        .iter()
        .map(|(name, values)| {
            let mut values: Vec<&Option<String>> = values.iter().collect();
            // asv sorts what is missing under this name.
            values.sort_by_key(|value| value.as_deref().unwrap_or("[none]"));
            let values: Vec<Json> = values.into_iter().map(param).collect();
            (name.clone(), values.into())
        })
        .collect();
    let mut sets: Vec<Json> = Vec::new();
    for graph in graphs {
        let set = graph.params.iter();
        let set: Object = set
            .map(|(name, value)| (name.clone(), param(value)))
            .collect();
        if sets.last().and_then(Json::as_object) != Some(&set) {
            sets.push(set.into());
        }
    }
    let machines: Object = folders
        .iter()
        .map(|(folder, _)| {
            let mut machine = folder.machine.params();
            machine.insert("version".to_owned(), MACHINE_VERSION.into());
            (folder.machine.name.clone(), machine.into())
        })
        .collect();
    let records: Object = benchmarks
        .benchmarks
        .iter()
        .map(|(name, record)| (name.clone(), record.raw.clone().into()))
        .collect();
    let asv = &settings.asv;
    Json::from([
        ("project", asv.project.as_str().into()),
        ("project_url", asv.project_url.as_str().into()),
        ("show_commit_url", asv.show_commit_url.as_str().into()),
        ("hash_length", revision_json(asv.hash_length)),
        (
            "revision_to_hash",
            of_revisions(&|(hash, _)| hash.as_str().into()),
        ),
        (
            "revision_to_date",
            of_revisions(&|(_, date)| (*date).into()),
        ),
        ("params", params.into()),
        ("graph_param_list", Json::Array(sets)),
        ("benchmarks", records.into()),
        ("machines", machines.into()),
        ("tags", tags.into()),
        (
            "pages",
            vec![
                texts(["", "Grid view", "Display as a agrid"]),
                texts(["summarylist", "List view", "Display as a list"]),
                texts([
                    "regressions",
                    "Show regressions",
                    "Display information about recent regressions",
                ]),
            ]
            .into(),
        ),
    ])
}

/// `info.json`. Readers take its time as the sign of new data, so it is that of the newest results:
/// drawn again from the same ones it stays.
pub(super) fn info(all: &Graphs<'_>) -> String {
    to_pretty(&Json::from([
        ("asv-version", LIKE.into()),
        ("timestamp", (all.newest + all.files).into()),
    ]))
}

/// `None` for a benchmark without parameters.
fn place_json(graph: &Graph<'_>, place: usize) -> Json {
    if graph.record.params.is_empty() {
        Json::Null
    } else {
        revision_json(place)
    }
}

/// One line of asv's list view.
pub(super) fn list_entry(graph: &Graph<'_>, place: usize, steps: &[Step]) -> Json {
    let record = graph.record;
    let display = record.display_name(place);
    let pretty = match &record.pretty_name {
        Some(pretty) => display.replacen(&record.name, pretty, 1),
        None => display,
    };
    let last = steps.last();
    let before = steps.len().checked_sub(2).map(|at| &steps[at]);
    let change = last.zip(before).map(|(last, before)| {
        let from = if before.right == last.left {
            Json::Null
        } else {
            revision_json(before.right - 1)
        };
        vec![from, revision_json(last.left)].into()
    });
    let of = |value: Option<f64>| value.map_or(Json::Null, number);
    Json::from([
        ("name", record.name.as_str().into()),
        ("idx", place_json(graph, place)),
        ("pretty_name", pretty.into()),
        (
            "last_rev",
            last.map_or(Json::Null, |last| revision_json(last.right - 1)),
        ),
        ("last_value", of(last.map(|last| last.value))),
        ("last_err", of(last.map(|last| last.error))),
        ("prev_value", of(before.map(|before| before.value))),
        ("change_rev", change.unwrap_or(Json::Null)),
    ])
}

/// One entry of `regressions.json`.
pub(super) fn regression_entry(
    graph: &Graph<'_>,
    place: usize,
    regression: &Regression,
    dimensions: Object,
    revisions: &Revisions,
) -> Json {
    let branch = graph.branch();
    let jumps = regression.jumps.iter().map(|jump| {
        let from = if revisions.are_between(jump.before, jump.at, branch) {
            revision_json(jump.before)
        } else {
            Json::Null
        };
        let at = revision_json(jump.at);
        vec![from, at, number(jump.old), number(jump.new)].into()
    });
    vec![
        graph.record.display_name(place).into(),
        graph.path().into(),
        dimensions.into(),
        place_json(graph, place),
        number(regression.latest),
        number(regression.best),
        jumps.collect::<Vec<Json>>().into(),
    ]
    .into()
}
