//! `--attribute KEY=VALUE` and `--cpu-affinity LIST`: what the user sets for every benchmark.

use std::collections::BTreeSet;

use crate::json::{Json, Object};

/// Attributes from the command line, checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Attributes {
    /// In the order given; `processes` is filed as `rounds`. Without `cpu_affinity`.
    values: Object,
    /// CPUs that the benchmarks may run on.
    pub cpu_affinity: Option<Vec<usize>>,
}

/// An attribute that asv would refuse too.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AttributeError {
    #[error("`{0}` is no assignment; write KEY=VALUE")]
    NoAssignment(String),
    #[error("`{key}` is no attribute that can be set here; choose from {known}{nearest}")]
    Unknown {
        key: String,
        known: String,
        nearest: String,
    },
    #[error("`{key}={value}` does not fit: {key} takes {wanted}")]
    Value {
        key: String,
        value: String,
        wanted: &'static str,
    },
}

const KNOWN: [&str; 10] = [
    "timeout",
    "version",
    "warmup_time",
    "repeat",
    "number",
    "rounds",
    "processes",
    "sample_time",
    "min_run_count",
    "cpu_affinity",
];

impl Attributes {
    /// Reads assignments; a later one of the same key wins.
    pub fn parse(assignments: &[String]) -> Result<Self, AttributeError> {
        let mut attributes = Self::default();
        for assignment in assignments {
            let (key, value) = assignment
                .split_once('=')
                .ok_or_else(|| AttributeError::NoAssignment(assignment.clone()))?;
            attributes.set(key, value)?;
        }
        Ok(attributes)
    }

    /// Sets one attribute from its text.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), AttributeError> {
        let wrong = |wanted| AttributeError::Value {
            key: key.to_owned(),
            value: value.to_owned(),
            wanted,
        };
        let parsed = match key {
            "timeout" => Json::Float(
                seconds(value)
                    .filter(|number| *number > 0.0)
                    .ok_or_else(|| wrong("a number of seconds above 0"))?,
            ),
            "warmup_time" | "sample_time" => {
                Json::Float(seconds(value).ok_or_else(|| wrong("a number of seconds, 0 or more"))?)
            }
            "number" | "rounds" | "processes" | "min_run_count" => Json::Int(
                value
                    .trim()
                    .parse()
                    .ok()
                    .filter(|number: &i64| *number >= i64::from(key != "number"))
                    .ok_or_else(|| {
                        wrong(if key == "number" {
                            "a whole number, 0 or more"
                        } else {
                            "a whole number, 1 or more"
                        })
                    })?,
            ),
            "repeat" => {
                repeat(value).ok_or_else(|| wrong("a whole number or (min, max, seconds)"))?
            }
            "version" => Json::from(value),
            "cpu_affinity" => {
                let list =
                    cpu_list(value).ok_or_else(|| wrong("a list such as 0 or 0,1 or 0-3"))?;
                self.cpu_affinity = Some(list);
                return Ok(());
            }
            _ => return Err(unknown(key)),
        };
        let key = if key == "processes" { "rounds" } else { key };
        self.values.insert(key.to_owned(), parsed);
        Ok(())
    }

    /// What `--quick` sets: every function is called once.
    pub fn quick(&mut self) {
        for (key, value) in [
            ("number", 1),
            ("repeat", 1),
            ("warmup_time", 0),
            ("rounds", 1),
        ] {
            self.values.insert(key.to_owned(), Json::Int(value));
        }
    }

    /// The attributes that a job is given.
    pub fn for_jobs(&self) -> &Object {
        &self.values
    }

    /// The time-out in seconds of benchmarks that have none of their own.
    pub fn timeout(&self) -> Option<f64> {
        self.values.get("timeout").and_then(Json::as_f64)
    }

    /// The number of rounds of every benchmark, if set.
    pub fn rounds(&self) -> Option<usize> {
        let rounds = self.values.get("rounds").and_then(Json::as_i64)?;
        usize::try_from(rounds).ok()
    }
}

fn unknown(key: &str) -> AttributeError {
    let near = KNOWN
        .into_iter()
        .map(|known| (strsim::jaro_winkler(known, key), known))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    AttributeError::Unknown {
        key: key.to_owned(),
        known: KNOWN.join(", "),
        nearest: near.map_or_else(String::new, |(_, near)| format!("; did you mean `{near}`?")),
    }
}

