//! A stream of a child that is emptied without blocking and of which only the end is kept.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{Errno, read};

/// What a pipe holds at most by default; enough to empty it in one go.
const PIPE_CAPACITY: usize = 64 * 1024;

/// Makes reads and writes on our end of a pipe return instead of wait.
pub fn set_nonblocking(descriptor: impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(&descriptor)?;
    Ok(fcntl_setfl(&descriptor, flags | OFlags::NONBLOCK)?)
}

/// What one read brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Read {
    /// So many bytes.
    Some(usize),
    /// Nothing for now.
    Nothing,
    /// All writers have closed their ends.
    End,
}

/// Reads once from a descriptor that does not block.
pub fn read_once(descriptor: impl AsFd, buffer: &mut [u8]) -> io::Result<Read> {
    loop {
        return match read(&descriptor, &mut *buffer) {
            Ok(0) => Ok(Read::End),
            Ok(count) => Ok(Read::Some(count)),
            Err(Errno::AGAIN) => Ok(Read::Nothing),
            Err(Errno::INTR) => continue,
            Err(error) => Err(error.into()),
        };
    }
}

/// The reading end of a child's standard output or standard error.
#[derive(Debug)]
pub struct Stream {
    descriptor: Option<OwnedFd>,
    tail: Tail,
}

impl Stream {
    /// Takes over the reading end; the last `limit` bytes are kept.
    pub fn new(descriptor: OwnedFd, limit: usize) -> io::Result<Self> {
        set_nonblocking(&descriptor)?;
        Ok(Self {
            descriptor: Some(descriptor),
            tail: Tail::new(limit),
        })
    }

    /// The descriptor to wait for, unless all writers are gone.
    pub fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.descriptor.as_ref().map(AsFd::as_fd)
    }

    /// Takes in what one read brings.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<Read> {
        let Some(descriptor) = &self.descriptor else {
            return Ok(Read::End);
        };
        let read = read_once(descriptor, buffer)?;
        match read {
            Read::Some(count) => self.tail.push(&buffer[..count]),
            Read::Nothing => {}
            Read::End => self.descriptor = None,
        }
        Ok(read)
    }

    /// Takes in what lies in the pipe now. A writer that goes on for ever does not hold us.
    pub fn read_rest(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        let mut taken = 0;
        while taken <= PIPE_CAPACITY {
            match self.read(buffer)? {
                Read::Some(count) => taken += count,
                Read::Nothing | Read::End => break,
            }
        }
        Ok(())
    }

    /// What was kept, as text; see [`Tail::text`].
    pub fn text(&self) -> String {
        self.tail.text()
    }

    /// Forgets what was kept.
    pub fn clear(&mut self) {
        self.tail.clear();
    }
}

/// The last bytes of a stream.
#[derive(Debug, Clone)]
pub struct Tail {
    kept: VecDeque<u8>,
    limit: usize,
    dropped: u64,
}

impl Tail {
    /// An empty tail that keeps up to `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            kept: VecDeque::new(),
            limit,
            dropped: 0,
        }
    }

    /// Appends, and drops from the front what is beyond the limit.
    pub fn push(&mut self, bytes: &[u8]) {
        let fresh = &bytes[bytes.len().saturating_sub(self.limit)..];
        let surplus = (self.kept.len() + fresh.len()).saturating_sub(self.limit);
        self.kept.drain(..surplus);
        self.kept.extend(fresh);
        self.dropped += (surplus + bytes.len() - fresh.len()) as u64;
    }

    /// The kept bytes as text. Bytes that are no UTF-8 become U+FFFD, a character that the limit cut
    /// is left out whole, and a first line in brackets counts what is missing.
    pub fn text(&self) -> String {
        let (front, back) = self.kept.as_slices();
        let bytes = [front, back].concat();
        if self.dropped == 0 {
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        // A character has at most three bytes after its first.
        let cut = bytes
            .iter()
            .take(3)
            .take_while(|byte| (0x80..0xC0).contains(*byte))
            .count();
        format!(
            "[{} bytes before this are left out]\n{}",
            self.dropped + cut as u64,
            String::from_utf8_lossy(&bytes[cut..])
        )
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.dropped = 0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rustix::io::write;
    use rustix::pipe::{PipeFlags, pipe_with};

    use super::*;

    #[test]
    fn a_short_text_is_kept_whole() {
        let mut tail = Tail::new(16);
        tail.push("naïve".as_bytes());
        tail.push(b"\n\xff");
        assert_eq!(tail.text(), "naïve\n\u{fffd}");
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        let mut tail = Tail::new(4);
        tail.push("aäöü".as_bytes());
        assert_eq!(tail.text(), "[3 bytes before this are left out]\nöü");
        let mut odd = Tail::new(3);
        odd.push("äöü".as_bytes());
        assert_eq!(odd.text(), "[4 bytes before this are left out]\nü");
        odd.clear();
        assert_eq!(odd.text(), "");
    }

    #[test]
    fn a_stream_is_emptied_without_blocking() {
        let (reading, writing) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        let mut stream = Stream::new(reading, 8).unwrap();
        let mut buffer = [0; 64];
        assert_eq!(stream.read(&mut buffer).unwrap(), Read::Nothing);
        write(&writing, b"twelve bytes").unwrap();
        stream.read_rest(&mut buffer).unwrap();
        assert_eq!(
            stream.text(),
            "[4 bytes before this are left out]\nve bytes"
        );
        assert!(stream.descriptor().is_some());
        drop(writing);
        assert_eq!(stream.read(&mut buffer).unwrap(), Read::End);
        assert!(stream.descriptor().is_none());
    }

    proptest! {
        #[test]
        fn the_tail_is_the_end_of_everything(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20),
            limit in 0_usize..50,
        ) {
            let mut tail = Tail::new(limit);
            for piece in &pieces {
                tail.push(piece);
                prop_assert!(tail.kept.len() <= limit);
            }
            let all = pieces.concat();
            let expected = &all[all.len().saturating_sub(limit)..];
            prop_assert_eq!(Vec::from(tail.kept.clone()), expected);
            prop_assert_eq!(tail.dropped, (all.len() - expected.len()) as u64);
        }
    }
}
