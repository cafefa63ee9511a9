//! Files that must not be lost: atomic replacement, append-only files and advisory locks.

mod stamp;

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use fs_err as fs;
use fs_err::os::unix::fs::OpenOptionsExt;

pub use stamp::Stamp;

/// Mode of a new file before the process's umask.
const NEW_FILE_MODE: u32 = 0o666;

/// How names of temporary files begin and end.
const TEMPORARY: (&str, &str) = (".lcmbench-", ".tmp");

/// Whether a file's name is that of a temporary file of [`write_atomic`]; one remains only if the
/// process was killed within a write.
pub fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1)
}

/// Why a file could not be written or locked.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}", path.display())]
pub struct FileError {
    /// What was tried: `write`, `append to`, `lock`.
    pub action: &'static str,
    pub path: PathBuf,
    #[source]
    pub source: io::Error,
}

impl FileError {
    /// An error of `action` on `path`.
    pub fn new(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self {
            action,
            path: path.to_owned(),
            source,
        }
    }
}

/// Replaces the file at `path`, or makes it: a reader sees the old content or the new, never a part.
///
/// The content goes to a temporary file in the same folder (whose name does not end in the file's
/// extension), reaches the disk, and takes the file's name. On any error, a full disk included, the
/// old file is untouched and the temporary one is gone. A new file has the mode of any new file
/// (0644 under the usual umask), a replaced one keeps its own. A symbolic link stays one. Missing
/// folders are made. A pipe or a device is written into.
pub fn write_atomic(path: &Path, content: &[u8]) -> Result<(), FileError> {
    replace(path, content, true).map_err(|source| FileError::new("write", path, source))
}

/// As [`write_atomic`], but the content need not have reached the disk: for what can be made again
/// after the machine stopped. Many files are written so in the time of one that is waited for.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), FileError> {
    replace(path, content, false).map_err(|source| FileError::new("write", path, source))
}

fn replace(path: &Path, content: &[u8], synced: bool) -> io::Result<()> {
    let target = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => fs::canonicalize(path)?,
        _ => path.to_owned(),
    };
    // A pipe or a device (`/dev/null`) takes the content; a file in its place would be in everybody's way.
    if fs::metadata(&target).is_ok_and(|known| !known.is_file() && !known.is_dir()) {
        return fs::OpenOptions::new()
            .write(true)
            .open(&target)?
            .write_all(content);
    }
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut temporary = tempfile::Builder::new()
        .prefix(TEMPORARY.0)
        .suffix(TEMPORARY.1)
        .permissions(Permissions::from_mode(NEW_FILE_MODE))
        .tempfile_in(folder)?;
    if let Ok(metadata) = fs::metadata(&target) {
        temporary
            .as_file()
            .set_permissions(metadata.permissions())?;
    }
    temporary.write_all(content)?;
    if synced {
        temporary.as_file().sync_all()?;
    }
    temporary.persist(&target).map_err(|error| error.error)?;
    if !synced {
        return Ok(());
    }
    // The name reaches the disk with the folder; not every file system can sync one.
    fs::File::open(folder)
        .and_then(|folder| folder.sync_all())
        .ok();
    Ok(())
}

/// Bytes that this user may still write on the disk of a folder.
pub fn free_bytes(folder: &Path) -> Result<u64, FileError> {
    let disk = rustix::fs::statvfs(folder)
        .map_err(|error| FileError::new("read the free space of", folder, error.into()))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// A file that only grows, a line at a time; a kill leaves at most its last line unfinished.
#[derive(Debug)]
pub struct AppendFile {
    file: fs::File,
    length: u64,
}

impl AppendFile {
    /// Makes the file; it is an error if it is there already.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let file = fs::OpenOptions::new()
            .append(true)
            .create_new(true)
            .mode(NEW_FILE_MODE)
            .open(path)
            .map_err(|source| FileError::new("write", path, source))?;
        Ok(Self { file, length: 0 })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Adds `line`, which has no line end. A line that does not fit the disk is taken back whole.
    pub fn append_line(&mut self, line: &str) -> Result<(), FileError> {
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        if let Err(source) = self.file.write_all(&bytes) {
            self.file.set_len(self.length).ok();
            return Err(FileError::new("append to", self.path(), source));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Locks the file until it is dropped, if nobody else has and the file system can.
    pub fn try_lock(&self) -> Result<LockOutcome, FileError> {
        try_lock(self.file.file()).map_err(|source| FileError::new("lock", self.path(), source))
    }
}

/// What came of an attempt to lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockOutcome {
    /// The lock is ours until the file is closed.
    Held,
    /// Somebody else has it.
    Busy,
    /// The file system has no locks (some network file systems).
    Unsupported,
}

/// An advisory lock on a file or folder, released when it is dropped or the process ends.
#[derive(Debug)]
pub struct Lock {
    /// Closing it releases the lock.
    _file: fs::File,
    outcome: LockOutcome,
}

impl Lock {
    /// Waits for the lock on `path`, which must exist. On a file system without locks this returns
    /// at once and [`Lock::outcome`] says so: the caller then relies on atomic renames alone.
    pub fn wait(path: &Path) -> Result<Self, FileError> {
        let error = |source| FileError::new("lock", path, source);
        let file = fs::File::open(path).map_err(error)?;
        let outcome = match file.file().lock() {
            Ok(()) => LockOutcome::Held,
            Err(source) if without_locks(&source) => LockOutcome::Unsupported,
            Err(source) => return Err(error(source)),
        };
        Ok(Self {
            _file: file,
            outcome,
        })
    }

    /// Takes the lock on `path`, which must exist, if it is free.
    pub fn attempt(path: &Path) -> Result<Self, FileError> {
        let error = |source| FileError::new("lock", path, source);
        let file = fs::File::open(path).map_err(error)?;
        let outcome = try_lock(file.file()).map_err(error)?;
        Ok(Self {
            _file: file,
            outcome,
        })
    }

    /// Whether the lock is really held.
    pub fn outcome(&self) -> LockOutcome {
        self.outcome
    }
}

fn try_lock(file: &std::fs::File) -> io::Result<LockOutcome> {
    match file.try_lock() {
        Ok(()) => Ok(LockOutcome::Held),
        Err(std::fs::TryLockError::WouldBlock) => Ok(LockOutcome::Busy),
        Err(std::fs::TryLockError::Error(source)) if without_locks(&source) => {
            Ok(LockOutcome::Unsupported)
        }
        Err(std::fs::TryLockError::Error(source)) => Err(source),
    }
}

/// Whether the error says that this file system cannot lock (this descriptor).
fn without_locks(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported
        || matches!(
            error.raw_os_error(),
            Some(libc::ENOLCK | libc::ENOSYS | libc::EOPNOTSUPP | libc::EINVAL | libc::EBADF)
        )
}

#[cfg(test)]
mod tests;