/// A finite number of seconds that is not below 0.
fn seconds(value: &str) -> Option<f64> {
    let number: f64 = value.trim().parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

/// `10`, or `(1, 10, 20.0)` with or without the parentheses.
fn repeat(value: &str) -> Option<Json> {
    if let Ok(count) = value.trim().parse::<i64>() {
        return (count >= 0).then_some(Json::Int(count));
    }
    let inner = value.trim().trim_start_matches('(').trim_end_matches(')');
    let parts: Vec<&str> = inner.split(',').map(str::trim).collect();
    let [low, high, seconds] = parts.as_slice() else {
        return None;
    };
    let (low, high): (i64, i64) = (low.parse().ok()?, high.parse().ok()?);
    let seconds: f64 = seconds.parse().ok()?;
    (0 <= low && low <= high && seconds.is_finite())
        .then(|| Json::Array(vec![Json::Int(low), Json::Int(high), Json::Float(seconds)]))
}

/// `0`, `0,1`, `0-3`, `0-1,4`: CPU numbers, ascending and each once.
fn cpu_list(value: &str) -> Option<Vec<usize>> {
    let mut cpus = BTreeSet::new();
    for part in value.split(',').map(str::trim) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if last < first || last > 65_535 {
            return None;
        }
        cpus.extend(first..=last);
    }
    Some(cpus.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(assignments: &[&str]) -> Result<Attributes, AttributeError> {
        let assignments: Vec<String> = assignments.iter().map(|a| (*a).to_owned()).collect();
        Attributes::parse(&assignments)
    }

    fn error(assignment: &str) -> String {
        parse(&[assignment]).unwrap_err().to_string()
    }

    #[test]
    fn reads_every_attribute_of_asv() {
        let attributes = parse(&[
            "timeout=2.5",
            "version=x=1",
            "warmup_time=0",
            "repeat=(1, 10, 20.0)",
            "number=0",
            "processes=3",
            "sample_time=1e-2",
            "cpu_affinity=0-2,5",
        ])
        .unwrap();
        let values = attributes.for_jobs();
        assert_eq!(attributes.timeout(), Some(2.5));
        assert_eq!(values["version"], Json::from("x=1"));
        assert_eq!(values["warmup_time"], Json::Float(0.0));
        assert_eq!(
            values["repeat"],
            Json::Array(vec![Json::Int(1), Json::Int(10), Json::Float(20.0)])
        );
        assert_eq!(values["number"], Json::Int(0));
        assert_eq!(attributes.rounds(), Some(3));
        assert!(!values.contains_key("processes"));
        assert!(!values.contains_key("cpu_affinity"));
        assert_eq!(attributes.cpu_affinity, Some(vec![0, 1, 2, 5]));
        assert_eq!(
            parse(&["repeat=7"]).unwrap().for_jobs()["repeat"],
            Json::Int(7)
        );
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert_eq!(
            error("repeat"),
            "`repeat` is no assignment; write KEY=VALUE"
        );
        assert!(error("sample_tme=1").ends_with("did you mean `sample_time`?"));
        assert!(error("params=1").starts_with("`params` is no attribute that can be set here"));
        assert_eq!(
            error("rounds=two"),
            "`rounds=two` does not fit: rounds takes a whole number, 1 or more"
        );
        assert_eq!(
            error("rounds=0"),
            "`rounds=0` does not fit: rounds takes a whole number, 1 or more"
        );
        assert_eq!(
            error("timeout=nan"),
            "`timeout=nan` does not fit: timeout takes a number of seconds above 0"
        );
        assert_eq!(
            error("timeout=0"),
            "`timeout=0` does not fit: timeout takes a number of seconds above 0"
        );
        assert_eq!(
            error("sample_time=-1"),
            "`sample_time=-1` does not fit: sample_time takes a number of seconds, 0 or more"
        );
        assert_eq!(
            error("number=-1"),
            "`number=-1` does not fit: number takes a whole number, 0 or more"
        );
        assert_eq!(
            error("cpu_affinity=3-1"),
            "`cpu_affinity=3-1` does not fit: cpu_affinity takes a list such as 0 or 0,1 or 0-3"
        );
        assert!(parse(&["repeat=(5, 1, 2)"]).is_err());
    }

    #[test]
    fn quick_means_one_call() {
        let mut attributes = parse(&["repeat=5", "rounds=4"]).unwrap();
        attributes.quick();
        assert_eq!(attributes.rounds(), Some(1));
        assert_eq!(attributes.for_jobs()["repeat"], Json::Int(1));
        assert_eq!(attributes.for_jobs()["number"], Json::Int(1));
        assert_eq!(attributes.for_jobs()["warmup_time"], Json::Int(0));
    }
}
