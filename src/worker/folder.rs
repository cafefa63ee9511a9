//! The folder that a job runs in.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use fs_err as fs;

/// A folder for one job: that of its cache, or a fresh one that goes with this value.
#[derive(Debug)]
pub(super) struct JobFolder {
    path: PathBuf,
    fresh: bool,
}

impl JobFolder {
    /// The folder `cache`, or a new one in `parent` named after the job.
    pub(super) fn prepare(parent: &Path, id: i64, cache: Option<&Path>) -> io::Result<Self> {
        if let Some(cache) = cache {
            return Ok(Self {
                path: cache.to_owned(),
                fresh: false,
            });
        }
        let path = parent.join(id.to_string());
        fs::create_dir(&path)?;
        Ok(Self { path, fresh: true })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for JobFolder {
    /// What cannot be removed goes with the worker's own folder, or stays: no reason to fail a job.
    fn drop(&mut self) {
        if self.fresh && fs::remove_dir_all(&self.path).is_err() {
            open_up(&self.path);
            fs::remove_dir_all(&self.path).ok();
        }
    }
}

/// Makes all folders below writable again: some programs protect what they store.
fn open_up(folder: &Path) {
    fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700)).ok();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // Not through links: those may lead anywhere.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_folder_goes_and_a_cache_stays() {
        let parent = tempfile::tempdir().unwrap();
        let folder = JobFolder::prepare(parent.path(), 3, None).unwrap();
        let closed = folder.path().join("store/closed");
        fs::create_dir_all(&closed).unwrap();
        fs::write(closed.join("file"), "text").unwrap();
        for closed in [closed.as_path(), closed.parent().unwrap()] {
            fs::set_permissions(closed, std::fs::Permissions::from_mode(0o500)).unwrap();
        }
        drop(folder);
        assert!(!parent.path().join("3").exists());

        let cache = parent.path().join("cache");
        fs::create_dir(&cache).unwrap();
        let folder = JobFolder::prepare(parent.path(), 4, Some(&cache)).unwrap();
        assert_eq!(folder.path(), cache);
        drop(folder);
        assert!(cache.exists());
    }
}
