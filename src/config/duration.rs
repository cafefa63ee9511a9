//! Durations as people write them.

use std::time::Duration;

/// Reads `2h`, `1h 30m`, `90s`; a bare number is seconds. The error says what is expected, as a part of
/// a sentence.
pub fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "a duration such as `30s`, `10m` or `2h`".to_owned();
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).map_err(|_| expected());
    }
    let parsed: jiff::SignedDuration = text.parse().map_err(|_| expected())?;
    Duration::try_from(parsed).map_err(|_| expected())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_people_write_them() {
        for (text, seconds) in [("2h", 7200), ("1h 30m", 5400), ("90s", 90), ("15", 15)] {
            assert_eq!(
                duration(text).unwrap(),
                Duration::from_secs(seconds),
                "{text}"
            );
        }
        assert_eq!(duration("0.25").unwrap(), Duration::from_millis(250));
        for text in ["", "soon", "-3s", "-1", "nan", "2 parsecs"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
