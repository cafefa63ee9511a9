//! What stands for characters: escapes and classes.

use super::{TranslateError, Translator, push_literal};

impl Translator<'_> {
    /// What follows a `\` outside a class.
    pub(super) fn escape(&mut self) -> Result<(), TranslateError> {
        let Some(letter) = self.rest.next() else {
            return Err(TranslateError::BadEscape("\\".to_owned()));
        };
        match letter {
            'A' | 'b' | 'B' | 'd' | 'D' | 's' | 'S' | 'w' | 'W' => {
                self.item(&format!("\\{letter}"));
            }
            'Z' | 'z' => self.item(r"\z"),
            '1'..='9' => self.back_reference(letter),
            _ => {
                let character = self.character(letter)?;
                self.literal(character);
            }
        }
        Ok(())
    }

    /// `\1` to `\99`, or `\123`, a character in octal.
    fn back_reference(&mut self, first: char) {
        let mut digits = String::from(first);
        if let Some(second) = self.rest.peek().copied().filter(char::is_ascii_digit) {
            self.rest.next();
            digits.push(second);
            let third = self.rest.peek().copied().filter(|c| c.is_digit(8));
            let octal = third.map(|third| format!("{digits}{third}"));
            let code = octal.and_then(|text| u32::from_str_radix(&text, 8).ok());
            if let Some(character) = code.filter(|code| *code <= 0o377).and_then(char::from_u32) {
                self.rest.next();
                self.literal(character);
                return;
            }
        }
        self.item(&format!(r"(?:\{digits})"));
    }

    /// The one character that an escape stands for.
    fn character(&mut self, letter: char) -> Result<char, TranslateError> {
        Ok(match letter {
            'a' => '\u{7}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            'x' => self.code(letter, 2)?,
            'u' => self.code(letter, 4)?,
            'U' => self.code(letter, 8)?,
            'N' => return Err(TranslateError::Unsupported(r"\N{...}".to_owned())),
            '0' => {
                let mut code = 0;
                for _ in 0..2 {
                    let Some(digit) = self.rest.peek().and_then(|c| c.to_digit(8)) else {
                        break;
                    };
                    self.rest.next();
                    code = code * 8 + digit;
                }
                char::from_u32(code).unwrap_or('\0')
            }
            _ if letter.is_ascii_alphanumeric() => {
                return Err(TranslateError::BadEscape(format!("\\{letter}")));
            }
            other => other,
        })
    }

    fn code(&mut self, letter: char, length: usize) -> Result<char, TranslateError> {
        let digits: String = self.rest.by_ref().take(length).collect();
        let valid = digits.len() == length && digits.chars().all(|c| c.is_ascii_hexdigit());
        u32::from_str_radix(&digits, 16)
            .ok()
            .filter(|_| valid)
            .and_then(char::from_u32)
            .ok_or_else(|| TranslateError::BadEscape(format!("\\{letter}{digits}")))
    }

    /// A character class. Python knows no nested classes and no set operations.
    pub(super) fn class(&mut self) -> Result<(), TranslateError> {
        let unclosed = || TranslateError::Unclosed("[".to_owned());
        self.out.push('[');
        if self.rest.peek() == Some(&'^') {
            self.rest.next();
            self.out.push('^');
        }
        let mut first = true;
        loop {
            let next = self.rest.next().ok_or_else(unclosed)?;
            if next == ']' && !first {
                break;
            }
            first = false;
            self.class_item(next)?;
            let mut ahead = self.rest.clone();
            if ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']') {
                self.rest.next();
                self.out.push('-');
                let end = self.rest.next().ok_or_else(unclosed)?;
                self.class_item(end)?;
            }
        }
        self.item("]");
        Ok(())
    }

    fn class_item(&mut self, next: char) -> Result<(), TranslateError> {
        if next != '\\' {
            push_literal(&mut self.out, next);
            return Ok(());
        }
        match self.rest.next() {
            Some(letter @ ('d' | 'D' | 's' | 'S' | 'w' | 'W')) => {
                self.out.push('\\');
                self.out.push(letter);
            }
            Some('b') => push_literal(&mut self.out, '\u{8}'),
            Some(digit @ '1'..='7') => {
                let mut code = digit.to_digit(8).unwrap_or(0);
                while let Some(digit) = self.rest.peek().and_then(|c| c.to_digit(8)) {
                    if code * 8 + digit > 0o377 {
                        break;
                    }
                    self.rest.next();
                    code = code * 8 + digit;
                }
                push_literal(&mut self.out, char::from_u32(code).unwrap_or('\0'));
            }
            Some(letter) => {
                let character = self.character(letter)?;
                push_literal(&mut self.out, character);
            }
            None => return Err(TranslateError::BadEscape("\\".to_owned())),
        }
        Ok(())
    }
}
