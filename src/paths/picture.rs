//! The file that a profile is written to.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// A picture that appears under its name once it is complete: what lies there already stays as it is
/// until then, and nothing is left of one that fails.
#[derive(Debug)]
pub(super) struct Picture {
    target: PathBuf,
    file: NamedTempFile,
}

/// A picture cannot be written to its place.
#[derive(Debug, thiserror::Error)]
#[error("the flame graph cannot be written to {}; name another file with --output", target.display())]
pub struct PictureError {
    target: PathBuf,
    source: io::Error,
}

impl Picture {
    /// Opens a file beside `target`, so that a folder that is missing or cannot be written to is known
    /// before anything is measured.
    pub(super) fn at(target: &Path) -> Result<Self, PictureError> {
        // The name of the file beside it is of no interest.
        let error = |source: io::Error| PictureError {
            target: target.to_owned(),
            source: source.kind().into(),
        };
        if target.is_dir() {
            return Err(error(io::ErrorKind::IsADirectory.into()));
        }
        let folder = target
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let file = Builder::new()
            .prefix(".lcmbench-profile-")
            .suffix(".svg")
            // What the user's umask leaves of it, as for any other file.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)
            .map_err(error)?;
        Ok(Self {
            target: target.to_owned(),
            file,
        })
    }

    /// Where it is to be drawn.
    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Puts it in its place; returns that.
    pub(super) fn keep(self) -> Result<PathBuf, PictureError> {
        let Self { target, file } = self;
        match file.persist(&target) {
            Ok(_) => Ok(target),
            Err(error) => Err(PictureError {
                target,
                source: error.error,
            }),
        }
    }
}

/// A name as a part of a file's name: whatever a shell or a file system takes amiss becomes a `-`.
pub(super) fn file_word(name: &str) -> String {
    let keeps = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    let words = name.split(|c| !keeps(c)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use fs_err as fs;

    use super::*;

    #[test]
    fn a_picture_takes_its_place_when_it_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("graph.svg");
        fs::write(&target, "old").unwrap();
        let picture = Picture::at(&target).unwrap();
        fs::write(picture.path(), "new").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "old");
        assert_eq!(picture.keep().unwrap(), target);
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");

        drop(Picture::at(&target).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_place_that_cannot_be_written_to_is_known_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no/graph.svg");
        let error = Picture::at(&missing).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the flame graph cannot be written to {}; name another file with --output",
                missing.display()
            )
        );
        assert!(Picture::at(folder.path()).is_err());
    }

    #[test]
    fn names_of_examples_become_names_of_files() {
        assert_eq!(file_word("02_sine"), "02_sine");
        assert_eq!(file_word("a/b\n\u{1b}[1m é"), "a-b-1m-é");
        assert_eq!(file_word("solve.time_it(3, 'x')"), "solve.time_it-3-x");
    }
}
