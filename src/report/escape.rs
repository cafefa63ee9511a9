//! Text from suites inside Markdown: names, parameters, units and reasons are written by whoever
//! opened the pull request, so nothing in them may become markup, a link or a mention.
//!
//! Characters become HTML entities, which `CommonMark` never takes for structure. GitHub looks for
//! mentions, references and hashes in the rendered text, where an entity is a plain character
//! again; there a zero-width space takes them apart.

use std::fmt::Write;

/// Zero-width space, as an entity so that it shows in the source.
const BREAK: &str = "&#8203;";

/// Lengths of hexadecimal words that GitHub takes for commits.
const HASH_LENGTHS: std::ops::RangeInclusive<usize> = 7..=40;

/// One line of text that renders as itself wherever inline Markdown or the content of an HTML
/// element stands: a cell of a table, a list item, a `<summary>`.
pub fn text(input: &str) -> String {
    let characters: Vec<char> = input.trim().chars().collect();
    let mut out = String::with_capacity(input.len() + 16);
    for (at, &character) in characters.iter().enumerate() {
        if let Some(middle) = hash_middle(&characters, at)
            && middle == at
        {
            out.push_str(BREAK);
        }
        push(&mut out, character, &characters, at);
        if breaks_after(&characters, at) {
            out.push_str(BREAK);
        }
    }
    out
}

fn push(out: &mut String, character: char, characters: &[char], at: usize) {
    match character {
        '\n' | '\r' | '\t' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push(' '),
        _ if is_invisible(character) => {
            push_entity(out, '\\');
            write!(out, "u{{{:x}}}", u32::from(character)).ok();
        }
        '&' | '<' | '>' | '|' | '\\' | '`' | '*' | '[' | ']' | '~' | '$' | '@' | '#' => {
            push_entity(out, character);
        }
        '_' if !between_words(characters, at) => push_entity(out, character),
        _ if starts_a_block(characters, at) => push_entity(out, character),
        _ => out.push(character),
    }
}

fn push_entity(out: &mut String, character: char) {
    // Writing into a string cannot fail.
    write!(out, "&#{};", u32::from(character)).ok();
}

/// Control characters, and those that change the direction of the text around them.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
        )
}

/// An underscore inside a word opens no emphasis.
fn between_words(characters: &[char], at: usize) -> bool {
    let is_word = |index: usize| {
        characters
            .get(index)
            .is_some_and(char::is_ascii_alphanumeric)
    };
    at > 0 && is_word(at - 1) && is_word(at + 1)
}

/// Whether this character would make a list or an underline of the line.
fn starts_a_block(characters: &[char], at: usize) -> bool {
    match characters[at] {
        '-' | '+' | '=' => at == 0,
        '.' | ')' => {
            let numbered = at > 0 && characters[..at].iter().all(char::is_ascii_digit);
            numbered
                && characters
                    .get(at + 1)
                    .is_none_or(|next| next.is_whitespace())
        }
        _ => false,
    }
}

/// Whether GitHub would make something of this character and what follows it.
fn breaks_after(characters: &[char], at: usize) -> bool {
    let next = characters.get(at + 1);
    match characters[at] {
        '@' => true,
        '#' => next.is_some_and(char::is_ascii_alphanumeric),
        // A scheme, or an emoji's name up to the next colon.
        ':' => next == Some(&'/') || is_emoji(&characters[at + 1..]),
        '-' => next.is_some_and(char::is_ascii_digit) && ends_with(&characters[..at], "gh"),
        'w' | 'W' => next == Some(&'.') && ends_with(&characters[..=at], "www"),
        _ => false,
    }
}

fn is_emoji(after_colon: &[char]) -> bool {
    let length = after_colon
        .iter()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-'))
        .count();
    length > 0 && after_colon.get(length) == Some(&':')
}

fn ends_with(characters: &[char], word: &str) -> bool {
    characters.len() >= word.len()
        && characters[characters.len() - word.len()..]
            .iter()
            .zip(word.chars())
            .all(|(have, want)| have.eq_ignore_ascii_case(&want))
}

/// Where the hash that covers position `at` is to be broken, if one does.
fn hash_middle(characters: &[char], at: usize) -> Option<usize> {
    let is_word = |c: &&char| c.is_ascii_alphanumeric() || **c == '_';
    if !characters[at].is_ascii_hexdigit() {
        return None;
    }
    // One more than the longest hash tells that a word is none.
    let enough = HASH_LENGTHS.end() + 1;
    let before = characters[..at]
        .iter()
        .rev()
        .take(enough)
        .take_while(is_word)
        .count();
    let start = at - before;
    let word: Vec<char> = characters[start..]
        .iter()
        .take(enough)
        .take_while(is_word)
        .copied()
        .collect();
    let looks_like_a_hash = HASH_LENGTHS.contains(&word.len())
        && word.iter().all(char::is_ascii_hexdigit)
        && (word.len() == *HASH_LENGTHS.end()
            || (word.iter().any(char::is_ascii_digit)
                && word.iter().any(char::is_ascii_alphabetic)));
    looks_like_a_hash.then_some(start + word.len() / 2)
}

#[cfg(test)]
mod tests;
