//! A day of the calendar, as an argument.

use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// A day in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Day(Date);

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let date = text.parse();
        date.map(Self)
            .map_err(|_| "a day such as 2026-09-30 is needed".to_owned())
    }
}

impl Day {
    /// Its first millisecond since 1970.
    pub(super) fn start(self) -> i64 {
        let start = TimeZone::UTC.to_timestamp(self.0.at(0, 0, 0, 0));
        start.map_or(i64::MIN, Timestamp::as_millisecond)
    }

    /// Its last millisecond since 1970.
    pub(super) fn end(self) -> i64 {
        self.0
            .tomorrow()
            .map_or(i64::MAX, |next| Self(next).start().saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_lasts_from_midnight_to_midnight() {
        let day: Day = "2024-02-29".parse().unwrap();
        assert_eq!(day.start(), 1_709_164_800_000);
        assert_eq!(day.end(), 1_709_251_199_999);
        for wrong in ["", "yesterday", "2024-02-30", "2024-2-3x"] {
            assert!(wrong.parse::<Day>().is_err(), "{wrong}");
        }
    }
}
