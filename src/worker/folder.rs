//! The folder that a job runs in.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use fs_err as fs;

/// The folders of jobs. One that a job leaves as it found it serves the next one: making and removing
/// folders would be a good part of what a short job costs.
#[derive(Debug)]
pub(super) struct JobFolders {
    parent: PathBuf,
    /// Empty, and as it was made.
    idle: Option<JobFolder>,
}

impl JobFolders {
    /// Folders below `parent`.
    pub(super) fn new(parent: PathBuf) -> Self {
        Self { parent, idle: None }
    }

    /// The folder `cache`, or an empty one for the job.
    pub(super) fn prepare(&mut self, id: i64, cache: Option<&Path>) -> io::Result<JobFolder> {
        if let Some(cache) = cache {
            return Ok(JobFolder {
                path: cache.to_owned(),
                made: None,
            });
        }
        if let Some(idle) = self.idle.take() {
            return Ok(idle);
        }
        let path = self.parent.join(id.to_string());
        fs::create_dir(&path)?;
        let made = Some(fs::symlink_metadata(&path)?);
        Ok(JobFolder { path, made })
    }

    /// Takes a folder back whose job is over, its last process included.
    pub(super) fn take_back(&mut self, folder: JobFolder) {
        if folder.is_untouched() {
            self.idle = Some(folder);
        }
    }
}

/// A folder for one job: that of its cache, or an empty one that goes with this value.
#[derive(Debug)]
pub(super) struct JobFolder {
    path: PathBuf,
    /// What it was like when it was made; `None` for the folder of a cache.
    made: Option<Metadata>,
}

impl JobFolder {
    /// Whether the folder was made for a job, is the same still, and empty.
    fn is_untouched(&self) -> bool {
        let now = fs::symlink_metadata(&self.path).ok();
        let same = self.made.as_ref().zip(now).is_some_and(|(made, now)| {
            let traits = |of: &Metadata| (of.dev(), of.ino(), of.mode(), of.uid(), of.gid());
            traits(made) == traits(&now)
        });
        same && fs::read_dir(&self.path).is_ok_and(|mut entries| entries.next().is_none())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for JobFolder {
    /// What cannot be removed goes with the worker's own folder, or stays: no reason to fail a job.
    fn drop(&mut self) {
        if self.made.is_some() && fs::remove_dir_all(&self.path).is_err() {
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
        let mut folders = JobFolders::new(parent.path().to_owned());
        let folder = folders.prepare(3, None).unwrap();
        let closed = folder.path().join("store/closed");
        fs::create_dir_all(&closed).unwrap();
        fs::write(closed.join("file"), "text").unwrap();
        for closed in [closed.as_path(), closed.parent().unwrap()] {
            fs::set_permissions(closed, std::fs::Permissions::from_mode(0o500)).unwrap();
        }
        folders.take_back(folder);
        assert!(!parent.path().join("3").exists());

        let cache = parent.path().join("cache");
        fs::create_dir(&cache).unwrap();
        let folder = folders.prepare(4, Some(&cache)).unwrap();
        assert_eq!(folder.path(), cache);
        folders.take_back(folder);
        assert!(cache.exists());
        let folder = folders.prepare(5, None).unwrap();
        assert_eq!(folder.path(), parent.path().join("5"));
    }

    #[test]
    fn only_a_folder_that_is_as_it_was_made_serves_the_next_job() {
        let parent = tempfile::tempdir().unwrap();
        let mut folders = JobFolders::new(parent.path().to_owned());
        let used = |folders: &mut JobFolders, id, job: &dyn Fn(&Path)| {
            let folder = folders.prepare(id, None).unwrap();
            let path = folder.path().to_owned();
            job(&path);
            folders.take_back(folder);
            path
        };
        let first = used(&mut folders, 1, &|_| {});
        let again = used(&mut folders, 2, &|path| {
            fs::write(path.join("file"), "text").unwrap();
            fs::remove_file(path.join("file")).unwrap();
        });
        assert_eq!(first, again);
        let third = used(&mut folders, 3, &|path| {
            fs::set_permissions(path, std::fs::Permissions::from_mode(0o500)).unwrap();
        });
        assert_eq!(first, third);
        let fourth = used(&mut folders, 4, &|path| fs::remove_dir(path).unwrap());
        assert_eq!(fourth, parent.path().join("4"));
        let fifth = folders.prepare(5, None).unwrap();
        assert_eq!(fifth.path(), parent.path().join("5"));
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }
}
