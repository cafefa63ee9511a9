//! From Python's JSON to strict JSON: what `serde_json` cannot take is replaced by marked strings.
//!
//! Replaced are the bare tokens `NaN`, `Infinity` and `-Infinity`, integers that may not fit 64
//! bits, floats that may overflow, and lone surrogates in strings. A marked string begins with
//! [`MARK`], a code point that Unicode reserves for internal use; a string of the text that begins
//! with it gets a second one, so that both are told apart ([`super::tree`] undoes it). Everything
//! that is no JSON is left for the parser to reject.

use std::borrow::Cow;

/// Begins a string that stands for a number, and the stand-in of a lone surrogate.
pub(super) const MARK: char = '\u{10FFFF}';

/// First stand-in after [`MARK`]: `\ud800` is U+E000, `\udfff` is U+E7FF.
pub(super) const SURROGATE_STAND_IN: u32 = 0xE000;

/// How [`MARK`] looks in UTF-8.
const MARK_BYTES: &[u8] = "\u{10FFFF}".as_bytes();

/// Integers of fewer characters fit an `i64`, sign included.
const SAFE_INTEGER_LENGTH: usize = 19;

/// Floats of fewer characters without an exponent cannot overflow.
const SAFE_FLOAT_LENGTH: usize = 300;

/// The text as strict JSON; borrowed when there was nothing to replace.
pub(super) fn prepare(text: &str) -> Cow<'_, str> {
    let mut scanner = Scanner {
        text,
        output: String::new(),
        copied: 0,
    };
    scanner.scan();
    if scanner.copied == 0 {
        return Cow::Borrowed(text);
    }
    scanner.output.push_str(&text[scanner.copied..]);
    Cow::Owned(scanner.output)
}

struct Scanner<'t> {
    text: &'t str,
    output: String,
    /// Everything before this position is in the output.
    copied: usize,
}

impl Scanner<'_> {
    fn scan(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at = match byte {
                b'"' => self.string(at + 1),
                b'-' if bytes[at + 1..].starts_with(b"I") => self.word(at, at + 1),
                b'-' | b'0'..=b'9' => self.number(at),
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.word(at, at),
                _ => at + 1,
            };
        }
    }

    /// Replaces the text from `start` to `end`.
    fn replace(&mut self, start: usize, end: usize, by: &str) {
        if self.output.is_empty() {
            self.output.reserve(self.text.len() + self.text.len() / 8);
        }
        self.output.push_str(&self.text[self.copied..start]);
        self.output.push_str(by);
        self.copied = end;
    }

    /// Turns the token from `start` to `end` into a marked string.
    fn mark(&mut self, start: usize, end: usize) {
        let token = &self.text[start..end];
        let marked = format!("\"{MARK}{token}\"");
        self.replace(start, end, &marked);
    }

    /// A bare word; the token begins at `token` (with its sign), its letters at `start`.
    fn word(&mut self, token: usize, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let length = bytes[start..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
            .count();
        let end = start + length;
        match &bytes[token..end] {
            b"NaN" | b"Infinity" | b"-Infinity" => self.mark(token, end),
            _ => {}
        }
        end
    }

    fn number(&mut self, start: usize) -> usize {
        let bytes = &self.text.as_bytes()[start..];
        let length = bytes
            .iter()
            .take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
            .count();
        let token = &bytes[..length];
        let end = start + length;
        if needs_mark(token) {
            self.mark(start, end);
        }
        end
    }

    /// A string whose first character is at `start`; returns the position after the closing quote.
    fn string(&mut self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        if bytes[start..].starts_with(MARK_BYTES) {
            self.replace(start, start, &MARK.to_string());
        }
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'"' => return at + 1,
                b'\\' if bytes.get(at + 1) == Some(&b'u') => at = self.escape(start, at),
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        bytes.len()
    }

    /// An escape `\uXXXX` at `at` in the string that begins at `start`; returns where it ends.
    fn escape(&mut self, start: usize, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let Some(unit @ 0xD800..=0xDFFF) = code_unit(bytes, at) else {
            return at + 2;
        };
        let pair = code_unit(bytes, at + 6)
            .filter(|low| unit < 0xDC00 && (0xDC00..=0xDFFF).contains(low))
            .map(|low| (unit, low));
        let second_mark = if at == start {
            MARK.to_string()
        } else {
            String::new()
        };
        match pair {
            Some((0xDBFF, 0xDFFF)) => {
                self.replace(at, at, &second_mark);
                at + 12
            }
            Some(_) => at + 12,
            None => {
                let stand_in = char::from_u32(SURROGATE_STAND_IN + (unit - 0xD800))
                    .unwrap_or(char::REPLACEMENT_CHARACTER);
                self.replace(at, at + 6, &format!("{second_mark}{MARK}{stand_in}"));
                at + 6
            }
        }
    }
}

