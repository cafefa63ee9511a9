//! One text or a list of them.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

/// One text or a list of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::config) struct Texts(pub(in crate::config) Vec<String>);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextsVisitor)
    }
}

struct TextsVisitor;

impl<'de> Visitor<'de> for TextsVisitor {
    type Value = Texts;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string or a list of strings")
    }

    fn visit_str<E>(self, text: &str) -> Result<Texts, E> {
        Ok(Texts(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Texts, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = items.next_element()? {
            texts.push(text);
        }
        Ok(Texts(texts))
    }
}

impl JsonSchema for Texts {
    fn schema_name() -> Cow<'static, str> {
        "Texts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "One text or a list of them.",
            "anyOf": [
                { "type": "string" },
                { "type": "array", "items": { "type": "string" } }
            ]
        })
    }
}
