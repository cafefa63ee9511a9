use std::os::unix::fs::symlink;
use std::process::Command;

use super::*;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn content_is_replaced_and_nothing_else_remains() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine").join("a.json");
    write_atomic(&path, b"one").unwrap();
    write_atomic(&path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    assert_eq!(names(path.parent().unwrap()), ["a.json"]);
}

#[test]
fn a_new_file_has_the_usual_mode_and_an_old_one_keeps_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let usual = folder.path().join("usual");
    fs::write(&usual, "").unwrap();
    let path = folder.path().join("a.json");
    write_atomic(&path, b"one").unwrap();
    assert_eq!(mode(&path), mode(&usual));
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    write_atomic(&path, b"two").unwrap();
    assert_eq!(mode(&path), 0o640);
}

#[test]
fn a_symbolic_link_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target.json");
    fs::write(&target, "one").unwrap();
    let link = folder.path().join("link.json");
    symlink("target.json", &link).unwrap();
    write_atomic(&link, b"two").unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"two");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn a_pipe_is_written_into_and_stays_one() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        &path,
        rustix::fs::Mode::from_raw_mode(0o600),
    )
    .unwrap();
    let reader = std::thread::spawn({
        let path = path.clone();
        move || fs::read_to_string(path).unwrap()
    });
    write_atomic(&path, b"said").unwrap();
    assert_eq!(reader.join().unwrap(), "said");
    assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
}

#[test]
fn an_error_names_the_file_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let occupied = folder.path().join("occupied");
    fs::write(&occupied, "").unwrap();
    let path = occupied.join("a.json");
    let error = write_atomic(&path, b"x").unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("cannot write {}", path.display())
    );
    // A folder in the place of the file: the content is written, the rename fails.
    let taken = folder.path().join("taken");
    fs::create_dir(&taken).unwrap();
    assert!(write_atomic(&taken, b"x").is_err());
    assert_eq!(names(folder.path()), ["occupied", "taken"]);
}

/// A small memory file system, which root may mount; `None` where that is not allowed.
struct SmallDisk {
    folder: tempfile::TempDir,
}

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(folder.path())
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(Self { folder })
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        Command::new("umount").arg(self.folder.path()).status().ok();
    }
}

#[test]
fn a_full_disk_leaves_the_old_file_and_no_temporary_one() {
    let Some(disk) = SmallDisk::mount() else {
        eprintln!("skipped: a small file system cannot be mounted here");
        return;
    };
    let path = disk.folder.path().join("a.json");
    write_atomic(&path, b"old").unwrap();
    let error = write_atomic(&path, &vec![b'x'; 200_000]).unwrap_err();
    assert_eq!(error.source.kind(), io::ErrorKind::StorageFull);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(disk.folder.path()), ["a.json"]);

    let mut journal = AppendFile::create(&disk.folder.path().join("journal")).unwrap();
    journal.append_line("first").unwrap();
    assert!(journal.append_line(&"x".repeat(200_000)).is_err());
    journal.append_line("second").unwrap();
    assert_eq!(fs::read(journal.path()).unwrap(), b"first\nsecond\n");
}

#[test]
fn lines_are_appended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let mut file = AppendFile::create(&path).unwrap();
    file.append_line("one").unwrap();
    file.append_line("two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\n");
    assert!(AppendFile::create(&path).is_err());
}

#[test]
fn a_lock_keeps_others_out_until_it_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let first = Lock::wait(folder.path()).unwrap();
    if first.outcome() == LockOutcome::Unsupported {
        eprintln!("skipped: this file system has no locks");
        return;
    }
    let outcome = |path| Lock::attempt(path).unwrap().outcome();
    assert_eq!(outcome(folder.path()), LockOutcome::Busy);
    drop(first);
    assert_eq!(outcome(folder.path()), LockOutcome::Held);
    assert!(Lock::attempt(&folder.path().join("missing")).is_err());
}

#[test]
fn an_appended_file_can_be_locked_by_its_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let file = AppendFile::create(&path).unwrap();
    assert_eq!(file.try_lock().unwrap(), LockOutcome::Held);
    assert_eq!(Lock::attempt(&path).unwrap().outcome(), LockOutcome::Busy);
    drop(file);
    assert_eq!(Lock::attempt(&path).unwrap().outcome(), LockOutcome::Held);
}

#[test]
fn errors_of_file_systems_without_locks_are_known() {
    assert!(without_locks(&io::Error::from_raw_os_error(libc::ENOLCK)));
    assert!(without_locks(&io::Error::from_raw_os_error(
        libc::EOPNOTSUPP
    )));
    assert!(!without_locks(&io::Error::from_raw_os_error(libc::EIO)));
}
