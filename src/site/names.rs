//! Names of files and short names in addresses.

use std::fmt::Write;

use md5::{Digest, Md5};
use sha2::Sha256;

/// Longer names are cut.
const MOST: usize = 48;

/// A name that is safe in a path and in an address, and is not that of another text: what is
/// readable of the text, and eight digits of its checksum.
pub(super) fn slug(text: &str) -> String {
    let mut slug = String::new();
    for character in text.chars() {
        if slug.len() >= MOST {
            break;
        }
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' => slug.push(character),
            // GitHub Pages leaves out what begins with an underscore.
            '_' if !slug.is_empty() => slug.push(character),
            _ if slug.is_empty() || slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    let slug = slug.trim_end_matches('-').to_owned();
    let digits = &checksum(text.as_bytes())[..8];
    if slug.is_empty() {
        digits.to_owned()
    } else {
        format!("{slug}-{digits}")
    }
}

/// The checksum of some bytes, 32 hexadecimal digits.
pub(super) fn checksum(bytes: &[u8]) -> String {
    hexadecimal(&Md5::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(32);
    for byte in bytes {
        // Writing to a string cannot fail.
        write!(digits, "{byte:02x}").ok();
    }
    digits
}

/// The checksum of several lists; where one ends counts.
#[derive(Debug, Default)]
pub(super) struct Checksum {
    digest: Sha256,
    buffer: Vec<u8>,
}

impl Checksum {
    pub(super) fn list<const N: usize>(&mut self, items: impl IntoIterator<Item = [u8; N]>) {
        self.buffer.clear();
        for item in items {
            self.buffer.extend_from_slice(&item);
        }
        self.digest.update((self.buffer.len() as u64).to_le_bytes());
        self.digest.update(&self.buffer);
    }

    /// 32 hexadecimal digits.
    pub(super) fn finish(self) -> String {
        hexadecimal(&self.digest.finalize()[..16])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_readable_safe_and_distinct() {
        assert_eq!(slug("m.C.time_x"), "m-C-time_x-37e9723d");
        for hostile in [
            "../../etc/passwd",
            "<script>alert(1)</script>",
            "..",
            "",
            "a/b",
            "é\u{202e}",
            "CON",
        ] {
            let slug = slug(hostile);
            let safe = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            assert!(slug.chars().all(safe), "{hostile}: {slug}");
            assert!(slug.len() >= 8 && slug.len() < 64, "{hostile}: {slug}");
        }
        assert_ne!(slug("m.time_x"), slug("m-time_x"));
        assert_ne!(slug("M.x"), slug("m.x").to_uppercase());
    }
}
