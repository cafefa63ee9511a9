//! The numbers of result files that were read before, in the user's cache folder.
//!
//! One small file for each result file, in a folder for each machine of each results folder. It holds size and time
//! of change of the result file, and is of no use as soon as one of them differs. A damaged file
//! counts as none; a folder that cannot be written is gone without.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use fs_err as fs;

use crate::sys::env::Environment;

use super::cache_format::{HEADER, Header, Stamp, encode};
use super::digest::Digest;
use super::entry::{Entry, Layout};

/// Caches of results folders to which nothing was added for this long are removed.
const KEPT: Duration = Duration::from_hours(24 * 90);

/// The cache of one results folder or, within it, of one machine.
#[derive(Debug, Clone)]
pub struct Cache {
    /// Where the caches of all results folders are.
    all: PathBuf,
    folder: PathBuf,
}

impl Cache {
    /// The cache for the result files in `results`, below `XDG_CACHE_HOME` or `~/.cache`; `None`
    /// where the environment names neither.
    pub fn for_results(environment: &Environment, results: &Path) -> Option<Self> {
        let home = environment
            .path("XDG_CACHE_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| Some(environment.path("HOME")?.join(".cache")))?;
        let absolute = fs::canonicalize(results).ok()?;
        let all = home.join("lcmbench/history");
        Some(Self {
            folder: all.join(name_of(&absolute)),
            all,
        })
    }

    /// The cache of the files in one machine's folder below the results.
    pub(super) fn for_folder(&self, folder: &Path) -> Self {
        Self {
            all: self.all.clone(),
            folder: self.folder.join(name_of(folder)),
        }
    }

    /// The entry of a result file, if it was read in this very state.
    pub(super) fn read(&self, file_name: &str, stamp: Stamp, seen: &mut Seen) -> Option<Entry> {
        let mut file = fs::File::open(self.path(file_name)).ok()?;
        // One read is enough where the file is as long as the last one.
        let guess = seen.length.max(HEADER);
        let mut held = seen.fill(&mut file, 0, guess)?;
        let header = Header::from_bytes(seen.buffer.first_chunk()?)?;
        let length = HEADER.checked_add(header.body_length()?)?;
        if header.stamp != stamp {
            return None;
        }
        if held < length && length - held <= remaining(&file)? {
            held += seen.fill(&mut file, held, length)?;
        }
        if held < length {
            return None;
        }
        seen.length = length;
        let body = &seen.buffer[HEADER..length];
        if Digest::new().with(body).value() != header.body_digest {
            return None;
        }
        let known = seen
            .layouts
            .iter()
            .find(|layout| layout.hash == header.layout);
        let layout = if let Some(layout) = known {
            Arc::clone(layout)
        } else {
            let layout = header.read_layout(&mut file, length)?;
            seen.layouts.push(Arc::clone(&layout));
            layout
        };
        header.entry(&seen.buffer[HEADER..length], layout)
    }

    /// Remembers an entry. A failure is no error: the file is read again the next time.
    pub(super) fn write(&self, file_name: &str, stamp: Stamp, entry: &Entry) {
        self.try_write(file_name, &encode(stamp, entry)).ok();
    }

    fn try_write(&self, file_name: &str, bytes: &[u8]) -> io::Result<()> {
        if !self.folder.is_dir() {
            fs::create_dir_all(&self.folder)?;
            self.remove_forgotten();
        }
        // Nothing is lost when the machine stops here, so nothing is synced.
        let mut temporary = tempfile::Builder::new()
            .prefix(".new-")
            .tempfile_in(&self.folder)?;
        temporary.write_all(bytes)?;
        temporary.persist(self.path(file_name))?;
        Ok(())
    }

    /// Removes what belongs to result files that are gone. `present` are the files of the results
    /// folder.
    pub(super) fn retain(&self, present: impl Fn(&str) -> bool) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let known = name
                .to_str()
                .and_then(|name| name.strip_suffix(SUFFIX))
                .is_some_and(&present);
            if !known && !name.as_encoded_bytes().starts_with(b".new-") {
                fs::remove_file(entry.path()).ok();
            }
        }
    }

    /// Removes the caches of results folders that got no new machine for long. One that is still in
    /// use is made again.
    fn remove_forgotten(&self) {
        let Ok(folders) = fs::read_dir(&self.all) else {
            return;
        };
        for folder in folders.flatten() {
            let changed = folder.metadata().and_then(|data| data.modified());
            let forgotten = changed.is_ok_and(|changed| {
                SystemTime::now()
                    .duration_since(changed)
                    .is_ok_and(|age| age > KEPT)
            });
            if forgotten {
                fs::remove_dir_all(folder.path()).ok();
            }
        }
    }

    fn path(&self, file_name: &str) -> PathBuf {
        self.folder.join(format!("{file_name}{SUFFIX}"))
    }
}

/// A folder's name in the cache.
fn name_of(path: &Path) -> String {
    let digest = Digest::new().with(path.as_os_str().as_encoded_bytes());
    format!("{:016x}", digest.value())
}

const SUFFIX: &str = ".numbers";

/// What one reading of a cache leaves for the next.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The layouts so far: an entry that has one of them is read without its keys.
    layouts: Vec<Arc<Layout>>,
    buffer: Vec<u8>,
    /// Length of the last entry without its keys.
    length: usize,
}

impl Seen {
    /// Reads into the buffer from `start` up to `end`; returns how many bytes came.
    fn fill(&mut self, file: &mut fs::File, start: usize, end: usize) -> Option<usize> {
        if self.buffer.len() < end {
            self.buffer.resize(end, 0);
        }
        let mut held = start;
        while held < end {
            match file.read(&mut self.buffer[held..end]) {
                Ok(0) => break,
                Ok(count) => held += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
        Some(held - start)
    }
}

/// Bytes that the file can have left at most, so that a damaged length reserves no memory.
fn remaining(file: &fs::File) -> Option<usize> {
    usize::try_from(file.metadata().ok()?.len()).ok()
}
