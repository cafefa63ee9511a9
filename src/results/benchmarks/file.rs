//! `benchmarks.json` as text.

use crate::json::{Json, Object, ParseError, parse, to_pretty};
use crate::results::row;

use super::{BenchmarkIndex, BenchmarkRecord};

/// The version of asv's `benchmarks.json` that this writes.
const VERSION: i64 = 2;

impl BenchmarkIndex {
    /// Reads the text of a `benchmarks.json` of any version; benchmarks of old files may lack
    /// `params`. What is no object is left out.
    pub fn from_text(text: &str) -> Result<Self, ParseError> {
        let Json::Object(members) = parse(text)? else {
            return Ok(Self::default());
        };
        let records = members.into_iter().filter_map(|(name, json)| match json {
            Json::Object(raw) => Some(BenchmarkRecord::from_raw(&name, raw)),
            _ => None,
        });
        Ok(records.collect())
    }

    /// The text, byte for byte as asv writes it.
    pub fn to_text(&self) -> String {
        let mut members: Object = self
            .benchmarks
            .iter()
            .map(|(name, record)| (name.clone(), record.raw.clone().into()))
            .collect();
        members.insert("version".to_owned(), VERSION.into());
        to_pretty(&members.into())
    }
}

impl FromIterator<BenchmarkRecord> for BenchmarkIndex {
    fn from_iter<I: IntoIterator<Item = BenchmarkRecord>>(records: I) -> Self {
        Self {
            benchmarks: records
                .into_iter()
                .map(|record| (record.name.clone(), record))
                .collect(),
        }
    }
}

impl BenchmarkRecord {
    /// The typed view of a record that asv exported under `name`.
    pub fn from_raw(name: &str, raw: Object) -> Self {
        let text = |key: &str| raw.get(key).and_then(Json::as_str).map(str::to_owned);
        let version = raw
            .get("version")
            .filter(|version| !version.is_null())
            .map(|version| row::text(version.clone()));
        Self {
            name: name.to_owned(),
            kind: text("type").unwrap_or_default(),
            unit: text("unit").unwrap_or_default(),
            params: raw
                .get("params")
                .cloned()
                .map(row::axes)
                .unwrap_or_default(),
            param_names: raw.get("param_names").map(texts).unwrap_or_default(),
            version,
            pretty_name: text("pretty_name"),
            raw,
        }
    }
}

fn texts(json: &Json) -> Vec<String> {
    let items = json.as_array().unwrap_or_default();
    items.iter().cloned().map(row::text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As asv wrote it.
    const TEXT: &str = r#"{
    "bench.SK.track_a": {
        "code": "class SK:\n    def track_a(self, n):\n        return '\u00e9'",
        "name": "bench.SK.track_a",
        "param_names": [
            "param1"
        ],
        "params": [
            [
                "1",
                "2"
            ]
        ],
        "sample_time": 0.01,
        "skip_params": [
            [
                2
            ]
        ],
        "timeout": 60.0,
        "type": "track",
        "unit": "unit",
        "version": "15cdb31d"
    },
    "version": 2
}"#;

    #[test]
    fn reads_and_writes_to_the_byte() {
        let index = BenchmarkIndex::from_text(TEXT).unwrap();
        let record = &index.benchmarks["bench.SK.track_a"];
        assert_eq!(
            (record.kind.as_str(), record.unit.as_str()),
            ("track", "unit")
        );
        assert_eq!(record.params, [["1", "2"]]);
        assert_eq!(record.param_names, ["param1"]);
        assert_eq!(record.version.as_deref(), Some("15cdb31d"));
        assert_eq!(record.display_name(1), "bench.SK.track_a(2)");
        assert_eq!(index.to_text(), TEXT);
    }

    #[test]
    fn old_files_may_lack_params_and_versions() {
        let index = BenchmarkIndex::from_text(
            r#"{"a.time_x": {"name": "a.time_x", "type": "time"}, "version": 1, "odd": []}"#,
        )
        .unwrap();
        assert_eq!(index.benchmarks.len(), 1);
        let record = &index.benchmarks["a.time_x"];
        assert_eq!((record.combinations(), record.version.clone()), (1, None));
    }
}
