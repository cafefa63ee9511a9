//! What must agree between a result file of asv and one of ours.
//!
//! Left out are measured values, `stats_*` but for their counts, `started_at`, durations and the
//! `lcmbench` key. What a failed or skipped entry looks like, the order of keys and rows, and the
//! lengths of rows and lists are compared.

use lcmbench::json::{Json, Object, to_compact};

/// One sentence.
pub(super) type Difference = String;

/// Columns whose numbers are chosen by the suite, not measured.
const COUNTS: [&str; 2] = ["stats_number", "stats_repeat"];

/// Compares two result files of the same suite and commit; empty when they agree.
pub(super) fn result_differences(benchmarks: &Json, asv: &Json, ours: &Json) -> Vec<Difference> {
    let mut found = Vec::new();
    let (asv, ours) = (members(asv), members(ours));
    let ours_keys: Vec<&String> = ours.keys().filter(|key| *key != "lcmbench").collect();
    let asv_keys: Vec<&String> = asv.keys().collect();
    if asv_keys != ours_keys {
        found.push(format!("keys: asv {asv_keys:?}, ours {ours_keys:?}"));
    }
    for key in asv.keys() {
        let Some(value) = ours.get(key) else { continue };
        match key.as_str() {
            "results" => rows(benchmarks, asv, ours, &mut found),
            "durations" => durations(&asv[key], value, &mut found),
            _ => equal(key, &asv[key], value, &mut found),
        }
    }
    found
}

/// The same entries, but for the time that asv says it took to build nothing.
fn durations(asv: &Json, ours: &Json, found: &mut Vec<Difference>) {
    let keys = |value: &Json| -> Vec<String> {
        let keys = members(value).keys().filter(|key| *key != "<build>");
        keys.cloned().collect()
    };
    if keys(asv) != keys(ours) {
        found.push(format!(
            "durations: asv {:?}, ours {:?}",
            keys(asv),
            keys(ours)
        ));
    }
}

fn rows(benchmarks: &Json, asv: &Object, ours: &Object, found: &mut Vec<Difference>) {
    let (asv_rows, our_rows) = (members(&asv["results"]), members(&ours["results"]));
    let (asv_names, our_names): (Vec<_>, Vec<_>) =
        (asv_rows.keys().collect(), our_rows.keys().collect());
    if asv_names != our_names {
        found.push(format!("benchmarks: asv {asv_names:?}, ours {our_names:?}"));
    }
    let columns = asv["result_columns"].as_array().unwrap();
    for (name, asv_row) in asv_rows {
        let Some(our_row) = our_rows.get(name) else {
            continue;
        };
        let kind = benchmarks.get(name).and_then(|record| record.get("type"));
        let measured = matches!(kind.and_then(Json::as_str), Some("time" | "peakmemory"));
        let (asv_row, our_row) = (asv_row.as_array().unwrap(), our_row.as_array().unwrap());
        if asv_row.len() != our_row.len() {
            found.push(format!(
                "{name}: asv's row has {} columns, ours {}",
                asv_row.len(),
                our_row.len()
            ));
        }
        for ((column, asv_cell), our_cell) in columns.iter().zip(asv_row).zip(our_row) {
            let column = column.as_str().unwrap();
            let what = format!("{name}, {column}");
            let chosen = matches!(column, "params" | "version") || COUNTS.contains(&column);
            if chosen || (column == "result" && !measured) {
                equal(&what, asv_cell, our_cell, found);
            } else {
                alike(&what, asv_cell, our_cell, found);
            }
        }
    }
}

/// Equal to the byte when written, so that `1` and `1.0` and the order of keys count.
fn equal(what: &str, asv: &Json, ours: &Json, found: &mut Vec<Difference>) {
    let (asv, ours) = (to_compact(asv), to_compact(ours));
    if asv != ours {
        found.push(format!("{what}: asv {asv}, ours {ours}"));
    }
}

/// The same shape: numbers may differ, nulls, NaN, infinities, types and lengths may not.
fn alike(what: &str, asv: &Json, ours: &Json, found: &mut Vec<Difference>) {
    if shape(asv) != shape(ours) {
        found.push(format!(
            "{what}: asv {}, ours {}",
            to_compact(asv),
            to_compact(ours)
        ));
    }
}

fn shape(value: &Json) -> String {
    match value {
        Json::Null => String::from("null"),
        Json::Bool(_) => String::from("bool"),
        Json::Int(_) | Json::BigInt(_) => String::from("int"),
        Json::Float(number) if number.is_finite() => String::from("float"),
        Json::Float(number) => number.to_string(),
        Json::String(_) => String::from("text"),
        Json::Array(items) => format!("{:?}", items.iter().map(shape).collect::<Vec<_>>()),
        Json::Object(members) => format!("{:?}", members.keys().collect::<Vec<_>>()),
    }
}

fn members(value: &Json) -> &Object {
    value.as_object().expect("an object")
}

/// The comparison itself must be able to fail.
mod tests {
    use lcmbench::json::{Json, parse};

    use super::result_differences;

    const BENCHMARKS: &str =
        r#"{"a.time_x": {"type": "time"}, "a.track_y": {"type": "track"}, "version": 2}"#;
    const FILE: &str = r#"{"commit_hash": "abc", "result_columns": ["result", "params", "version",
        "started_at", "duration", "stats_ci_99_a", "stats_number"], "results": {
        "a.time_x": [[1.5e-05, NaN], [["1", "2"]], "v", 17, 0.5, [-Infinity, null], [3, null]],
        "a.track_y": [[1], [], "w", 18, 0.25]}, "durations": {"<build>": 0.5}, "version": 2}"#;

    fn differences(change: impl Fn(&str) -> String) -> usize {
        let read = |text: &str| -> Json { parse(text).unwrap() };
        let changed = read(&change(FILE));
        result_differences(&read(BENCHMARKS), &read(FILE), &changed).len()
    }

    #[test]
    fn measured_numbers_and_the_own_key_may_differ() {
        let allowed = [
            ("1.5e-05", "2.5e-05"),
            (", 17,", ", 99,"),
            ("0.25", "0.75"),
            (r#"{"<build>": 0.5}"#, "{}"),
            (r#""version": 2}"#, r#""version": 2, "lcmbench": {}}"#),
        ];
        for (old, new) in allowed {
            assert!(FILE.contains(old), "{old}");
            assert_eq!(differences(|file| file.replace(old, new)), 0, "{old}");
        }
    }

    #[test]
    fn everything_else_must_agree() {
        let caught = [
            ("abc", "abd"),
            ("[1.5e-05, NaN]", "[1.5e-05, null]"),
            ("[1.5e-05, NaN]", "[1.5e-05]"),
            ("[[1], [], \"w\"", "[[1.0], [], \"w\""),
            ("[[1], [], \"w\"", "[[2], [], \"w\""),
            ("\"v\", 17", "\"u\", 17"),
            ("[-Infinity, null]", "[0.5, null]"),
            ("[3, null]", "[4, null]"),
            (", [3, null]]", "]"),
            ("a.track_y", "a.track_z"),
            (r#"{"<build>": 0.5}"#, r#"{"<setup_cache a:1>": 0.5}"#),
            (r#""version": 2}"#, r#""version": 2, "other": {}}"#),
        ];
        for (old, new) in caught {
            assert!(FILE.contains(old), "{old}");
            assert_ne!(differences(|file| file.replace(old, new)), 0, "{old}");
        }
    }
}
