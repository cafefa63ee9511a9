//! The Action that workflows use.

/// Owner and name of the Action's repository; README, examples and `lcmbench init` have the same.
pub const ACTION: &str = "OpenSourceEconomics/lcmbench-action";

/// The tag of the Action that goes with this version.
pub const ACTION_TAG: &str = concat!("v", env!("CARGO_PKG_VERSION_MAJOR"));

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use fs_err as fs;

    use super::*;

    /// The files that name the Action.
    fn files() -> Vec<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let examples = fs::read_dir(root.join(".github/workflows/examples")).unwrap();
        let mut files: Vec<PathBuf> = examples.map(|entry| entry.unwrap().path()).collect();
        files.extend(["README.md", "docs/action.md"].map(|name| root.join(name)));
        files
    }

    #[test]
    fn everybody_uses_the_same_action() {
        let expected = format!("{ACTION}@{ACTION_TAG}");
        let mut uses = 0;
        for path in files() {
            let text = fs::read_to_string(&path).unwrap();
            for (at, _) in text.match_indices("lcmbench-action@") {
                let start = text[..at].rfind([' ', '`', '\n']).map_or(0, |at| at + 1);
                let end = text[at..]
                    .find(['\n', ' ', '`', '\r'])
                    .map_or(text.len(), |end| at + end);
                assert_eq!(&text[start..end], expected, "{}", path.display());
                uses += 1;
            }
            if path.extension().is_some_and(|end| end == "yml") {
                assert!(text.contains(&expected), "{}", path.display());
            }
        }
        assert!(uses > 8, "{uses}");
    }

    #[test]
    fn releases_are_looked_for_where_the_action_is() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let script = fs::read_to_string(root.join("scripts/action/binary.sh")).unwrap();
        assert!(
            script.contains(&format!("\nrepository={ACTION}\n")),
            "{script}"
        );
    }

    #[test]
    fn actions_of_others_are_pinned_by_hash() {
        for path in files() {
            let text = fs::read_to_string(&path).unwrap();
            for line in text.lines() {
                let line = line.trim_start().trim_start_matches("- ");
                let Some(used) = line.strip_prefix("uses: ") else {
                    continue;
                };
                if used.starts_with(ACTION) || used.starts_with("./") {
                    continue;
                }
                let (_, pin) = used.split_once('@').expect(line);
                let (hash, version) = pin.split_once(' ').expect(line);
                assert!(
                    hash.len() == 40 && hash.chars().all(|c| c.is_ascii_hexdigit()),
                    "{line}"
                );
                assert!(version.starts_with("# v"), "{line}");
            }
        }
    }
}
