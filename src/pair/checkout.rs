//! The three checkouts: each clean and exactly at its revision, and apart from each other.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::vcs::{Git, Repository, VcsError};

use super::error::PairError;

/// What a checkout is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Base,
    Head,
    Harness,
}

impl std::fmt::Display for Role {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.word())
    }
}

impl Role {
    /// `base`, `head` or `harness`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Head => "head",
            Self::Harness => "harness",
        }
    }
}

/// A checkout that is clean and at its revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    pub role: Role,
    /// Links followed.
    pub root: PathBuf,
    pub revision: String,
}

impl Checkout {
    /// Checks a folder against a full hash.
    pub fn open(role: Role, folder: &Path, revision: &str) -> Result<Self, PairError> {
        let Ok(root) = fs::canonicalize(folder) else {
            return Err(PairError::NoFolder {
                role,
                folder: folder.to_owned(),
            });
        };
        let repository = Repository::discover(&root)?;
        let top = fs::canonicalize(repository.root()?)?;
        if top != root {
            return Err(PairError::NotTheTop {
                role,
                folder: root,
                root: top,
            });
        }
        match repository.resolve(revision) {
            Ok(_) => {}
            Err(VcsError::UnknownRevision { .. }) => {
                return Err(PairError::UnknownRevision {
                    role,
                    folder: root,
                    revision: revision.to_owned(),
                });
            }
            Err(error) => return Err(error.into()),
        }
        let found = repository.head()?.hash;
        if found != revision {
            return Err(PairError::OtherRevision {
                role,
                folder: root,
                found,
                revision: revision.to_owned(),
            });
        }
        let changes = repository.status(&[])?;
        if !changes.is_empty() {
            return Err(PairError::Dirty {
                role,
                folder: root,
                changes,
            });
        }
        check_submodules(role, &root)?;
        Ok(Self {
            role,
            root,
            revision: revision.to_owned(),
        })
    }
}

/// Submodules must be at the commits that the checkout names, and clean.
fn check_submodules(role: Role, root: &Path) -> Result<(), PairError> {
    if !root.join(".gitmodules").is_file() {
        return Ok(());
    }
    let git = Git::at(root);
    let status = git.run(&["submodule", "status", "--recursive"])?;
    let mut lines: Vec<&str> = status
        .lines()
        .filter(|line| !line.starts_with(' '))
        .collect();
    let dirty = git.run(&[
        "--no-optional-locks",
        "status",
        "--porcelain=v1",
        "--ignore-submodules=none",
    ])?;
    lines.extend(dirty.lines());
    if lines.is_empty() {
        return Ok(());
    }
    Err(PairError::Submodules {
        role,
        folder: root.to_owned(),
        lines: lines.join("\n"),
    })
}

/// Base and head must be different folders, and none of the three may lie inside another. The
/// harness may be the checkout of base or of head.
pub fn check_apart(base: &Checkout, head: &Checkout, harness: &Checkout) -> Result<(), PairError> {
    if base.root == head.root {
        return Err(PairError::SameFolder {
            first: base.role,
            second: head.role,
            folder: base.root.clone(),
        });
    }
    let all = [base, head, harness];
    for inner in all {
        for outer in all {
            if inner.root != outer.root && inner.root.starts_with(&outer.root) {
                return Err(PairError::Nested {
                    inner: inner.role,
                    inner_folder: inner.root.clone(),
                    outer: outer.role,
                    outer_folder: outer.root.clone(),
                });
            }
        }
    }
    Ok(())
}

/// The output folder must be new and outside of all checkouts, links followed. Returns where it
/// really is going to lie.
pub fn check_output(folder: &Path, checkouts: &[&Checkout]) -> Result<PathBuf, PairError> {
    if fs::symlink_metadata(folder).is_ok() {
        return Err(PairError::OutputExists {
            folder: folder.to_owned(),
        });
    }
    let real = real_place(folder);
    for checkout in checkouts {
        if real.starts_with(&checkout.root) {
            return Err(PairError::OutputInside {
                folder: folder.to_owned(),
                real,
                role: checkout.role,
                checkout: checkout.root.clone(),
            });
        }
    }
    Ok(real)
}

/// The path with the links of its longest existing part followed.
fn real_place(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                plain = fs::canonicalize(&plain).unwrap_or(plain);
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    for ancestor in plain.ancestors() {
        if let (Ok(real), Ok(rest)) = (fs::canonicalize(ancestor), plain.strip_prefix(ancestor)) {
            return real.join(rest);
        }
    }
    plain
}
