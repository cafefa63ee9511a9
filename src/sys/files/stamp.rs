//! Whether a file is still the one that was seen, without reading it.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use fs_err as fs;

/// A file that was changed so shortly before it was stamped may have been changed once more within the
/// same tick of the file system's clock.
const TICK: Duration = Duration::from_millis(100);

/// What tells one state of a file from another: size, times and number on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp([i64; 6]);

impl Stamp {
    /// The present one; `None` where there is no file.
    pub fn of(path: &Path) -> Option<Self> {
        let data = fs::metadata(path).ok()?;
        Some(Self([
            i64::try_from(data.size()).ok()?,
            data.mtime(),
            data.mtime_nsec(),
            data.ctime(),
            data.ctime_nsec(),
            data.ino().cast_signed(),
        ]))
    }

    /// As it is stored.
    pub fn numbers(self) -> [i64; 6] {
        self.0
    }

    /// From what was stored.
    pub fn from_numbers(numbers: [i64; 6]) -> Self {
        Self(numbers)
    }

    /// Whether the file was changed before this time (since 1970).
    pub fn is_before(self, time: Duration) -> bool {
        let seconds = u64::try_from(self.0[3]).unwrap_or(0);
        let fraction = u64::try_from(self.0[4]).unwrap_or(u64::MAX);
        Duration::from_secs(seconds).saturating_add(Duration::from_nanos(fraction)) < time
    }

    /// Stamps of files that were changed before this time (since 1970) and are taken now tell any later
    /// change.
    pub fn trusted_before() -> Duration {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.unwrap_or_default().saturating_sub(TICK)
    }
}
