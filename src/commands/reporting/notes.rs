//! The last lines of a comment: what HEAD was compared with and why, and where the run is.

use crate::github::{ActionsContext, RepositoryName};
use crate::report::escape;
use crate::run::short;

use super::finding::Baseline;

/// The lines, as Markdown.
pub(super) fn of(
    baseline: &Baseline,
    main_branch: &str,
    actions: &ActionsContext,
    repository: Option<&RepositoryName>,
) -> Vec<String> {
    let main = escape::text(main_branch);
    let link = |hash: &str| link(hash, actions, repository);
    let from = |fetched: bool| {
        if fetched {
            "fetched from the site's repository"
        } else {
            "stored where HEAD's are"
        }
    };
    let about = match baseline {
        Baseline::Unknown { why } => format!(
            "The commit at which this branch left {main} is not known: {}",
            escape::text(why)
        ),
        Baseline::HeadIsMain => {
            format!("HEAD is part of {main}, so there is nothing to compare")
        }
        Baseline::Exact { commit, fetched } => format!(
            "Compared with {}, where this branch left {main}; its results were {}",
            link(commit),
            from(*fetched)
        ),
        Baseline::Paired { commit } => format!(
            "Compared with {}, where this branch left {main}; both were measured alternately in one sitting",
            link(commit)
        ),
        Baseline::Earlier {
            commit,
            distance,
            merge_base,
            fetched,
        } => format!(
            "Compared with {}, {} before the merge base {}, which has no results on this machine; the \
             results were {}. What those commits changed is in the ratios, too, so every verdict is weak",
            link(commit),
            commits(*distance),
            link(merge_base),
            from(*fetched)
        ),
        Baseline::Missing { merge_base } => format!(
            "No comparison was possible: there are no results of {}, where this branch left {main}, on \
             this machine",
            link(merge_base)
        ),
    };
    let mut lines = vec![about];
    if let Some(url) = actions.run_url() {
        lines.push(format!("Posted by [this run]({url})"));
    }
    lines
}

fn commits(count: usize) -> String {
    if count == 1 {
        "1 commit".to_owned()
    } else {
        format!("{count} commits")
    }
}

/// Eight digits that lead to the commit.
fn link(hash: &str, actions: &ActionsContext, repository: Option<&RepositoryName>) -> String {
    let short = short(hash);
    match repository {
        Some(name) if !actions.server_url.is_empty() => {
            format!("[{short}]({}/{name}/commit/{hash})", actions.server_url)
        }
        _ => short.to_owned(),
    }
}

/// Where to read what a comment has no room for.
pub(super) fn where_it_is_whole(actions: &ActionsContext) -> String {
    match actions.run_url() {
        Some(url) => format!("[the summary of the run]({url}) has more"),
        None => "`lcmbench compare` shows all".to_owned(),
    }
}
