//! The Python package inside this binary.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use fs_err as fs;
use include_dir::{Dir, DirEntry, include_dir};
use tempfile::TempDir;

/// Everything below `src/worker/python` at the time of the build.
static PYTHON: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/worker/python");

/// The package, unpacked into a private temporary folder that goes when this is dropped.
#[derive(Debug)]
pub(crate) struct Package {
    folder: TempDir,
}

impl Package {
    /// Unpacks below `parent`. Nobody else can look into the folder, let alone write there.
    pub(crate) fn unpack(parent: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("lcmbench-")
            .permissions(std::fs::Permissions::from_mode(0o700))
            .tempdir_in(parent)?;
        let python = folder.path().join("python");
        fs::create_dir(&python)?;
        fs::create_dir(folder.path().join("jobs"))?;
        unpack(&PYTHON, &python)?;
        Ok(Self { folder })
    }

    /// The program that Python is started with: `main.py` of a subpackage of `lcmbench`.
    pub(crate) fn main(&self, subpackage: &str) -> PathBuf {
        let package = self.folder.path().join("python/lcmbench");
        package.join(subpackage).join("main.py")
    }

    /// Where the folders of single jobs are made.
    pub(super) fn jobs(&self) -> PathBuf {
        self.folder.path().join("jobs")
    }
}

fn unpack(folder: &Dir<'_>, target: &Path) -> io::Result<()> {
    for entry in folder.entries() {
        let Some(name) = entry.path().file_name() else {
            continue;
        };
        let path = target.join(name);
        match entry {
            // Python writes these beside its sources when it runs from the source tree.
            DirEntry::Dir(_) if name == "__pycache__" => {}
            DirEntry::Dir(inner) => {
                fs::create_dir(&path)?;
                unpack(inner, &path)?;
            }
            DirEntry::File(file) => fs::write(&path, file.contents())?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files below a folder, relative to it, but for what Python compiles.
    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut open = vec![folder.to_owned()];
        while let Some(inner) = open.pop() {
            for entry in fs::read_dir(inner).unwrap() {
                let path = entry.unwrap().path();
                if path.ends_with("__pycache__") {
                } else if path.is_dir() {
                    open.push(path);
                } else {
                    found.push(path.strip_prefix(folder).unwrap().to_owned());
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn the_package_is_unpacked_whole_and_removed() {
        let parent = tempfile::tempdir().unwrap();
        let package = Package::unpack(parent.path()).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/worker/python");
        let unpacked = package.folder.path().join("python");
        assert_eq!(files(&unpacked), files(&source));
        for file in files(&source) {
            let there = fs::read(unpacked.join(&file)).unwrap();
            assert_eq!(there, fs::read(source.join(&file)).unwrap(), "{file:?}");
        }
        let mode = fs::metadata(package.folder.path()).unwrap().permissions();
        assert_eq!(mode.mode() & 0o777, 0o700);
        assert!(package.main("_worker").is_file());
        drop(package);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
