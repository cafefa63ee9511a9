//! What one process found out, read from its `process.json`.

use crate::json::{Json, Object};

/// The evidence of one process.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measured {
    /// Seconds to build the workload.
    pub build: Option<f64>,
    /// Seconds of the first call.
    pub first: Option<f64>,
    /// Seconds of the timed calls.
    pub samples: Vec<f64>,
    pub outputs: Vec<Leaf>,
    pub cores: Vec<Core>,
    pub host_peak: Option<i64>,
    pub device: DeviceMemory,
    /// By target.
    pub declarations: Object,
    pub environment: Object,
}

/// One output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leaf {
    pub path: String,
    pub shape: Vec<i64>,
    pub dtype: String,
    pub sharding: String,
    /// Relative to the folder of the process.
    pub file: String,
}

/// One compiled program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Core {
    pub name: String,
    /// The HLO text, relative to the folder of the process; `None` without any.
    pub file: Option<String>,
    /// The compiler's memory status.
    pub memory: Option<Object>,
    pub cost: Option<Object>,
    pub layouts: Object,
}

/// Peak memory of the devices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum DeviceMemory {
    Measured(i64),
    NotApplicable,
    /// There is no record, or it says that nothing could be measured.
    #[default]
    Missing,
}

impl Measured {
    /// Reads the answer of a process; what is absent stays absent.
    pub fn read(answer: &Json) -> Self {
        let at = |path: &[&str]| path.iter().try_fold(answer, |json, key| json.get(key));
        let list = |key: &str| at(&[key]).and_then(Json::as_array).unwrap_or_default();
        let samples = at(&["seconds", "samples"]).and_then(Json::as_array);
        let object = |key: &str| {
            at(&[key])
                .and_then(Json::as_object)
                .cloned()
                .unwrap_or_default()
        };
        Self {
            build: at(&["seconds", "build"]).and_then(Json::as_f64),
            first: at(&["seconds", "first"]).and_then(Json::as_f64),
            samples: samples
                .unwrap_or_default()
                .iter()
                .filter_map(Json::as_f64)
                .collect(),
            outputs: list("outputs").iter().map(leaf).collect(),
            cores: list("cores").iter().map(core).collect(),
            host_peak: at(&["memory", "host_peak_bytes"]).and_then(Json::as_i64),
            device: device(at(&["memory", "device_peak"])),
            declarations: object("declarations"),
            environment: object("environment"),
        }
    }

    /// The core of a name.
    pub fn core(&self, name: &str) -> Option<&Core> {
        self.cores.iter().find(|core| core.name == name)
    }
}

fn text(json: &Json, key: &str) -> String {
    json.get(key)
        .and_then(Json::as_str)
        .unwrap_or_default()
        .to_owned()
}

fn leaf(json: &Json) -> Leaf {
    let shape = json.get("shape").and_then(Json::as_array);
    Leaf {
        path: text(json, "path"),
        shape: shape
            .unwrap_or_default()
            .iter()
            .filter_map(Json::as_i64)
            .collect(),
        dtype: text(json, "dtype"),
        sharding: text(json, "sharding"),
        file: text(json, "file"),
    }
}

fn core(json: &Json) -> Core {
    let object = |key: &str| json.get(key).and_then(Json::as_object).cloned();
    Core {
        name: text(json, "name"),
        file: json.get("file").and_then(Json::as_str).map(str::to_owned),
        memory: object("memory"),
        cost: object("cost"),
        layouts: object("layouts").unwrap_or_default(),
    }
}

fn device(record: Option<&Json>) -> DeviceMemory {
    let Some(record) = record else {
        return DeviceMemory::Missing;
    };
    match (
        record.get("status").and_then(Json::as_str),
        record.get("bytes").and_then(Json::as_i64),
    ) {
        (Some("measured"), Some(bytes)) => DeviceMemory::Measured(bytes),
        (Some("not applicable"), _) => DeviceMemory::NotApplicable,
        _ => DeviceMemory::Missing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn what_is_absent_stays_absent() {
        let empty = Measured::read(&parse("{}").unwrap());
        assert_eq!(empty, Measured::default());
        assert_eq!(empty.device, DeviceMemory::Missing);
    }

    #[test]
    fn device_memory_is_measured_not_applicable_or_missing() {
        let of = |text: &str| {
            let json = format!(r#"{{"memory": {{"host_peak_bytes": 5, "device_peak": {text}}}}}"#);
            Measured::read(&parse(&json).unwrap()).device
        };
        assert_eq!(
            of(r#"{"status": "measured", "bytes": 7}"#),
            DeviceMemory::Measured(7)
        );
        assert_eq!(
            of(r#"{"status": "not applicable"}"#),
            DeviceMemory::NotApplicable
        );
        assert_eq!(of(r#"{"status": "missing"}"#), DeviceMemory::Missing);
        assert_eq!(of("null"), DeviceMemory::Missing);
    }
}
