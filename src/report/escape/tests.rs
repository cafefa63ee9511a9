use proptest::prelude::*;

use super::*;

#[test]
fn plain_names_stay_readable() {
    for name in [
        "bench_aca.AcaBaseline.track_execution_time",
        "sum of 1000 numbers, in µs",
        "n=10, kind=é",
        "10 particles / second",
        "version 2.0.1",
        "1.23 s",
        "('a', \"b\")!",
    ] {
        assert_eq!(text(name), name);
    }
}

#[test]
fn markup_becomes_entities() {
    assert_eq!(text("a|b"), "a&#124;b");
    assert_eq!(text("`x`"), "&#96;x&#96;");
    assert_eq!(text("<b>&amp;"), "&#60;b&#62;&#38;amp;");
    assert_eq!(text("*a* _b_ a_b"), "&#42;a&#42; &#95;b&#95; a_b");
    assert_eq!(text("[a](b)"), "&#91;a&#93;(b)");
    assert_eq!(text("a\\|b"), "a&#92;&#124;b");
    assert_eq!(text("$x$ ~~y~~"), "&#36;x&#36; &#126;&#126;y&#126;&#126;");
    assert_eq!(text("one\ntwo\r\nthree\tfour"), "one two  three four");
}

#[test]
fn mentions_and_references_are_taken_apart() {
    assert_eq!(text("@octocat"), "&#64;&#8203;octocat");
    assert_eq!(text("me@example.org"), "me&#64;&#8203;example.org");
    assert_eq!(text("fixes #1"), "fixes &#35;&#8203;1");
    assert_eq!(text("GH-12"), "GH-&#8203;12");
    assert_eq!(text("owner/repo#12"), "owner/repo&#35;&#8203;12");
    assert_eq!(text("https://example.org"), "https:&#8203;//example.org");
    assert_eq!(text("www.example.org"), "www&#8203;.example.org");
    assert_eq!(text(":tada: a:b"), ":&#8203;tada: a:b");
}

#[test]
fn hashes_are_taken_apart_and_numbers_are_not() {
    let hash = "0123456789abcdef0123456789abcdef01234567";
    assert_eq!(
        text(hash),
        "0123456789abcdef0123&#8203;456789abcdef01234567"
    );
    assert_eq!(text("at 1234abcd."), "at 1234&#8203;abcd.");
    let digits = "1".repeat(40);
    assert_eq!(text(&digits), format!("{0}&#8203;{0}", "1".repeat(20)));
    assert_eq!(text("10000000"), "10000000");
    assert_eq!(text("facade"), "facade");
    assert_eq!(text("deadbeef"), "deadbeef");
    assert_eq!(text("x_1234abcd"), "x_1234abcd");
}

#[test]
fn a_line_starts_no_block() {
    assert_eq!(text("- a"), "&#45; a");
    assert_eq!(text("1. a"), "1&#46; a");
    assert_eq!(text("12) a"), "12&#41; a");
    assert_eq!(text("# a"), "&#35; a");
    assert_eq!(text("=== a"), "&#61;== a");
    assert_eq!(text("    code"), "code");
}

#[test]
fn what_cannot_be_seen_is_spelt_out() {
    assert_eq!(text("a\u{0}b"), "a&#92;u{0}b");
    assert_eq!(text("a\u{202e}b"), "a&#92;u{202e}b");
    assert_eq!(text("@\u{200b}a"), "&#64;&#8203;&#92;u{200b}a");
}

/// What a browser shows of the escaped text: entities are characters again.
fn rendered(escaped: &str) -> String {
    let mut out = String::new();
    let mut rest = escaped;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let end = rest[at..].find(';').expect("every & starts an entity") + at;
        let code = rest[at..end].strip_prefix("&#").expect("a numeric entity");
        out.push(char::from_u32(code.parse().unwrap()).unwrap());
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    out
}

/// Positions where GitHub would look for a mention, a reference, an address or a commit.
fn alive(shown: &str) -> Option<String> {
    let characters: Vec<char> = shown.chars().collect();
    let lower = shown.to_lowercase();
    for (at, &character) in characters.iter().enumerate() {
        let next = characters.get(at + 1).copied().unwrap_or(' ');
        if matches!(character, '@' | '#') && next.is_ascii_alphanumeric() {
            return Some(format!("{character}{next}"));
        }
    }
    for word in ["://", "www."] {
        if lower.contains(word) {
            return Some(word.to_owned());
        }
    }
    if let Some((_, after)) = lower.split_once("gh-")
        && after.starts_with(|c: char| c.is_ascii_digit())
    {
        return Some("gh-".to_owned());
    }
    shown
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .find(|word| word.len() == 40 && word.chars().all(|c| c.is_ascii_hexdigit()))
        .map(str::to_owned)
}

/// Texts that are full of what matters here.
fn hostile() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        any::<String>(),
        "[|`<>@#*_\\[\\]\\\\~$!&;:\n\r .a0-]{0,12}",
        "[0-9a-f]{38,42}",
        Just("@octocat".to_owned()),
        Just("GH-1".to_owned()),
        Just("https://example.org/x".to_owned()),
        Just("www.example.org".to_owned()),
        Just("</details>".to_owned()),
        Just("<!-- benchmark-check -->".to_owned()),
    ];
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn nothing_breaks_out_of_a_cell(input in hostile()) {
        let escaped = text(&input);
        prop_assert!(
            !escaped.contains(['\n', '\r', '|', '`', '<', '>', '*', '[', ']', '\\', '$', '~', '@']),
            "{escaped}"
        );
    }

    #[test]
    fn nothing_pings_or_links(input in hostile()) {
        let shown = rendered(&text(&input));
        prop_assert_eq!(alive(&shown), None);
    }

    #[test]
    fn visible_text_survives(input in "[ -~éµ中😀]{0,60}") {
        let shown = rendered(&text(&input)).replace('\u{200b}', "");
        prop_assert_eq!(shown, input.trim());
    }
}
