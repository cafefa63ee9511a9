//! Why the stored results that a command needs cannot be told.

use std::path::PathBuf;

use crate::report::grid::plain_line;

/// Each names what is there instead.
#[derive(Debug, thiserror::Error)]
pub(in crate::commands) enum StoredError {
    #[error("there are no results in {}", .folder.display())]
    Empty { folder: PathBuf },
    #[error("there are no results of the machine `{machine}`; there are some of {}", list(.known))]
    UnknownMachine { machine: String, known: Vec<String> },
    #[error("there are no results of {commit}{place}{}", measured_in(.elsewhere))]
    NoResults {
        commit: String,
        /// ` on the machine ...`, ` in the environment ...`, or empty.
        place: String,
        /// Where the commit was measured, if it was.
        elsewhere: Vec<String>,
    },
    #[error("`{text}` begins several measured commits: {}", list(.commits))]
    AmbiguousCommit { text: String, commits: Vec<String> },
    #[error(
        "{base} and {head} were not measured in the same place: {base} was in {}, {head} in {}",
        list(.base_places),
        list(.head_places)
    )]
    NothingShared {
        base: String,
        head: String,
        base_places: Vec<String>,
        head_places: Vec<String>,
    },
    #[error("there are results on several machines: {}", list(.machines))]
    SeveralMachines { machines: Vec<String> },
    #[error(
        "there are results in several environments of `{machine}`: {}",
        list(.environments)
    )]
    SeveralEnvironments {
        machine: String,
        environments: Vec<String>,
    },
}

fn list(items: &[String]) -> String {
    if items.is_empty() {
        return "none".to_owned();
    }
    let quoted: Vec<String> = items
        .iter()
        .map(|item| format!("`{}`", plain_line(item)))
        .collect();
    quoted.join(", ")
}

fn measured_in(places: &[String]) -> String {
    if places.is_empty() {
        String::new()
    } else {
        format!("; it was measured in {}", list(places))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_files_say_nothing_to_the_terminal() {
        let names = ["m/\u{1b}[31mred\ny".to_owned(), "m/e".to_owned()];
        assert_eq!(list(&names), "`m/\\u{1b}[31mred y`, `m/e`");
    }
}
