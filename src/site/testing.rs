//! Made-up histories for the tests of this room.

use std::sync::Arc;

use crate::history::{Line, Series, SeriesSet};
use crate::vcs::CommitInfo;

pub(super) fn commits(count: u32) -> Vec<CommitInfo> {
    (0..count)
        .map(|number| CommitInfo {
            hash: format!("{number:08x}{}", "0".repeat(32)),
            date: 1_700_000_000_000 + i64::from(number) * 86_400_000,
            subject: format!("Commit {number}"),
            author: "Ada".to_owned(),
        })
        .collect()
}

/// Benchmark, parameters and numbers by place.
pub(super) type Sketch<'a> = (&'a str, &'a [&'a str], &'a [(u32, f64)]);

pub(super) fn series(sketch: Sketch<'_>) -> Series {
    let (benchmark, params, points) = sketch;
    let params: Vec<String> = params.iter().map(|&text| text.to_owned()).collect();
    Series {
        benchmark: benchmark.into(),
        params: Arc::from(params),
        places: points.iter().map(|(place, _)| *place).collect(),
        values: points.iter().map(|(_, value)| *value).collect(),
        ..Series::default()
    }
}

/// A history on one machine, every commit measured.
pub(super) fn set(count: u32, sketches: &[Sketch<'_>]) -> SeriesSet {
    SeriesSet {
        commits: commits(count),
        lines: vec![Line {
            machine: "vm".to_owned(),
            environment: "env".to_owned(),
            measured: (0..count).collect(),
            series: sketches.iter().map(|sketch| series(*sketch)).collect(),
            ..Line::default()
        }],
        ..SeriesSet::default()
    }
}
