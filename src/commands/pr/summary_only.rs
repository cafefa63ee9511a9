//! Where nobody can be told: the report is on the page of the run alone.

use crate::commands::Exit;
use crate::commands::measure::Start;
use crate::commands::reporting::append_summary;
use crate::github::RepositoryName;

use super::audience::{Audience, End};
use super::sentence;
use super::subject::Subject;

/// The job of a fork's pull request, whose token may write nothing.
pub(super) struct SummaryOnly<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) repository: Option<RepositoryName>,
}

impl Audience for SummaryOnly<'_> {
    fn starts(&mut self, _: &Start) {}

    fn ends(&mut self, end: &End) -> Exit {
        let subject = self.subject;
        let printer = &subject.context.printer;
        match end {
            End::Measured(finding) => {
                let rendering = subject.rendering(finding, self.repository.as_ref());
                append_summary(subject.actions, &rendering.summary(), printer);
                let (_, said) = sentence::measured(&finding.comparison, &subject.arguments.fail_on);
                printer.note(&said);
            }
            End::NotNeeded { files } => {
                append_summary(subject.actions, &subject.decision(*files).text(), printer);
            }
            End::Interrupted { .. } | End::NotMeasured { .. } => {}
        }
        Exit::Done
    }
}
