//! Is what was imported what is checked out? A result belongs to the tree that was really imported.

use std::path::{Path, PathBuf};

use fs_err as fs;

/// What is checked out, and what is known about it.
pub struct Checkout<'a> {
    /// The top folder of the checked-out files.
    pub root: &'a Path,
    /// Full hash of the commit that the results are filed under; `None` for a tree that is filed
    /// nowhere (uncommitted changes), where files outside the commit are allowed.
    pub commit: Option<&'a str>,
    /// Whether the commit holds this path (relative to the root, with `/`).
    pub holds: &'a dyn Fn(&str) -> bool,
    /// `sys.prefix` of the interpreter.
    pub prefix: &'a Path,
}

/// The measured package is not the one that is checked out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportedError {
    #[error(
        "the package `{package}` cannot be found by the environment's Python, so nothing says what \
         would be measured"
    )]
    NotFound { package: String },
    #[error(
        "the package `{package}` was imported from {}, which is not in the checkout {}",
        .file.display(),
        .root.display()
    )]
    Outside {
        package: String,
        file: PathBuf,
        root: PathBuf,
    },
    #[error(
        "the package `{package}` was imported from {}: an installed copy, not the files that are \
         checked out",
        .file.display()
    )]
    Installed { package: String, file: PathBuf },
    #[error(
        "the package `{package}` was imported from {}, which is no file of commit {commit}",
        .file.display()
    )]
    NotCommitted {
        package: String,
        file: PathBuf,
        commit: String,
    },
}

impl ImportedError {
    /// What the user can do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::NotFound { package } => format!(
                "install it in development mode (`pip install -e .`), name its folder in \
                 ASV_PYTHONPATH (as with asv, PYTHONPATH does not count), or correct `package = \
                 \"{package}\"` in [tool.lcmbench]"
            ),
            Self::Outside { .. } | Self::Installed { .. } => {
                "install the checkout in development mode (`pip install -e .`) in that environment"
                    .to_owned()
            }
            Self::NotCommitted { .. } => {
                "remove the stray copy, or commit it if it belongs to the project".to_owned()
            }
        }
    }
}

/// Checks that `file`, from which `package` was imported (a folder for a namespace package), lies in
/// the checkout and belongs to the commit. Symbolic links are followed on both sides.
pub fn check_imported(
    package: &str,
    file: Option<&Path>,
    checkout: &Checkout<'_>,
) -> Result<(), ImportedError> {
    let package = package.to_owned();
    let Some(file) = file else {
        return Err(ImportedError::NotFound { package });
    };
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (file, root, prefix) = (real(file), real(checkout.root), real(checkout.prefix));
    let Ok(inside) = file.strip_prefix(&root) else {
        return Err(ImportedError::Outside {
            package,
            file,
            root,
        });
    };
    let environment_inside = prefix.starts_with(&root) && prefix != root;
    let installed = inside
        .components()
        .any(|part| part.as_os_str() == "site-packages" || part.as_os_str() == "dist-packages");
    if installed || (environment_inside && file.starts_with(&prefix)) {
        return Err(ImportedError::Installed { package, file });
    }
    match checkout.commit {
        Some(commit) if !committed(inside, &root, checkout.holds) => {
            Err(ImportedError::NotCommitted {
                package,
                commit: commit.to_owned(),
                file,
            })
        }
        _ => Ok(()),
    }
}

