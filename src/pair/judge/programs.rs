//! The compiled programs of both sides.

use fs_err as fs;
use similar::{ChangeTag, TextDiff};

use crate::json::Json;
use crate::pair::checkout::Role;
use crate::pair::error::PairError;
use crate::pair::hlo::{collectives, normalised, sha256};
use crate::pair::summary::CoreSummary;

use super::{Judged, Process};

impl Judged<'_> {
    /// Compares the programs of a pair; where they differ, the difference is kept.
    pub(super) fn cores(&mut self, base: &Process, head: &Process) -> Result<(), PairError> {
        let mut names: Vec<&String> = Vec::new();
        for core in base.measured.cores.iter().chain(&head.measured.cores) {
            if !names.contains(&&core.name) {
                names.push(&core.name);
            }
        }
        let mut same = !names.is_empty();
        for (number, name) in names.into_iter().enumerate() {
            for (side, other, process) in [
                (Role::Base, Role::Head, head),
                (Role::Head, Role::Base, base),
            ] {
                if process.measured.core(name).is_none() {
                    self.reject(format!("{side} has a core `{name}` and {other} has none"));
                }
            }
            let text = |process: &Process| {
                let file = process.measured.core(name)?.file.clone()?;
                self.text(process, &file)
            };
            let memory = |process: &Process| {
                let memory = process.measured.core(name)?.memory.clone()?;
                let figure = |key: &str| memory.get(key).and_then(Json::as_i64);
                figure("peak_memory_in_bytes").or_else(|| figure("temp_size_in_bytes"))
            };
            let (base_text, head_text) = (text(base), text(head));
            let mut core = CoreSummary {
                name: name.clone(),
                base_sha256: base_text.as_deref().map(sha256),
                head_sha256: head_text.as_deref().map(sha256),
                head_collectives: head_text.as_deref().map(collectives).unwrap_or_default(),
                base_memory: memory(base),
                head_memory: memory(head),
                ..CoreSummary::default()
            };
            if let (Some(base_text), Some(head_text)) = (&base_text, &head_text) {
                let (old, new) = (normalised(base_text), normalised(head_text));
                core.same_program = Some(old == new);
                if old != new {
                    self.keep_diff(&mut core, number, &old, &new)?;
                }
            }
            same &= core.same_program == Some(true);
            self.summary.cores.push(core);
        }
        if same {
            self.summary.remarks.push(
                "the compiled programs of both sides are equal, so a difference of time is not \
                 theirs: it is noise, or lies in the host's code"
                    .to_owned(),
            );
        }
        Ok(())
    }

    fn keep_diff(
        &self,
        core: &mut CoreSummary,
        number: usize,
        old: &str,
        new: &str,
    ) -> Result<(), PairError> {
        let diff = TextDiff::configure()
            .timeout(std::time::Duration::from_secs(5))
            .diff_lines(old, new);
        for change in diff.iter_all_changes() {
            match change.tag() {
                ChangeTag::Insert => core.lines_added += 1,
                ChangeTag::Delete => core.lines_removed += 1,
                ChangeTag::Equal => {}
            }
        }
        let text = diff.unified_diff().header("base", "head").to_string();
        let relative = format!("diffs/{}/{number:03}.diff", self.entry.name);
        let path = self.raw.folder().join(&relative);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
        core.diff = Some(relative);
        Ok(())
    }

    /// Rejects what communicates in head where that is forbidden.
    pub(super) fn communication(&mut self, head: &Process) {
        if !self.entry.forbid_collectives {
            return;
        }
        for core in &head.measured.cores {
            let text = core.file.as_deref().and_then(|file| self.text(head, file));
            let found: Vec<String> = collectives(&text.unwrap_or_default())
                .iter()
                .map(|(opcode, count)| format!("{count} {opcode}"))
                .collect();
            if !found.is_empty() {
                self.reject(format!(
                    "the core `{}` of head communicates, which this scenario forbids: {}",
                    core.name,
                    found.join(", ")
                ));
            }
        }
    }
}
