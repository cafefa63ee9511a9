//! The bytes of a cache file: a header, texts and numbers, then the keys of the layout.

use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use fs_err as fs;

use super::digest::Digest;
use super::entry::{Entry, Layout};

/// Begins every cache file; its last digit is the number of the format.
const MAGIC: &[u8; 8] = b"lcmhist3";

/// Words of eight bytes in the header.
const HEADER_WORDS: usize = 10;
pub(super) const HEADER: usize = HEADER_WORDS * 8;

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

/// The fixed part of a cache file: ten words, little-endian. The body follows (texts, medians,
/// floors), then the keys of the layout.
pub(super) struct Header {
    pub(super) stamp: Stamp,
    pub(super) layout: u64,
    rows: u64,
    has_floors: bool,
    dirty: bool,
    texts: u64,
    pub(super) body_digest: u64,
}

impl Header {
    pub(super) fn from_bytes(bytes: &[u8; HEADER]) -> Option<Self> {
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

    pub(super) fn body_length(&self) -> Option<usize> {
        usize::try_from(self.texts.checked_add(self.columns_length()?)?).ok()
    }

    /// The keys that follow the body.
    pub(super) fn read_layout(&self, file: &mut fs::File, at: usize) -> Option<Arc<Layout>> {
        let mut keys = Vec::new();
        file.seek(SeekFrom::Start(u64::try_from(at).ok()?)).ok()?;
        file.read_to_end(&mut keys).ok()?;
        let layout = Layout::from_bytes(&keys);
        let fits = layout.hash == self.layout && layout.keys.len() as u64 == self.rows;
        fits.then(|| Arc::new(layout))
    }

    pub(super) fn entry(&self, body: &[u8], layout: Arc<Layout>) -> Option<Entry> {
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

pub(super) fn encode(stamp: Stamp, entry: &Entry) -> Vec<u8> {
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
