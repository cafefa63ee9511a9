//! The earlier results of a machine and environment, as far as a comparison needs them.

use std::collections::HashMap;
use std::sync::Arc;

use crate::results::{
    BenchmarkProvenance, Detail, Loaded, MachineFolder, Problem, ResultFile, ResultSet, Store,
    file_part,
};

use super::cache::{Cache, Seen};
use super::cache_format::Stamp;
use super::digest::ByDigest;
use super::entry::{Entry, Layout, SeriesKey, machine_of, setup_scope_of};
use super::measured::FEWEST_PROCESSES;
use super::neighbours::Neighbours;

/// As many neighbouring commits as this are used.
pub(super) const MOST_POINTS: usize = 60;

/// Which history is wanted: that of the base, in its environment and on its machine.
#[derive(Debug, Clone, Copy)]
pub struct HistoryRequest<'a> {
    pub folder: &'a MachineFolder,
    /// The result files in it.
    pub files: &'a [ResultFile],
    /// The environment's name and all others that count as the same one.
    pub environments: &'a [String],
    pub base: &'a Loaded,
    /// Full hash of HEAD: its own result is no history, nor is the base's.
    pub head: &'a str,
}

impl HistoryRequest<'_> {
    /// What the files' names look like between `<8 digits>-` and `.json`, the preferred one first.
    /// The base's own file is of this environment whatever it is called, so files called likewise
    /// are, too.
    fn endings(&self) -> Vec<String> {
        let mut parts: Vec<String> = self
            .environments
            .iter()
            .map(|name| file_part(name))
            .collect();
        parts.push(self.base.file.environment.clone());
        parts
    }
}

/// The points of all series, and what stood in the way.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// Oldest first.
    entries: Vec<Placed>,
    /// Where each series stands, by layout.
    places: Vec<HashMap<u64, usize, ByDigest>>,
    layouts: Vec<Arc<Layout>>,
    /// Files that cannot be read, with the reason.
    pub problems: Vec<Problem>,
}

#[derive(Debug, Clone)]
struct Placed {
    entry: Entry,
    layout: usize,
}

/// One earlier result of one series, as logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub(super) median: f64,
    /// NaN where the samples do not allow it.
    pub(super) floor: f64,
}

impl History {
    /// Reads the history of `request` along `walk`: the full hashes of the base's first parents,
    /// newest first. At most sixty files are used; those in the cache are not read again.
    pub fn load(
        store: &Store,
        request: &HistoryRequest,
        walk: impl IntoIterator<Item = String>,
        cache: Option<&Cache>,
    ) -> Self {
        Self::load_with(request, walk, cache, |file| read(store, file))
    }

    /// [`History::load`] with another reader of result files.
    pub(super) fn load_with(
        request: &HistoryRequest,
        walk: impl IntoIterator<Item = String>,
        cache: Option<&Cache>,
        read: impl Fn(&ResultFile) -> Result<ResultSet, Problem>,
    ) -> Self {
        let cache = cache.map(|cache| cache.for_folder(&request.folder.path));
        let mut loader = Loader {
            request: *request,
            setup_scope: setup_scope_of(&request.base.set),
            cache,
            read,
            seen: Seen::default(),
            problems: Vec::new(),
            wrote: false,
        };
        let compared = [request.head, &request.base.set.commit_hash];
        let walk = walk
            .into_iter()
            .filter(|commit| !compared.contains(&commit.as_str()));
        let mut entries: Vec<Entry> = Neighbours::among(request.files, &request.endings())
            .along(walk)
            .filter_map(|(commit, files)| loader.entry_of(&commit, &files))
            .take(MOST_POINTS)
            .collect();
        loader.tidy();
        entries.reverse();
        let mut history = Self::of(entries);
        history.problems = loader.problems;
        history
    }

    /// The history of these entries, oldest first.
    pub(super) fn of(entries: Vec<Entry>) -> Self {
        let mut history = Self::default();
        for entry in entries {
            let known = history
                .layouts
                .iter()
                .position(|layout| layout.hash == entry.layout.hash);
            let layout = known.unwrap_or_else(|| history.add_layout(&entry.layout));
            history.entries.push(Placed { entry, layout });
        }
        history
    }

