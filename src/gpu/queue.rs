//! The queue before one GPU, for all processes of a host.
//!
//! A process in the queue has a ticket: a file with a number, which the process holds locked for as
//! long as it lives. The living ticket with the smallest number has the GPU. The kernel takes the lock
//! off a process that dies, however it dies, so that a dead one is never waited for. New tickets are
//! made, and those of the dead removed, only by who holds the lock of the door; so a number is above
//! all that were there before, and nobody sees a ticket that is not locked yet.

use std::fs::Permissions;
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use fs_err as fs;
use fs_err::os::unix::fs::OpenOptionsExt;

use super::holder::{Holder, now};
use crate::sys::env::Environment;
use crate::sys::files::FileError;

/// The variable that names another folder than the usual one, for containers that share a GPU.
pub const FOLDER_VARIABLE: &str = "LCMBENCH_LOCK_DIR";

/// One folder for all users of the host, whatever their `TMPDIR`.
const USUAL_FOLDER: &str = "/tmp/lcmbench-locks";

/// Everybody may enter; a file is removed by its owner alone.
const SHARED_FOLDER: u32 = 0o1777;

/// Everybody may read.
const SHARED_FILE: u32 = 0o644;

const DOOR: &str = "door";
const TICKET: &str = ".ticket";

/// The queue before one GPU.
#[derive(Debug, Clone)]
pub struct Queue {
    folder: PathBuf,
}

/// Somebody in the queue who is alive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub number: u64,
    pub holder: Holder,
}

/// A place in the queue. Dropping it gives it up.
#[derive(Debug)]
pub(super) struct Ticket {
    queue: Queue,
    number: u64,
    path: PathBuf,
    file: fs::File,
    holder: Holder,
}

impl Queue {
    /// The queue of the GPU with this UUID; nothing is made yet.
    pub fn of(uuid: &str, environment: &Environment) -> Self {
        let root = environment.path(FOLDER_VARIABLE);
        Self {
            folder: root
                .unwrap_or_else(|| USUAL_FOLDER.into())
                .join(file_name(uuid)),
        }
    }

    /// Everybody alive in the queue, who has the GPU first.
    pub fn places(&self) -> Result<Vec<Place>, FileError> {
        if !self.folder.is_dir() {
            return Ok(Vec::new());
        }
        let _door = self.door()?;
        let mut places = Vec::new();
        for (number, path) in self.tickets()? {
            if let Some(content) = living(&path) {
                let holder = Holder::of_line(&content);
                places.push(Place { number, holder });
            }
        }
        Ok(places)
    }

    /// Takes a place at the end.
    pub(super) fn enter(&self, holder: Holder) -> Result<Ticket, FileError> {
        if let Some(root) = self.folder.parent() {
            make_shared(root)?;
        }
        make_shared(&self.folder)?;
        let _door = self.door()?;
        let mut last = 0;
        for (number, path) in self.tickets()? {
            last = last.max(number);
            if living(&path).is_none() {
                // Another user's cannot be removed, and does no harm.
                fs::remove_file(&path).ok();
            }
        }
        let number = last + 1;
        let path = self.folder.join(format!("{number:012}{TICKET}"));
        let error = |source| FileError::new("make", &path, source);
        let file = fs::OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(SHARED_FILE)
            .open(&path)
            .map_err(error)?;
        file.file().lock().map_err(error)?;
        let mut ticket = Ticket {
            queue: self.clone(),
            number,
            path: path.clone(),
            file,
            holder,
        };
        ticket.write().map_err(error)?;
        Ok(ticket)
    }

    /// Holds the door until the file is closed. Nobody holds it for longer than a few system calls.
    fn door(&self) -> Result<fs::File, FileError> {
        let path = self.folder.join(DOOR);
        let error = |source| FileError::new("lock", &path, source);
        let file = open_or_make(&path).map_err(error)?;
        file.file().lock().map_err(error)?;
        Ok(file)
    }

    /// Numbers and files of all tickets, ascending.
    fn tickets(&self) -> Result<Vec<(u64, PathBuf)>, FileError> {
        let error = |source| FileError::new("read", &self.folder, source);
        let mut tickets = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(error)? {
            let path = entry.map_err(error)?.path();
            let name = path.file_name().map(|name| name.to_string_lossy());
            let number = name
                .as_deref()
                .and_then(|name| name.strip_suffix(TICKET))
                .and_then(|digits| digits.parse().ok());
            if let Some(number) = number {
                tickets.push((number, path));
            }
        }
        tickets.sort_unstable();
        Ok(tickets)
    }
}

impl Ticket {
    /// Whether nobody alive is before it. Looks at the nearest first: as long as that one lives, it is
    /// the only file that is opened.
    pub(super) fn is_first(&self) -> Result<bool, FileError> {
        let tickets = self.queue.tickets()?;
        let mut before = tickets
            .iter()
            .rev()
            .filter(|(number, _)| *number < self.number);
        Ok(!before.any(|(_, path)| living(path).is_some()))
    }

