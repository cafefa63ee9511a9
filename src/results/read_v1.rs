//! Files of asv's version 1: a value per benchmark, and sibling maps for everything else.

use indexmap::IndexMap;

use crate::json::{Json, Object};

use super::columns::{Column, Statistic};
use super::read::{NotAResult, Reading, header, remark};
use super::row::RowReader;

/// Reads what is left of a document of version 1 once `version` and `results` are taken out.
/// Benchmarks come sorted by name, as asv's own conversion has them.
pub(super) fn read(mut rest: Object, mut results: Object) -> Result<Reading, NotAResult> {
    let mut map = |key: &str| match rest.shift_remove(key) {
        Some(Json::Object(members)) => members,
        _ => Object::new(),
    };
    let mut side_maps = [
        (Column::Version, map("benchmark_version")),
        (Column::StartedAt, map("started_at")),
        (Column::Duration, map("duration")),
        (Column::Profile, map("profiles")),
    ];
    map("ended_at");
    results.sort_keys();
    let mut passed_over = Vec::new();
    let mut rows = IndexMap::new();
    for (name, json) in results {
        let mut row = RowReader::default();
        for (column, members) in &mut side_maps {
            if let Some(cell) = members.get(&name) {
                row.take(*column, "", cell.clone());
            }
        }
        take_value(&mut row, json);
        match row.finish() {
            Some(result) => {
                rows.insert(name, result);
            }
            None => passed_over.push(name),
        }
    }
    let mut reading = header(rest)?;
    reading
        .remarks
        .extend(passed_over.iter().map(|name| remark(name)));
    let durations = side_maps
        .into_iter()
        .find(|(column, _)| *column == Column::Duration);
    for (key, seconds) in durations.into_iter().flat_map(|(_, members)| members) {
        if let (true, Some(seconds)) = (key.starts_with('<'), seconds.as_f64()) {
            reading.set.durations.insert(key, seconds);
        }
    }
    reading.set.results = rows;
    Ok(reading)
}

/// A bare value, or an object with `result` and possibly `params`, `stats` and `samples`.
fn take_value(row: &mut RowReader, json: Json) {
    let mut members = match json {
        Json::Object(members) if members.contains_key("result") => members,
        bare => return row.take(Column::Result, "", Json::Array(vec![bare])),
    };
    let mut take = |key: &str| members.shift_remove(key).unwrap_or(Json::Null);
    row.take(Column::Result, "", take("result"));
    row.take(Column::Params, "", take("params"));
    row.take(Column::Samples, "", take("samples"));
    let stats = match take("stats") {
        Json::Array(entries) => entries,
        single => vec![single],
    };
    for statistic in [
        Statistic::Ci99A,
        Statistic::Ci99B,
        Statistic::Q25,
        Statistic::Q75,
        Statistic::Number,
        Statistic::Repeat,
    ] {
        let cells = stats
            .iter()
            .map(|entry| of_entry(entry, statistic))
            .collect();
        row.take(Column::Stats(statistic), "", Json::Array(cells));
    }
}

/// One statistic of an entry; the interval is a pair in version 1.
fn of_entry(entry: &Json, statistic: Statistic) -> Json {
    let bound = |index: usize| entry.get("ci_99")?.as_array()?.get(index);
    let cell = match statistic {
        Statistic::Ci99A => bound(0),
        Statistic::Ci99B => bound(1),
        Statistic::Q25 => entry.get("q_25"),
        Statistic::Q75 => entry.get("q_75"),
        Statistic::Number => entry.get("number"),
        Statistic::Repeat => entry.get("repeat"),
    };
    cell.cloned().unwrap_or(Json::Null)
}
