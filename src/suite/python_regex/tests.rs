use fancy_regex::Regex;

use super::*;

fn matches(pattern: &str, text: &str) -> bool {
    let translated = translate(pattern).unwrap();
    Regex::new(&translated)
        .unwrap_or_else(|error| panic!("{pattern} became {translated}: {error}"))
        .is_match(text)
        .unwrap()
}

/// Expectations made with `bool(re.search(pattern, text))` of Python 3.11.
#[test]
fn matches_what_python_matches() {
    let cases: &[(&str, &str, bool)] = &[
        ("time_", "bench.time_x", true),
        ("^time_", "bench.time_x", false),
        // Negative look-ahead, the form in use.
        (r"^(?!.*AcaBaselineDebugLog)", "a.AcaBaseline.track_x", true),
        (
            r"^(?!.*AcaBaselineDebugLog)",
            "a.AcaBaselineDebugLog.track_x",
            false,
        ),
        (r"^bench(?!_slow)\.", "bench.x", true),
        (r"(?<!slow)_x$", "time_slow_x", false),
        (r"(?<=slow)_x\Z", "time_slow_x", true),
        ("x$", "x\n", true),
        (r"x\Z", "x\n", false),
        ("(?m)^b$", "a\nb\nc", true),
        ("^b$", "a\nb\nc", false),
        ("a.b", "a\nb", false),
        ("(?s)a.b", "a\nb", true),
        ("(?i)TIME", "time", true),
        ("(?i)(?s)A.B", "a\nb", true),
        ("(?i:T)ime", "time", true),
        ("(?i:T)IME", "time", false),
        ("(?P<n>ab)-(?P=n)", "ab-ab", true),
        ("(?P<n>ab)-(?P=n)", "ab-ac", false),
        (r"(a)(b)\2\1", "abba", true),
        (r"(a)?b(?(1)c|d)", "abc", true),
        (r"^(a)?b(?(1)c|d)$", "abd", false),
        (r"^(?P<q>')?x(?(q)'|!)$", "'x'", true),
        (r"track_val\(1, 'a'\)", "b.track_val(1, 'a')", true),
        ("x{2}", "xx", true),
        ("^x{,2}$", "xxx", false),
        ("^x{,2}$", "", true),
        ("x{a}", "x{a}", true),
        ("x{}", "x{}", true),
        ("{1", "{1", true),
        ("[[]", "[", true),
        ("[]a]", "]", true),
        ("[^]a]", "]", false),
        ("^[a&&b]+$", "a&b", true),
        ("^[+--]+$", ",", true),
        ("[a~~b]", "~", true),
        (r"[\]\-]", "-", true),
        ("[a-]", "-", true),
        (r"[\w.-]+", "a-b.c", true),
        (r"\x41\u0042\U00000043\103", "ABCC", true),
        (r"[\x41-\x43]", "B", true),
        (r"\0", "\0", true),
        (r"\<a\>", "<a>", true),
        (r"a\ b\'\,", "a b',", true),
        (r"(?#note)a", "a", true),
        ("(?x) a b # no\n c", "abc", true),
        ("(?x) [ a]b", " b", true),
        ("(?x:a b)c d", "abc d", true),
        ("a|b", "b", true),
        ("a*?b", "aab", true),
        ("^a++a", "aaa", false),
        ("(?>a+)a", "aaa", false),
        (r"\bfoo\b", "a.foo(1)", true),
        ("é", "é", true),
        ("", "anything", true),
    ];
    for (pattern, text, expected) in cases {
        assert_eq!(matches(pattern, text), *expected, "{pattern} on {text:?}");
    }
}

#[test]
fn names_what_it_cannot_carry_over() {
    let error = |pattern: &str| translate(pattern).unwrap_err().to_string();
    assert_eq!(error("(?a)x"), "`the flag (?a)` has no counterpart here");
    assert_eq!(error(r"\N{DASH}"), r"`\N{...}` has no counterpart here");
    assert_eq!(error(r"\p{L}"), r"`\p` is no escape of Python's `re`");
    assert_eq!(error(r"\x4"), r"`\x4` is no escape of Python's `re`");
    assert_eq!(error("a\\"), r"`\` is no escape of Python's `re`");
    assert_eq!(
        error("(?<n>x)"),
        "`(?<n` is no group that Python's `re` knows"
    );
    assert_eq!(
        error("a(?i)b"),
        "the flags `(?i)` do not stand at the start of the expression"
    );
    assert_eq!(error("a**"), "`*` repeats a repetition");
    assert_eq!(error("(a"), "`(` is not closed");
    assert_eq!(error("[a"), "`[` is not closed");
    assert_eq!(error("a)"), "a `)` has no `(`");
}
