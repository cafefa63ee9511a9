//! Who may look into a process, and what to do where we may not.

use fs_err as fs;

/// Yama's setting: who may look into a process.
const PTRACE_SCOPE: &str = "/proc/sys/kernel/yama/ptrace_scope";

/// The kernel's setting, if it has that.
pub(super) fn ptrace_scope() -> Option<u8> {
    let text = fs::read_to_string(PTRACE_SCOPE).ok()?;
    text.trim().parse().ok()
}

/// What to do where a process may not be looked into; `scope` is the kernel's `yama/ptrace_scope`,
/// if it has that.
pub fn remedy(scope: Option<u8>) -> String {
    let otherwise = "or run the same command as root, with `sudo env \"PATH=$PATH\"` before it";
    match scope {
        Some(3) => "this kernel allows it to nobody until it is started again \
                    (kernel.yama.ptrace_scope is 3)"
            .to_owned(),
        Some(scope @ 1..) => format!(
            "allow it until the next start of the machine with `sudo sysctl \
             kernel.yama.ptrace_scope=0` (it is {scope} now), {otherwise}"
        ),
        Some(0) | None => format!(
            "in a container, start that with `--cap-add SYS_PTRACE`; elsewhere it must run as the user \
             of the Python process, {otherwise}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedies_are_exact() {
        assert!(remedy(Some(1)).contains("`sudo sysctl kernel.yama.ptrace_scope=0` (it is 1 now)"));
        assert!(remedy(Some(2)).contains("(it is 2 now)"));
        assert!(remedy(Some(3)).contains("until it is started again"));
        assert!(remedy(None).contains("--cap-add SYS_PTRACE"));
        assert!(remedy(Some(0)).contains("sudo env \"PATH=$PATH\""));
    }
}
