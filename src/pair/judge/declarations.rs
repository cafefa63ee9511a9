//! How the targets of a scenario say that they are executed.

use crate::json::{Json, to_compact};
use crate::pair::summary::DeclarationSummary;

use super::{Judged, Process};

impl Judged<'_> {
    pub(super) fn declarations(&mut self, pairs: &[(usize, Process, Process)]) {
        let Some((_, base, _)) = pairs.first() else {
            return;
        };
        for (target, expected) in &self.entry.expects {
            let expected_text = serde_json::to_string(expected).unwrap_or_default();
            let mut shown = serde_json::Value::Null;
            let mut as_expected = true;
            for (repeat, _, head) in pairs {
                let found = head.measured.declarations.get(target).map(plain);
                if *repeat == pairs[0].0 {
                    shown = found.clone().unwrap_or_default();
                }
                let reason = match &found {
                    None => format!(
                        "head declares nothing about the execution of `{target}`; {expected_text} is expected"
                    ),
                    Some(found) if found != expected => format!(
                        "head declares {found} about the execution of `{target}`; {expected_text} is expected"
                    ),
                    Some(_) => continue,
                };
                as_expected = false;
                self.reject(reason);
            }
            let base = base
                .measured
                .declarations
                .get(target)
                .map(plain)
                .unwrap_or_default();
            if base != *expected {
                self.summary.remarks.push(format!(
                    "base declares {base} about the execution of `{target}`"
                ));
            }
            self.summary.declarations.push(DeclarationSummary {
                target: target.clone(),
                expected: expected.clone(),
                head: shown,
                base,
                as_expected,
            });
        }
    }
}

/// A value of ours as serde has it.
fn plain(json: &Json) -> serde_json::Value {
    serde_json::from_str(&to_compact(json)).unwrap_or_default()
}
