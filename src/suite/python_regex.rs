//! Python's regular expressions, rewritten for the engine at hand.
//!
//! Both languages agree on most of their syntax. Where they differ the expression is rewritten, so
//! that it matches what Python's `re` matches; what has no counterpart is an error that names it.
//! Source of the rules: the documentation of Python's `re` module (3.11 and newer).

mod escapes;

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

/// A part of an expression that cannot be carried over, or that Python refuses too.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranslateError {
    #[error("`{0}` has no counterpart here")]
    Unsupported(String),
    #[error("`{0}` is no escape of Python's `re`")]
    BadEscape(String),
    #[error("`{0}` is no group that Python's `re` knows")]
    BadGroup(String),
    #[error("the flags `{0}` do not stand at the start of the expression")]
    LateFlags(String),
    #[error("`{0}` repeats a repetition")]
    DoubleRepeat(String),
    #[error("`{0}` is not closed")]
    Unclosed(String),
    #[error("a `)` has no `(`")]
    Unopened,
}

/// The flags that decide how later characters are read.
#[derive(Debug, Clone, Copy, Default)]
struct Flags {
    multiline: bool,
    verbose: bool,
}

/// Rewrites `pattern` from Python's syntax.
pub(super) fn translate(pattern: &str) -> Result<String, TranslateError> {
    let mut translator = Translator {
        rest: pattern.chars().peekable(),
        out: String::with_capacity(pattern.len() + 8),
        scopes: vec![Flags::default()],
        last: Last::Nothing,
        flags_end: 0,
    };
    translator.run()?;
    Ok(translator.out)
}

/// What the last thing was; only a repetition may not be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Item,
    Repetition,
}

struct Translator<'a> {
    rest: Peekable<Chars<'a>>,
    out: String,
    /// The flags of each open group, the outermost first; never empty.
    scopes: Vec<Flags>,
    last: Last,
    /// How long `out` is as long as it holds nothing but global flags.
    flags_end: usize,
}

