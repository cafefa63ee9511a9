//! The numbers of all result files of a history, so that no file is read for them twice.
//!
//! One file, to which is added: pieces of a kind, a length, a checksum and that many bytes. A piece
//! that is damaged ends it, and what came after is read from the result files again. It is of one
//! version of this program and one set of rules, and may be deleted at any time.

use std::collections::{HashMap, HashSet};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fs_err as fs;

use super::FileValues;
use super::record::Dictionary;
use crate::history::gather::digest;
use crate::history::values::RowKey;
use crate::json::Scanner;
use crate::results::axes;

/// Raised whenever what is stored changes.
const FORMAT: &str = "lcmbench values 1";

/// Bytes of a piece before its content: kind, length, checksum.
const HEAD: usize = 24;

/// Characters of a digest.
const DIGEST: usize = 32;

/// Kinds of pieces.
const KEY: u32 = 1;
const VERSION: u32 = 2;
const RECORD: u32 = 3;

/// Values of result files by the digest of the file's content.
#[derive(Debug)]
pub(in crate::history) struct KeptValues {
    path: Option<PathBuf>,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// `None` where nothing can be kept.
    file: Option<std::fs::File>,
    end: u64,
    dictionary: Dictionary,
    /// Keys by benchmark and axes, as they stand in files.
    keys: HashMap<String, Arc<RowKey>>,
    /// Where each record is, and its length.
    records: HashMap<String, (u64, usize)>,
    /// Of the records, those that were asked for.
    used: HashSet<String>,
}

impl KeptValues {
    /// Opens the file of these rules, or makes it; without a path, one that goes with the process.
    pub(in crate::history) fn open(path: Option<&Path>, rules: &str) -> Self {
        let mark = digest(format!("{FORMAT} {} {rules}", env!("CARGO_PKG_VERSION")).as_bytes());
        let opened = path.map_or_else(
            || Inner::begin(tempfile::tempfile().ok()?, &mark),
            |path| Inner::read(path, &mark).or_else(|| Inner::begin(new_file(path)?, &mark)),
        );
        Self {
            path: path.map(Path::to_owned),
            inner: Mutex::new(opened.unwrap_or_default()),
        }
    }

    pub(in crate::history) fn has(&self, digest: &str) -> bool {
        self.lock().records.contains_key(digest)
    }

    pub(in crate::history) fn get(&self, digest: &str) -> Option<FileValues> {
        self.lock().get(digest)
    }

    /// Remembers values. A failure is no error: the file is read again.
    pub(in crate::history) fn add(&self, digest: &str, values: &FileValues) {
        let mut inner = self.lock();
        if !inner.records.contains_key(digest) && inner.add(digest, values).is_none() {
            // What was half written is damaged, and ends what can be read.
            inner.file = None;
        }
    }

    /// The key of a row with these axes, as they stand in a file.
    pub(super) fn key_of(&self, benchmark: &str, params: &str) -> Option<Arc<RowKey>> {
        let text = format!("{benchmark}\0{params}");
        let mut inner = self.lock();
        if let Some(key) = inner.keys.get(&text) {
            return Some(Arc::clone(key));
        }
        let params = axes(Scanner::new(params).value()?);
        let key = RowKey {
            benchmark: benchmark.into(),
            params,
        };
        let key = inner.dictionary.known(key);
        inner.keys.insert(text, Arc::clone(&key));
        Some(key)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for KeptValues {
    /// A file of which most is of no use any more begins anew the next time.
    fn drop(&mut self) {
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (used, all) = (inner.used.len(), inner.records.len());
        if let Some(path) = &self.path
            && used > 0
            && used * 2 < all
        {
            fs::remove_file(path).ok();
        }
    }
}

fn new_file(path: &Path) -> Option<std::fs::File> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(true);
    let (file, _) = options.open(path).ok()?.into_parts();
    Some(file)
}

impl Inner {
    fn begin(mut file: std::fs::File, mark: &str) -> Option<Self> {
        file.write_all(mark.as_bytes()).ok()?;
        Some(Self {
            file: Some(file),
            end: DIGEST as u64,
            ..Self::default()
        })
    }

