//! Intervals.

/// Whether two closed intervals overlap; touching is overlapping, and so is every interval with a
/// bound that is no number.
pub fn overlap(first: (f64, f64), second: (f64, f64)) -> bool {
    !(first.1 < second.0 || second.1 < first.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_overlaps() {
        assert!(overlap((1.0, 2.0), (2.0, 3.0)));
        assert!(!overlap((1.0, 2.0), (2.1, 3.0)));
        assert!(!overlap((2.1, 3.0), (1.0, 2.0)));
        assert!(overlap((f64::NEG_INFINITY, f64::INFINITY), (5.0, 5.0)));
        assert!(overlap((f64::NAN, f64::NAN), (5.0, 5.0)));
    }
}