    /// Who is before it.
    pub(super) fn before(&self) -> Result<Vec<Place>, FileError> {
        let mut places = self.queue.places()?;
        places.retain(|place| place.number < self.number);
        Ok(places)
    }

    /// Notes that the waiting is over.
    pub(super) fn note_turn(&mut self) -> Result<(), FileError> {
        self.holder.holding_since = Some(now());
        self.write()
            .map_err(|source| FileError::new("write", &self.path, source))
    }

    fn write(&mut self) -> io::Result<()> {
        let line = self.holder.to_line();
        self.file.rewind()?;
        self.file.file().set_len(0)?;
        self.file.write_all(line.as_bytes())
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        // The lock goes with the file, a moment later: a ticket that is not there is not alive.
        fs::remove_file(&self.path).ok();
    }
}

/// The content of a ticket whose owner lives; `None` for a dead one's, and for one that is gone.
fn living(path: &Path) -> Option<String> {
    let mut file = open_plainly(path).ok()?;
    match file.file().try_lock_shared() {
        Err(std::fs::TryLockError::WouldBlock) => {
            let mut content = String::new();
            file.read_to_string(&mut content).ok();
            Some(content)
        }
        // What cannot be locked at all is nobody's to wait for.
        Ok(()) | Err(std::fs::TryLockError::Error(_)) => None,
    }
}

fn open_plainly(path: &Path) -> io::Result<fs::File> {
    // In a folder that everybody can write to a name may be another's link.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    fs::OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path)
}

fn open_or_make(path: &Path) -> io::Result<fs::File> {
    loop {
        match open_plainly(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            other => return other,
        }
        let made = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(SHARED_FILE)
            .open(path);
        match made {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
    }
}

/// Makes a folder that all users can use, if it is not there.
fn make_shared(folder: &Path) -> Result<(), FileError> {
    let error = |source| FileError::new("make", folder, source);
    match fs::create_dir(folder) {
        // The umask would take the rights of others.
        Ok(()) => fs::set_permissions(folder, Permissions::from_mode(SHARED_FOLDER)).map_err(error),
        Err(source) if source.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(source) => Err(error(source)),
    }
}

/// A UUID as the name of a folder.
fn file_name(uuid: &str) -> String {
    uuid.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue() -> (tempfile::TempDir, Queue) {
        let root = tempfile::tempdir().unwrap();
        let environment: Environment = [(FOLDER_VARIABLE, root.path().join("locks"))]
            .into_iter()
            .collect();
        (root, Queue::of("GPU-1/../x", &environment))
    }

    fn holder(pid: u32) -> Holder {
        Holder {
            pid,
            ..Holder::default()
        }
    }

    fn pids(queue: &Queue) -> Vec<u32> {
        let places = queue.places().unwrap();
        places.iter().map(|place| place.holder.pid).collect()
    }

    #[test]
    fn who_came_first_has_it_and_then_the_next() {
        let (_root, queue) = queue();
        assert!(queue.places().unwrap().is_empty());
        let mut first = queue.enter(holder(1)).unwrap();
        let second = queue.enter(holder(2)).unwrap();
        let third = queue.enter(holder(3)).unwrap();
        assert!(first.is_first().unwrap());
        assert!(!second.is_first().unwrap() && !third.is_first().unwrap());
        first.note_turn().unwrap();
        assert_eq!(pids(&queue), [1, 2, 3]);
        assert!(queue.places().unwrap()[0].holder.holding_since.is_some());
        assert_eq!(third.before().unwrap().len(), 2);
        // One in the middle gives up.
        drop(second);
        assert!(!third.is_first().unwrap());
        drop(first);
        assert!(third.is_first().unwrap());
        let fourth = queue.enter(holder(4)).unwrap();
        assert!(!fourth.is_first().unwrap());
        assert_eq!(pids(&queue), [3, 4]);
    }

    #[test]
    fn the_ticket_of_a_dead_process_is_passed_over_and_removed() {
        let (_root, queue) = queue();
        let first = queue.enter(holder(1)).unwrap();
        let dead = queue.folder.join("000000000002.ticket");
        fs::write(&dead, holder(2).to_line()).unwrap();
        assert_eq!(pids(&queue), [1]);
        let third = queue.enter(holder(3)).unwrap();
        assert!(!dead.exists());
        drop(first);
        assert!(third.is_first().unwrap());
    }

    #[test]
    fn the_folders_are_for_all_users() {
        let (root, queue) = queue();
        let _ticket = queue.enter(holder(1)).unwrap();
        for folder in [root.path().join("locks"), queue.folder.clone()] {
            let mode = fs::metadata(&folder).unwrap().permissions().mode();
            assert_eq!(mode & 0o7777, SHARED_FOLDER, "{folder:?}");
        }
        assert!(queue.folder.ends_with("locks/GPU-1----x"));
    }
}
