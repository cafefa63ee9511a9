//! Whether both sides compute the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::npy::Elements;

/// What may differ: a value passes that is within any of the three limits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tolerance {
    pub absolute: f64,
    /// Of the larger of both sizes.
    pub relative: f64,
    /// Steps between neighbouring floating-point numbers.
    pub ulp: f64,
}

/// How one output of head differs from that of base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeafParity {
    /// Where it is in the tree.
    pub path: String,
    pub shape: Vec<i64>,
    pub dtype: String,
    pub sharding: String,
    /// All elements are within the tolerance, and NaN is where NaN was.
    pub within: bool,
    pub largest_absolute: f64,
    pub largest_relative: f64,
    /// `None` for what is no floating-point number.
    pub largest_ulp: Option<f64>,
    /// Positions where only one side is NaN.
    pub nan_mismatches: usize,
    /// Elements beyond the tolerance, NaN included.
    pub beyond: usize,
    pub elements: usize,
}

/// Differences of two arrays of one type.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Differences {
    pub(super) absolute: f64,
    pub(super) relative: f64,
    pub(super) ulp: Option<f64>,
    pub(super) nan_mismatches: usize,
    pub(super) beyond: usize,
    pub(super) elements: usize,
}

/// Compares two arrays element by element; `None` if they are not of one kind and length.
pub(super) fn differences(
    base: &Elements,
    head: &Elements,
    tolerance: Tolerance,
) -> Option<Differences> {
    let mut found = Differences::default();
    match (base, head) {
        (Elements::Floats(base, base_bits, width), Elements::Floats(head, head_bits, other)) => {
            if base.len() != head.len() || width != other {
                return None;
            }
            found.ulp = Some(0.0);
            for at in 0..base.len() {
                let steps = ulp_distance(base_bits[at], head_bits[at], *width);
                found.take(base[at], head[at], Some(steps), tolerance);
            }
        }
        (Elements::Integers(base), Elements::Integers(head)) => {
            if base.len() != head.len() {
                return None;
            }
            for (base, head) in base.iter().zip(head) {
                found.take(as_float(*base), as_float(*head), None, tolerance);
            }
        }
        (Elements::Bits(base), Elements::Bits(head)) => {
            if base.len() != head.len() {
                return None;
            }
            found.elements = base.len();
            found.beyond = base
                .iter()
                .zip(head)
                .filter(|(base, head)| base != head)
                .count();
        }
        _ => return None,
    }
    Some(found)
}

impl Differences {
    fn take(&mut self, base: f64, head: f64, ulp: Option<f64>, tolerance: Tolerance) {
        self.elements += 1;
        if base.is_nan() && head.is_nan() {
            return;
        }
        if base.is_nan() || head.is_nan() {
            self.nan_mismatches += 1;
            self.beyond += 1;
            return;
        }
        if base.total_cmp(&head).is_eq() || (base == 0.0 && head == 0.0) {
            return;
        }
        let absolute = (head - base).abs();
        let size = base.abs().max(head.abs());
        let relative = if size.is_finite() {
            absolute / size
        } else {
            f64::INFINITY
        };
        self.absolute = self.absolute.max(absolute);
        self.relative = self.relative.max(relative);
        let steps = ulp.unwrap_or(f64::INFINITY);
        if let Some(largest) = &mut self.ulp {
            *largest = largest.max(steps);
        }
        let within = absolute <= tolerance.absolute
            || relative <= tolerance.relative
            || steps <= tolerance.ulp;
        self.beyond += usize::from(!within);
    }
}

/// Steps from one floating-point number to another of the same width: both are mapped to integers in
/// their order.
fn ulp_distance(base: u64, head: u64, width: u32) -> f64 {
    let sign = 1_u64 << (width - 1);
    let ordered = |bits: u64| {
        let size = i128::from(bits & (sign - 1));
        if bits & sign == 0 { size } else { -size }
    };
    as_float((ordered(base) - ordered(head)).abs())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a difference is shown, and zero stays zero"
)]
fn as_float(value: i128) -> f64 {
    value as f64
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these numbers are exact")]
mod tests {
    use super::*;

    fn floats(values: &[f64]) -> Elements {
        let bits = values.iter().map(|value| value.to_bits()).collect();
        Elements::Floats(values.to_vec(), bits, 64)
    }

    fn compared(base: &[f64], head: &[f64], tolerance: Tolerance) -> Differences {
        differences(&floats(base), &floats(head), tolerance).unwrap()
    }

    #[test]
    fn the_largest_differences_are_found() {
        let next = f64::from_bits(1.0_f64.to_bits() + 3);
        let found = compared(&[1.0, 2.0, 0.0], &[next, 2.5, -0.0], Tolerance::default());
        assert_eq!((found.absolute, found.relative), (0.5, 0.2));
        assert_eq!(found.beyond, 2);
        let close = compared(
            &[1.0],
            &[next],
            Tolerance {
                ulp: 3.0,
                ..Tolerance::default()
            },
        );
        assert_eq!((close.ulp, close.beyond), (Some(3.0), 0));
    }

    #[test]
    fn steps_cross_zero() {
        let (tiny, minus) = (f64::from_bits(1), -f64::from_bits(1));
        assert_eq!(ulp_distance(tiny.to_bits(), minus.to_bits(), 64), 2.0);
    }

    #[test]
    fn nan_counts_by_position() {
        let nan = f64::NAN;
        let found = compared(
            &[nan, 1.0, nan],
            &[nan, nan, 2.0],
            Tolerance {
                absolute: 9.0,
                relative: 9.0,
                ulp: 9.0,
            },
        );
        assert_eq!((found.nan_mismatches, found.beyond), (2, 2));
        let same = compared(&[nan], &[nan], Tolerance::default());
        assert_eq!((same.beyond, same.absolute), (0, 0.0));
    }

    #[test]
    fn infinities_are_equal_to_themselves_only() {
        let inf = f64::INFINITY;
        let loose = Tolerance {
            absolute: 1e300,
            relative: 0.5,
            ulp: 0.0,
        };
        assert_eq!(compared(&[inf, -inf], &[inf, -inf], loose).beyond, 0);
        assert_eq!(compared(&[inf], &[1.0], loose).beyond, 1);
    }

    #[test]
    fn integers_are_compared_exactly() {
        let found = differences(
            &Elements::Integers(vec![1, 2]),
            &Elements::Integers(vec![1, 3]),
            Tolerance::default(),
        );
        assert_eq!(found.unwrap().beyond, 1);
        assert_eq!(
            differences(
                &floats(&[1.0]),
                &Elements::Integers(vec![1]),
                Tolerance::default()
            ),
            None
        );
    }
}
