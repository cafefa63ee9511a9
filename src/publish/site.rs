//! The kept clone of the site repository.

use std::path::{Component, Path, PathBuf};

use fs_err as fs;

use crate::config::SiteSettings;
use crate::results::Store;
use crate::vcs::{Git, VcsError};

use super::PublishError;
use super::unpushed::{give_back, take_up};

/// The branch of a repository that has none yet.
const FIRST_BRANCH: &str = "main";

/// Which repository, which branch of it, and where the clone is kept.
#[derive(Debug, Clone)]
pub struct SitePlace {
    /// Where the clone is kept.
    pub folder: PathBuf,
    /// Address of the repository.
    pub repo: String,
    /// `None` for the branch that the repository itself prefers.
    pub branch: Option<String>,
    /// The project's folder in it, relative; empty for its root.
    pub subdir: PathBuf,
}

impl SitePlace {
    /// The place that the settings name; `None` if they name no repository.
    pub fn new(settings: &SiteSettings, folder: PathBuf) -> Result<Option<Self>, PublishError> {
        let Some(repo) = settings.repo.clone() else {
            return Ok(None);
        };
        let subdir = settings.subdir.clone().unwrap_or_default();
        let inside = Path::new(&subdir)
            .components()
            .all(|component| match component {
                Component::Normal(name) => name != ".git",
                Component::CurDir => true,
                _ => false,
            });
        if !inside {
            return Err(PublishError::Subdir(subdir));
        }
        Ok(Some(Self {
            folder,
            repo,
            branch: settings.branch.clone(),
            subdir: subdir.into(),
        }))
    }
}

/// The clone, as it is on the remote right now.
#[derive(Debug)]
pub(super) struct Site {
    folder: PathBuf,
    pub(super) git: Git,
    pub(super) branch: String,
    /// Hash of the remote branch; `None` if there is none.
    pub(super) tip: Option<String>,
    /// The project's folder in the clone.
    pub(super) root: PathBuf,
    /// What an earlier try left, by path below the clone; empty if it left nothing.
    unpushed: Vec<PathBuf>,
}

impl Site {
    /// Makes the clone what the remote branch is now, but for what an earlier try put on top of it. A
    /// clone that is broken, of another repository or not there is made anew.
    pub(super) fn refresh(place: &SitePlace) -> Result<Self, PublishError> {
        if !is_clone_of(place) {
            make_anew(place)?;
        }
        let git = Git::at(&place.folder);
        let branch = match &place.branch {
            Some(branch) => branch.clone(),
            None => preferred_branch(&git)?,
        };
        let tip = remote_tip(&git, &branch)?;
        let unpushed = take_up(&git, &branch, tip.as_deref()).ok().flatten();
        if unpushed.is_none()
            && let Err(first) = bring(&git, &branch, tip.as_deref())
        {
            make_anew(place)?;
            bring(&git, &branch, tip.as_deref()).map_err(|_| PublishError::Clone(first))?;
        }
        Ok(Self {
            folder: place.folder.clone(),
            root: place.folder.join(&place.subdir),
            git,
            branch,
            tip,
            unpushed: unpushed.unwrap_or_default(),
        })
    }

    /// Drops from what an earlier try left the results that `unexplained` names.
    pub(super) fn drop_unless_explained(
        &mut self,
        unexplained: &dyn Fn(&Store, &[PathBuf]) -> Vec<PathBuf>,
    ) -> Result<(), PublishError> {
        let results = self.root.join("results");
        let all = std::mem::take(&mut self.unpushed);
        let candidates: Vec<PathBuf> = all
            .iter()
            .map(|file| self.folder.join(file))
            .filter(|path| path.starts_with(&results))
            .collect();
        if candidates.is_empty() {
            return Ok(());
        }
        let files: Vec<PathBuf> = unexplained(&Store::new(results), &candidates)
            .iter()
            .filter_map(|path| path.strip_prefix(&self.folder).ok())
            .map(Path::to_owned)
            .collect();
        let tip = self.tip.as_deref();
        let given_back = give_back(&self.git, &self.folder, tip, &files);
        if given_back.map_err(PublishError::Clone)? {
            return Ok(());
        }
        bring(&self.git, &self.branch, tip).map_err(PublishError::Clone)
    }

    /// Where it is remembered what was gathered in the clone; it goes when the clone goes.
    pub(super) fn ledger(&self) -> PathBuf {
        self.folder.join(".git/lcmbench-ledger.json")
    }

