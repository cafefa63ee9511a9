//! Reads a history from a results folder, one file at a time.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::config::{EnvironmentSettings, HistorySettings};
use crate::results::{MachineFolder, Problem, ResultFile, combination_at, count_combinations};
use crate::vcs::CommitInfo;

use super::lifetimes::Lifetimes;
use super::normaliser::is_retired;
use super::renames::Renames;
use super::series::{Border, Line, Series, SeriesSet};
use super::values::{FileValues, RowKey, RowValues, gap};

/// Digits of a commit in the name of a result file.
const DIGITS: usize = 8;

/// Which results are wanted, and how they become one history.
pub struct Wanted<'a> {
    pub settings: &'a HistorySettings,
    pub environment: &'a EnvironmentSettings,
    /// Whether intervals and gaps are wanted, too.
    pub details: bool,
    /// Reads a file; `None` if its results are not wanted.
    pub read: &'a dyn Fn(&ResultFile) -> Result<Option<FileValues>, Problem>,
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
    folders: &[(&MachineFolder, &[ResultFile])],
    commits: Vec<CommitInfo>,
    wanted: &Wanted<'_>,
) -> SeriesSet {
    let mut loader = Loader {
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
            let environment = environment_of(&results.environment, self.wanted);
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
    fn read(&mut self, place: u32, file: &ResultFile) -> Option<FileValues> {
        match (self.wanted.read)(file) {
            Ok(values) => {
                let commit = self.commits.get(index(place))?;
                values.filter(|values| values.commit == commit.hash)
            }
            Err(problem) => {
                self.set.problems.push(problem);
                None
            }
        }
    }
}

/// The name under which an environment counts.
fn environment_of(name: &str, wanted: &Wanted<'_>) -> String {
    let settings = wanted.environment;
    match &settings.name {
        Some(own)
            if wanted.settings.rules.environments
                && settings.aliases.iter().any(|alias| alias == name) =>
        {
            own.clone()
        }
        _ => name.to_owned(),
    }
}

/// A line that grows commit by commit.
#[derive(Debug, Default)]
struct Builder {
    line: Line,
    /// What is known of the surroundings.
    facts: BTreeMap<&'static str, String>,
    benchmarks: HashMap<Arc<str>, Layout>,
}

/// Where the series of a benchmark stand.
#[derive(Debug)]
struct Layout {
    /// The latest result's benchmark and axes, and its series in their order.
    key: Arc<RowKey>,
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

    fn add(
        &mut self,
        place: u32,
        values: FileValues,
        wanted: &Wanted<'_>,
        lifetimes: &mut Lifetimes,
    ) {
        let settings = wanted.settings;
        if self.line.measured.last() != Some(&place) {
            self.line.measured.push(place);
        }
        self.note_borders(place, values.facts);
        for row in &values.rows {
            let name = &row.key.benchmark;
            if settings.rules.retired && is_retired(name, &settings.retired) {
                continue;
            }
            lifetimes.add(name, i64::from(place));
            self.add_row(place, row, wanted.details);
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

    fn add_row(&mut self, place: u32, row: &RowValues, details: bool) {
        let series = &mut self.line.series;
        let layout = self
            .benchmarks
            .entry(Arc::clone(&row.key.benchmark))
            .or_insert_with(|| Layout::new(&row.key, series));
        layout.fit(&row.key, series);
        for (index, (value, at)) in row.values.iter().zip(&layout.series).enumerate() {
            let series = &mut self.line.series[*at];
            if let Some(gap) = gap(*value) {
                if details {
                    series.note_gap(place, gap);
                }
                continue;
            }
            series.push(place, *value);
            if let Some(bounds) = row.bounds.get(index).filter(|_| details) {
                series.note_interval(*bounds);
            }
            if let Some(version) = &row.version {
                series.note_version(place, version);
            }
        }
    }
}

impl Layout {
    fn new(key: &Arc<RowKey>, series: &mut Vec<Series>) -> Self {
        let mut layout = Self {
            key: Arc::clone(key),
            series: Vec::new(),
            all: HashMap::new(),
        };
        layout.place(series);
        layout
    }

    /// Finds the series of each combination of the result; neighbouring commits mostly have the same.
    fn fit(&mut self, key: &Arc<RowKey>, series: &mut Vec<Series>) {
        if Arc::ptr_eq(&self.key, key) || self.key.params == key.params {
            return;
        }
        self.key = Arc::clone(key);
        self.place(series);
    }

    fn place(&mut self, series: &mut Vec<Series>) {
        self.series.clear();
        for combination in 0..count_combinations(&self.key.params) {
            let params: Vec<String> = combination_at(&self.key.params, combination)
                .into_iter()
                .map(str::to_owned)
                .collect();
            let at = *self.all.entry(params.into()).or_insert_with_key(|params| {
                series.push(Series {
                    benchmark: Arc::clone(&self.key.benchmark),
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
