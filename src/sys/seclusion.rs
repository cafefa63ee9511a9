//! Keeping other processes of the same user out of this one.

use std::io;

/// Lets no other process of this user read this one's variables and memory, or attach to it: benchmarks
/// run as the same user, and a token stands in both. Programs that this one starts are not concerned,
/// since the kernel makes each new program readable again. Root still may everything, and no core dump
/// is left.
///
/// Only Linux has this; elsewhere nothing happens.
pub fn seclude() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    }
    Ok(())
}
