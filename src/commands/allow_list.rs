//! Changes that need no benchmark: an allow-list of paths.

use crate::github::Compared;

/// GitHub lists no more files than this; then it is unknown what else changed.
const MOST_LISTED: usize = 300;

/// Files that the configuration's list may be in. A change of one of them is never allowed by that
/// list: who opens a pull request could write anything into it.
const CONFIGURATION: [&str; 2] = ["lcmbench.toml", "pyproject.toml"];

/// The list, and who wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum AllowList<'a> {
    /// The workflow, as arguments.
    Given(&'a [String]),
    /// The configuration that is checked out.
    Configured(&'a [String]),
}

impl<'a> AllowList<'a> {
    /// The arguments, else the configuration.
    pub(in crate::commands) fn new(given: &'a [String], configured: &'a [String]) -> Self {
        if given.is_empty() {
            Self::Configured(configured)
        } else {
            Self::Given(given)
        }
    }

    /// The patterns.
    pub(in crate::commands) fn patterns(self) -> &'a [String] {
        let (Self::Given(patterns) | Self::Configured(patterns)) = self;
        patterns
    }

    /// Without any pattern; a blank one allows nothing, so that `--not-needed ""` switches the list off.
    pub(in crate::commands) fn is_empty(self) -> bool {
        self.patterns()
            .iter()
            .all(|pattern| pattern.trim().is_empty())
    }

    /// Whether a change of this file needs no benchmark.
    pub(in crate::commands) fn allows(self, path: &str) -> bool {
        let matched =
            |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern.trim(), path));
        match self {
            Self::Given(patterns) => matched(patterns),
            Self::Configured(patterns) => {
                let name = path.rsplit('/').next().unwrap_or(path);
                !CONFIGURATION.contains(&name) && matched(patterns)
            }
        }
    }
}

/// How many files changed if all of them are allowed; `None` if a benchmark is needed.
pub(in crate::commands) fn not_needed(compared: &Compared, list: AllowList<'_>) -> Option<usize> {
    let files = compared.files.as_deref()?;
    if files.is_empty() || files.len() >= MOST_LISTED {
        return None;
    }
    let allowed = |path: &str| list.allows(path);
    files
        .iter()
        .all(|file| {
            // A file that was moved counts at both places.
            allowed(&file.filename) && file.previous_filename.as_deref().is_none_or(allowed)
        })
        .then_some(files.len())
}

/// What is said where all are allowed.
pub(in crate::commands) fn not_needed_sentence(files: usize) -> String {
    match files {
        1 => "not needed: the one changed file cannot change the speed".to_owned(),
        files => format!("not needed: none of the {files} changed files can change the speed"),
    }
}

/// `*` is anything but a slash, `**` anything at all. A pattern without a slash matches the name of a
/// file in any folder.
fn matches(pattern: &str, path: &str) -> bool {
    if pattern.is_empty() {
        return false;
    }
    if !pattern.contains('/') {
        let name = path.rsplit('/').next().unwrap_or(path);
        return fits(pattern.as_bytes(), name.as_bytes());
    }
    fits(pattern.trim_start_matches('/').as_bytes(), path.as_bytes())
}

fn fits(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'*', b'*', rest @ ..] => (0..=text.len()).any(|skipped| fits(rest, &text[skipped..])),
        [b'*', rest @ ..] => {
            let within = text.iter().take_while(|byte| **byte != b'/').count();
            (0..=within).any(|skipped| fits(rest, &text[skipped..]))
        }
        [first, rest @ ..] => text.first() == Some(first) && fits(rest, &text[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::github::ChangedFile;

    #[test]
    fn stars_stay_in_their_folder_and_double_stars_do_not() {
        for (pattern, path, expected) in [
            ("docs/**", "docs/a/b.py", true),
            ("docs/*", "docs/a/b.py", false),
            ("docs/*", "docs/b.py", true),
            ("*.md", "README.md", true),
            ("*.md", "a/b/README.md", true),
            ("*.md", "README.md.py", false),
            ("/docs/**", "docs/x", true),
            ("docs/**", "src/docs/x", false),
            ("**/docs/*.rst", "src/docs/x.rst", true),
            ("", "x", false),
            ("LICENSE", "LICENSE", true),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn one_other_file_needs_a_benchmark_and_so_does_a_cut_list() {
        let compared = |names: &[&str]| Compared {
            merge_base_commit: crate::github::CommitName { sha: String::new() },
            ahead_by: 1,
            files: Some(
                names
                    .iter()
                    .map(|name| ChangedFile {
                        filename: (*name).to_owned(),
                        previous_filename: None,
                    })
                    .collect(),
            ),
        };
        let markdown = ["*.md".to_owned()];
        let patterns = AllowList::Given(&markdown);
        assert_eq!(
            not_needed(&compared(&["a.md", "b/c.md"]), patterns),
            Some(2)
        );
        assert_eq!(not_needed(&compared(&["a.md", "b.py"]), patterns), None);
        assert_eq!(not_needed(&compared(&[]), patterns), None);
        assert_eq!(not_needed(&compared(&["a.md"; 300]), patterns), None);
        let mut moved = compared(&["a.md"]);
        moved.files.as_mut().unwrap()[0].previous_filename = Some("a.py".to_owned());
        assert_eq!(not_needed(&moved, patterns), None);
    }

    #[test]
    fn a_pull_request_cannot_allow_itself() {
        let all = ["**".to_owned(), "*".to_owned()];
        let both = |path: &str| {
            (
                AllowList::new(&all, &[]).allows(path),
                AllowList::new(&[], &all).allows(path),
            )
        };
        assert_eq!(both("src/a.py"), (true, true));
        assert_eq!(both("lcmbench.toml"), (true, false));
        assert_eq!(both("sub/pyproject.toml"), (true, false));
        assert!(AllowList::new(&[], &[]).is_empty());
        assert!(AllowList::new(&[" ".to_owned()], &all).is_empty());
    }
}
