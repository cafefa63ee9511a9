//! Where the configuration files are.

use std::path::{Path, PathBuf};

use fs_err as fs;

use super::ConfigError;
use super::toml_file::TomlFile;

/// The names that asv looks for.
const ASV_NAMES: [&str; 2] = ["asv.conf.json", "asv.conf.jsonc"];

/// The folder that relative paths are below, and the `asv.conf.json` in it if there is one: the file
/// `--config` names, else the one of the two names that `start` holds.
pub(super) fn asv_file(
    start: &Path,
    named: Option<&Path>,
) -> Result<(PathBuf, Option<PathBuf>), ConfigError> {
    if let Some(named) = named {
        let path = start.join(named);
        if path.extension().is_some_and(|ending| ending == "toml") {
            return Err(ConfigError::WrongKind { path });
        }
        if !path.is_file() {
            return Err(ConfigError::NotFound { path });
        }
        let folder = path.parent().unwrap_or(start).to_owned();
        return Ok((folder, Some(path)));
    }
    let [first, second] = ASV_NAMES.map(|name| start.join(name));
    let found = match (first.is_file(), second.is_file()) {
        (true, true) => return Err(ConfigError::Both { first, second }),
        (true, false) => Some(first),
        (false, true) => Some(second),
        (false, false) => None,
    };
    Ok((start.to_owned(), found))
}

/// The nearest TOML settings: of `folder`, else of a folder above it, up to the top of the checkout
/// (the folder with `.git`). Outside a checkout only `folder` counts.
pub(super) fn toml_file(folder: &Path) -> Result<Option<TomlFile>, ConfigError> {
    let top = folder.ancestors().find(|above| above.join(".git").exists());
    for above in folder.ancestors() {
        if let Some(file) = toml_of(above)? {
            return Ok(Some(file));
        }
        if top.is_none_or(|top| top == above) {
            break;
        }
    }
    Ok(None)
}

fn toml_of(folder: &Path) -> Result<Option<TomlFile>, ConfigError> {
    let own = folder.join("lcmbench.toml");
    let shared = folder.join("pyproject.toml");
    let of_project = if shared.is_file() {
        let text = fs::read_to_string(&shared).map_err(ConfigError::read)?;
        TomlFile::of_pyproject(&shared, text)?
    } else {
        None
    };
    if !own.is_file() {
        return Ok(of_project);
    }
    if let Some(file) = of_project {
        return Err(ConfigError::Both {
            first: own,
            second: PathBuf::from(format!("{} with [tool.lcmbench]", file.path.display())),
        });
    }
    let text = fs::read_to_string(&own).map_err(ConfigError::read)?;
    TomlFile::of_own_file(&own, text).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        folder
    }

    #[test]
    fn either_name_is_found_and_both_are_an_error() {
        for name in ASV_NAMES {
            let folder = folder_with(&[(name, "{}")]);
            let (root, file) = asv_file(folder.path(), None).unwrap();
            assert_eq!(root, folder.path());
            assert_eq!(file, Some(folder.path().join(name)));
        }
        let folder = folder_with(&[("asv.conf.json", "{}"), ("asv.conf.jsonc", "{}")]);
        let message = asv_file(folder.path(), None).unwrap_err().to_string();
        assert!(message.contains("asv.conf.json and "), "{message}");
        assert!(message.contains("asv.conf.jsonc are there"), "{message}");
        let folder = folder_with(&[]);
        assert_eq!(asv_file(folder.path(), None).unwrap().1, None);
    }

    #[test]
    fn a_named_file_may_have_any_name_and_sets_the_folder() {
        let folder = folder_with(&[("sub/bench.json", "{}"), ("asv.conf.json", "{}")]);
        let (root, file) = asv_file(folder.path(), Some(Path::new("sub/bench.json"))).unwrap();
        assert_eq!(root, folder.path().join("sub"));
        assert_eq!(file, Some(folder.path().join("sub/bench.json")));

        let missing = asv_file(folder.path(), Some(Path::new("nowhere.json")));
        assert!(matches!(missing, Err(ConfigError::NotFound { .. })));
        let wrong = asv_file(folder.path(), Some(Path::new("lcmbench.toml")));
        assert!(matches!(wrong, Err(ConfigError::WrongKind { .. })));
    }

    #[test]
    fn the_nearest_toml_up_to_the_checkout_counts() {
        let folder = folder_with(&[
            ("lcmbench.toml", "package = \"outside\""),
            ("checkout/.git/HEAD", "ref: refs/heads/main"),
            (
                "checkout/pyproject.toml",
                "[tool.lcmbench]\npackage = \"inside\"",
            ),
            (
                "checkout/benchmarks/pyproject.toml",
                "[project]\nname = \"b\"",
            ),
            ("other/.git", "gitdir: elsewhere"),
            ("other/benchmarks/x", ""),
            ("loose/x", ""),
        ]);
        let package = |below: &str| {
            let file = toml_file(&folder.path().join(below)).unwrap();
            file.map(|file| file.settings.package.unwrap().into_inner())
        };
        assert_eq!(package("checkout/benchmarks").as_deref(), Some("inside"));
        assert_eq!(package("checkout").as_deref(), Some("inside"));
        assert_eq!(package("other/benchmarks"), None);
        assert_eq!(package("loose"), None);
        assert_eq!(package("").as_deref(), Some("outside"));
    }

    #[test]
    fn settings_in_both_files_are_an_error_that_names_both() {
        let folder = folder_with(&[
            ("lcmbench.toml", ""),
            ("pyproject.toml", "[tool.lcmbench]\n"),
        ]);
        let message = toml_file(folder.path()).unwrap_err().to_string();
        assert!(message.contains("lcmbench.toml"), "{message}");
        assert!(
            message.contains("pyproject.toml with [tool.lcmbench]"),
            "{message}"
        );
        fs::write(folder.path().join("pyproject.toml"), "[project]\n").unwrap();
        assert!(toml_file(folder.path()).unwrap().is_some());
    }
}
