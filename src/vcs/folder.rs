//! One folder of a remote repository, without its history and without its other files.

use std::path::Path;

use super::{Git, VcsError};

/// Clones `url` into `target` (which must not exist, in a folder that does) with nothing but the newest
/// commit of `branch` (of its HEAD for `None`) and in it only `folder`, a path with `/` between its
/// parts.
pub fn fetch_folder(
    url: &str,
    branch: Option<&str>,
    folder: &str,
    target: &Path,
) -> Result<(), VcsError> {
    let into = target.to_string_lossy();
    let branch = branch.map(|branch| format!("--branch={branch}"));
    let mut clone = vec![
        "clone",
        "--quiet",
        "--depth=1",
        "--filter=blob:none",
        "--no-checkout",
        "--no-tags",
    ];
    clone.extend(branch.as_deref());
    clone.extend(["--", url, &into]);
    let above = target.parent().unwrap_or(target);
    Git::at(above).run(&clone)?;
    let git = Git::at(target);
    let pattern = format!("/{}/", escaped(folder.trim_matches('/')));
    git.run(&["sparse-checkout", "set", "--no-cone", &pattern])?;
    git.run(&["checkout", "--quiet"]).map(drop)
}

/// The pattern that matches a folder of this very name.
fn escaped(folder: &str) -> String {
    let mut pattern = String::with_capacity(folder.len());
    for character in folder.chars() {
        if matches!(character, '*' | '?' | '[' | ']' | '\\' | '!' | '#') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::super::testing::Playground;
    use super::*;

    #[test]
    fn only_the_folder_comes_and_only_its_newest_state() {
        let play = Playground::new();
        play.commit("one", &[("site/results/b[o]x/old.json", "1")]);
        play.commit(
            "two",
            &[
                ("site/results/b[o]x/new.json", "2"),
                ("site/results/box/other.json", "3"),
                ("index.html", "big"),
            ],
        );
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("clone");
        let url = format!("file://{}", play.root().display());
        let wanted = "site/results/b[o]x";
        fetch_folder(&url, Some("main"), wanted, &target).unwrap();
        assert!(target.join("site/results/b[o]x/new.json").is_file());
        assert!(target.join("site/results/b[o]x/old.json").is_file());
        assert!(!target.join("site/results/box").exists());
        assert!(!target.join("index.html").exists());
        let repository = super::super::Repository::discover(&target).unwrap();
        assert!(repository.is_shallow());
    }

    #[test]
    fn what_git_says_is_in_the_error() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("file://{}/nothing", folder.path().display());
        let target = folder.path().join("clone");
        let error = fetch_folder(&url, None, "x", &target).unwrap_err();
        assert!(error.to_string().contains("clone"), "{error}");
    }
}
