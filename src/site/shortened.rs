//! A result file as a script that is as short as it can be without reading its numbers.

/// How a profile of Python begins: compressed, in base64.
const PROFILE: &[u8] = b"\"eJ";

/// Shorter texts are kept, whatever they begin with.
const SHORTEST_PROFILE: usize = 200;

/// Braces and brackets around the cells of a row, and around the entries of a cell.
const CELLS: usize = 3;
const ENTRIES: usize = 4;

/// Appends a result file without white space, without profiles, and with nothing where a row has `null`:
/// in the lists of a script that is as good. A key that a script may take for `__proto__`, which sets the
/// prototype and may not be there twice, is computed: `["__proto__"]` is a key as any. The text must be JSON.
pub(super) fn shortened(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let (mut at, mut from, mut depth) = (0, 0, 0_usize);
    let mut in_results = false;
    // What stands between `from` and `at` is still to be copied; ASCII alone begins and ends it.
    let copy = |out: &mut String, from: usize, at: usize| {
        out.push_str(text.get(from..at).unwrap_or_default());
    };
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' => {
                copy(out, from, at);
                at += 1;
                from = at;
            }
            b'"' => {
                let end = end_of_string(bytes, at);
                let string = &bytes[at..end];
                if depth == 1 {
                    in_results = string == b"\"results\"";
                }
                let is_profile = string.len() > SHORTEST_PROFILE && string.starts_with(PROFILE);
                if is_key(bytes, end) {
                    if string == b"\"__proto__\"" || string.windows(2).any(|two| two == b"\\u") {
                        copy(out, from, at);
                        out.push('[');
                        copy(out, at, end);
                        out.push(']');
                        from = end;
                    }
                } else if in_results && depth == CELLS && is_profile {
                    copy(out, from, at);
                    from = end;
                }
                at = end;
            }
            // The value of a key must stay: rows of very old files are objects.
            b'n' if in_results && (depth == CELLS || depth == ENTRIES) && !is_value(bytes, at) => {
                copy(out, from, at);
                at += "null".len();
                from = at;
            }
            b'I' => at += "Infinity".len(),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            _ => at += 1,
        }
    }
    copy(out, from, at.min(bytes.len()));
}

/// Whether the string that ends here is a key.
fn is_key(bytes: &[u8], end: usize) -> bool {
    let mut rest = bytes[end..].iter();
    rest.find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

/// Whether what begins here is the value of a key.
fn is_value(bytes: &[u8], start: usize) -> bool {
    let mut before = bytes[..start].iter().rev();
    before.find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

/// Where a string that begins here is over.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(text: &str) -> String {
        let mut out = String::new();
        shortened(text, &mut out);
        out
    }

    #[test]
    fn nulls_of_rows_white_space_and_profiles_go_and_nothing_else() {
        let profile = format!("\"eJ{}\"", "x".repeat(300));
        let text = format!(
            "{{\"a b\": null, \"results\": {{\"m. \\\"null\\\" x\": [[1.5, null, NaN, -Infinity, null], \
             [[\"1\", \"null\"]], null, {profile}], \"m.y\": [[{{\"n\": null}}, [null, 1]], [], \
             \"eJ\"], \"m.z\": [null]}}, \"lcmbench\": {{\"list\": [null, 1], \"é \": {profile}}}}}"
        );
        let expected = format!(
            "{{\"a b\":null,\"results\":{{\"m. \\\"null\\\" x\":[[1.5,,NaN,-Infinity,],[[\"1\",\"null\"]],,],\
             \"m.y\":[[{{\"n\":null}},[null,1]],[],\"eJ\"],\"m.z\":[]}},\
             \"lcmbench\":{{\"list\":[null,1],\"é \":{profile}}}}}"
        );
        assert_eq!(short(&text), expected);
        assert_eq!(short("{}"), "{}");
        assert_eq!(short("\"open"), "\"open");
    }

    #[test]
    fn keys_that_a_script_takes_for_the_prototype_are_computed() {
        assert_eq!(
            short(r#"{"__proto__" : "__proto__", "results": {"__proto__": [["__proto__"]]}}"#),
            r#"{["__proto__"]:"__proto__","results":{["__proto__"]:[["__proto__"]]}}"#
        );
        assert_eq!(
            short(r#"{"__pr\u006fto__": "\u006f"}"#),
            r#"{["__pr\u006fto__"]:"\u006f"}"#
        );
    }

    #[test]
    fn a_null_that_belongs_to_a_key_stays() {
        assert_eq!(
            short(r#"{"results": {"m": {"a": null, "b": [null, 1]}, "n": [{"a" : null}]}}"#),
            r#"{"results":{"m":{"a":null,"b":[,1]},"n":[{"a":null}]}}"#
        );
    }
}
