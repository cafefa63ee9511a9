//! Whether files changed, by looking at them from time to time.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use fs_err as fs;

/// What tells one state of some files and folders from another, without reading them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The present state of these files, and of everything in these folders. What is not there is a
    /// state, too. Links are not followed into folders.
    pub fn of(paths: &[PathBuf]) -> Self {
        let mut hasher = DefaultHasher::new();
        for path in paths {
            add(path, &mut hasher);
        }
        Self(hasher.finish())
    }
}

fn add(path: &Path, hasher: &mut DefaultHasher) {
    path.hash(hasher);
    let Ok(data) = fs::symlink_metadata(path) else {
        return;
    };
    if !data.is_dir() {
        // A link is what it leads to.
        let data = fs::metadata(path).unwrap_or(data);
        let state = [
            data.size().cast_signed(),
            data.mtime(),
            data.mtime_nsec(),
            data.ctime(),
            data.ctime_nsec(),
        ];
        state.hash(hasher);
        return;
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut children: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    children.sort();
    for child in children {
        add(&child, hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let watched = [folder.path().join("results"), folder.path().join("conf")];
        let mut seen = vec![Fingerprint::of(&watched)];
        let mut differs = |what: &str| {
            let now = Fingerprint::of(&watched);
            assert_eq!(now, Fingerprint::of(&watched), "{what}");
            assert!(!seen.contains(&now), "{what}");
            seen.push(now);
        };
        fs::create_dir_all(folder.path().join("results/vm")).unwrap();
        differs("a folder");
        fs::write(folder.path().join("results/vm/a.json"), "1").unwrap();
        differs("a file");
        fs::write(folder.path().join("results/vm/a.json"), "22").unwrap();
        differs("more in it");
        fs::rename(
            folder.path().join("results/vm/a.json"),
            folder.path().join("results/vm/b.json"),
        )
        .unwrap();
        differs("another name");
        fs::write(folder.path().join("conf"), "").unwrap();
        differs("another file");
        fs::remove_dir_all(folder.path().join("results/vm")).unwrap();
        differs("less");
    }
}
