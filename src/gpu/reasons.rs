//! The reasons for which a GPU runs at other clocks than it could: 64 bits, as the driver gives them.

/// A bit, its name in the records, and what it means for a measurement.
const KNOWN: [(u64, &str, Weight); 9] = [
    (0x1, "idle", Weight::Harmless),
    (0x2, "application-clocks", Weight::Harmless),
    (0x4, "power-cap", Weight::PowerCap),
    (0x8, "hardware-slowdown", Weight::Throttle),
    (0x10, "sync-boost", Weight::Odd),
    (0x20, "software-thermal-slowdown", Weight::Throttle),
    (0x40, "hardware-thermal-slowdown", Weight::Throttle),
    (0x80, "hardware-power-brake", Weight::Throttle),
    (0x100, "display-clocks", Weight::Odd),
];

/// What a bit means for a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    Harmless,
    /// Reproducible, but dependent on limit and heat: a warning.
    PowerCap,
    /// Nothing measured under it counts.
    Throttle,
    /// Worth a warning.
    Odd,
}

/// The bits as they come, and what they say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reasons(pub u64);

impl Reasons {
    /// Whether the device had nothing to do.
    pub fn idle(self) -> bool {
        self.0 & 0x1 != 0
    }

    /// Whether the clocks were held down by heat, by the power supply or by the board.
    pub fn throttled(self) -> bool {
        self.has(Weight::Throttle)
    }

    /// Whether the clocks were held down by the power limit.
    pub fn power_capped(self) -> bool {
        self.has(Weight::PowerCap)
    }

    /// Bits that no document we know explains.
    pub fn unknown(self) -> u64 {
        self.0 & !KNOWN.iter().fold(0, |all, (bit, _, _)| all | bit)
    }

    /// The names of the bits; those without a name as hexadecimal numbers.
    pub fn names(self) -> Vec<String> {
        let known = KNOWN.iter().filter(|(bit, _, _)| self.0 & bit != 0);
        let mut names: Vec<String> = known.map(|(_, name, _)| (*name).to_owned()).collect();
        if self.unknown() != 0 {
            names.push(format!("unknown {:#x}", self.unknown()));
        }
        names
    }

    /// The same, without those that say nothing about a disturbance.
    #[must_use]
    pub fn odd(self) -> Self {
        let harmless = KNOWN
            .iter()
            .filter(|(_, _, weight)| *weight == Weight::Harmless)
            .fold(0, |all, (bit, _, _)| all | bit);
        Self(self.0 & !harmless)
    }

    fn has(self, wanted: Weight) -> bool {
        KNOWN
            .iter()
            .any(|(bit, _, weight)| *weight == wanted && self.0 & bit != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_bits_of_a_throttled_gpu_are_told_from_the_others() {
        for bit in [0x8, 0x20, 0x40, 0x80] {
            assert!(Reasons(bit).throttled(), "{bit:#x}");
            assert!(!Reasons(bit).power_capped());
        }
        for bit in [0x1, 0x2, 0x4, 0x10, 0x100, 0x200, 0x8000_0000_0000_0000] {
            assert!(!Reasons(bit).throttled(), "{bit:#x}");
        }
        assert!(Reasons(0x4).power_capped() && Reasons(0x1).idle());
    }

    #[test]
    fn unknown_bits_are_kept() {
        let reasons = Reasons(0x1_0000_0006);
        assert_eq!(reasons.unknown(), 0x1_0000_0000);
        assert_eq!(
            reasons.names(),
            ["application-clocks", "power-cap", "unknown 0x100000000"]
        );
        assert_eq!(reasons.odd(), Reasons(0x1_0000_0004));
    }
}