    /// What is in the file, if it is of this mark.
    fn read(path: &Path, mark: &str) -> Option<Self> {
        let options = fs::OpenOptions::new().read(true).write(true).clone();
        let (file, _) = options.open(path).ok()?.into_parts();
        let mut inner = Self::default();
        let mut from = BufReader::with_capacity(1 << 18, file);
        let mut found = [0; DIGEST];
        from.read_exact(&mut found).ok()?;
        (found == mark.as_bytes()).then_some(())?;
        inner.end = DIGEST as u64;
        let mut content = Vec::new();
        while let Some(kind) = read_piece(&mut from, &mut content) {
            inner.take(kind, &content)?;
            inner.end += (HEAD + content.len()) as u64;
        }
        let file = from.into_inner();
        // A damaged end is written over.
        file.set_len(inner.end).ok()?;
        inner.file = Some(file);
        Some(inner)
    }

    fn take(&mut self, kind: u32, content: &[u8]) -> Option<()> {
        match kind {
            KEY => {
                let key = RowKey::from_bytes(content)?;
                self.dictionary.add_key(Arc::new(key));
            }
            VERSION => {
                let version = std::str::from_utf8(content).ok()?;
                self.dictionary.add_version(version.into());
            }
            RECORD => {
                let name = std::str::from_utf8(content.get(..DIGEST)?).ok()?;
                let at = self.end + (HEAD + DIGEST) as u64;
                let place = (at, content.len() - DIGEST);
                self.records.insert(name.to_owned(), place);
            }
            _ => return None,
        }
        Some(())
    }

    fn get(&mut self, digest: &str) -> Option<FileValues> {
        let (at, length) = *self.records.get(digest)?;
        let file = self.file.as_mut()?;
        let mut record = vec![0; length];
        file.seek(SeekFrom::Start(at)).ok()?;
        file.read_exact(&mut record).ok()?;
        self.used.insert(digest.to_owned());
        self.dictionary.decode(&record)
    }

    fn add(&mut self, digest: &str, values: &FileValues) -> Option<()> {
        let (record, new) = self.dictionary.encode(values);
        let mut bytes = Vec::with_capacity(record.len() + 256);
        for key in new.keys {
            push_piece(&mut bytes, KEY, &[&key.to_bytes()]);
        }
        for version in new.versions {
            push_piece(&mut bytes, VERSION, &[version.as_bytes()]);
        }
        push_piece(&mut bytes, RECORD, &[digest.as_bytes(), &record]);
        let file = self.file.as_mut()?;
        file.seek(SeekFrom::Start(self.end)).ok()?;
        file.write_all(&bytes).ok()?;
        self.end += bytes.len() as u64;
        let at = self.end - record.len() as u64;
        self.records.insert(digest.to_owned(), (at, record.len()));
        Some(())
    }
}

fn push_piece(out: &mut Vec<u8>, kind: u32, parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    out.extend_from_slice(&kind.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&(length as u64).to_le_bytes());
    let from = out.len();
    out.extend_from_slice(&[0; 8]);
    for part in parts {
        out.extend_from_slice(part);
    }
    let sum = checksum(&out[from + 8..]);
    out[from..from + 8].copy_from_slice(&sum.to_le_bytes());
}

/// The next piece's content, and its kind; `None` at the end and at what is damaged.
fn read_piece(from: &mut impl Read, content: &mut Vec<u8>) -> Option<u32> {
    let mut head = [0; HEAD];
    from.read_exact(&mut head).ok()?;
    let word = |at: usize| Some(u64::from_le_bytes(*head.get(at..)?.first_chunk()?));
    let (length, sum) = (word(8)?, word(16)?);
    content.clear();
    // A damaged length reserves no memory.
    from.take(length).read_to_end(content).ok()?;
    let whole = content.len() as u64 == length && checksum(content) == sum;
    whole.then_some(u32::from_le_bytes(*head.first_chunk()?))
}

/// Finds damage; protects against no attacker.
fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let all = words.iter().chain(std::iter::once(&last));
    all.fold(bytes.len() as u64, |sum, word| {
        (sum ^ u64::from_le_bytes(*word))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29)
    })
}
