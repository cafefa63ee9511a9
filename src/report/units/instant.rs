//! Points in time.

use jiff::Timestamp;

/// Milliseconds since 1970 as `2017-07-14 02:40:00 UTC`; `unknown` for none and for what lies
/// beyond the calendar.
pub fn instant(milliseconds: Option<i64>) -> String {
    milliseconds
        .and_then(|milliseconds| Timestamp::from_millisecond(milliseconds).ok())
        .map_or_else(
            || "unknown".to_owned(),
            |time| time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_in_utc() {
        assert_eq!(instant(Some(0)), "1970-01-01 00:00:00 UTC");
        assert_eq!(instant(Some(1_500_000_000_999)), "2017-07-14 02:40:00 UTC");
        assert_eq!(instant(Some(-1_000)), "1969-12-31 23:59:59 UTC");
        assert_eq!(instant(Some(i64::MAX)), "unknown");
        assert_eq!(instant(None), "unknown");
    }
}
