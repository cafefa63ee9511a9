//! What must be done so that one comment of a key remains, with the newest results: decided from the
//! comments that are there, so that two writers who look at the same thread decide alike.

use super::{Block, Comment, Marks};

/// How a comment is renewed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// Edit the comment: it keeps its place, and nobody gets an e-mail.
    #[default]
    Edit,
    /// Write a new comment at the end of the page and delete the old one.
    Recreate,
}

/// What is to be posted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draft<'a> {
    pub body: &'a str,
    pub block: &'a Block,
    /// The login that the token writes as.
    pub author: &'a str,
    /// The pull request's HEAD right now.
    pub live_head: &'a str,
    pub mode: Mode,
}

/// The steps that are left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Plan {
    Create,
    /// Put this body into the comment if it has another, then delete the others.
    Keep {
        id: u64,
        body: Option<String>,
        delete: Vec<u64>,
    },
    /// The comment there is newer than ours; only its doubles are deleted.
    Newer {
        id: u64,
        delete: Vec<u64>,
    },
}

/// Whether a comment is ours: our own author's, the marker at its beginning, and our key. Without
/// the author anybody's comment could be overwritten, or stand in for ours.
fn is_ours(comment: &Comment, draft: &Draft) -> bool {
    comment.is_by(draft.author)
        && Marks::of(comment.text()).is_some_and(|marks| marks.key() == draft.block.key)
}

/// Decides from all comments, oldest first.
pub(super) fn plan(comments: &[Comment], draft: &Draft) -> Plan {
    let ours: Vec<&Comment> = comments
        .iter()
        .filter(|comment| is_ours(comment, draft))
        .collect();
    // Everybody sees the same thread, so all agree on which one stays.
    let kept = match draft.mode {
        Mode::Edit => ours.first(),
        Mode::Recreate => ours.last(),
    };
    let Some(kept) = kept else {
        return Plan::Create;
    };
    let delete: Vec<u64> = ours
        .iter()
        .map(|comment| comment.id)
        .filter(|id| *id != kept.id)
        .collect();
    let newest = newest(&ours, draft);
    if let Some(newest) = newest {
        if newest.id == kept.id {
            let id = kept.id;
            return Plan::Newer { id, delete };
        }
        return Plan::Keep {
            id: kept.id,
            body: Some(newest.text().to_owned()),
            delete,
        };
    }
    if kept.text() == draft.body {
        return Plan::Keep {
            id: kept.id,
            body: None,
            delete,
        };
    }
    match draft.mode {
        Mode::Edit => Plan::Keep {
            id: kept.id,
            body: Some(draft.body.to_owned()),
            delete,
        },
        Mode::Recreate => Plan::Create,
    }
}

/// The comment that must not give way to ours, if there is one: of the live HEAD when ours is of
/// another commit, else of a later run. The newest of them.
fn newest<'a>(ours: &[&'a Comment], draft: &Draft) -> Option<&'a Comment> {
    let mut best: Option<(&'a Comment, Block)> = None;
    for comment in ours {
        let block = Marks::of(comment.text()).and_then(|marks| marks.block);
        let Some(block) = block.filter(|block| wins(block, draft.block, draft.live_head)) else {
            continue;
        };
        let better = best
            .as_ref()
            .is_none_or(|(_, known)| wins(&block, known, draft.live_head));
        if better {
            best = Some((comment, block));
        }
    }
    best.map(|(comment, _)| comment)
}

fn wins(block: &Block, other: &Block, live_head: &str) -> bool {
    match (block.head == live_head, other.head == live_head) {
        (true, false) => true,
        (false, true) => false,
        _ => block.is_newer_than(other),
    }
}

#[cfg(test)]
mod tests;
