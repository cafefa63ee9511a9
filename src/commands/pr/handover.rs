//! Tells a document, for a job that may write to GitHub. No token is needed, and nobody is asked.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::commands::CommandError;
use crate::commands::Exit;
use crate::commands::handoff::{Handoff, Told};
use crate::commands::measure::Start;
use crate::commands::reporting::append_summary;

use super::audience::{Audience, End};
use super::subject::Subject;

/// The document, and where it goes.
pub(super) struct Handover<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) path: PathBuf,
}

impl<'a> Handover<'a> {
    /// Takes the document of an earlier measurement away: left in place it would be handed over again if
    /// this one is killed, and count as a change of the worktree.
    pub(super) fn new(subject: &'a Subject<'a>, file: &Path) -> Result<Self, CommandError> {
        let path = subject.context.directory.join(file);
        if Handoff::is_at(&path) {
            fs::remove_file(&path).map_err(CommandError::usage)?;
        }
        Ok(Self { subject, path })
    }
}

impl Audience for Handover<'_> {
    fn starts(&mut self, _: &Start) {}

    fn ends(&mut self, end: &End) -> Exit {
        let subject = self.subject;
        let printer = &subject.context.printer;
        let told = match end {
            End::Measured(finding) => {
                let rendering = subject.rendering(finding, subject.actions.repository.as_ref());
                append_summary(subject.actions, &rendering.summary(), printer);
                Told::Measured(finding.clone())
            }
            End::Interrupted { signal, done } => Told::Interrupted {
                signal: *signal,
                done: *done,
            },
            End::NotNeeded { files } => {
                let decision = subject.decision(*files);
                append_summary(subject.actions, &decision.text(), printer);
                Told::NotNeeded
            }
            End::NotMeasured { why } => Told::NotMeasured { why: why.clone() },
        };
        let handoff = Handoff {
            head: subject.head.clone(),
            told,
        };
        match handoff.write(&self.path) {
            Ok(()) => {
                printer.note(&format!(
                    "handed over in {}; `lcmbench report --handoff` reports it",
                    self.path.display()
                ));
                Exit::Done
            }
            Err(error) => CommandError::usage(error)
                .hint("the results are saved; `lcmbench pr-comment` reports them from here")
                .report(printer),
        }
    }
}
