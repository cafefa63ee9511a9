//! Whose a process on the GPU is.

use fs_err as fs;

/// How long a line of ancestors may be; a longer one is a circle of a table that changes meanwhile.
const MOST_ANCESTORS: usize = 200;

/// Whose process it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// This program or something that it started.
    Ours,
    Foreign,
    /// Its number means nothing here: it lives in another namespace of processes, or has just ended.
    Unknown,
}

/// Whose the process of this number is.
pub(super) fn owner_of(pid: u32) -> Owner {
    owner_by(pid, std::process::id(), parent_of)
}

/// Follows the ancestors of `pid` up to `own`.
fn owner_by(pid: u32, own: u32, parent_of: impl Fn(u32) -> Option<u32>) -> Owner {
    let mut next = pid;
    for step in 0..MOST_ANCESTORS {
        if next == own {
            return Owner::Ours;
        }
        match parent_of(next) {
            Some(0) => return Owner::Foreign,
            Some(parent) => next = parent,
            // The process itself cannot be seen.
            None if step == 0 => return Owner::Unknown,
            // An ancestor has just ended; what it leaves behind goes to another parent.
            None => return owner_again(pid, own, &parent_of),
        }
    }
    Owner::Foreign
}

fn owner_again(pid: u32, own: u32, parent_of: &impl Fn(u32) -> Option<u32>) -> Owner {
    match parent_of(pid) {
        Some(parent) if parent == own => Owner::Ours,
        Some(_) => Owner::Foreign,
        None => Owner::Unknown,
    }
}

/// The parent of a process; 0 for one that has none here.
fn parent_of(pid: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything, blanks and parentheses included.
    let (_, rest) = text.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

/// What a process is called, if it can be seen.
pub(super) fn name_of(pid: u32) -> Option<String> {
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descendant_is_ours_and_others_are_not() {
        let parents = |pid: u32| match pid {
            1 => Some(0),
            10 | 20 => Some(1),
            11 => Some(10),
            12 => Some(11),
            _ => None,
        };
        assert_eq!(owner_by(12, 10, parents), Owner::Ours);
        assert_eq!(owner_by(10, 10, parents), Owner::Ours);
        assert_eq!(owner_by(20, 10, parents), Owner::Foreign);
        assert_eq!(owner_by(99, 10, parents), Owner::Unknown);
    }

    #[test]
    fn this_process_is_its_own_and_its_parent_is_not() {
        let own = std::process::id();
        assert_eq!(owner_of(own), Owner::Ours);
        let parent = parent_of(own).unwrap();
        assert_eq!(owner_of(parent), Owner::Foreign);
        assert!(name_of(own).is_some());
    }
}
