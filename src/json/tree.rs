//! The bridge to serde: builds a [`Json`] from a deserializer.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::prepare::MARK;
use super::{Json, Object};

/// Nesting beyond this is an error, so that no text can exhaust the stack.
const MAXIMUM_DEPTH: usize = 127;

/// Reads one value with all that is in it.
#[derive(Debug, Clone, Copy)]
pub struct Tree {
    /// Strings may be marked (`super::prepare`): the text went through preparation.
    prepared: bool,
    depth: usize,
}

impl Tree {
    /// For the deserializer that [`super::read_with`] provides.
    pub fn prepared() -> Self {
        Self {
            prepared: true,
            depth: 0,
        }
    }

    /// For a deserializer over the text itself.
    pub(super) fn plain() -> Self {
        Self {
            prepared: false,
            depth: 0,
        }
    }

    fn text(self, text: &str) -> Json {
        if !self.prepared {
            return Json::String(text.to_owned());
        }
        match marked_number(text) {
            Some(number) => number,
            None => Json::String(plain_text(text).to_owned()),
        }
    }

    fn key<E: Error>(self, text: String) -> Result<String, E> {
        if !self.prepared || !text.starts_with(MARK) {
            return Ok(text);
        }
        if marked_number(&text).is_some() {
            return Err(E::custom("a key must be a string"));
        }
        Ok(plain_text(&text).to_owned())
    }
}

/// The number that a marked string stands for, if it is one.
pub fn marked_number(text: &str) -> Option<Json> {
    let token = text.strip_prefix(MARK)?;
    if token.starts_with(MARK) {
        return None;
    }
    Some(match token {
        "NaN" => Json::Float(f64::NAN),
        "Infinity" => Json::Float(f64::INFINITY),
        "-Infinity" => Json::Float(f64::NEG_INFINITY),
        _ => match token.parse() {
            Ok(integer) => Json::Int(integer),
            Err(_) if token.contains(['.', 'e', 'E']) => Json::Float(token.parse().ok()?),
            Err(_) => Json::BigInt(token.to_owned()),
        },
    })
}

/// The text that a prepared string stands for; not for one that [`marked_number`] knows.
pub fn plain_text(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

impl<'de> DeserializeSeed<'de> for Tree {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Int(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        Ok(match i64::try_from(value) {
            Ok(value) => Json::Int(value),
            Err(_) => Json::BigInt(value.to_string()),
        })
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Float(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        Ok(self.text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Json, A::Error> {
        self.descend()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Json, A::Error> {
        self.descend()?;
        let mut object = Object::new();
        while let Some(key) = members.next_key::<String>()? {
            let key = self.key(key)?;
            // The last of several equal keys wins, at the place of the first, as in Python.
            object.insert(key, members.next_value_seed(self)?);
        }
        Ok(Json::Object(object))
    }
}

impl Tree {
    fn descend<E: Error>(&mut self) -> Result<(), E> {
        self.depth += 1;
        if self.depth > MAXIMUM_DEPTH {
            return Err(E::custom(format!(
                "nested deeper than {MAXIMUM_DEPTH} levels"
            )));
        }
        Ok(())
    }
}
