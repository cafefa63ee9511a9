//! The numbers of one benchmark over a stretch of commits.
//!
//! A history is cut into stretches of 256 measured commits, so that a new commit changes the newest
//! stretch of each benchmark and nothing older.

use std::fmt::Write;
use std::ops::Range;

use crate::history::{Gap, Line, Series};

use super::File;
use super::commits::Timeline;
use super::names::Checksum;
use super::number::write_numbers;
use super::script::script;

/// Measured commits in one file.
pub(super) const STRETCH: usize = 256;

/// The stretches of a line in which one of the series has something, in order.
pub(super) fn stretches(series: &[(usize, &Series)], timeline: &Timeline) -> Vec<usize> {
    let mut found: Vec<usize> = series
        .iter()
        .flat_map(|(_, series)| {
            let gaps = series.gaps.iter().map(|(place, _)| place);
            series.places.iter().chain(gaps)
        })
        .map(|place| timeline.position(*place) / STRETCH)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// One stretch of the commits that a line measured.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// The file's path without its ending.
    key: String,
    line: &'a Line,
    /// The series of the benchmark with the positions of their combinations.
    series: &'a [(usize, &'a Series)],
    timeline: &'a Timeline,
    start: usize,
    /// Places of its first commit, and of the first after it.
    first: u32,
    end: u32,
}

/// What a series has in a stretch.
struct Part<'a> {
    combination: usize,
    values: &'a [f64],
    places: &'a [u32],
    /// May be shorter than the values; empty where none are known.
    bounds: &'a [[f32; 2]],
    gaps: &'a [(u32, Gap)],
}

impl<'a> Block<'a> {
    pub(super) fn new(
        place: &str,
        stretch: usize,
        line: &'a Line,
        series: &'a [(usize, &'a Series)],
        timeline: &'a Timeline,
    ) -> Self {
        let start = stretch * STRETCH;
        Self {
            key: format!("{place}.{stretch}"),
            line,
            series,
            timeline,
            start,
            first: timeline.place(start).unwrap_or(u32::MAX),
            end: timeline.place(start + STRETCH).unwrap_or(u32::MAX),
        }
    }

    pub(super) fn path(&self) -> String {
        format!("{}.js", self.key)
    }

    fn within(&self, places: &[u32]) -> Range<usize> {
        places.partition_point(|place| *place < self.first)
            ..places.partition_point(|place| *place < self.end)
    }

    fn measured(&self) -> &'a [u32] {
        &self.line.measured[self.within(&self.line.measured)]
    }

    fn parts(&self) -> impl Iterator<Item = Part<'a>> + '_ {
        self.series.iter().filter_map(|(combination, series)| {
            let span = self.within(&series.places);
            let from = series
                .gaps
                .partition_point(|(place, _)| *place < self.first);
            let to = series.gaps.partition_point(|(place, _)| *place < self.end);
            let known = series.bounds.len();
            let part = Part {
                combination: *combination,
                values: &series.values[span.clone()],
                places: &series.places[span.clone()],
                bounds: &series.bounds[span.start.min(known)..span.end.min(known)],
                gaps: &series.gaps[from..to],
            };
            (!part.places.is_empty() || !part.gaps.is_empty()).then_some(part)
        })
    }

    /// Digest of all that [`Block::draw`] draws.
    pub(super) fn source(&self) -> String {
        let mut digest = Checksum::default();
        // Places count from the first one: a branch that was rewritten before it changes nothing.
        let relative = |place: u32| place.wrapping_sub(self.first).to_le_bytes();
        let within = self.timeline.between(self.first, self.end);
        digest.list(within.iter().map(|place| relative(*place)));
        digest.list(self.measured().iter().map(|place| relative(*place)));
        for part in self.parts() {
            digest.list([part.combination.to_le_bytes()]);
            digest.list(part.values.iter().map(|value| value.to_le_bytes()));
            digest.list(part.places.iter().map(|place| relative(*place)));
            let bounds = part.bounds.as_flattened();
            digest.list(bounds.iter().map(|bound| bound.to_le_bytes()));
            digest.list(part.gaps.iter().map(|(place, _)| relative(*place)));
            digest.list(part.gaps.iter().map(|(_, gap)| [*gap as u8]));
        }
        digest.finish()
    }

    /// For each combination: `[combination, values, positions, lows, highs, gaps]`. Positions count
    /// from the beginning of the stretch; `0` means all commits that the line measured. Without
    /// intervals `lows` and `highs` are `0`. A gap is `[position, "f"]` (failed), `"s"` (skipped) or
    /// `"o"` (no number).
    pub(super) fn draw(&self) -> File {
        let measured = self.measured();
        let position = |place: u32| self.timeline.position(place) - self.start;
        let mut out = String::from("[");
        for part in self.parts() {
            if out.len() > 1 {
                out.push_str(",\n");
            }
            // Writing to a string cannot fail.
            write!(out, "[{},[", part.combination).ok();
            write_numbers(part.values.iter().copied(), &mut out);
            out.push_str("],");
            if part.places == measured {
                out.push('0');
            } else {
                out.push('[');
                write_positions(part.places.iter().map(|place| position(*place)), &mut out);
                out.push(']');
            }
            for bound in [0, 1] {
                out.push(',');
                if part.bounds.is_empty() {
                    out.push('0');
                } else {
                    let bounds = (0..part.values.len()).map(|at| {
                        let bounds = part.bounds.get(at);
                        bounds.map_or(f64::NAN, |bounds| f64::from(bounds[bound]))
                    });
                    out.push('[');
                    write_numbers(bounds, &mut out);
                    out.push(']');
                }
            }
            out.push_str(",[");
            for (index, (place, gap)) in part.gaps.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                let at = position(*place);
                write!(out, "{comma}[{at},\"{}\"]", letter(*gap)).ok();
            }
            out.push_str("]]");
        }
        out.push(']');
        script(&self.key, &out)
    }
}

