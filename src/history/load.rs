//! Reads a history from a results folder, one file at a time.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::config::{EnvironmentSettings, HistorySettings};
use crate::json::Json;
use crate::results::{BenchmarkResult, Detail, MachineFolder, ResultFile, ResultSet, Store};
use crate::vcs::CommitInfo;

use super::borders::facts;
use super::lifetimes::Lifetimes;
use super::normaliser::{is_retired, stamps};
use super::renames::Renames;
use super::series::{Border, Line, Series, SeriesSet};

/// Digits of a commit in the name of a result file.
const DIGITS: usize = 8;

/// Which results are wanted, and how they become one history.
pub struct Wanted<'a> {
    pub settings: &'a HistorySettings,
    pub environment: &'a EnvironmentSettings,
    /// Whether intervals and gaps are wanted, too.
    pub details: bool,
    /// Whether these results are wanted, by what identifies them.
    pub set: &'a dyn Fn(&ResultSet) -> bool,
}

impl std::fmt::Debug for Wanted<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Wanted")
            .field("settings", self.settings)
            .field("environment", self.environment)
            .finish_non_exhaustive()
    }
}

/// Reads the results of `commits` (oldest first) in these folders. Files of other commits are known
/// by their names and not read; of each file only the values are kept, so that memory grows with the
/// numbers alone.
///
/// The rules of normalising are followed without changing a file: aliases are one environment,
/// renamed benchmarks go on, retired ones are left out, and with the rules for versions or machines
/// off a change of either is a border.
pub fn load(
    store: &Store,
    folders: &[(&MachineFolder, &[ResultFile])],
    commits: Vec<CommitInfo>,
    wanted: &Wanted<'_>,
) -> SeriesSet {
    let mut loader = Loader {
        store,
        places: places(&commits),
        commits: &commits,
        wanted,
        set: SeriesSet::default(),
        lifetimes: Lifetimes::default(),
    };
    for (folder, files) in folders {
        loader.folder(folder, files);
    }
    let Loader {
        mut set, lifetimes, ..
    } = loader;
    if wanted.settings.rules.renames {
        set.renames = Renames::find(&lifetimes, &wanted.settings.renamed);
        for line in &mut set.lines {
            line.follow(&set.renames);
        }
    }
    set.lines.sort_by(|one, other| {
        (&one.machine, &one.environment).cmp(&(&other.machine, &other.environment))
    });
    set.commits = commits;
    set
}

/// Places of the commits by the digits that files are named by.
fn places(commits: &[CommitInfo]) -> HashMap<&str, Vec<u32>> {
    let mut places: HashMap<&str, Vec<u32>> = HashMap::new();
    for (place, commit) in (0_u32..).zip(commits) {
        let digits = commit.hash.get(..DIGITS).unwrap_or(&commit.hash);
        places.entry(digits).or_default().push(place);
    }
    places
}

struct Loader<'a> {
    store: &'a Store,
    commits: &'a [CommitInfo],
    places: HashMap<&'a str, Vec<u32>>,
    wanted: &'a Wanted<'a>,
    set: SeriesSet,
    lifetimes: Lifetimes,
}

impl Loader<'_> {
    fn folder(&mut self, folder: &MachineFolder, listed: &[ResultFile]) {
        let mut files: Vec<(u32, &ResultFile)> = Vec::new();
        for file in listed {
            match self.places.get(file.commit.as_str()) {
                Some(places) => files.extend(places.iter().map(|place| (*place, file))),
                None => self.set.elsewhere += 1,
            }
        }
        files.sort_by(|one, other| (one.0, &one.1.path).cmp(&(other.0, &other.1.path)));
        let mut builders: Vec<Builder> = Vec::new();
        for (place, file) in files {
            let Some(results) = self.read(place, file) else {
                continue;
            };
            let environment = environment_of(&results, self.wanted);
            let known = builders
                .iter()
                .position(|builder| builder.line.environment == environment);
            let at = known.unwrap_or_else(|| {
                builders.push(Builder::new(&folder.machine.name, environment));
                builders.len() - 1
            });
            builders[at].add(place, results, self.wanted, &mut self.lifetimes);
        }
        let lines = builders.into_iter().map(|builder| Line {
            facts: builder.facts,
            ..builder.line
        });
        self.set.lines.extend(lines);
    }

    /// The results of a file, if they are of the commit at this place and wanted.
    fn read(&mut self, place: u32, file: &ResultFile) -> Option<ResultSet> {
        match self.store.load(file, Detail::Values) {
            Ok((loaded, _)) => {
                let commit = self.commits.get(index(place))?;
                let is_it = commit.hash == loaded.set.commit_hash;
                (is_it && (self.wanted.set)(&loaded.set)).then_some(loaded.set)
            }
            Err(problem) => {
                self.set.problems.push(problem);
                None
            }
        }
    }
}