impl Translator<'_> {
    fn run(&mut self) -> Result<(), TranslateError> {
        while let Some(next) = self.rest.next() {
            let verbose = self.flags().verbose;
            match next {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '(' => self.group()?,
                ')' => {
                    if self.scopes.len() == 1 {
                        return Err(TranslateError::Unopened);
                    }
                    self.scopes.pop();
                    self.item(")");
                }
                '$' if self.flags().multiline => self.item("(?m:$)"),
                // Python's `$` also matches before a newline that ends the text.
                '$' => self.item(r"(?=\n?\z)"),
                '^' if self.flags().multiline => self.item("(?m:^)"),
                '^' => self.item(r"\A"),
                '*' | '+' | '?' => self.repetition(&next.to_string())?,
                '{' => self.braces()?,
                '|' => {
                    self.out.push('|');
                    self.last = Last::Nothing;
                }
                '.' => self.item("."),
                _ if verbose && next.is_ascii_whitespace() => {}
                '#' if verbose => while self.rest.next().is_some_and(|c| c != '\n') {},
                literal => self.literal(literal),
            }
        }
        if self.scopes.len() > 1 {
            return Err(TranslateError::Unclosed("(".to_owned()));
        }
        Ok(())
    }

    fn flags(&mut self) -> &mut Flags {
        if self.scopes.is_empty() {
            self.scopes.push(Flags::default());
        }
        let innermost = self.scopes.len() - 1;
        &mut self.scopes[innermost]
    }

    fn item(&mut self, text: &str) {
        self.out.push_str(text);
        self.last = Last::Item;
    }

    fn literal(&mut self, character: char) {
        push_literal(&mut self.out, character);
        self.last = Last::Item;
    }

    /// `*`, `+`, `?` or `{m,n}`, and the `?` or `+` that makes it lazy or possessive.
    fn repetition(&mut self, operator: &str) -> Result<(), TranslateError> {
        if self.last == Last::Repetition {
            return Err(TranslateError::DoubleRepeat(operator.to_owned()));
        }
        self.out.push_str(operator);
        if let Some(mode @ ('?' | '+')) = self.rest.peek().copied() {
            self.rest.next();
            self.out.push(mode);
        }
        self.last = Last::Repetition;
        Ok(())
    }

    /// A `{`: a repetition if it reads as one, else the character itself.
    fn braces(&mut self) -> Result<(), TranslateError> {
        let ahead: String = self.rest.clone().take_while(|c| *c != '}').collect();
        let closed = self.rest.clone().any(|c| c == '}');
        let (low, high) = match ahead.split_once(',') {
            Some((low, high)) => (low, Some(high)),
            None => (ahead.as_str(), None),
        };
        let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
        let repetition = closed
            && !ahead.is_empty()
            && digits(low)
            && high.is_none_or(digits)
            && (high.is_some() || !low.is_empty());
        if !repetition {
            self.literal('{');
            return Ok(());
        }
        self.rest.nth(ahead.chars().count());
        let low = if low.is_empty() { "0" } else { low };
        let operator = match high {
            None => format!("{{{low}}}"),
            Some(high) => format!("{{{low},{high}}}"),
        };
        self.repetition(&operator)
    }

    /// What follows a `(`.
    fn group(&mut self) -> Result<(), TranslateError> {
        let scope = *self.flags();
        if self.rest.peek() != Some(&'?') {
            self.scopes.push(scope);
            self.out.push('(');
            self.last = Last::Nothing;
            return Ok(());
        }
        self.rest.next();
        match self.rest.next() {
            Some('P') => match self.rest.next() {
                Some('<') => {
                    let name = self.until('>', "(?P<")?;
                    self.open(scope, &format!("(?P<{name}>"));
                }
                Some('=') => {
                    let name = self.until(')', "(?P=")?;
                    self.item(&format!(r"\k<{name}>"));
                }
                other => return Err(TranslateError::BadGroup(group_text("(?P", other))),
            },
            Some('#') => {
                self.until(')', "(?#")?;
            }
            Some(kind @ (':' | '=' | '!' | '>')) => self.open(scope, &format!("(?{kind}")),
            Some('<') => match self.rest.next() {
                Some(kind @ ('=' | '!')) => self.open(scope, &format!("(?<{kind}")),
                other => return Err(TranslateError::BadGroup(group_text("(?<", other))),
            },
            Some('(') => {
                let name = self.until(')', "(?(")?;
                let number = name.chars().all(|c| c.is_ascii_digit());
                let condition = if number { name } else { format!("<{name}>") };
                self.open(scope, &format!("(?({condition})"));
            }
            Some(letter) => self.inline_flags(letter)?,
            None => return Err(TranslateError::Unclosed("(".to_owned())),
        }
        Ok(())
    }

    fn open(&mut self, scope: Flags, text: &str) {
        self.scopes.push(scope);
        self.out.push_str(text);
        self.last = Last::Nothing;
    }

    /// The characters up to `end`, which is passed over.
    fn until(&mut self, end: char, opened: &str) -> Result<String, TranslateError> {
        let mut text = String::new();
        for character in self.rest.by_ref() {
            if character == end {
                return Ok(text);
            }
            text.push(character);
        }
        Err(TranslateError::Unclosed(opened.to_owned()))
    }

    /// `(?aiLmsux)` and `(?aiLmsux-imsx:...)`.
    fn inline_flags(&mut self, first: char) -> Result<(), TranslateError> {
        let at_start = self.out.len() == self.flags_end;
        let mut scope = *self.flags();
        let mut written = String::from("(?");
        let mut passed_on = String::new();
        let mut on = true;
        let mut next = Some(first);
        loop {
            let Some(letter) = next else {
                return Err(TranslateError::Unclosed(written));
            };
            written.push(letter);
            match letter {
                'i' | 's' => passed_on.push(letter),
                'm' => scope.multiline = on,
                'x' => scope.verbose = on,
                'u' => {}
                'a' => return Err(TranslateError::Unsupported("the flag (?a)".to_owned())),
                'L' => return Err(TranslateError::Unsupported("the flag (?L)".to_owned())),
                '-' if on => {
                    on = false;
                    passed_on.push('-');
                }
                ':' => {
                    let passed_on = passed_on.trim_end_matches('-');
                    self.open(scope, &format!("(?{passed_on}:"));
                    return Ok(());
                }
                ')' if !at_start => return Err(TranslateError::LateFlags(written)),
                ')' => {
                    *self.flags() = scope;
                    if !passed_on.is_empty() {
                        write!(self.out, "(?{passed_on})").ok();
                    }
                    self.flags_end = self.out.len();
                    return Ok(());
                }
                _ => return Err(TranslateError::BadGroup(written)),
            }
            next = self.rest.next();
        }
    }
}

/// The beginning of an unknown group, as far as it was read.
fn group_text(opened: &str, next: Option<char>) -> String {
    let mut text = opened.to_owned();
    text.extend(next);
    text
}

/// Writes a character so that it stands for itself, inside and outside a class.
fn push_literal(out: &mut String, character: char) {
    if character.is_ascii_alphanumeric() || character == '_' {
        out.push(character);
    } else if character.is_ascii_graphic() && !matches!(character, '<' | '>') {
        out.push('\\');
        out.push(character);
    } else {
        write!(out, "\\x{{{:x}}}", u32::from(character)).ok();
    }
}

#[cfg(test)]
mod tests;