    /// Commits everything in the project's folder; `None` if nothing differs from the remote.
    pub(super) fn commit(&self, message: &str) -> Result<Option<String>, PublishError> {
        // The files are packed, and compressed, when they are pushed.
        let add = [
            "-c",
            "core.looseCompression=0",
            "add",
            "--all",
            "--force",
            "--",
            ".",
        ];
        Git::at(&self.root).run(&add).map_err(PublishError::Clone)?;
        let staged = self.git.run(&["diff", "--cached", "--name-only"]);
        if staged.map_err(PublishError::Clone)?.is_empty() {
            return Ok(None);
        }
        let mut arguments = Vec::new();
        if self.git.run(&["config", "user.email"]).is_err() {
            // A runner often has no identity, and git refuses to commit without one.
            arguments.extend([
                "-c",
                "user.name=lcmbench",
                "-c",
                "user.email=lcmbench@localhost",
            ]);
        }
        arguments.extend([
            "-c",
            "gc.auto=0",
            "commit",
            "--quiet",
            "--no-verify",
            "-m",
            message,
        ]);
        self.git.run(&arguments).map_err(PublishError::Clone)?;
        let hash = self.git.run(&["rev-parse", "HEAD"]);
        hash.map(Some).map_err(PublishError::Clone)
    }

    pub(super) fn push(&self) -> Result<(), VcsError> {
        let target = format!("HEAD:refs/heads/{}", self.branch);
        self.git.run(&["push", "--quiet", "origin", &target])?;
        Ok(())
    }

    /// Whether the remote branch is no longer what it was.
    pub(super) fn was_overtaken(&self) -> Result<bool, PublishError> {
        Ok(remote_tip(&self.git, &self.branch)? != self.tip)
    }
}

fn is_clone_of(place: &SitePlace) -> bool {
    // Without a `.git` of its own git would find the project's.
    place.folder.join(".git").exists()
        && Git::at(&place.folder)
            .run(&["config", "remote.origin.url"])
            .is_ok_and(|url| url == place.repo)
}

fn make_anew(place: &SitePlace) -> Result<(), PublishError> {
    let folder = |source| PublishError::Folder {
        path: place.folder.clone(),
        source,
    };
    if place.folder.exists() {
        fs::remove_dir_all(&place.folder).map_err(folder)?;
    }
    fs::create_dir_all(&place.folder).map_err(folder)?;
    let git = Git::at(&place.folder);
    git.run(&["init", "--quiet"])
        .and_then(|_| git.run(&["remote", "add", "origin", &place.repo]))
        .map(drop)
        .map_err(PublishError::Clone)
}

/// The branch that the remote's HEAD stands on.
fn preferred_branch(git: &Git) -> Result<String, PublishError> {
    let listed = git
        .run(&["ls-remote", "--symref", "origin", "HEAD"])
        .map_err(PublishError::Unreachable)?;
    let branch = listed
        .lines()
        .find_map(|line| line.strip_prefix("ref: refs/heads/")?.split('\t').next());
    Ok(branch.unwrap_or(FIRST_BRANCH).to_owned())
}

fn remote_tip(git: &Git, branch: &str) -> Result<Option<String>, PublishError> {
    let reference = format!("refs/heads/{branch}");
    let listed = git
        .run(&["ls-remote", "origin", &reference])
        .map_err(PublishError::Unreachable)?;
    let tip = listed.split_whitespace().next().map(str::to_owned);
    Ok(tip)
}

/// Brings the remote branch, the newest commit alone, and makes the files those of it.
fn bring(git: &Git, branch: &str, tip: Option<&str>) -> Result<(), VcsError> {
    if let Some(tip) = tip {
        let remote = format!("refs/remotes/origin/{branch}");
        let known = git.run(&["rev-parse", "--verify", "--quiet", &remote]);
        // After a push, and when nobody else pushed, it is here already.
        if known.ok().as_deref() != Some(tip) {
            let source = format!("+refs/heads/{branch}:{remote}");
            git.run(&[
                "fetch",
                "--quiet",
                "--depth",
                "1",
                "--no-tags",
                "origin",
                &source,
            ])?;
        }
        git.run(&["checkout", "--quiet", "--force", "-B", branch, &remote])?;
    } else {
        // A branch that is not there yet begins without files and without a past.
        let reference = format!("refs/heads/{branch}");
        git.run(&["update-ref", "-d", &reference])?;
        git.run(&["symbolic-ref", "HEAD", &reference])?;
        git.run(&["read-tree", "--empty"])?;
    }
    git.run(&["clean", "--quiet", "-ffdx"])?;
    Ok(())
}
