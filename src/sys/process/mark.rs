//! A name that a worker and everything it starts carry in their environment.

use std::sync::atomic::{AtomicU32, Ordering};

use fs_err as fs;

/// Marks a family of processes, so that two families of one program are told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    token: String,
    value: String,
}

impl Mark {
    /// The environment variable that holds the mark.
    pub const VARIABLE: &str = "LCMBENCH_WORKER";

    /// A mark that no other family has. `outer` is the value that this process itself carries, when
    /// it runs inside another family: it belongs to both then.
    pub fn new(outer: Option<&str>) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let token = format!("{}.{count};", std::process::id());
        Self {
            value: format!("{}{token}", outer.unwrap_or_default()),
            token,
        }
    }

    /// The value of the variable.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Whether the process carries this mark; `None` when it carries none, or hides it.
    pub(super) fn is_on(&self, process: i32) -> Option<bool> {
        let environment = fs::read(format!("/proc/{process}/environ")).ok()?;
        let prefix = [Self::VARIABLE.as_bytes(), b"="].concat();
        let value = environment
            .split(|byte| *byte == 0)
            .find_map(|entry| entry.strip_prefix(prefix.as_slice()))?;
        let token = self.token.as_bytes();
        // The value is a row of tokens, each closed by a semicolon.
        Some(
            value
                .split_inclusive(|byte| *byte == b';')
                .any(|part| part == token),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_differ_and_the_outer_one_is_kept() {
        let one = Mark::new(None);
        let two = Mark::new(Some(one.value()));
        assert_ne!(one.token, two.token);
        assert_eq!(two.value(), format!("{}{}", one.token, two.token));
    }
}
