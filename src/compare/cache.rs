//! The numbers of result files that were read before, in the user's cache folder.
//!
//! One small file for each result file, in a folder for each machine of each results folder. It holds size and time
//! of change of the result file, and is of no use as soon as one of them differs. A damaged file
//! counts as none; a folder that cannot be written is gone without.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use fs_err as fs;

use crate::sys::env::Environment;

use super::digest::Digest;
use super::entry::{Entry, Layout};

/// Begins every cache file; its last digit is the number of the format.
const MAGIC: &[u8; 8] = b"lcmhist2";

/// Words of eight bytes in the header.
const HEADER_WORDS: usize = 10;
const HEADER: usize = HEADER_WORDS * 8;

/// Caches of results folders to which nothing was added for this long are removed.
const KEPT: Duration = Duration::from_hours(24 * 90);

/// The cache of one results folder or, within it, of one machine.
#[derive(Debug, Clone)]
pub struct Cache {
    /// Where the caches of all results folders are.
    all: PathBuf,
    folder: PathBuf,
}

/// What tells one state of a result file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    size: u64,
    seconds: i64,
    nanoseconds: i64,
}

impl Stamp {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        Ok(Self {
            size: metadata.size(),
            seconds: metadata.mtime(),
            nanoseconds: metadata.mtime_nsec(),
        })
    }
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

/// The fixed part of a cache file: ten words, little-endian. The body follows (texts, medians,
/// floors), then the keys of the layout.
struct Header {
    stamp: Stamp,
    layout: u64,
    rows: u64,
    has_floors: bool,
    dirty: bool,
    texts: u64,
    body_digest: u64,
}

impl Header {
    fn from_bytes(bytes: &[u8; HEADER]) -> Option<Self> {
        let mut words = [0; HEADER_WORDS];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        let digest = Digest::new().with(&bytes[..HEADER - 8]).value();
        if words[0] != u64::from_le_bytes(*MAGIC) || words[HEADER_WORDS - 1] != digest {
            return None;
        }
        Some(Self {
            stamp: Stamp {
                size: words[1],
                seconds: words[2].cast_signed(),
                nanoseconds: words[3].cast_signed(),
            },
            layout: words[4],
            rows: words[5],
            has_floors: words[6] & 1 != 0,
            dirty: words[6] & 2 != 0,
            texts: words[7],
            body_digest: words[8],
        })
    }

    fn to_bytes(&self) -> Vec<u8> {
        let words = [
            u64::from_le_bytes(*MAGIC),
            self.stamp.size,
            self.stamp.seconds.cast_unsigned(),
            self.stamp.nanoseconds.cast_unsigned(),
            self.layout,
            self.rows,
            u64::from(self.has_floors) | u64::from(self.dirty) << 1,
            self.texts,
            self.body_digest,
        ];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let digest = Digest::new().with(&bytes).value();
        bytes.extend_from_slice(&digest.to_le_bytes());
        bytes
    }

    fn columns_length(&self) -> Option<u64> {
        self.rows.checked_mul(8 * (1 + u64::from(self.has_floors)))
    }

    fn body_length(&self) -> Option<usize> {
        usize::try_from(self.texts.checked_add(self.columns_length()?)?).ok()
    }

    /// The keys that follow the body.
    fn read_layout(&self, file: &mut fs::File, at: usize) -> Option<Arc<Layout>> {
        let mut keys = Vec::new();
        file.seek(SeekFrom::Start(u64::try_from(at).ok()?)).ok()?;
        file.read_to_end(&mut keys).ok()?;
        let layout = Layout::from_bytes(&keys);
        let fits = layout.hash == self.layout && layout.keys.len() as u64 == self.rows;
        fits.then(|| Arc::new(layout))
    }

    fn entry(&self, body: &[u8], layout: Arc<Layout>) -> Option<Entry> {
        let (texts, columns) = body.split_at_checked(usize::try_from(self.texts).ok()?)?;
        let mut numbers = columns
            .as_chunks::<8>()
            .0
            .iter()
            .map(|bytes| f64::from_le_bytes(*bytes));
        let rows = usize::try_from(self.rows).ok()?;
        let medians = numbers.by_ref().take(rows).collect();
        let floors = numbers.collect();
        let mut texts = std::str::from_utf8(texts)
            .ok()?
            .split('\0')
            .map(str::to_owned);
        Some(Entry {
            commit: texts.next()?,
            environment: texts.next()?,
            machine: texts.next()?,
            setup_scope: texts.next()?,
            dirty: self.dirty,
            layout,
            medians,
            floors,
        })
    }
}

fn encode(stamp: Stamp, entry: &Entry) -> Vec<u8> {
    let texts = [
        &entry.commit,
        &entry.environment,
        &entry.machine,
        &entry.setup_scope,
    ]
    .map(|text| text.replace('\0', " "))
    .join("\0");
    let mut body = texts.clone().into_bytes();
    for number in entry.medians.iter().chain(&entry.floors) {
        body.extend_from_slice(&number.to_le_bytes());
    }
    let header = Header {
        stamp,
        layout: entry.layout.hash,
        rows: entry.medians.len() as u64,
        has_floors: !entry.floors.is_empty(),
        dirty: entry.dirty,
        texts: texts.len() as u64,
        body_digest: Digest::new().with(&body).value(),
    };
    let mut bytes = header.to_bytes();
    bytes.append(&mut body);
    bytes.extend_from_slice(&entry.layout.to_bytes());
    bytes
}
