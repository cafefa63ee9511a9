//! Which result files are the neighbours of a commit: by their names alone, without reading any.

use std::collections::HashMap;

/// The walk gives up after this many commits in a row without a result: what lies beyond is no
/// neighbour.
const WIDEST_GAP: usize = 500;

/// Asv files results under this many digits of the commit's hash.
const PREFIX: usize = 8;

/// The result files of one environment in one machine's folder, by the commit in their names.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    /// File names by the first eight digits of the commit, in the order of the accepted endings.
    files: HashMap<String, Vec<String>>,
}

impl Neighbours {
    /// Sorts out `names`: files called `<8 digits>-<ending>`, where `endings` are accepted.
    pub(super) fn new(names: impl IntoIterator<Item = String>, endings: &[String]) -> Self {
        let mut files: HashMap<String, Vec<(usize, String)>> = HashMap::new();
        for name in names {
            let Some((prefix, ending)) = name.split_once('-') else {
                continue;
            };
            if prefix.len() != PREFIX {
                continue;
            }
            if let Some(place) = endings.iter().position(|accepted| accepted == ending) {
                files
                    .entry(prefix.to_owned())
                    .or_default()
                    .push((place, name));
            }
        }
        let in_order = |mut names: Vec<(usize, String)>| {
            names.sort();
            names.into_iter().map(|(_, name)| name).collect()
        };
        Self {
            files: files
                .into_iter()
                .map(|(prefix, names)| (prefix, in_order(names)))
                .collect(),
        }
    }

    /// The commits of `walk` that have files, in its order. Ends with the walk, with the last file,
    /// or at a gap that is too wide.
    pub(super) fn along(
        mut self,
        walk: impl IntoIterator<Item = String>,
    ) -> impl Iterator<Item = (String, Vec<String>)> {
        let mut walk = walk.into_iter();
        std::iter::from_fn(move || {
            let mut gap = 0;
            while gap < WIDEST_GAP && !self.files.is_empty() {
                let commit = walk.next()?;
                let found = commit
                    .get(..PREFIX)
                    .and_then(|prefix| self.files.remove(prefix));
                if let Some(names) = found {
                    return Some((commit, names));
                }
                gap += 1;
            }
            None
        })
    }
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

    fn along(names: &[String], endings: &[&str], walk: &[usize]) -> Vec<(String, Vec<String>)> {
        let endings: Vec<String> = endings.iter().map(|&ending| ending.to_owned()).collect();
        Neighbours::new(names.iter().cloned(), &endings)
            .along(walk.iter().map(|&number| hash(number)))
            .collect()
    }

    #[test]
    fn files_are_found_in_the_order_of_the_walk() {
        let names = [
            file(1, "env.json"),
            file(2, "other.json"),
            file(3, "env.json"),
            file(9, "env.json"),
            "machine.json".to_owned(),
            "123-env.json".to_owned(),
        ];
        let found = along(&names, &["env.json"], &[9, 4, 3, 2, 1]);
        let expected: Vec<_> = [9, 3, 1]
            .map(|number| (hash(number), vec![file(number, "env.json")]))
            .into();
        assert_eq!(found, expected);
    }

    #[test]
    fn older_names_of_the_environment_come_after_its_own() {
        let names = [
            file(1, "old.json"),
            file(1, "env.json"),
            file(2, "old.json"),
        ];
        let found = along(&names, &["env.json", "old.json"], &[1, 2]);
        assert_eq!(found[0].1, [file(1, "env.json"), file(1, "old.json")]);
        assert_eq!(found[1].1, [file(2, "old.json")]);
    }

    #[test]
    fn the_walk_ends_at_a_wide_gap_and_after_the_last_file() {
        let names = [file(1, "env.json"), file(900, "env.json")];
        let walk: Vec<usize> = (1..=900).collect();
        assert_eq!(along(&names, &["env.json"], &walk).len(), 1);
        let endless = (1..).map(hash).take(2_000_000);
        let endings = ["env.json".to_owned()];
        let one = Neighbours::new([file(1, "env.json")], &endings).along(endless);
        assert_eq!(one.count(), 1);
    }
}
