//! One result file for the page: what a comparison and a closer look at a commit need.

use crate::json::{Json, Object, to_compact};
use crate::results::{
    BenchmarkProvenance, BenchmarkResult, Failure, Provenance, ResultSet, SampleStats, Value,
};

use super::File;
use super::commits::line_id;
use super::script::script;

/// Digits of the commit in the file's name.
const DIGITS: usize = 12;

/// More characters of a failure's last lines are left out.
const MOST_DETAILS: usize = 1500;

/// Where the run of a commit is: `runs/<line>/<commit>.js`. `machine` and `environment` are the names
/// under which it counts.
pub fn run_path(commit: &str, machine: &str, environment: &str) -> String {
    format!("{}.js", key(commit, machine, environment))
}

fn key(commit: &str, machine: &str, environment: &str) -> String {
    let digits = commit.chars().filter(char::is_ascii_alphanumeric);
    let digits: String = digits.take(DIGITS).collect();
    format!("runs/{}/{digits}", line_id(machine, environment))
}

/// The results with everything that a comparison uses, at full precision. `source` is the checksum
/// of the result file.
pub fn run_file(set: &ResultSet, source: &str, machine: &str, environment: &str) -> File {
    let key = key(&set.commit_hash, machine, environment);
    script(&key, &to_compact(&document(set, source, machine)))
}

/// The checksum of the result file that a run was made of, from the beginning of the run's text.
pub fn source_of(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(SOURCE)?;
    rest.split('"').next()
}

/// What stands before the checksum.
const SOURCE: &str = "{\"source\": \"";

fn document(set: &ResultSet, source: &str, machine: &str) -> Json {
    let mut run = Object::new();
    run.insert("source".to_owned(), source.into());
    run.insert("commit".to_owned(), set.commit_hash.as_str().into());
    run.insert("machine".to_owned(), machine.into());
    run.insert("environment".to_owned(), set.env_name.as_str().into());
    run.insert("params".to_owned(), set.params.clone().into());
    run.insert("variables".to_owned(), set.env_vars.clone().into());
    let provenance = set.provenance.as_ref();
    if let Some(provenance) = provenance {
        let mut facts = Object::new();
        facts.insert("dirty".to_owned(), Json::Bool(provenance.dirty));
        facts.insert(
            "environment".to_owned(),
            provenance.environment.clone().into(),
        );
        facts.insert("worker".to_owned(), provenance.worker.clone().into());
        run.insert("facts".to_owned(), facts.into());
    }
    let stamps = provenance.and_then(Provenance::version_stamps);
    let mut results = Object::new();
    for (name, result) in &set.results {
        let facts = provenance.and_then(|known| known.benchmarks.get(name));
        let mut row = row(result, facts);
        if stamps.is_some_and(|stamps| stamps.contains_key(name)) {
            row.insert("stamped".to_owned(), Json::Bool(true));
        }
        results.insert(name.clone(), row.into());
    }
    run.insert("results".to_owned(), results.into());
    run.into()
}

fn row(result: &BenchmarkResult, facts: Option<&BenchmarkProvenance>) -> Object {
    let mut row = Object::new();
    let values: Vec<Json> = result.values.iter().map(value).collect();
    row.insert("values".to_owned(), values.into());
    let mut add = |key: &str, value: Json| {
        if !value.is_null() {
            row.insert(key.to_owned(), value);
        }
    };
    if !result.params.is_empty() {
        add("params", result.params.clone().into());
    }
    if let Some(version) = &result.version {
        add("version", version.as_str().into());
    }
    add("stats", column(&result.stats, stats));
    add(
        "samples",
        column(&result.samples, |samples| {
            samples
                .iter()
                .map(|sample| Json::Float(*sample))
                .collect::<Vec<_>>()
                .into()
        }),
    );
    let Some(facts) = facts else {
        return row;
    };
    add("failures", column(&facts.failures, failure));
    if facts.process_sizes.iter().any(|sizes| !sizes.is_empty()) {
        let sizes = |sizes: &Vec<usize>| -> Json {
            let all = sizes
                .iter()
                .map(|size| Json::from(i64::try_from(*size).unwrap_or(0)));
            all.collect::<Vec<_>>().into()
        };
        let all: Vec<Json> = facts.process_sizes.iter().map(sizes).collect();
        add("processes", all.into());
    }
    if !facts.flags.is_empty() {
        let flags: Vec<Json> = facts
            .flags
            .iter()
            .map(|flag| flag.as_str().into())
            .collect();
        add("flags", flags.into());
    }
    row
}

/// A number; text and the like in a list of their own; `null` where it failed, `NaN` where it was
/// skipped.
fn value(value: &Value) -> Json {
    match value {
        Value::Failed => Json::Null,
        Value::Skipped => Json::Float(f64::NAN),
        Value::Number(json) => json.clone(),
        Value::Other(json) => vec![json.clone()].into(),
    }
}

fn column<T>(cells: &[Option<T>], json: impl Fn(&T) -> Json) -> Json {
    if cells.iter().all(Option::is_none) {
        return Json::Null;
    }
    let all: Vec<Json> = cells
        .iter()
        .map(|cell| cell.as_ref().map_or(Json::Null, &json))
        .collect();
    all.into()
}

/// Interval, quartiles, calls per sample and samples.
fn stats(stats: &SampleStats) -> Json {
    let (low, high) = stats.ci_99;
    let mut all: Vec<Json> = [low, high, stats.q_25, stats.q_75].map(Json::Float).into();
    all.extend([stats.number, stats.repeat].map(Json::from));
    all.into()
}

fn failure(failure: &Failure) -> Json {
    let mut out = Object::new();
    out.insert("message".to_owned(), failure.message.as_str().into());
    let skipped = failure.details.chars().count().saturating_sub(MOST_DETAILS);
    let details: String = failure.details.chars().skip(skipped).collect();
    if !details.is_empty() {
        out.insert("details".to_owned(), details.as_str().into());
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_keeps_what_a_comparison_needs() {
        let mut set = ResultSet {
            commit_hash: "0123456789abcdef0123456789abcdef01234567".to_owned(),
            env_name: "env".to_owned(),
            ..ResultSet::default()
        };
        set.results.insert(
            "m.time_x".to_owned(),
            BenchmarkResult {
                values: vec![
                    Value::Number(Json::Float(0.1)),
                    Value::Failed,
                    Value::Skipped,
                    Value::Other("text".into()),
                ],
                params: vec![["1", "2", "3", "4"].map(str::to_owned).into()],
                ..BenchmarkResult::default()
            },
        );
        let file = run_file(&set, "0a1b", "vm", "env");
        assert_eq!(source_of(&file.text), Some("0a1b"));
        assert_eq!(file.path, run_path(&set.commit_hash, "vm", "env"));
        assert!(file.path.starts_with("runs/vm-env-"), "{}", file.path);
        assert!(file.path.ends_with("/0123456789ab.js"), "{}", file.path);
        let expected = r#""results": {"m.time_x": {"values": [0.1, null, NaN, ["text"]], "params": [["1", "2", "3", "4"]]}}"#;
        assert!(file.text.contains(expected), "{}", file.text);
    }
}