/// The name under which an environment counts.
fn environment_of(set: &ResultSet, wanted: &Wanted<'_>) -> String {
    let settings = wanted.environment;
    match &settings.name {
        Some(name)
            if wanted.settings.rules.environments && settings.aliases.contains(&set.env_name) =>
        {
            name.clone()
        }
        _ => set.env_name.clone(),
    }
}

/// A line that grows commit by commit.
#[derive(Debug, Default)]
struct Builder {
    line: Line,
    /// What is known of the surroundings.
    facts: BTreeMap<&'static str, String>,
    benchmarks: HashMap<String, Layout>,
}

/// Where the series of a benchmark stand.
#[derive(Debug)]
struct Layout {
    name: Arc<str>,
    /// The axes of the latest result, and its series in their order.
    params: Vec<Vec<String>>,
    series: Vec<usize>,
    /// All series by their parameters.
    all: HashMap<Arc<[String]>, usize>,
}

impl Builder {
    fn new(machine: &str, environment: String) -> Self {
        Self {
            line: Line {
                machine: machine.to_owned(),
                environment,
                ..Line::default()
            },
            ..Self::default()
        }
    }

    fn add(&mut self, place: u32, set: ResultSet, wanted: &Wanted<'_>, lifetimes: &mut Lifetimes) {
        let settings = wanted.settings;
        if self.line.measured.last() != Some(&place) {
            self.line.measured.push(place);
        }
        self.note_borders(place, facts(&set, settings.rules));
        let stamps = stamps(&set).cloned().unwrap_or_default();
        for (name, result) in set.results {
            if settings.rules.retired && is_retired(&name, &settings.retired) {
                continue;
            }
            lifetimes.add(&name, i64::from(place));
            let stamp = stamps.get(&name).and_then(Json::as_str);
            let version = result.version.as_deref().or(stamp);
            self.add_result(place, &name, &result, version, wanted.details);
        }
    }

    /// What is unknown is no change.
    fn note_borders(&mut self, place: u32, facts: BTreeMap<&'static str, String>) {
        for (what, after) in facts {
            match self.facts.insert(what, after.clone()) {
                Some(before) if before != after => self.line.borders.push(Border {
                    place,
                    what,
                    before,
                    after,
                }),
                _ => {}
            }
        }
    }

    fn add_result(
        &mut self,
        place: u32,
        name: &str,
        result: &BenchmarkResult,
        version: Option<&str>,
        details: bool,
    ) {
        if !self.benchmarks.contains_key(name) {
            self.benchmarks.insert(name.to_owned(), Layout::new(name));
        }
        let Some(layout) = self.benchmarks.get_mut(name) else {
            return;
        };
        layout.fit(result, &mut self.line.series);
        let values = result.values.iter().enumerate();
        for ((index, stored), at) in values.zip(&layout.series) {
            let series = &mut self.line.series[*at];
            let Some(value) = stored.as_f64().filter(|value| value.is_finite()) else {
                if details {
                    series.note_gap(place, stored);
                }
                continue;
            };
            series.push(place, value);
            let stats = result.stats.get(index).and_then(Option::as_ref);
            if let Some(stats) = stats.filter(|_| details) {
                series.note_interval(stats);
            }
            if let Some(version) = version {
                series.note_version(place, version);
            }
        }
    }
}

impl Layout {
    fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            // No result has an axis without values and a series.
            params: vec![Vec::new()],
            series: Vec::new(),
            all: HashMap::new(),
        }
    }

    /// Finds the series of each combination of the result; neighbouring commits mostly have the same.
    fn fit(&mut self, result: &BenchmarkResult, series: &mut Vec<Series>) {
        if self.params == result.params {
            return;
        }
        self.params.clone_from(&result.params);
        self.series.clear();
        for combination in 0..result.combinations() {
            let params: Vec<String> = result
                .combination(combination)
                .into_iter()
                .map(str::to_owned)
                .collect();
            let params: Arc<[String]> = params.into();
            let at = *self.all.entry(params).or_insert_with_key(|params| {
                series.push(Series {
                    benchmark: Arc::clone(&self.name),
                    params: Arc::clone(params),
                    ..Series::default()
                });
                series.len() - 1
            });
            self.series.push(at);
        }
    }
}

/// A place as a position.
fn index(place: u32) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
