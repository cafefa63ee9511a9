//! The job's summary: the page of a run, which needs no permission and no network.

use std::io::Write as _;
use std::path::Path;

use fs_err as fs;

use crate::sys::files::FileError;

/// Appends to the file of the step's summary; what earlier commands wrote stays.
pub fn append(path: &Path, markdown: &str) -> Result<(), FileError> {
    let written = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .and_then(|mut file| file.write_all(format!("{}\n\n", markdown.trim_end()).as_bytes()));
    written.map_err(|source| FileError::new("append to", path, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("summary.md");
        append(&path, "one\n").unwrap();
        append(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n\ntwo\n\n");
        let error = append(&folder.path().join("no/file"), "x").unwrap_err();
        assert!(error.to_string().contains("no/file"), "{error}");
    }
}
