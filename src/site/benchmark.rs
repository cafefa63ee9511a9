//! What the page needs for the charts of one benchmark, beside its numbers.

use serde::Serialize;

use crate::history::{Series, SeriesSet};

use super::block::{Block, stretches};
use super::catalogue::{Catalogue, Entry};
use super::change::ChangeDocument;
use super::commits::{Timeline, line_id};
use super::script::document;
use super::{Folder, SiteError};

/// The series of one line that are of this benchmark, with the positions of their combinations.
pub(super) type Combinations<'a> = Vec<(usize, &'a Series)>;

#[derive(Debug, Serialize)]
struct Document<'a> {
    name: &'a str,
    combinations: Vec<&'a [String]>,
    lines: Vec<LineDocument<'a>>,
    changes: Vec<&'a ChangeDocument<'a>>,
}

#[derive(Debug, Serialize)]
struct LineDocument<'a> {
    line: usize,
    /// Which stretches of the history have files.
    stretches: Vec<usize>,
    /// From which position on the benchmark was of which version, as far as that is known.
    versions: Vec<(usize, &'a str)>,
}

/// Draws the files of one benchmark. `series` are its series on each line of the set.
pub(super) fn files<'a>(
    set: &'a SeriesSet,
    entry: &Entry,
    series: &[Combinations<'a>],
    changes: Vec<&ChangeDocument<'_>>,
    timeline: &Timeline,
    folder: &mut Folder,
) -> Result<(), SiteError> {
    let place = format!("data/{}", entry.id);
    let mut lines = Vec::new();
    for (at, (line, series)) in set.lines.iter().zip(series).enumerate() {
        if series.is_empty() {
            continue;
        }
        let stretches = stretches(series, timeline);
        let id = line_id(&line.machine, &line.environment);
        for stretch in &stretches {
            let block = Block::new(&format!("{place}/{id}"), *stretch, line, series, timeline);
            let source = block.source();
            if !folder.is_from(&block.path(), &source) {
                folder.put_from(block.draw(), source)?;
            }
        }
        lines.push(LineDocument {
            line: at,
            stretches,
            versions: versions(series, timeline),
        });
    }
    let meta = Document {
        name: &entry.name,
        combinations: entry.combinations.iter().map(|params| &**params).collect(),
        lines,
        changes,
    };
    folder.put(document(&format!("{place}/meta"), &meta))
}

/// The versions of the series that knows most of them; all combinations have the same code.
fn versions<'a>(series: &Combinations<'a>, timeline: &Timeline) -> Vec<(usize, &'a str)> {
    let longest = series.iter().map(|(_, series)| &series.versions);
    longest
        .max_by_key(|versions| versions.len())
        .into_iter()
        .flatten()
        .map(|(place, version)| (timeline.position(*place), &**version))
        .collect()
}

/// The series of each benchmark: by its position, for each line of the set.
pub(super) fn by_entry<'a>(
    set: &'a SeriesSet,
    catalogue: &Catalogue,
) -> Vec<Vec<Combinations<'a>>> {
    let mut sorted: Vec<Vec<Combinations<'a>>> = catalogue
        .entries
        .iter()
        .map(|_| vec![Vec::new(); set.lines.len()])
        .collect();
    for (at, line) in set.lines.iter().enumerate() {
        for series in &line.series {
            if let Some((entry, combination)) = catalogue.place_of(series) {
                sorted[entry][at].push((combination, series));
            }
        }
    }
    for lines in &mut sorted {
        for series in lines {
            series.sort_by_key(|(combination, _)| *combination);
        }
    }
    sorted
}
