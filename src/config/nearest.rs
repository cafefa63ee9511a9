//! The key that was probably meant.

/// Similarity (Damerau-Levenshtein by length, 0 to 1) below which a guess would only confuse.
const ALIKE: f64 = 0.6;

/// The candidate most like `word`, if one is alike enough; blanks, dashes, underscores and case do
/// not count.
pub(super) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
    let word = plain(word);
    candidates
        .into_iter()
        .map(|candidate| {
            let likeness = strsim::normalized_damerau_levenshtein(&word, &plain(candidate));
            (likeness, candidate)
        })
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, candidate)| candidate)
}

/// `; did you mean `x`?`, or nothing.
pub(super) fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |found| format!("; did you mean `{found}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_key_and_other_words_none() {
        let keys = ["benchmark_dir", "results_dir", "html_dir", "setup-scope"];
        assert_eq!(nearest("benchmarks_dir", keys), Some("benchmark_dir"));
        assert_eq!(nearest("result_dir", keys), Some("results_dir"));
        assert_eq!(nearest("setup_scope", keys), Some("setup-scope"));
        assert_eq!(nearest("SetupScope", keys), Some("setup-scope"));
        assert_eq!(nearest("colour", keys), None);
        assert_eq!(suggestion("htmldir", keys), "; did you mean `html_dir`?");
        assert_eq!(suggestion("zzz", keys), "");
    }
}
