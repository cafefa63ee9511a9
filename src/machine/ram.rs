//! Memory sizes as they stand in machine files: `25276502016`, `7GB`, `16416652`, `64 GiB`.

/// How far a stored size may be from the detected one and still be the same machine, bytes.
const TOLERANCE: u64 = 1_000_000_000;

/// Whole gigabytes (10^9 bytes, rounded), so that a drift of kilobytes starts no new series.
pub(super) fn in_gigabytes(bytes: u64) -> String {
    let gigabytes = (bytes + 500_000_000) / 1_000_000_000;
    format!("{gigabytes}GB")
}

/// The size that the text means in whole gigabytes; `None` if it is no size.
pub fn whole_gigabytes(text: &str) -> Option<String> {
    parse(text).map(in_gigabytes)
}

/// Whether the stored text means the detected size, within one gigabyte.
pub(super) fn means(stored: &str, detected: u64) -> bool {
    parse(stored).is_some_and(|bytes| bytes.abs_diff(detected) <= TOLERANCE)
}

/// Whether both texts mean the same size, within one gigabyte.
pub fn same_memory(one: &str, other: &str) -> bool {
    parse(other).is_some_and(|bytes| means(one, bytes))
}

/// The bytes that the text means; `None` if it is no size.
///
/// A bare number has no unit on disk. Machines have between a hundred megabytes and a hundred terabytes,
/// so its size tells: from 10^8 on it is bytes, from 10^5 on kibibytes (as `/proc/meminfo` prints), from
/// 10^3 on megabytes, below gigabytes.
fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number: f64 = text[..digits].parse().ok()?;
    let unit = text[digits..].trim().to_ascii_lowercase();
    let factor = match unit.as_str() {
        "" if number >= 1e8 => 1.0,
        "" if number >= 1e5 => 1024.0,
        "" if number >= 1e3 => 1e6,
        "g" | "gb" | "" => 1e9,
        "b" | "byte" | "bytes" => 1.0,
        "k" | "kb" => 1e3,
        "kib" => 1024.0,
        "m" | "mb" => 1e6,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tb" => 1e12,
        "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let bytes = (number * factor).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and below 2^53"
    )]
    (bytes < 9e15).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_to_whole_gigabytes() {
        assert_eq!(in_gigabytes(25_276_502_016), "25GB");
        assert_eq!(in_gigabytes(25_500_000_000), "26GB");
        assert_eq!(in_gigabytes(536_870_912), "1GB");
        assert_eq!(whole_gigabytes("16416652").as_deref(), Some("17GB"));
        assert_eq!(whole_gigabytes("17GB").as_deref(), Some("17GB"));
        assert_eq!(whole_gigabytes("unknown"), None);
    }

    #[test]
    fn every_unit_seen_in_the_wild_is_understood() {
        for (text, bytes) in [
            ("25276502016", 25_276_502_016),
            ("8589934592", 8_589_934_592),
            ("16416652", 16_416_652 * 1024),
            ("7GB", 7_000_000_000),
            ("7 gb", 7_000_000_000),
            ("31.2 GB", 31_200_000_000),
            ("64GiB", 68_719_476_736),
            ("16384 MB", 16_384_000_000),
            ("16000", 16_000_000_000),
            ("32", 32_000_000_000),
            ("2TB", 2_000_000_000_000),
            ("16416652 kB", 16_416_652_000),
        ] {
            assert_eq!(parse(text), Some(bytes), "{text}");
        }
        for text in [
            "",
            "unknown",
            "GB",
            "-4GB",
            "4 bananas",
            "1e300",
            "1.2.3GB",
            "nan",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn one_gigabyte_is_the_same_machine_and_more_is_not() {
        let detected = 16_810_651_648;
        for same in ["16416652", "16810651648", "17GB", "16GB", "16810000000"] {
            assert!(means(same, detected), "{same}");
        }
        for other in ["18GB", "15GB", "32GB", "unknown", ""] {
            assert!(!means(other, detected), "{other}");
        }
    }
}