fn letter(gap: Gap) -> char {
    match gap {
        Gap::Failed => 'f',
        Gap::Skipped => 's',
        Gap::Other => 'o',
    }
}

fn write_positions(positions: impl Iterator<Item = usize>, out: &mut String) {
    for (index, position) in positions.enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(out, "{comma}{position}").ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::testing;

    #[test]
    fn a_stretch_has_numbers_intervals_and_gaps() {
        let points = [(0, 0.5), (1, 0.25), (3, 7.0)];
        let mut set = testing::set(4, &[("m.time_x", &[], &points)]);
        let series = &mut set.lines[0].series[0];
        series.bounds = vec![[f32::NAN; 2], [0.125, 0.5]];
        series.gaps = vec![(2, Gap::Failed)];
        let timeline = Timeline::new(&set);
        let line = &set.lines[0];
        let series = [(0, &line.series[0])];
        let file = Block::new("data/x/vm", 0, line, &series, &timeline).draw();
        assert_eq!(file.path, "data/x/vm.0.js");
        let expected = "lcmbench(\"data/x/vm.0\",[[0,[5e-1,25e-2,7],[0,1,3],\
                        [null,125e-3,null],[null,5e-1,null],[[2,\"f\"]]]]);\n";
        assert_eq!(file.text, expected);
    }

    #[test]
    fn a_new_commit_changes_the_newest_stretch_alone() {
        let points: Vec<(u32, f64)> = (0..600).map(|place| (place, 1.5)).collect();
        let of = |count: u32| {
            let points = &points[..usize::try_from(count).unwrap()];
            let set = testing::set(count, &[("m.time_x", &[], points)]);
            let timeline = Timeline::new(&set);
            let line = &set.lines[0];
            let series = [(0, &line.series[0])];
            stretches(&series, &timeline)
                .into_iter()
                .map(|stretch| {
                    let block = Block::new("d/l", stretch, line, &series, &timeline);
                    (block.source(), block.draw())
                })
                .collect::<Vec<_>>()
        };
        let (before, after) = (of(599), of(600));
        assert_eq!(before.len(), 3);
        assert_eq!(before[..2], after[..2]);
        assert_ne!(before[2], after[2]);
    }
}
