//! A result file as a script that is as short as it can be without reading its numbers.

/// How a profile of Python begins: compressed, in base64.
const PROFILE: &[u8] = b"\"eJ";

/// Shorter texts are kept, whatever they begin with.
const SHORTEST_PROFILE: usize = 200;

/// Braces and brackets around the cells of a row, and around the entries of a cell.
const CELLS: usize = 3;
const ENTRIES: usize = 4;

/// Appends a result file without white space, without profiles, and with nothing where a row has `null`:
/// in the lists of a script that is as good. The text must be JSON.
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
                if in_results && depth == CELLS && is_profile {
                    copy(out, from, at);
                    from = end;
                }
                at = end;
            }
            b'n' if in_results && (depth == CELLS || depth == ENTRIES) => {
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
}
