//! Which result files are the neighbours of a commit: by their names alone, without reading any.

use std::collections::HashMap;

use crate::results::ResultFile;

/// The walk gives up after this many commits in a row without a result: what lies beyond is no
/// neighbour.
const WIDEST_GAP: usize = 500;

/// Asv files results under this many digits of the commit's hash.
const PREFIX: usize = 8;

/// The result files of one environment in one machine's folder.
#[derive(Debug)]
pub(super) struct Neighbours<'a> {
    /// Those not passed yet, by the commit in their names; of each the preferred one first.
    files: HashMap<&'a str, Vec<&'a ResultFile>>,
}

impl<'a> Neighbours<'a> {
    /// Those of `files` whose names end as wanted after the commit, where the preferred ending is
    /// the first.
    pub(super) fn among(files: &'a [ResultFile], endings: &[String]) -> Self {
        let mut by_commit: HashMap<&str, Vec<&ResultFile>> = HashMap::new();
        let rank = |file: &ResultFile| {
            endings
                .iter()
                .position(|ending| *ending == file.environment)
        };
        for file in files {
            if file.commit.len() == PREFIX && rank(file).is_some() {
                by_commit.entry(&file.commit).or_default().push(file);
            }
        }
        for files in by_commit.values_mut() {
            files.sort_by_key(|file| rank(file));
        }
        Self { files: by_commit }
    }

    /// The commits of `walk` that have files, in its order, with the files. Ends with the walk, with
    /// the last file, or at a gap that is too wide.
    pub(super) fn along(
        mut self,
        walk: impl IntoIterator<Item = String>,
    ) -> impl Iterator<Item = (String, Vec<&'a ResultFile>)> {
        let mut walk = walk.into_iter();
        std::iter::from_fn(move || {
            for _ in 0..WIDEST_GAP {
                if self.files.is_empty() {
                    return None;
                }
                let commit = walk.next()?;
                if let Some(files) = self.files.remove(commit.get(..PREFIX)?) {
                    return Some((commit, files));
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn hash(number: usize) -> String {
        format!("{number:08x}{:032x}", number * 7)
    }

    fn file(number: usize, ending: &str) -> ResultFile {
        ResultFile {
            path: PathBuf::from(format!("{number:08x}-{ending}.json")),
            machine: "m".to_owned(),
            commit: format!("{number:08x}"),
            environment: ending.to_owned(),
        }
    }

    fn along(
        files: &[ResultFile],
        endings: &[&str],
        walk: impl IntoIterator<Item = usize>,
    ) -> Vec<(String, Vec<ResultFile>)> {
        let endings: Vec<String> = endings.iter().map(|&ending| ending.to_owned()).collect();
        Neighbours::among(files, &endings)
            .along(walk.into_iter().map(hash))
            .map(|(commit, files)| (commit, files.into_iter().cloned().collect()))
            .collect()
    }

    #[test]
    fn files_are_found_in_the_order_of_the_walk() {
        let mut files = vec![
            file(1, "env"),
            file(2, "other"),
            file(3, "env"),
            file(9, "env"),
        ];
        files.push(ResultFile {
            commit: "123".to_owned(),
            ..file(1, "env")
        });
        let expected: Vec<_> = [9, 3, 1]
            .map(|number| (hash(number), vec![file(number, "env")]))
            .into();
        assert_eq!(along(&files, &["env"], [9, 4, 3, 2, 1]), expected);
    }

    #[test]
    fn older_names_of_the_environment_come_after_its_own() {
        let files = [file(1, "env"), file(1, "old"), file(2, "old")];
        for endings in [["env", "old", "env"], ["old", "env", "old"]] {
            let found = along(&files, &endings, [1, 2]);
            assert_eq!(
                found[0].1,
                [file(1, endings[0]), file(1, endings[1])],
                "{endings:?}"
            );
            assert_eq!(found[1].1, [file(2, "old")]);
        }
    }

    #[test]
    fn the_walk_ends_at_a_wide_gap_and_after_the_last_file() {
        let files = [file(1, "env"), file(900, "env")];
        assert_eq!(along(&files, &["env"], 1..=900).len(), 1);
        let mut walked = 0;
        let walk = (1..2_000_000).inspect(|number| walked = *number);
        assert_eq!(along(&[file(300, "env")], &["env"], walk).len(), 1);
        assert_eq!(walked, 300);
    }
}