/// The code unit of an escape `\uXXXX` at `at`, if there is one.
fn code_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let escape = bytes.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |value, byte| {
        Some(value * 16 + char::from(*byte).to_digit(16)?)
    })
}

/// Whether a number would lose something in a strict reader.
fn needs_mark(token: &[u8]) -> bool {
    let is_float = token.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
    let candidate = if is_float {
        token.len() >= SAFE_FLOAT_LENGTH || has_long_exponent(token)
    } else {
        // Python reads `-0` as the integer 0.
        token.len() >= SAFE_INTEGER_LENGTH || token == b"-0"
    };
    candidate && is_json_number(token)
}

/// Three digits and more may be too many: the largest float is below `1e309`.
fn has_long_exponent(token: &[u8]) -> bool {
    let exponent = token
        .rsplit(|byte| matches!(byte, b'e' | b'E'))
        .next()
        .filter(|exponent| exponent.len() < token.len())
        .unwrap_or_default();
    let digits = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+"));
    digits.unwrap_or(exponent).len() >= 3
}

/// JSON's grammar of numbers, since Rust's own parser takes more (`+1`, `1.`, `.5`).
fn is_json_number(token: &[u8]) -> bool {
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    let (whole, rest) = split_digits(unsigned);
    if whole.is_empty() || (whole.len() > 1 && whole[0] == b'0') {
        return false;
    }
    let rest = match rest.strip_prefix(b".") {
        None => rest,
        Some(fraction) => match split_digits(fraction) {
            ([], _) => return false,
            (_, rest) => rest,
        },
    };
    match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', exponent @ ..] | [b'e' | b'E', exponent @ ..] => {
            !exponent.is_empty() && exponent.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

fn split_digits(bytes: &[u8]) -> (&[u8], &[u8]) {
    let length = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    bytes.split_at(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_text_is_borrowed() {
        for text in [
            r#"{"a": [1, -2.5e-07, "NaN", "\ud83d\ude00 \" Infinity"], "b": null}"#,
            "-1234567890123456",
            "",
        ] {
            assert!(matches!(prepare(text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn bare_tokens_and_large_numbers_are_marked() {
        for (text, strict) in [
            (
                "[NaN, -Infinity]",
                "[\"\u{10FFFF}NaN\", \"\u{10FFFF}-Infinity\"]",
            ),
            ("Infinity", "\"\u{10FFFF}Infinity\""),
            (
                "12345678901234567890123",
                "\"\u{10FFFF}12345678901234567890123\"",
            ),
            ("-0", "\"\u{10FFFF}-0\""),
            ("1e400", "\"\u{10FFFF}1e400\""),
        ] {
            assert_eq!(prepare(text), strict);
        }
    }

    #[test]
    fn what_is_no_json_stays() {
        for text in ["xNaN", "NaN2", "00000000000000000000000", "1.e400", "-"] {
            assert_eq!(prepare(text), text);
        }
    }

    #[test]
    fn a_string_that_begins_with_the_mark_is_told_apart() {
        for text in ["\"\u{10FFFF}NaN\"", r#""\udbff\udfffNaN""#] {
            let strict = prepare(text);
            let read: String = serde_json::from_str(&strict).unwrap();
            assert_eq!(read, "\u{10FFFF}\u{10FFFF}NaN");
        }
    }

    #[test]
    fn unfinished_escapes_do_not_panic() {
        for text in [
            "\"\\",
            "\"\\u",
            "\"\\ud8",
            "\"\\ud800",
            "\"\\ud800\\u",
            "\"é\\u00é\"",
        ] {
            prepare(text);
        }
    }
}
