//! Numbers and values in strict JSON, which has neither NaN nor the infinities.

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::json::Json;
use crate::report::row::Cell;

/// A number; what is not finite becomes the text `nan`, `inf` or `-inf`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number(pub(super) f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match not_finite(self.0) {
            Some(word) => serializer.serialize_str(word),
            None => serializer.serialize_f64(self.0),
        }
    }
}

/// [`Number`] as a value of its own.
pub(super) fn number(number: f64) -> Value {
    strict(&Json::Float(number))
}

fn not_finite(number: f64) -> Option<&'static str> {
    if number.is_nan() {
        Some("nan")
    } else if number.is_infinite() {
        Some(if number > 0.0 { "inf" } else { "-inf" })
    } else {
        None
    }
}

/// One side of a row, or one result.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum CellDocument {
    /// A finite number, as it is stored: integers stay integers.
    Number {
        value: Value,
        spread: Option<Number>,
    },
    /// `nan`, `inf` or `-inf`.
    NotFinite {
        value: Value,
    },
    /// An integer beyond 64 bits, as its digits.
    BigInteger {
        value: Value,
    },
    /// Any other JSON.
    Other {
        value: Value,
    },
    Failed {
        reason: Option<String>,
    },
    Skipped {
        reason: Option<String>,
    },
    Missing,
}

impl From<&Cell> for CellDocument {
    fn from(cell: &Cell) -> Self {
        match cell {
            Cell::Number { value, spread } => match value {
                Json::Float(number) if !number.is_finite() => Self::NotFinite {
                    value: strict(value),
                },
                Json::BigInt(_) => Self::BigInteger {
                    value: strict(value),
                },
                _ => Self::Number {
                    value: strict(value),
                    spread: spread.map(Number),
                },
            },
            Cell::Other(value) => Self::Other {
                value: strict(value),
            },
            Cell::Failed { reason } => Self::Failed {
                reason: reason.clone(),
            },
            Cell::Skipped { reason } => Self::Skipped {
                reason: reason.clone(),
            },
            Cell::Missing => Self::Missing,
        }
    }
}

/// A stored value in strict JSON; numbers that it cannot hold become texts.
fn strict(value: &Json) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Int(number) => (*number).into(),
        Json::BigInt(digits) => Value::String(digits.clone()),
        Json::Float(number) => {
            not_finite(*number).map_or_else(|| (*number).into(), |word| Value::String(word.into()))
        }
        Json::String(text) => Value::String(text.clone()),
        Json::Array(items) => items.iter().map(strict).collect(),
        Json::Object(members) => members
            .iter()
            .map(|(key, member)| (key.clone(), strict(member)))
            .collect(),
    }
}

/// A parameter's name and string.
#[derive(Debug, Serialize)]
pub(super) struct Parameter<'a> {
    name: &'a str,
    value: &'a str,
}

pub(super) fn parameters(params: &[(String, String)]) -> Vec<Parameter<'_>> {
    params
        .iter()
        .map(|(name, value)| Parameter { name, value })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(cell: &Cell) -> String {
        serde_json::to_string(&CellDocument::from(cell)).unwrap()
    }

    fn number_cell(value: Json) -> String {
        let spread = Some(f64::INFINITY);
        document(&Cell::Number { value, spread })
    }

    #[test]
    fn every_cell_has_its_kind() {
        assert_eq!(
            number_cell(Json::Int(5)),
            r#"{"kind":"number","value":5,"spread":"inf"}"#
        );
        assert_eq!(
            number_cell(Json::Float(5.0)),
            r#"{"kind":"number","value":5.0,"spread":"inf"}"#
        );
        assert_eq!(
            number_cell(Json::Float(f64::NEG_INFINITY)),
            r#"{"kind":"not-finite","value":"-inf"}"#
        );
        assert_eq!(
            number_cell(Json::BigInt("1".repeat(30))),
            format!(r#"{{"kind":"big-integer","value":"{}"}}"#, "1".repeat(30))
        );
        let odd = Json::Array(vec![Json::Float(f64::NAN), Json::Null, Json::Bool(true)]);
        assert_eq!(
            document(&Cell::Other(odd)),
            r#"{"kind":"other","value":["nan",null,true]}"#
        );
        assert_eq!(
            document(&Cell::Failed {
                reason: Some("x".into())
            }),
            r#"{"kind":"failed","reason":"x"}"#
        );
        assert_eq!(
            document(&Cell::Skipped { reason: None }),
            r#"{"kind":"skipped","reason":null}"#
        );
        assert_eq!(document(&Cell::Missing), r#"{"kind":"missing"}"#);
    }
}
