//! What is known of HEAD's speed, from stored results. No token is needed, but for the merge base of
//! a shallow clone.

use jiff::Timestamp;

use crate::commands::comparing::{How, Measured, comparison};
use crate::commands::stored::{NamedCommit, Place, Stored};
use crate::commands::{CommandError, Context};
use crate::config::Settings;
use crate::github::RepositoryName;
use crate::report::Comparison;
use crate::results::ResultSet;
use crate::vcs::Repository;

use super::baseline::{self, BaselinePolicy, Found};
use super::merge_base::{self, MergeBase};

/// What was found: plain facts, with no text that is markup already.
#[derive(Debug, Clone)]
pub(in crate::commands) struct Finding {
    pub(in crate::commands) comparison: Comparison,
    pub(in crate::commands) baseline: Baseline,
    /// When the newest of HEAD's benchmarks was started.
    pub(in crate::commands) started: Timestamp,
}

/// What HEAD was compared with, and why. Commits are full hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::commands) enum Baseline {
    /// The commit at which the branch left the main branch.
    Exact { commit: String, fetched: bool },
    /// That commit, measured in pairs with HEAD in one sitting.
    Paired { commit: String },
    /// A commit before that one, which has no results.
    Earlier {
        commit: String,
        distance: usize,
        merge_base: String,
        fetched: bool,
    },
    /// Neither that commit nor one before it has results here.
    Missing { merge_base: String },
    /// HEAD itself is part of the main branch.
    HeadIsMain,
    /// Why the merge base is not known, as a sentence.
    Unknown { why: String },
}

/// Whose speed is asked for.
#[derive(Clone, Copy)]
pub(in crate::commands) struct Question<'a> {
    pub(in crate::commands) context: &'a Context,
    pub(in crate::commands) settings: &'a Settings,
    pub(in crate::commands) local: &'a Repository,
    /// Full hash.
    pub(in crate::commands) head: &'a str,
    /// Where HEAD was measured.
    pub(in crate::commands) place: &'a Place,
    pub(in crate::commands) policy: BaselinePolicy,
    /// Asked for the merge base of a shallow clone.
    pub(in crate::commands) repository: Option<&'a RepositoryName>,
    /// The commit to compare with, where something else than git knows it: a merge queue.
    pub(in crate::commands) base: Option<&'a str>,
}

/// Compares HEAD's stored results with those of the merge base. An error where HEAD has none.
pub(in crate::commands) fn find(question: &Question<'_>) -> Result<Finding, CommandError> {
    let Question {
        context,
        settings,
        local,
        head,
        ..
    } = *question;
    let stored = Stored::open(settings, &context.printer);
    let commit = NamedCommit::of_hash(head);
    let candidate = stored
        .single(&commit, question.place)
        .map_err(|error| error.hint("`lcmbench run` measures the commit that is checked out"))?;
    let merge_base = match question.base {
        Some(base) => MergeBase::Known(base.to_owned()),
        None => merge_base::find(context, settings, local, head, question.repository)?,
    };
    let measured_head = Measured {
        stored: &stored,
        commit: &commit,
        candidate: &candidate,
    };
    let search = baseline::Search {
        context,
        settings,
        head: measured_head,
        local,
        policy: question.policy,
    };
    let found = search.run(&merge_base);
    let compared = |base: Option<Measured<'_>>| {
        comparison(measured_head, base, settings, context, How::default())
    };
    let mut comparison = match &found {
        Found::Exact(base) | Found::Earlier { base, .. } => {
            base.with(&stored, settings, &context.printer, compared)
        }
        Found::Nothing => compared(None),
    };
    if matches!(found, Found::Earlier { .. }) {
        baseline::weaken(&mut comparison);
    }
    Ok(Finding {
        comparison,
        baseline: told(merge_base, &found),
        started: started(&candidate.loaded.set),
    })
}

fn told(merge_base: MergeBase, found: &Found) -> Baseline {
    match (merge_base, found) {
        (MergeBase::Unknown(why), _) => Baseline::Unknown { why },
        (MergeBase::IsHead, _) => Baseline::HeadIsMain,
        (MergeBase::Known(commit), Found::Exact(base)) => Baseline::Exact {
            commit,
            fetched: base.is_fetched(),
        },
        (MergeBase::Known(merge_base), Found::Earlier { base, distance }) => Baseline::Earlier {
            commit: base.hash().to_owned(),
            distance: *distance,
            merge_base,
            fetched: base.is_fetched(),
        },
        (MergeBase::Known(merge_base), Found::Nothing) => Baseline::Missing { merge_base },
    }
}

/// When the newest of the benchmarks was started; of files without times the date of the commit.
fn started(head: &ResultSet) -> Timestamp {
    let newest = head
        .results
        .values()
        .filter_map(|result| result.started_at)
        .max();
    newest
        .or(head.date)
        .and_then(|millis| Timestamp::from_millisecond(millis).ok())
        .unwrap_or(Timestamp::UNIX_EPOCH)
}
