//! Facts that make results comparable or not: where one differs, two results are of different
//! surroundings, and so is a history before and after.

/// Facts of `params` about the machine that no commit changes.
pub const MACHINE_FACTS: [&str; 3] = ["arch", "cpu", "num_cpu"];

/// Facts of the recorded environment about devices.
pub const DEVICE_FACTS: [&str; 3] = ["gpu", "gpus", "driver"];

/// Packages that compile what is measured: another one makes other code of the same commit.
pub const COMPILERS: [&str; 1] = ["jaxlib"];
