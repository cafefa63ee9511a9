//! Long texts from suites, cut for people; JSON has the whole.

/// At most `most` characters: the beginning and the end, with `…` for what is left out. Both ends
/// stay because parameters often differ in one of them.
pub fn shorten(text: &str, most: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    let mut head = kept - kept / 3;
    let mut tail = characters.len() - kept / 3;
    // A mark that joins the letter before it must not be torn from it.
    while head > 0 && joins(characters[head]) {
        head -= 1;
    }
    while tail < characters.len() && joins(characters[tail]) {
        tail += 1;
    }
    characters[..head]
        .iter()
        .copied()
        .chain(['…'])
        .chain(characters[tail..].iter().copied())
        .collect()
}

/// Combining marks, variation selectors, skin tones and the zero-width joiner.
fn joins(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{200d}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{1f3fb}'..='\u{1f3ff}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_ends_stay() {
        assert_eq!(shorten("short", 10), "short");
        assert_eq!(shorten("exactly-10", 10), "exactly-10");
        assert_eq!(shorten("abcdefghijklmnop", 10), "abcdef…nop");
        let path = format!("PosixPath('/home/{}/grid.nc')", "x".repeat(300));
        let shown = shorten(&path, 40);
        assert_eq!(shown, "PosixPath('/home/xxxxxxxxx…xxx/grid.nc')");
        assert_eq!(shown.chars().count(), 40);
    }

    #[test]
    fn marks_stay_with_their_letter() {
        let text = "e\u{301}".repeat(20);
        let shown = shorten(&text, 10);
        assert!(shown.chars().count() <= 10);
        let (head, tail) = shown.split_once('…').unwrap();
        assert!(head.ends_with('\u{301}') || head.is_empty());
        assert!(tail.starts_with('e'));
    }

    proptest! {
        #[test]
        fn never_longer_and_never_empty(text in any::<String>(), most in 1_usize..60) {
            let shown = shorten(&text, most);
            prop_assert!(shown.chars().count() <= most);
            prop_assert_eq!(shown.is_empty(), text.is_empty());
        }
    }
}
