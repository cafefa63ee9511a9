//! JSON5 with the lines of its keys: what `asv.conf.json` is written in.

use std::collections::BTreeMap;
use std::fmt;

use json5::{ErrorCode, Position};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::json::{Json, Object};

/// Where and why a text is no JSON5 object. Line and column are 1-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Json5Error {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) message: String,
}

/// Reads a JSON5 text whose top value must be an object. Of a key that comes twice the last counts.
pub(super) fn parse(text: &str) -> Result<Object, Json5Error> {
    let Value(value) = json5::from_str(text).map_err(|error| located(text, &error))?;
    match value {
        Json::Object(members) => Ok(members),
        _ => Err(Json5Error {
            line: 1,
            column: 1,
            message: "expected an object (`{ … }`)".to_owned(),
        }),
    }
}

fn located(text: &str, error: &json5::Error) -> Json5Error {
    let message = match error.code() {
        Some(ErrorCode::EofParsingValue) if says_nothing(text) => {
            "the file is empty; it must hold an object (`{ … }`)".to_owned()
        }
        Some(code) if is_early_end(code) => early_end(code),
        Some(code) => code.to_string(),
        None => error.to_string(),
    };
    // Of a text that ends too early the reader gives the start of what is open, or nothing.
    let end = || Position::from_offset(text.len(), text);
    let position = match error.position() {
        Some(position) if !error.code().is_some_and(is_early_end) => position,
        _ => end(),
    };
    Json5Error {
        line: position.line + 1,
        column: position.column + 1,
        message,
    }
}

/// Whether there is nothing but blanks and comments.
fn says_nothing(text: &str) -> bool {
    let mut scanner = Scanner {
        rest: text,
        line: 1,
    };
    scanner.skip_blanks_and_comments();
    scanner.rest.is_empty()
}

/// What is open where the text ends.
fn early_end(code: ErrorCode) -> String {
    let open = match code {
        ErrorCode::EofParsingArray => "in an array; a `]` is missing",
        ErrorCode::EofParsingObject => "in an object; a `}` is missing",
        ErrorCode::EofParsingString | ErrorCode::EofParsingEscapeSequence => {
            "in a string; a closing quote is missing"
        }
        ErrorCode::EofParsingComment => "in a comment; a `*/` is missing",
        _ => "where a value should come",
    };
    format!("the file ends {open}")
}

fn is_early_end(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::EofParsingArray
            | ErrorCode::EofParsingBool
            | ErrorCode::EofParsingComment
            | ErrorCode::EofParsingEscapeSequence
            | ErrorCode::EofParsingIdentifier
            | ErrorCode::EofParsingNull
            | ErrorCode::EofParsingNumber
            | ErrorCode::EofParsingObject
            | ErrorCode::EofParsingString
            | ErrorCode::EofParsingValue
    )
}

/// The keys of the outermost object with their 1-based lines, in order, repeated ones included. The
/// text must be one that [`parse`] reads.
pub(super) fn key_lines(text: &str) -> Vec<(String, usize)> {
    let mut scanner = Scanner {
        rest: text,
        line: 1,
    };
    let mut keys = Vec::new();
    let mut depth = 0_usize;
    let mut expects_key = false;
    loop {
        scanner.skip_blanks_and_comments();
        let line = scanner.line;
        let Some(token) = scanner.token() else {
            return keys;
        };
        match token {
            "{" | "[" => {
                depth += 1;
                expects_key = depth == 1 && token == "{";
            }
            "}" | "]" => depth = depth.saturating_sub(1),
            "," => expects_key = depth == 1,
            _ if expects_key => {
                keys.push((key_name(token), line));
                expects_key = false;
            }
            _ => {}
        }
    }
}

/// The name that a key's token stands for: quotes and escapes undone.
fn key_name(token: &str) -> String {
    let alone: Result<BTreeMap<String, u8>, _> = json5::from_str(&format!("{{{token}: 0}}"));
    let name = alone.ok().and_then(|keys| keys.into_keys().next());
    name.unwrap_or_else(|| token.to_owned())
}

struct Scanner<'a> {
    rest: &'a str,
    /// Line of the first character of `rest`, 1-based.
    line: usize,
}

impl<'a> Scanner<'a> {
    fn skip_blanks_and_comments(&mut self) {
        loop {
            let blanks = self.rest.len()
                - self
                    .rest
                    .trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
                    .len();
            let comment = if self.rest[blanks..].starts_with("//") {
                self.rest[blanks..]
                    .find(is_line_end)
                    .unwrap_or(self.rest.len() - blanks)
            } else if self.rest[blanks..].starts_with("/*") {
                self.rest[blanks..]
                    .find("*/")
                    .map_or(self.rest.len() - blanks, |end| end + 2)
            } else {
                0
            };
            if blanks + comment == 0 {
                return;
            }
            self.take(blanks + comment);
        }
    }

    /// The next bracket, comma, colon, string or word.
    fn token(&mut self) -> Option<&'a str> {
        let first = self.rest.chars().next()?;
        let length = match first {
            '{' | '}' | '[' | ']' | ',' | ':' => 1,
            '"' | '\'' => string_length(self.rest, first),
            _ => self
                .rest
                .find(|c: char| c.is_whitespace() || "{}[],:/\"'".contains(c))
                .filter(|length| *length > 0)
                .unwrap_or(first.len_utf8()),
        };
        Some(self.take(length))
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.line += line_ends(taken);
        taken
    }
}

/// Bytes of the string literal at the start of `text`, both quotes included.
fn string_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return at + quote.len_utf8();
        }
    }
    text.len()
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// How many lines end in `text`; a carriage return with its line feed is one end.
fn line_ends(text: &str) -> usize {
    text.matches(is_line_end).count() - text.matches("\r\n").count()
}

/// [`Json`] as serde reads it.
struct Value(Json);

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue).map(Self)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON5 value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_none<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(i64::try_from(value).map_or_else(|_| Json::BigInt(value.to_string()), Json::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut array = Vec::new();
        while let Some(Value(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut object = Object::new();
        while let Some((key, Value(value))) = members.next_entry::<String, Value>()? {
            object.insert(key, value);
        }
        Ok(Json::Object(object))
    }
}

#[cfg(test)]
mod tests;
