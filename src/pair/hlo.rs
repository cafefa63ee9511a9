//! Compiled programs as text: what they do, without what is different in every build.

use std::collections::HashMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// Opcodes that communicate between devices; their asynchronous halves end in `-start`.
const COLLECTIVES: [&str; 9] = [
    "all-reduce",
    "all-gather",
    "reduce-scatter",
    "collective-permute",
    "collective-broadcast",
    "all-to-all",
    "ragged-all-to-all",
    "send",
    "recv",
];

/// Attributes of an instruction that say where it comes from, not what it does.
const PROVENANCE: [&str; 2] = ["metadata", "origin"];

/// The collectives of a program by opcode, each with the number of its instructions, sorted. What
/// stands in metadata or in names does not count.
pub fn collectives(text: &str) -> Vec<(String, usize)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for opcode in text.lines().filter_map(opcode) {
        let whole = opcode.strip_suffix("-start").unwrap_or(opcode);
        if COLLECTIVES.contains(&whole) {
            *counts.entry(opcode).or_default() += 1;
        }
    }
    let mut found: Vec<(String, usize)> = counts
        .into_iter()
        .map(|(opcode, count)| (opcode.to_owned(), count))
        .collect();
    found.sort();
    found
}

/// The opcode of an instruction line `name = type opcode(operands), attributes`.
fn opcode(line: &str) -> Option<&str> {
    let (name, rest) = line.trim_start().split_once(" = ")?;
    let name = name.trim_start_matches("ROOT ");
    if name.contains(' ') {
        return None;
    }
    let rest = skip_type(rest.trim_start())?;
    let end = rest.find('(')?;
    let word = &rest[..end];
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (!word.is_empty() && word.chars().all(plain)).then_some(word)
}

/// What follows the type: a tuple in parentheses, or a word with its layout in braces.
fn skip_type(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.checked_sub(1)?,
            ' ' if depth == 0 => return Some(text[at..].trim_start()),
            _ => {}
        }
    }
    None
}

/// The program without metadata and with its names numbered in the order of their appearance, so that
/// two builds of one program are equal.
pub fn normalised(text: &str) -> String {
    let mut names = HashMap::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        let line = if line.starts_with("HloModule") {
            module_line(line)
        } else if line.starts_with("FileNames")
            || line.starts_with("FunctionNames")
            || line.starts_with("FileLocations")
            || line.starts_with("StackFrames")
        {
            // Tables of sources that newer versions print before the program.
            continue;
        } else if line.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        } else {
            without_provenance(line)
        };
        lines.push(renamed(line.trim_end(), &mut names));
    }
    let mut whole = lines.join("\n");
    while whole.contains("\n\n\n") {
        whole = whole.replace("\n\n\n", "\n\n");
    }
    whole.trim().to_owned()
}

/// `HloModule name, attributes`: the name says nothing.
fn module_line(line: &str) -> String {
    match line.split_once(',') {
        Some((_, rest)) => without_provenance(&format!("HloModule module,{rest}")),
        None => "HloModule module".to_owned(),
    }
}

/// The line without `, metadata={...}` and the like.
fn without_provenance(line: &str) -> String {
    let mut line = line.to_owned();
    for word in PROVENANCE {
        while let Some(start) = line.find(&format!(", {word}={{")) {
            let open = start + word.len() + 3;
            let Some(length) = balanced(&line[open..]) else {
                break;
            };
            line.replace_range(start..open + length, "");
        }
    }
    line
}

/// Length of the text in braces at the beginning of `text`; braces in quotes do not count.
fn balanced(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, character) in text.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        match character {
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' if !quoted => depth += 1,
            '}' if !quoted => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Every name, `%fusion.12` or the bare one before ` = `, becomes `%n<number>`.
fn renamed(line: &str, names: &mut HashMap<String, usize>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let name = &rest[at + 1..];
        let end = name
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')))
            .unwrap_or(name.len());
        let next = names.len();
        let number = *names.entry(name[..end].to_owned()).or_insert(next);
        out.push_str("%n");
        out.push_str(&number.to_string());
        rest = &name[end..];
    }
    out.push_str(rest);
    without_channel(out)
}

/// Channel numbers are counted through a build.
fn without_channel(mut line: String) -> String {
    while let Some(start) = line.find(", channel_id=") {
        let digits = &line[start + 13..];
        let length = digits
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(digits.len());
        line.replace_range(start..start + 13 + length, "");
    }
    line
}

/// SHA-256 of a text, as hexadecimal digits.
pub(super) fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").ok();
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = r#"HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[4]{0})->f32[4]{0}}

%add_comp.1 (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add.7 = f32[] add(%x, %y), metadata={op_name="all-reduce(" source_file="/a/{b}.py" source_line=3}
}

ENTRY %main.9 (p: f32[4]) -> f32[4] {
  %p = f32[4]{0} parameter(0), metadata={op_name="x"}
  %all-gather_fusion = f32[4]{0} fusion(%p), kind=kLoop, calls=%add_comp.1
  ROOT %ar.2 = f32[4]{0} all-reduce(%all-gather_fusion), channel_id=1, replica_groups={{0,1,2,3}}, to_apply=%add_comp.1
}
"#;

    #[test]
    fn collectives_are_opcodes_never_names_or_metadata() {
        assert_eq!(collectives(PROGRAM), [("all-reduce".to_owned(), 1)]);
        let none = PROGRAM.replace("f32[4]{0} all-reduce(", "f32[4]{0} negate(");
        assert_eq!(collectives(&none), []);
    }

    #[test]
    fn every_collective_and_its_start_is_found() {
        for word in COLLECTIVES {
            for opcode in [word.to_owned(), format!("{word}-start")] {
                for form in [
                    format!("  %x.1 = f32[8]{{0}} {opcode}(%p), channel_id=2"),
                    format!(
                        "  ROOT x.1 = (f32[8]{{0:T(8)}}, u32[], token[]) {opcode}(p), channel_id=2"
                    ),
                ] {
                    assert_eq!(collectives(&form), [(opcode.clone(), 1)], "{form}");
                }
            }
        }
        // The second half of an asynchronous one is not counted again, and compute is no collective.
        assert_eq!(collectives("  %d = f32[8] all-reduce-done(%s)"), []);
        assert_eq!(
            collectives("  %d = f32[8] custom-call(%s), custom_call_target=\"send\""),
            []
        );
    }

    #[test]
    fn two_builds_of_one_program_are_equal() {
        let other = PROGRAM
            .replace("jit_f", "jit_g")
            .replace("%add_comp.1", "%region_0.44")
            .replace("%x ", "%Arg_0.3 ")
            .replace("(%x,", "(%Arg_0.3,")
            .replace("channel_id=1", "channel_id=7")
            .replace("source_line=3", "source_line=99");
        assert_eq!(normalised(PROGRAM), normalised(&other));
        assert!(!normalised(PROGRAM).contains("metadata"));
        let changed = PROGRAM.replace("f32[] add(", "f32[] multiply(");
        assert_ne!(normalised(PROGRAM), normalised(&changed));
    }

    #[test]
    fn digests_are_those_of_sha256() {
        assert_eq!(
            sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
