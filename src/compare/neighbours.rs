//! Which result files are the neighbours of a commit: by their names alone, without reading any.

use std::collections::HashMap;
use std::path::Path;

use fs_err as fs;

/// The walk gives up after this many commits in a row without a result: what lies beyond is no
/// neighbour.
const WIDEST_GAP: usize = 500;

/// Asv files results under this many digits of the commit's hash.
const PREFIX: usize = 8;

/// So many names are tried one by one before the folder is listed. Where most commits have results
/// the neighbours are found without listing thousands of files.
const TRIED: usize = 150;

/// The result files of one environment in one machine's folder, by the commit in their names.
#[derive(Debug)]
pub(super) struct Neighbours<'a> {
    folder: &'a Path,
    /// What accepted names look like after `<8 digits>-`, the preferred one first.
    endings: Vec<String>,
    tried: usize,
    /// The first eight digits of all commits with files, with the endings; `None` until listed.
    listed: Option<HashMap<String, Vec<String>>>,
}

impl<'a> Neighbours<'a> {
    pub(super) fn new(folder: &'a Path, mut endings: Vec<String>) -> Self {
        let mut known = Vec::new();
        endings.retain(|ending| {
            let is_new = !known.contains(ending);
            known.push(ending.clone());
            is_new
        });
        Self {
            folder,
            endings,
            tried: 0,
            listed: None,
        }
    }

    /// The commits of `walk` that have files, in its order, with the names of the files. Ends with
    /// the walk, with the last file, or at a gap that is too wide.
    pub(super) fn along(
        mut self,
        walk: impl IntoIterator<Item = String>,
    ) -> impl Iterator<Item = (String, Vec<String>)> {
        let mut walk = walk.into_iter();
        std::iter::from_fn(move || {
            for _ in 0..WIDEST_GAP {
                if self.listed.as_ref().is_some_and(HashMap::is_empty) {
                    return None;
                }
                let commit = walk.next()?;
                let names = self.names_of(commit.get(..PREFIX)?);
                if !names.is_empty() {
                    return Some((commit, names));
                }
            }
            None
        })
    }

    /// Names of the files of the commit that begins like this, the preferred ending first.
    fn names_of(&mut self, prefix: &str) -> Vec<String> {
        if self.listed.is_none() && self.tried < TRIED {
            self.tried += self.endings.len();
            let names = self
                .endings
                .iter()
                .map(|ending| format!("{prefix}-{ending}"));
            return names
                .filter(|name| self.folder.join(name).exists())
                .collect();
        }
        let listed = self
            .listed
            .get_or_insert_with(|| list(self.folder, &self.endings));
        let found = listed.remove(prefix).unwrap_or_default();
        self.endings
            .iter()
            .filter(|ending| found.contains(ending))
            .map(|ending| format!("{prefix}-{ending}"))
            .collect()
    }
}

/// The endings of all accepted files by the first eight digits of their commit; none if the folder
/// cannot be listed.
fn list(folder: &Path, endings: &[String]) -> HashMap<String, Vec<String>> {
    let mut listed: HashMap<String, Vec<String>> = HashMap::new();
    let names = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    for name in names {
        if let Some((prefix, ending)) = name.split_once('-')
            && prefix.len() == PREFIX
            && endings.iter().any(|accepted| accepted == ending)
        {
            listed
                .entry(prefix.to_owned())
                .or_default()
                .push(ending.to_owned());
        }
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: usize) -> String {
        format!("{number:08x}{:032x}", number * 7)
    }

    fn file(number: usize, ending: &str) -> String {
        format!("{number:08x}-{ending}")
    }

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn with(names: impl IntoIterator<Item = String>) -> Self {
            let folder = tempfile::tempdir().unwrap();
            for name in names {
                fs::write(folder.path().join(name), "").unwrap();
            }
            Self(folder)
        }

        fn along(
            &self,
            endings: &[&str],
            walk: impl IntoIterator<Item = usize>,
        ) -> Vec<(String, Vec<String>)> {
            let endings = endings.iter().map(|&ending| ending.to_owned()).collect();
            Neighbours::new(self.0.path(), endings)
                .along(walk.into_iter().map(hash))
                .collect()
        }
    }

    #[test]
    fn files_are_found_in_the_order_of_the_walk() {
        let folder = Folder::with([
            file(1, "env.json"),
            file(2, "other.json"),
            file(3, "env.json"),
            file(9, "env.json"),
            "machine.json".to_owned(),
            "123-env.json".to_owned(),
        ]);
        let expected: Vec<_> = [9, 3, 1]
            .map(|number| (hash(number), vec![file(number, "env.json")]))
            .into();
        assert_eq!(folder.along(&["env.json"], [9, 4, 3, 2, 1]), expected);
        // The same when the folder has to be listed first.
        let long_way = (100..400).chain([9, 4, 3, 2, 1]);
        assert_eq!(folder.along(&["env.json"], long_way), expected);
    }

    #[test]
    fn older_names_of_the_environment_come_after_its_own() {
        let folder = Folder::with([
            file(1, "old.json"),
            file(1, "env.json"),
            file(2, "old.json"),
        ]);
        for before in [0..0, 100..400] {
            let found = folder.along(&["env.json", "old.json", "env.json"], before.chain([1, 2]));
            assert_eq!(found[0].1, [file(1, "env.json"), file(1, "old.json")]);
            assert_eq!(found[1].1, [file(2, "old.json")]);
        }
    }

    #[test]
    fn the_walk_ends_at_a_wide_gap_and_after_the_last_file() {
        let folder = Folder::with([file(1, "env.json"), file(900, "env.json")]);
        assert_eq!(folder.along(&["env.json"], 1..=900).len(), 1);
        let folder = Folder::with([file(300, "env.json")]);
        let mut walked = 0;
        let walk = (1..2_000_000).inspect(|number| walked = *number);
        assert_eq!(folder.along(&["env.json"], walk).len(), 1);
        assert_eq!(walked, 300);
    }
}
