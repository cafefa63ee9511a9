//! The last lines of a comment: what HEAD was compared with and why, and where the run is.

use crate::config::Settings;
use crate::github::{ActionsContext, RepositoryName};
use crate::report::escape;

use super::baseline::Found;
use super::merge_base::MergeBase;

/// The lines, as Markdown.
pub(super) fn of(
    merge_base: &MergeBase,
    found: &Found,
    settings: &Settings,
    actions: &ActionsContext,
    repository: Option<&RepositoryName>,
) -> Vec<String> {
    let main = escape::text(&settings.main_branch);
    let link = |hash: &str| link(hash, actions, repository);
    let from = |is_fetched: bool| {
        if is_fetched {
            "fetched from the site's repository"
        } else {
            "stored where HEAD's are"
        }
    };
    let about = match (merge_base, found) {
        (MergeBase::Unknown(why), _) => format!(
            "The commit at which this branch left {main} is not known: {}",
            escape::text(why)
        ),
        (MergeBase::IsHead, _) => format!("HEAD is part of {main}, so there is nothing to compare"),
        (MergeBase::Known(hash), Found::Exact(base)) => format!(
            "Compared with {}, where this branch left {main}; its results were {}",
            link(hash),
            from(base.is_fetched())
        ),
        (MergeBase::Known(hash), Found::Earlier { base, distance }) => format!(
            "Compared with {}, {} before the merge base {}, which has no results on this machine; the \
             results were {}. What those commits changed is in the ratios, too, so every verdict is weak",
            link(base.commit.hash.as_deref().unwrap_or(&base.commit.text)),
            commits(*distance),
            link(hash),
            from(base.is_fetched())
        ),
        (MergeBase::Known(hash), Found::Nothing) => format!(
            "No comparison was possible: there are no results of {}, where this branch left {main}, on \
             this machine",
            link(hash)
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
    let short = hash.get(..8).unwrap_or(hash);
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