    fn add_layout(&mut self, layout: &Arc<Layout>) -> usize {
        let places = layout
            .keys
            .iter()
            .enumerate()
            .map(|(place, key)| (key.name, place))
            .collect();
        self.places.push(places);
        self.layouts.push(Arc::clone(layout));
        self.layouts.len() - 1
    }

    /// Number of earlier results, whatever they hold.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The points of one series into `points`, oldest first; commits without a positive number are
    /// left out.
    pub(super) fn series(&self, key: SeriesKey, points: &mut Vec<Point>) {
        points.clear();
        let places: Vec<Option<usize>> = self
            .places
            .iter()
            .zip(&self.layouts)
            .map(|(places, layout)| {
                let place = *places.get(&key.name)?;
                layout.keys[place].same_version(key).then_some(place)
            })
            .collect();
        for Placed { entry, layout } in &self.entries {
            let Some(place) = places[*layout] else {
                continue;
            };
            let median = entry.medians[place];
            if !median.is_nan() {
                let floor = entry.floors.get(place).copied().unwrap_or(f64::NAN);
                points.push(Point { median, floor });
            }
        }
    }
}

/// A result file without its samples, unless they are of so many processes that they matter.
fn read(store: &Store, file: &ResultFile) -> Result<ResultSet, Problem> {
    let set = store.load(file, Detail::Values)?.0.set;
    let many_processes = set.provenance.as_ref().is_some_and(|provenance| {
        let sizes = |known: &BenchmarkProvenance| {
            known
                .process_sizes
                .iter()
                .any(|sizes| sizes.len() >= FEWEST_PROCESSES)
        };
        provenance.benchmarks.values().any(sizes)
    });
    if many_processes {
        Ok(store.load(file, Detail::Samples)?.0.set)
    } else {
        Ok(set)
    }
}

struct Loader<'a, F> {
    request: HistoryRequest<'a>,
    /// How often `setup` ran for the base; files that say something else are passed over.
    setup_scope: Option<&'a str>,
    cache: Option<Cache>,
    read: F,
    seen: Seen,
    problems: Vec<Problem>,
    wrote: bool,
}

impl<F: Fn(&ResultFile) -> Result<ResultSet, Problem>> Loader<'_, F> {
    /// The first of these files that really is a result of the commit in this environment.
    fn entry_of(&mut self, commit: &str, files: &[&ResultFile]) -> Option<Entry> {
        files.iter().find_map(|file| {
            let entry = self.load(file)?;
            self.belongs(commit, &entry).then_some(entry)
        })
    }

    /// From the cache, else from the file.
    fn load(&mut self, file: &ResultFile) -> Option<Entry> {
        let name = file.path.file_name()?.to_str()?;
        let stamp = Stamp::of(&file.path).ok()?;
        let cached = self
            .cache
            .as_ref()
            .and_then(|cache| cache.read(name, stamp, &mut self.seen));
        if cached.is_some() {
            return cached;
        }
        let entry = match (self.read)(file) {
            Ok(set) => Entry::of(&set),
            Err(problem) => {
                self.problems.push(problem);
                return None;
            }
        };
        if let Some(cache) = &self.cache {
            cache.write(name, stamp, &entry);
            self.wrote = true;
        }
        Some(entry)
    }

    fn belongs(&self, commit: &str, entry: &Entry) -> bool {
        let same_scope = match self.setup_scope {
            Some(scope) => entry.setup_scope.is_empty() || entry.setup_scope == scope,
            None => true,
        };
        entry.commit == commit
            && entry.machine == machine_of(&self.request.base.set)
            && self.request.environments.contains(&entry.environment)
            && same_scope
            && !entry.dirty
    }

    /// Where something was added to the cache, what has become useless goes.
    fn tidy(&self) {
        if let (Some(cache), true) = (&self.cache, self.wrote) {
            cache.retain(|name| self.request.folder.path.join(name).exists());
        }
    }
}
