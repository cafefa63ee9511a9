//! The dashboard's folder on disk: only what differs is written, only what is ours is removed.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::memory::Memory;
use super::page::GENERATOR;
use super::{File, SiteError};

/// Folders that hold nothing but data files.
const DATA: [&str; 3] = ["data", "overview", "runs"];

/// What became of the files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drawn {
    pub written: usize,
    pub unchanged: usize,
    pub removed: usize,
}

/// A folder that is brought up to date.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    /// Files below [`DATA`] that belong to the present dashboard.
    present: HashSet<String>,
    memory: Memory,
    /// Other folders that hold nothing but files of the present dashboard.
    owned: Vec<&'static str>,
    drawn: Drawn,
}

impl Folder {
    /// Opens the folder. It may hold other things; an `index.html` of something else is an error. What
    /// files were drawn from is remembered at `memory`.
    pub fn open(root: &Path, memory: Option<&Path>) -> Result<Self, SiteError> {
        let page = root.join("index.html");
        if let Ok(text) = fs::read_to_string(&page)
            && !text.contains(GENERATOR)
            && !text.contains("airspeed velocity")
        {
            return Err(SiteError::Foreign { path: page });
        }
        Ok(Self {
            root: root.to_owned(),
            present: HashSet::new(),
            memory: Memory::read(memory),
            owned: Vec::new(),
            drawn: Drawn::default(),
        })
    }

    /// Writes a file, unless it is there with this very content.
    pub fn put(&mut self, file: File) -> Result<(), SiteError> {
        let path = self.root.join(&file.path);
        let same = fs::metadata(&path).is_ok_and(|known| known.len() == file.text.len() as u64)
            && fs::read(&path).is_ok_and(|known| known == file.text.as_bytes());
        self.present.insert(file.path);
        if same {
            self.drawn.unchanged += 1;
            return Ok(());
        }
        let failed = |source| SiteError::Folder {
            path: path.clone(),
            source,
        };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        // A site is committed or thrown away as a whole, so no file of it is synced by itself.
        fs::write(&path, file.text).map_err(failed)?;
        self.drawn.written += 1;
        Ok(())
    }

    /// A folder that holds nothing else than what is put into it.
    pub fn owns(&mut self, folder: &'static str) {
        self.owned.push(folder);
    }

    /// Writes a file that was drawn from what has this digest.
    pub fn put_from(&mut self, file: File, source: String) -> Result<(), SiteError> {
        let name = file.path.clone();
        self.put(file)?;
        self.memory.add(&name, &self.root.join(&name), source);
        Ok(())
    }

    /// Whether a file is there that was drawn from what has this digest; if so it stays.
    pub fn is_from(&mut self, name: &str, source: &str) -> bool {
        let same = self.memory.is_from(name, &self.root.join(name), source);
        if same {
            self.present.insert(name.to_owned());
            self.drawn.unchanged += 1;
        }
        same
    }

    /// The beginning of a file of an earlier time, at most so many bytes.
    pub fn beginning(&self, path: &str, most: usize) -> Option<String> {
        let mut file = fs::File::open(self.root.join(path)).ok()?;
        let mut bytes = Vec::with_capacity(most);
        file.by_ref()
            .take(most as u64)
            .read_to_end(&mut bytes)
            .ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Keeps a file of an earlier time, which was drawn from what has this digest.
    pub fn keep(&mut self, name: &str, source: String) {
        self.memory.add(name, &self.root.join(name), source);
        self.present.insert(name.to_owned());
        self.drawn.unchanged += 1;
    }

    /// Removes data files that no longer belong to anything.
    pub fn finish(mut self) -> Result<Drawn, SiteError> {
        let owned = std::mem::take(&mut self.owned);
        for folder in DATA.into_iter().chain(owned) {
            self.sweep(folder)?;
        }
        self.memory.write();
        Ok(self.drawn)
    }

    fn sweep(&mut self, folder: &str) -> Result<(), SiteError> {
        let path = self.root.join(folder);
        let Ok(entries) = fs::read_dir(&path) else {
            return Ok(());
        };
        let failed = |source| SiteError::Folder {
            path: path.clone(),
            source,
        };
        let mut left = 0_usize;
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type().map_err(failed)?.is_dir() {
                self.sweep(&name)?;
                left += usize::from(entry.path().exists());
            } else if self.present.contains(&name) {
                left += 1;
            } else {
                fs::remove_file(entry.path()).map_err(failed)?;
                self.drawn.removed += 1;
            }
        }
        if left == 0 {
            fs::remove_dir(&path).map_err(failed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    fn put(root: &Path, files: &[File]) -> Drawn {
        let mut folder = Folder::open(root, None).unwrap();
        for file in files {
            folder.put(file.clone()).unwrap();
        }
        folder.finish().unwrap()
    }

    #[test]
    fn only_what_differs_is_written_and_only_data_is_removed() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        fs::create_dir_all(root.join("results/data")).unwrap();
        fs::write(root.join("results/data/a.json"), "{}").unwrap();
        fs::write(root.join("CNAME"), "example.org").unwrap();
        let first = [file("data/a/meta.js", "1"), file("data/b/meta.js", "2")];
        assert_eq!(put(root, &first).written, 2);
        let second = [file("data/a/meta.js", "1"), file("index.js", "3")];
        let expected = Drawn {
            written: 1,
            unchanged: 1,
            removed: 1,
        };
        assert_eq!(put(root, &second), expected);
        assert!(!root.join("data/b").exists());
        assert!(root.join("results/data/a.json").exists() && root.join("CNAME").exists());
    }

    #[test]
    fn a_page_of_something_else_is_not_overwritten() {
        let root = tempfile::tempdir().unwrap();
        let page = root.path().join("index.html");
        fs::write(&page, "<title>My project</title>").unwrap();
        let error = Folder::open(root.path(), None).unwrap_err();
        assert!(error.to_string().contains("index.html"), "{error}");
        for ours in [GENERATOR, "<title>airspeed velocity of x</title>"] {
            fs::write(&page, ours).unwrap();
            assert!(Folder::open(root.path(), None).is_ok(), "{ours}");
        }
    }
}
