//! The tolerant reader: `serde_json` on the prepared text, and `json5` for what people edit.

use serde::de::{Deserialize, DeserializeSeed, Deserializer};
use serde_json::de::StrRead;

use super::prepare::prepare;
use super::{Json, Scanner, Tree, to_compact};

/// Where and why a text is no JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
    pub message: String,
}

/// Reads JSON as Python's `json.loads` does: `NaN`, `Infinity` and `-Infinity` are floats, integers
/// keep all their digits, the last of several equal keys wins.
///
/// Beyond Python: a byte order mark is skipped, and a text that is JSON5 (comments, trailing
/// commas, single quotes) is read too. Nesting is limited to 127 levels.
pub fn parse(text: &str) -> Result<Json, ParseError> {
    match scanned(text) {
        Some(json) => Ok(json),
        None => tolerant(text),
    }
}

/// The fast way; `None` if the text is in any way unusual.
fn scanned(text: &str) -> Option<Json> {
    let mut scanner = Scanner::new(text);
    let json = scanner.value()?;
    scanner.end()?;
    Some(json)
}

/// [`parse`] without the fast way.
pub(super) fn tolerant(text: &str) -> Result<Json, ParseError> {
    let text = without_mark(text);
    match strict(text, |reader| Tree::prepared().deserialize(reader)) {
        Ok(json) => Ok(json),
        Err(_) => lenient(text),
    }
}

/// Reads a text as [`parse`] does, straight into a type of the caller's.
///
/// `read` is given a deserializer in which numbers that are no strict JSON appear as marked strings:
/// it must pass each string through [`super::marked_number`] and [`super::plain_text`], or read with
/// [`Tree::prepared`]. `read` should fail only where its deserializer does: a failure makes it run
/// again on what the lenient reader understood.
pub fn read_with<T>(
    text: &str,
    read: impl Fn(&mut serde_json::Deserializer<StrRead<'_>>) -> serde_json::Result<T>,
) -> Result<T, ParseError> {
    let text = without_mark(text);
    let refusal = match strict(text, &read) {
        Ok(value) => return Ok(value),
        Err(refusal) => refusal,
    };
    let rewritten = to_compact(&lenient(text)?);
    strict(&rewritten, &read).map_err(|error| {
        // JSON that is not what the caller wants; of JSON5 the place is not known.
        let (line, column) = if refusal.is_data() {
            (refusal.line(), refusal.column())
        } else {
            (1, 1)
        };
        let message = error.to_string();
        let without_place = message.rsplit_once(" at line ");
        ParseError {
            line,
            column,
            message: without_place.map_or_else(|| message.clone(), |(text, _)| text.to_owned()),
        }
    })
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

fn strict<T>(
    text: &str,
    read: impl Fn(&mut serde_json::Deserializer<StrRead<'_>>) -> serde_json::Result<T>,
) -> serde_json::Result<T> {
    let prepared = prepare(text);
    let mut reader = serde_json::Deserializer::from_str(&prepared);
    let value = read(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// A value as JSON5 has it.
struct Lenient(Json);

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Tree::plain().deserialize(deserializer).map(Self)
    }
}

fn lenient(text: &str) -> Result<Json, ParseError> {
    match json5::from_str(text) {
        Ok(Lenient(json)) => Ok(json),
        Err(error) => Err(located(&error, text)),
    }
}

/// The error with its place. One about the end of the text is there, wherever the reader noticed.
fn located(error: &json5::Error, text: &str) -> ParseError {
    let message = match error.code() {
        Some(code) => describe(code).map_or_else(|| code.to_string(), str::to_owned),
        // The position is a field of its own; `json5` appends it to a message that is not its own.
        None => error
            .to_string()
            .rsplit_once(" at line ")
            .map_or_else(|| error.to_string(), |(message, _)| message.to_owned()),
    };
    let is_cut = message.starts_with("the text ends") || message.starts_with("EOF");
    let (line, column) = match error.position().filter(|_| !is_cut) {
        Some(position) => (position.line + 1, position.column + 1),
        None => end_of(text),
    };
    ParseError {
        line,
        column,
        message,
    }
}

/// Words for the mistakes that people make most.
fn describe(code: json5::ErrorCode) -> Option<&'static str> {
    use json5::ErrorCode as Code;
    Some(match code {
        Code::EofParsingArray => "the text ends inside a list",
        Code::EofParsingObject => "the text ends inside an object",
        Code::EofParsingString => "the text ends inside a string",
        Code::EofParsingComment => "the text ends inside a comment",
        Code::EofParsingValue => "the text ends before a value",
        Code::ExpectedClosingBrace => "expected `,` or `}`",
        Code::ExpectedClosingBracket => "expected `,` or `]`",
        Code::ExpectedColon => "expected `:` after the key",
        Code::ExpectedComma => "expected `,`",
        Code::ExpectedIdentifier => "expected a key",
        Code::ExpectedValue => "expected a value",
        Code::LineTerminatorInString => "a string must end on its line",
        Code::TrailingCharacters => "expected nothing more after the value",
        _ => return None,
    })
}

/// 1-based line and column of the end of the text.
fn end_of(text: &str) -> (usize, usize) {
    let line = text.matches('\n').count() + 1;
    let last = text.rsplit('\n').next().unwrap_or_default();
    (line, last.chars().count() + 1)
}

#[cfg(test)]
mod tests;
