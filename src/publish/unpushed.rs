//! What an earlier try committed in the clone and did not push. It is taken up, so that a large history
//! is not gone through again; results in it that are no longer among the local ones are dropped.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::vcs::{Git, VcsError};

/// More files than this are not given back one by one.
const MOST: usize = 200;

/// Makes the branch stand on `tip` again while files and index stay as the try left them. Returns the
/// files that differ from `tip`, below the clone; `None` if there is nothing to take up.
pub(super) fn take_up(
    git: &Git,
    branch: &str,
    tip: Option<&str>,
) -> Result<Option<Vec<PathBuf>>, VcsError> {
    let Ok(line) = git.run(&["rev-list", "--parents", "--max-count=1", "HEAD", "--"]) else {
        return Ok(None);
    };
    let parents: Vec<&str> = line.split_whitespace().skip(1).collect();
    let head = line.split_whitespace().next();
    if parents != Vec::from_iter(tip) || head == tip {
        return Ok(None);
    }
    // What a try that was killed left beside it goes.
    git.run(&["checkout", "--quiet", "--force", "HEAD", "--", "."])?;
    git.run(&["clean", "--quiet", "-ffdx"])?;
    let reference = format!("refs/heads/{branch}");
    git.run(&["symbolic-ref", "HEAD", &reference])?;
    let changed = if let Some(tip) = tip {
        git.run(&["update-ref", &reference, tip])?;
        git.run(&["diff", "--cached", "--name-only", "--no-renames", "-z", tip])?
    } else {
        git.run(&["update-ref", "-d", &reference])?;
        git.run(&["ls-files", "-z"])?
    };
    let files = changed.split('\0').filter(|name| !name.is_empty());
    Ok(Some(files.map(PathBuf::from).collect()))
}

/// Makes these files what they are in `tip`; `false` if they are too many.
pub(super) fn give_back(
    git: &Git,
    clone: &Path,
    tip: Option<&str>,
    files: &[PathBuf],
) -> Result<bool, VcsError> {
    if files.len() > MOST {
        return Ok(false);
    }
    for file in files {
        let there = tip.is_some_and(|tip| {
            let name = format!("{tip}:{}", file.display());
            git.run(&["cat-file", "-e", &name]).is_ok()
        });
        match (tip, file.to_str()) {
            (Some(tip), Some(name)) if there => {
                git.run(&[
                    "--literal-pathspecs",
                    "checkout",
                    "--quiet",
                    tip,
                    "--",
                    name,
                ])?;
            }
            _ => {
                fs::remove_file(clone.join(file)).ok();
            }
        }
    }
    Ok(true)
}
