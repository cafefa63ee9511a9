//! The two writers, byte for byte as Python's `json.dump`.

use std::fmt::Write;

use super::prepare::{MARK, SURROGATE_STAND_IN};
use super::{Json, Object};

/// One line, separators `", "` and `": "`, keys in insertion order, non-ASCII escaped.
pub fn to_compact(value: &Json) -> String {
    let mut output = String::new();
    compact(value, &mut output);
    output
}

/// Indent 4, keys sorted, no trailing newline (`json.dump(indent=4, sort_keys=True)`).
pub fn to_pretty(value: &Json) -> String {
    let mut output = String::new();
    pretty(value, 0, &mut output);
    output
}

/// A float as Python's `repr` writes it: `1.0`, `5.77e-07`, `1e+16`, `NaN`, `-Infinity`.
pub fn float_repr(value: f64) -> String {
    let mut output = String::new();
    float(value, &mut output);
    output
}

fn compact(value: &Json, output: &mut String) {
    match value {
        Json::Array(items) => {
            output.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    output.push_str(", ");
                }
                compact(item, output);
            }
            output.push(']');
        }
        Json::Object(members) => {
            output.push('{');
            for (position, (key, member)) in members.iter().enumerate() {
                if position > 0 {
                    output.push_str(", ");
                }
                string(key, output);
                output.push_str(": ");
                compact(member, output);
            }
            output.push('}');
        }
        scalar => self::scalar(scalar, output),
    }
}

fn pretty(value: &Json, level: usize, output: &mut String) {
    match value {
        Json::Array(items) if !items.is_empty() => {
            output.push('[');
            for (position, item) in items.iter().enumerate() {
                new_line(position, level + 1, output);
                pretty(item, level + 1, output);
            }
            new_line(0, level, output);
            output.push(']');
        }
        Json::Object(members) if !members.is_empty() => {
            output.push('{');
            for (position, (key, member)) in sorted(members).into_iter().enumerate() {
                new_line(position, level + 1, output);
                string(key, output);
                output.push_str(": ");
                pretty(member, level + 1, output);
            }
            new_line(0, level, output);
            output.push('}');
        }
        empty_or_scalar => compact(empty_or_scalar, output),
    }
}

/// By code points, a lone surrogate by its own and not by what stands for it.
fn sorted(members: &Object) -> Vec<(&String, &Json)> {
    let mut sorted: Vec<_> = members.iter().collect();
    if members.iter().any(|(key, _)| key.contains(MARK)) {
        sorted.sort_by_cached_key(|(key, _)| code_points(key));
    } else {
        sorted.sort_by_key(|(key, _)| *key);
    }
    sorted
}

/// What Python would hold for the text.
fn code_points(text: &str) -> Vec<u32> {
    let mut points = Vec::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let stand_in = characters.peek().filter(|_| character == MARK);
        match stand_in.and_then(|stand_in| lone_surrogate(*stand_in)) {
            Some(surrogate) => {
                points.push(surrogate);
                characters.next();
            }
            None => points.push(character.into()),
        }
    }
    points
}

fn new_line(position: usize, level: usize, output: &mut String) {
    if position > 0 {
        output.push(',');
    }
    output.push('\n');
    for _ in 0..level {
        output.push_str("    ");
    }
}

fn scalar(value: &Json, output: &mut String) {
    match value {
        Json::Null => output.push_str("null"),
        Json::Bool(true) => output.push_str("true"),
        Json::Bool(false) => output.push_str("false"),
        Json::Int(value) => append(output, format_args!("{value}")),
        Json::BigInt(digits) => output.push_str(digits),
        Json::Float(value) => float(*value, output),
        Json::String(text) => string(text, output),
        Json::Array(_) | Json::Object(_) => compact(value, output),
    }
}

/// Python's `repr`: the shortest digits that read back to the same float; with an exponent when it
/// is below -4 or at least 16, of at least two digits.
fn float(value: f64, output: &mut String) {
    if value.is_nan() {
        return output.push_str("NaN");
    }
    if value.is_infinite() {
        return output.push_str(if value > 0.0 { "Infinity" } else { "-Infinity" });
    }
    if value.is_sign_negative() {
        output.push('-');
    }
    let scientific = shortest(value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let (first, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    match exponent.parse().unwrap_or(0_i32) {
        exponent @ -4..0 => {
            output.push_str("0.");
            output.extend((exponent..-1).map(|_| '0'));
            output.push_str(first);
            output.push_str(rest);
        }
        exponent @ 0..16 => {
            let whole = usize::try_from(exponent).unwrap_or_default();
            output.push_str(first);
            output.push_str(&rest[..whole.min(rest.len())]);
            output.extend((rest.len()..whole).map(|_| '0'));
            output.push('.');
            output.push_str(
                rest.get(whole..)
                    .filter(|rest| !rest.is_empty())
                    .unwrap_or("0"),
            );
        }
        exponent => {
            let sign = if exponent < 0 { '-' } else { '+' };
            append(
                output,
                format_args!("{mantissa}e{sign}{:02}", exponent.abs()),
            );
        }
    }
}

/// The shortest digits of a finite float, as `d.ddde-7`.
///
/// Where two decimals of the shortest length are equally near, Python takes the even one and Rust
/// the larger. Both are a half away only if the float itself ends one digit later with a 5: then it
/// has at most 18 digits, so it is a multiple of 2^-26.
fn shortest(value: f64) -> String {
    const MULTIPLE: f64 = 67_108_864.0;
    let digits = format!("{value:e}");
    let length = digits.find('e').unwrap_or_default();
    if length < 16 || (value * MULTIPLE).fract() != 0.0 {
        return digits;
    }
    // `d.` before the decimals; formatting with a precision rounds a half to the even digit.
    let even = format!("{value:.*e}", length - 2);
    let same = even
        .parse::<f64>()
        .is_ok_and(|read| read.to_bits() == value.to_bits());
    if same { even } else { digits }
}

fn string(text: &str, output: &mut String) {
    output.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| !matches!(c, ' '..='~') || matches!(c, '"' | '\\')) {
        output.push_str(&rest[..at]);
        let mut characters = rest[at..].chars();
        let Some(character) = characters.next() else {
            break;
        };
        rest = characters.as_str();
        let stand_in = rest.chars().next().filter(|_| character == MARK);
        if let Some(surrogate) = stand_in.and_then(lone_surrogate) {
            append(output, format_args!("\\u{surrogate:04x}"));
            rest = &rest[char::len_utf8('\u{E000}')..];
        } else {
            escape(character, output);
        }
    }
    output.push_str(rest);
    output.push('"');
}

/// The surrogate that a character after [`MARK`] stands for.
fn lone_surrogate(stand_in: char) -> Option<u32> {
    let offset = u32::from(stand_in).checked_sub(SURROGATE_STAND_IN)?;
    (offset < 0x800).then_some(0xD800 + offset)
}

fn escape(character: char, output: &mut String) {
    match character {
        '"' => output.push_str("\\\""),
        '\\' => output.push_str("\\\\"),
        '\n' => output.push_str("\\n"),
        '\r' => output.push_str("\\r"),
        '\t' => output.push_str("\\t"),
        '\u{8}' => output.push_str("\\b"),
        '\u{c}' => output.push_str("\\f"),
        _ => {
            for unit in character.encode_utf16(&mut [0; 2]) {
                append(output, format_args!("\\u{unit:04x}"));
            }
        }
    }
}

/// Writing into a `String` cannot fail.
fn append(output: &mut String, arguments: std::fmt::Arguments<'_>) {
    output.write_fmt(arguments).ok();
}

#[cfg(test)]
mod tests;
