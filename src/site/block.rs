//! The numbers of one benchmark over a stretch of commits.
//!
//! A history is cut into stretches of 256 measured commits, so that a new commit changes the newest
//! stretch of each benchmark and nothing older.

use std::fmt::Write;

use crate::history::{Gap, Line, Series};

use super::File;
use super::commits::Timeline;
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

/// One stretch. `series` are those of the benchmark with the positions of their combinations.
///
/// For each combination: `[combination, values, positions, lows, highs, gaps]`. Positions count from
/// the beginning of the stretch; `0` means all commits that the line measured. Without intervals
/// `lows` and `highs` are `0`. A gap is `[position, "f"]` (failed), `"s"` (skipped) or `"o"` (no
/// number).
pub(super) fn block(
    folder: &str,
    line_id: &str,
    stretch: usize,
    line: &Line,
    series: &[(usize, &Series)],
    timeline: &Timeline,
) -> File {
    let start = stretch * STRETCH;
    let first = timeline.place(start).unwrap_or(u32::MAX);
    let end = timeline.place(start + STRETCH).unwrap_or(u32::MAX);
    let within = |places: &[u32]| {
        places.partition_point(|place| *place < first)..places.partition_point(|place| *place < end)
    };
    let measured = &line.measured[within(&line.measured)];
    let mut out = String::from("[");
    for (combination, series) in series {
        let span = within(&series.places);
        let places = &series.places[span.clone()];
        let from = series.gaps.partition_point(|(place, _)| *place < first);
        let to = series.gaps.partition_point(|(place, _)| *place < end);
        let gaps = &series.gaps[from..to];
        if places.is_empty() && gaps.is_empty() {
            continue;
        }
        if out.len() > 1 {
            out.push_str(",\n");
        }
        // Writing to a string cannot fail.
        write!(out, "[{combination},[").ok();
        write_numbers(series.values[span.clone()].iter().copied(), &mut out);
        out.push_str("],");
        if places == measured {
            out.push('0');
        } else {
            out.push('[');
            write_positions(
                places.iter().map(|place| timeline.position(*place) - start),
                &mut out,
            );
            out.push(']');
        }
        for bound in [0, 1] {
            out.push(',');
            if series.bounds[span.start.min(series.bounds.len())..].is_empty() {
                out.push('0');
            } else {
                let bounds = span.clone().map(|position| {
                    let bounds = series.bounds_at(position);
                    bounds.map_or(f64::NAN, |bounds| f64::from(bounds[bound]))
                });
                out.push('[');
                write_numbers(bounds, &mut out);
                out.push(']');
            }
        }
        out.push_str(",[");
        for (position, (place, gap)) in gaps.iter().enumerate() {
            let comma = if position == 0 { "" } else { "," };
            let at = timeline.position(*place) - start;
            write!(out, "{comma}[{at},\"{}\"]", letter(*gap)).ok();
        }
        out.push_str("]]");
    }
    out.push(']');
    script(&format!("{folder}/{line_id}.{stretch}"), &out)
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
        let file = block("data/x", "vm", 0, line, &series, &timeline);
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
                .map(|stretch| block("d", "l", stretch, line, &series, &timeline))
                .collect::<Vec<_>>()
        };
        let (before, after) = (of(599), of(600));
        assert_eq!(before.len(), 3);
        assert_eq!(before[..2], after[..2]);
        assert_ne!(before[2], after[2]);
    }
}