/// Whether the commit holds the path, or it is compiled from what the commit holds, or it lies in a
/// submodule of the commit.
fn committed(inside: &Path, root: &Path, holds: &dyn Fn(&str) -> bool) -> bool {
    let name = |path: &Path| {
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        parts.join("/")
    };
    if holds(&name(inside)) {
        return true;
    }
    let compiled = inside
        .extension()
        .is_some_and(|extension| extension == "so" || extension == "pyd");
    let submodule = inside
        .ancestors()
        .skip(1)
        .filter(|folder| !folder.as_os_str().is_empty())
        .any(|folder| root.join(folder).join(".git").exists() && holds(&name(folder)));
    compiled || submodule
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place {
        _folder: tempfile::TempDir,
        root: PathBuf,
        outside: PathBuf,
    }

    fn place() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let (root, outside) = (base.join("checkout"), base.join("elsewhere"));
        for path in [
            root.join("src/lcm/__init__.py"),
            root.join("build/lcm/__init__.py"),
            root.join("fast.cpython-312-x86_64-linux-gnu.so"),
            root.join(".venv/lib/python3.12/site-packages/lcm/__init__.py"),
            root.join(".pixi/env/lcm/__init__.py"),
            root.join("vendor/sub/.git"),
            root.join("vendor/sub/lcm/__init__.py"),
            root.join("clone/.git"),
            root.join("clone/lcm/__init__.py"),
            outside.join("lcm/__init__.py"),
        ] {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        Place {
            _folder: folder,
            root,
            outside,
        }
    }

    fn check(place: &Place, file: &Path, commit: Option<&str>) -> Result<(), ImportedError> {
        let holds = |path: &str| ["src/lcm/__init__.py", "src/lcm", "vendor/sub"].contains(&path);
        let prefix = place.root.join(".pixi/env");
        let checkout = Checkout {
            root: &place.root,
            commit,
            holds: &holds,
            prefix: &prefix,
        };
        check_imported("lcm", Some(file), &checkout)
    }

    fn word(result: &Result<(), ImportedError>) -> &'static str {
        match result {
            Ok(()) => "ok",
            Err(ImportedError::NotFound { .. }) => "not found",
            Err(ImportedError::Outside { .. }) => "outside",
            Err(ImportedError::Installed { .. }) => "installed",
            Err(ImportedError::NotCommitted { .. }) => "not committed",
        }
    }

    #[test]
    fn only_files_of_the_commit_pass() {
        let place = place();
        let said = |file: &str| word(&check(&place, &place.root.join(file), Some("abc")));
        assert_eq!(said("src/lcm/__init__.py"), "ok");
        assert_eq!(said("src/lcm"), "ok");
        assert_eq!(said("fast.cpython-312-x86_64-linux-gnu.so"), "ok");
        assert_eq!(said("vendor/sub/lcm/__init__.py"), "ok");
        assert_eq!(said("clone/lcm/__init__.py"), "not committed");
        assert_eq!(said("build/lcm/__init__.py"), "not committed");
        assert_eq!(
            said(".venv/lib/python3.12/site-packages/lcm/__init__.py"),
            "installed"
        );
        assert_eq!(said(".pixi/env/lcm/__init__.py"), "installed");
    }

    #[test]
    fn what_lies_outside_is_named_with_both_places() {
        let place = place();
        let file = place.outside.join("lcm/__init__.py");
        let error = check(&place, &file, Some("abc")).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the package `lcm` was imported from {}, which is not in the checkout {}",
                file.display(),
                place.root.display()
            )
        );
        assert!(error.hint().contains("pip install -e ."));
    }

    #[test]
    fn links_are_followed_on_both_sides() {
        let place = place();
        let link = place.outside.join("link");
        std::os::unix::fs::symlink(place.root.join("src/lcm"), &link).unwrap();
        assert_eq!(
            word(&check(&place, &link.join("__init__.py"), Some("abc"))),
            "ok"
        );
        let inner = place.root.join("src/link");
        std::os::unix::fs::symlink(place.outside.join("lcm"), &inner).unwrap();
        assert_eq!(
            word(&check(&place, &inner.join("__init__.py"), Some("abc"))),
            "outside"
        );
    }

    #[test]
    fn uncommitted_files_pass_where_nothing_is_filed_under_a_commit() {
        let place = place();
        let said = |file: &str| word(&check(&place, &place.root.join(file), None));
        assert_eq!(said("build/lcm/__init__.py"), "ok");
        assert_eq!(said(".pixi/env/lcm/__init__.py"), "installed");
    }

    #[test]
    fn a_package_that_is_nowhere_is_an_error() {
        let place = place();
        let checkout = Checkout {
            root: &place.root,
            commit: None,
            holds: &|_| true,
            prefix: &place.outside,
        };
        let error = check_imported("lcm", None, &checkout).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("the package `lcm` cannot be found")
        );
    }
}
