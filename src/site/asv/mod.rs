//! The files that readers of asv's sites know: `index.json`, `info.json`, `graphs/` and
//! `regressions.json`, as `asv publish` writes them from the same results.

mod graphs;
mod grid;
mod index;
mod regressions;
mod revisions;
mod steps;

use crate::config::Settings;
use crate::json::{Json, to_compact};
use crate::results::{BenchmarkIndex, MachineFolder, Problem, ResultFile};

use super::{File, Folder, SiteError};

use graphs::{Graph, Graphs};
use index::{list_entry, regression_entry};
use steps::steps;

pub use revisions::Revisions;

/// The folder of the graphs, which belongs to these files alone.
const GRAPHS: &str = "graphs";

/// Draws all of it. `folders` have the results, each with its `machine.json`.
pub(super) fn draw(
    folders: &[(&MachineFolder, &[ResultFile])],
    revisions: &Revisions,
    benchmarks: &BenchmarkIndex,
    settings: &Settings,
    folder: &mut Folder,
    problems: &mut Vec<Problem>,
) -> Result<(), SiteError> {
    let mut all = Graphs::new(revisions, benchmarks);
    for (_, files) in folders {
        for file in *files {
            match file
                .text()
                .and_then(|text| file.read(&text, crate::results::Detail::Values))
            {
                Ok((loaded, _)) => all.add(&loaded.set),
                Err(problem) => problems.push(problem),
            }
        }
    }
    folder.owns(GRAPHS);
    let mut put = |path: String, json: Json| {
        let text = to_compact(&json);
        folder.put(File { path, text })
    };
    let graphs = all.graphs();
    let mut regressions: Vec<Json> = Vec::new();
    let mut by_place: Vec<(String, Vec<Json>)> = Vec::new();
    for graph in &graphs {
        put(graph.path(), graph.to_json())?;
        // Graphs come in the order of their places.
        if by_place
            .last()
            .is_none_or(|(place, _)| *place != graph.place)
        {
            by_place.push((graph.place.clone(), Vec::new()));
        }
        let Some((_, entries)) = by_place.last_mut() else {
            continue;
        };
        for place in 0..graph.width() {
            let found = graph.steps(place);
            entries.push(list_entry(graph, place, &found));
            if let Some(regression) = regressions::regression(&found) {
                let dimensions = all.distinguishing(graph);
                regressions.push(regression_entry(
                    graph,
                    place,
                    &regression,
                    dimensions,
                    revisions,
                ));
            }
        }
    }
    for (place, entries) in by_place {
        put(format!("{place}/summary.json"), Json::Array(entries))?;
    }
    for (name, of) in by_benchmark(&graphs) {
        let path = format!("{GRAPHS}/summary/{}.json", crate::results::sanitised(name));
        put(path, grid::summary(&of))?;
    }
    let members = [("regressions".to_owned(), Json::Array(regressions))];
    put(
        "regressions.json".to_owned(),
        members.into_iter().collect::<crate::json::Object>().into(),
    )?;
    put(
        "index.json".to_owned(),
        index::index(&all, &graphs, folders, revisions, benchmarks, settings),
    )?;
    let info = File {
        path: "info.json".to_owned(),
        text: index::info(&all),
    };
    folder.put(info)
}

fn by_benchmark<'g>(graphs: &'g [Graph<'_>]) -> Vec<(&'g str, Vec<&'g Graph<'g>>)> {
    let mut sorted: Vec<(&str, Vec<&Graph<'_>>)> = Vec::new();
    for graph in graphs {
        let name = graph.record.name.as_str();
        match sorted.iter_mut().find(|(known, _)| *known == name) {
            Some((_, of)) => of.push(graph),
            None => sorted.push((name, vec![graph])),
        }
    }
    sorted
}

impl Graph<'_> {
    /// The steps of one of the graph's series, by revision.
    fn steps(&self, place: usize) -> Vec<steps::Step> {
        let (values, weights) = self.series(place);
        let mut found = steps(&values, &weights);
        for step in &mut found {
            step.left = self.points[step.left].0;
            step.right = self.points[step.right - 1].0 + 1;
        }
        found
    }
}
