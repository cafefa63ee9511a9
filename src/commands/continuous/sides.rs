//! The two sides: worktrees made from commits, two checkouts, or one tree with two interpreters.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::commands::{CommandError, Context};
use crate::config::Settings;
use crate::continuous::Side;
use crate::vcs::{Git, Repository};

/// Where everything lies that is made for a comparison; git passes over it.
const OWN_FOLDER: &str = ".lcmbench";

/// Which two sides are compared. The two texts are the Pythons of base and head.
#[derive(Debug, Clone)]
pub(in crate::commands) enum Form {
    Commits {
        base: Option<String>,
        head: String,
        pythons: [Option<String>; 2],
    },
    Checkouts {
        base: PathBuf,
        head: PathBuf,
        pythons: [Option<String>; 2],
    },
    OneTree {
        pythons: [Option<String>; 2],
    },
}

/// One side before its Python has been started.
#[derive(Debug, Clone)]
pub(super) struct SideTree {
    pub(super) side: Side,
    /// Top folder of the checked-out files.
    pub(super) root: PathBuf,
    /// Its own Python, if one was named.
    pub(super) python: Option<String>,
    /// What the user calls the commit.
    pub(super) name: Option<String>,
}

/// Both sides, and the folder for pairs and output.
pub(super) struct Sides {
    pub(super) trees: [SideTree; 2],
    pub(super) folder: PathBuf,
    /// Both sides are the same files.
    pub(super) one_tree: bool,
}

impl Sides {
    /// Makes or finds both sides.
    pub(super) fn find(
        form: &Form,
        settings: &Settings,
        context: &Context,
    ) -> Result<Self, CommandError> {
        let repository = Repository::discover(&settings.repository_folder())?;
        let root = repository.root()?.to_owned();
        let own = own_folder(&root)?;
        let tree = |side, root: PathBuf, python: &Option<String>, name: Option<&str>| SideTree {
            side,
            root,
            python: python.clone(),
            name: name.map(str::to_owned),
        };
        match form {
            Form::OneTree { pythons } => Ok(Self {
                trees: [
                    tree(Side::Base, root.clone(), &pythons[0], None),
                    tree(Side::Head, root, &pythons[1], None),
                ],
                folder: own.join("continuous/one-tree"),
                one_tree: true,
            }),
            Form::Checkouts {
                base,
                head,
                pythons,
            } => {
                let base = checkout(&context.directory.join(base))?;
                let head = checkout(&context.directory.join(head))?;
                let one_tree = base == head;
                if !one_tree && (base.starts_with(&head) || head.starts_with(&base)) {
                    return Err(CommandError::usage(anyhow::anyhow!(
                        "the checkouts {} and {} lie inside each other; they must be apart",
                        base.display(),
                        head.display()
                    )));
                }
                let folder = format!("continuous/{}-{}", folder_name(&base), folder_name(&head));
                Ok(Self {
                    trees: [
                        tree(Side::Base, base, &pythons[0], None),
                        tree(Side::Head, head, &pythons[1], None),
                    ],
                    folder: own.join(folder),
                    one_tree,
                })
            }
            Form::Commits {
                base,
                head,
                pythons,
            } => {
                let head_hash = repository.resolve(head)?;
                let base_hash = match base {
                    Some(base) => repository.resolve(base)?,
                    None => merge_base(&root, settings, &head_hash)?,
                };
                let folder = own.join(format!(
                    "continuous/{}-{}",
                    &base_hash[..12],
                    &head_hash[..12]
                ));
                // Names of one length: the length of a path can show in times.
                let base_root = worktree(&root, &folder.join("base"), &base_hash)?;
                let head_root = worktree(&root, &folder.join("head"), &head_hash)?;
                Ok(Self {
                    trees: [
                        tree(Side::Base, base_root, &pythons[0], base.as_deref()),
                        tree(Side::Head, head_root, &pythons[1], Some(head)),
                    ],
                    folder,
                    one_tree: false,
                })
            }
        }
    }
}

fn folder_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(plain).collect()
}

/// The folder `.lcmbench`, with an ignore file of its own, so that nobody's tree becomes dirty.
fn own_folder(root: &Path) -> Result<PathBuf, CommandError> {
    let own = root.join(OWN_FOLDER);
    fs::create_dir_all(&own)?;
    let ignore = own.join(".gitignore");
    if !ignore.exists() {
        fs::write(&ignore, "*\n")?;
    }
    Ok(own)
}

fn checkout(folder: &Path) -> Result<PathBuf, CommandError> {
    let repository = Repository::discover(folder)?;
    Ok(fs::canonicalize(repository.root()?)?)
}

/// The commit at which HEAD left the main branch.
fn merge_base(root: &Path, settings: &Settings, head: &str) -> Result<String, CommandError> {
    let main = Repository::discover(root)?.branch_tip(&settings.main_branch)?;
    let base = Git::at(root).run(&["merge-base", &main, head])?;
    if base == head {
        return Err(CommandError::usage(anyhow::anyhow!(
            "{} is part of {}, so there is nothing to compare it with",
            &head[..8],
            settings.main_branch
        ))
        .hint("name the base: `lcmbench continuous BASE [HEAD]`"));
    }
    Ok(base)
}

/// A worktree at a commit; one that is there already is used again, with what was built in it.
fn worktree(root: &Path, folder: &Path, commit: &str) -> Result<PathBuf, CommandError> {
    let there = Repository::discover(folder)
        .ok()
        .filter(|found| {
            let top = found.root().ok().and_then(|top| fs::canonicalize(top).ok());
            top.is_some() && top == fs::canonicalize(folder).ok()
        })
        .and_then(|found| found.head().ok());
    if there.is_some_and(|head| head.hash == commit) {
        return Ok(folder.to_owned());
    }
    let git = Git::at(root);
    let path = folder.to_string_lossy();
    if folder.exists() {
        git.run(&["worktree", "remove", "--force", &path]).ok();
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    git.run(&["worktree", "prune"])?;
    git.run(&[
        "worktree", "add", "--quiet", "--force", "--detach", &path, commit,
    ])?;
    if folder.join(".gitmodules").is_file() {
        Git::at(folder).run(&["submodule", "update", "--init", "--recursive", "--quiet"])?;
    }
    Ok(folder.to_owned())
}
