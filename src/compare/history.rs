//! The earlier results of a machine and environment, as far as a comparison needs them.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs_err as fs;

use crate::results::ResultSet;

use super::cache::{Cache, Stamp};
use super::entry::{Entry, Layout, SeriesKey};
use super::neighbours::Neighbours;

/// As many neighbouring commits as this are used.
pub(super) const MOST_POINTS: usize = 60;

/// Which history is wanted.
#[derive(Debug, Clone, Default)]
pub struct HistoryRequest {
    /// The machine's folder below the results.
    pub folder: PathBuf,
    /// Name of the machine; files of another one are passed over.
    pub machine: String,
    /// Names of environments that count as the same one.
    pub environments: Vec<String>,
    /// What accepted file names look like after `<8 digits>-`, the preferred one first.
    pub endings: Vec<String>,
    /// How often `setup` ran; files that say something else are passed over.
    pub setup_scope: Option<String>,
    /// Full hashes of the compared commits: their own results are no history.
    pub compared: Vec<String>,
}

/// The points of all series, and what stood in the way.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// Oldest first.
    entries: Vec<Placed>,
    /// Where each series stands, by layout.
    places: Vec<HashMap<u64, usize>>,
    layouts: Vec<Arc<Layout>>,
    /// Files that cannot be read, with the reason.
    pub problems: Vec<(String, String)>,
}

#[derive(Debug, Clone)]
struct Placed {
    entry: Entry,
    layout: usize,
}

/// One earlier result of one series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub(super) median: f64,
    /// NaN where the samples do not allow it.
    pub(super) floor: f64,
}

impl History {
    /// Reads the history of `request` along `walk`: the full hashes of the base's first parents,
    /// newest first. At most sixty files are used; those in the cache are not read again.
    /// `read` reads one result file.
    pub fn load<E: std::fmt::Display>(
        request: &HistoryRequest,
        walk: impl IntoIterator<Item = String>,
        cache: Option<&Cache>,
        read: impl Fn(&Path) -> Result<ResultSet, E>,
    ) -> Self {
        let mut loader = Loader {
            request,
            cache,
            read,
            layouts: Vec::new(),
            problems: Vec::new(),
            wrote: false,
        };
        let names = file_names(&request.folder);
        let compared: BTreeSet<&str> = request.compared.iter().map(String::as_str).collect();
        let walk = walk
            .into_iter()
            .filter(|commit| !compared.contains(commit.as_str()));
        let mut entries: Vec<Entry> = Neighbours::new(names, &request.endings)
            .along(walk)
            .filter_map(|(commit, names)| loader.entry_of(&commit, &names))
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

    /// The points of one series into `points`, oldest first; commits without a number are left out.
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

/// Names of all files in the folder; none if it cannot be listed.
fn file_names(folder: &Path) -> Vec<String> {
    fs::read_dir(folder)
        .map(|entries| {
            entries
                .flatten()
                .filter_map(|entry| entry.file_name().into_string().ok())
                .collect()
        })
        .unwrap_or_default()
}

struct Loader<'a, F> {
    request: &'a HistoryRequest,
    cache: Option<&'a Cache>,
    read: F,
    layouts: Vec<Arc<Layout>>,
    problems: Vec<(String, String)>,
    wrote: bool,
}

impl<E: std::fmt::Display, F: Fn(&Path) -> Result<ResultSet, E>> Loader<'_, F> {
    /// The first of these files that really is a result of the commit in this environment.
    fn entry_of(&mut self, commit: &str, names: &[String]) -> Option<Entry> {
        names.iter().find_map(|name| {
            let entry = self.load(name)?;
            self.belongs(commit, &entry).then_some(entry)
        })
    }

    /// From the cache, else from the file.
    fn load(&mut self, name: &str) -> Option<Entry> {
        let path = self.request.folder.join(name);
        let stamp = Stamp::of(&path).ok()?;
        let cached = self
            .cache
            .and_then(|cache| cache.read(name, stamp, &mut self.layouts));
        if cached.is_some() {
            return cached;
        }
        let entry = match (self.read)(&path) {
            Ok(set) => Entry::of(&set),
            Err(error) => {
                self.problems.push((name.to_owned(), error.to_string()));
                return None;
            }
        };
        if let Some(cache) = self.cache {
            cache.write(name, stamp, &entry);
            self.wrote = true;
        }
        Some(entry)
    }

    fn belongs(&self, commit: &str, entry: &Entry) -> bool {
        let request = self.request;
        let same_scope = match request.setup_scope.as_deref() {
            Some(scope) => entry.setup_scope.is_empty() || entry.setup_scope == scope,
            None => true,
        };
        entry.commit == commit
            && entry.machine == request.machine
            && request.environments.contains(&entry.environment)
            && same_scope
            && !entry.dirty
    }

    /// Where something was added to the cache, what has become useless goes.
    fn tidy(&self) {
        if let (Some(cache), true) = (self.cache, self.wrote) {
            cache.retain(|name| self.request.folder.join(name).exists());
        }
    }
}
