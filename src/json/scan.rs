//! The fast reader: plain JSON with Python's `NaN` and infinities, in one pass over the text.
//!
//! It understands less than the tolerant reader and never differs from it: whatever is unusual makes it
//! give up, and the caller reads the text again with the tolerant reader, which knows what is wrong.

use super::read::tolerant;
use super::{Json, Object};

/// Nesting beyond this is left to the tolerant reader.
const MAXIMUM_DEPTH: u32 = 120;

/// A text, read from its beginning. Every method gives up with `None`.
#[derive(Debug)]
pub struct Scanner<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
}

impl<'t> Scanner<'t> {
    /// A scanner at the beginning of a text.
    pub fn new(text: &'t str) -> Self {
        Self {
            text: text.strip_prefix('\u{FEFF}').unwrap_or(text),
            at: 0,
            depth: 0,
        }
    }

    /// Succeeds if nothing is left.
    pub fn end(&mut self) -> Option<()> {
        self.peek().is_none().then_some(())
    }

    /// Reads an object: `member` is called for each key, and reads or skips the value.
    pub fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, String) -> Option<()>,
    ) -> Option<()> {
        self.list(b'{', b'}', |scanner| {
            let key = scanner.string()?;
            scanner.take(b':')?;
            member(scanner, key)
        })
    }

    /// Reads an array: `item` is called at each item, and reads or skips it.
    pub fn array(&mut self, item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.list(b'[', b']', item)
    }

    /// Reads any value.
    pub fn value(&mut self) -> Option<Json> {
        match self.peek()? {
            b'{' => {
                let mut members = Object::new();
                self.object(|scanner, key| {
                    let value = scanner.value()?;
                    // The last of several equal keys wins, at the place of the first.
                    members.insert(key, value);
                    Some(())
                })?;
                Some(Json::Object(members))
            }
            b'[' => {
                let mut items = Vec::new();
                self.array(|scanner| {
                    items.push(scanner.value()?);
                    Some(())
                })?;
                Some(Json::Array(items))
            }
            b'"' => self.string().map(Json::String),
            b'-' | b'0'..=b'9' => self.number(),
            _ => self.word(),
        }
    }

    /// Passes over any value; what it passes over is JSON all the same.
    pub fn skip(&mut self) -> Option<()> {
        match self.peek()? {
            b'{' => self.list(b'{', b'}', |scanner| {
                scanner.skip_string()?;
                scanner.take(b':')?;
                scanner.skip()
            }),
            b'[' => self.array(Self::skip),
            b'"' => self.skip_string().map(drop),
            b'-' | b'0'..=b'9' => self.skip_number().map(drop),
            _ => self.word().map(drop),
        }
    }

    /// Reads a number, as a float; `None` for one that is `null`, NaN for `NaN`. Gives up on anything
    /// else.
    pub fn float(&mut self) -> Option<Option<f64>> {
        match self.peek()? {
            b'n' => self.literal("null").map(|()| None),
            b'N' => self.literal("NaN").map(|()| Some(f64::NAN)),
            b'I' => self.literal("Infinity").map(|()| Some(f64::INFINITY)),
            b'-' | b'0'..=b'9' => {
                let start = self.at;
                self.skip_number()?;
                let token = self.text.get(start..self.at)?;
                if token == "-Infinity" {
                    return Some(Some(f64::NEG_INFINITY));
                }
                token.parse().ok().map(Some)
            }
            _ => None,
        }
    }

    /// Passes over any value and returns its text.
    pub fn raw(&mut self) -> Option<&'t str> {
        self.peek()?;
        let start = self.at;
        self.skip()?;
        self.text.get(start..self.at)
    }

    fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes()
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes().get(self.at)?;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn list(
        &mut self,
        open: u8,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.take(open)?;
        self.depth += 1;
        if self.depth > MAXIMUM_DEPTH {
            return None;
        }
        if self.peek()? == close {
            self.at += 1;
        } else {
            loop {
                item(self)?;
                let byte = self.peek()?;
                self.at += 1;
                if byte == close {
                    break;
                }
                if byte != b',' {
                    return None;
                }
            }
        }
        self.depth -= 1;
        Some(())
    }

    /// A text without escapes as it stands; others as the tolerant reader reads them.
    fn string(&mut self) -> Option<String> {
        self.peek()?;
        let start = self.at;
        let escaped = self.skip_string()?;
        if escaped {
            match tolerant(self.text.get(start..self.at)?) {
                Ok(Json::String(text)) => Some(text),
                _ => None,
            }
        } else {
            Some(self.text.get(start + 1..self.at - 1)?.to_owned())
        }
    }

    /// Passes over a string; says whether it has escapes. That these are valid is checked where they
    /// are: a letter that no escape has makes it give up.
    fn skip_string(&mut self) -> Option<bool> {
        self.take(b'"')?;
        let bytes = self.bytes();
        let mut escaped = false;
        loop {
            match bytes.get(self.at)? {
                b'"' => break,
                b'\\' => {
                    escaped = true;
                    match bytes.get(self.at + 1)? {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 2,
                        b'u' => {
                            let digits = bytes.get(self.at + 2..self.at + 6)?;
                            digits.iter().all(u8::is_ascii_hexdigit).then_some(())?;
                            self.at += 6;
                        }
                        _ => return None,
                    }
                }
                0..=0x1F => return None,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(escaped)
    }

    fn number(&mut self) -> Option<Json> {
        let start = self.at;
        let is_integer = self.skip_number()?;
        let token = self.text.get(start..self.at)?;
        if token == "-Infinity" {
            return Some(Json::Float(f64::NEG_INFINITY));
        }
        if !is_integer {
            return token.parse().ok().map(Json::Float);
        }
        // `-0` and what does not fit is left to the other reader.
        (token != "-0").then_some(())?;
        token.parse().ok().map(Json::Int)
    }

    /// Passes over a number; says whether it is an integer.
    fn skip_number(&mut self) -> Option<bool> {
        let bytes = self.bytes();
        if bytes[self.at] == b'-' {
            self.at += 1;
            if bytes.get(self.at) == Some(&b'I') {
                return self.literal("Infinity").map(|()| false);
            }
        }
        let digits = |at: &mut usize| {
            let start = *at;
            while bytes.get(*at).is_some_and(u8::is_ascii_digit) {
                *at += 1;
            }
            *at - start
        };
        let leading_zero = bytes.get(self.at) == Some(&b'0');
        let whole = digits(&mut self.at);
        if whole == 0 || (leading_zero && whole > 1) {
            return None;
        }
        let mut is_integer = true;
        if bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            is_integer = false;
            (digits(&mut self.at) > 0).then_some(())?;
        }
        if matches!(bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            is_integer = false;
            if matches!(bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            (digits(&mut self.at) > 0).then_some(())?;
        }
        Some(is_integer)
    }

    fn word(&mut self) -> Option<Json> {
        let (word, value) = match self.peek()? {
            b'n' => ("null", Json::Null),
            b'N' => ("NaN", Json::Float(f64::NAN)),
            b't' => ("true", Json::Bool(true)),
            b'f' => ("false", Json::Bool(false)),
            b'I' => ("Infinity", Json::Float(f64::INFINITY)),
            _ => return None,
        };
        self.literal(word).map(|()| value)
    }

    fn literal(&mut self, word: &str) -> Option<()> {
        let rest = &self.bytes()[self.at..];
        // A longer word fails at what is expected next.
        rest.starts_with(word.as_bytes())
            .then(|| self.at += word.len())
    }
}

#[cfg(test)]
mod tests;
