//! What is refused before anything is measured: a tree that is not its commit, a package that is
//! not the one that is checked out.

use crate::commands::CommandError;
use crate::config::Settings;
use crate::run::{Tree, TreeError};
use crate::sys::printer::Printer;
use crate::vcs::VcsError;

use super::request::{Dirty, Request};
use super::session::Session;

/// The tree, checked as the request wants it. Where nothing is filed there need be none: without a
/// commit that is no matter, but a repository that cannot be read is said, since nothing then tells
/// which code is measured.
pub(super) fn open_tree(
    request: &Request<'_>,
    settings: &Settings,
    printer: &Printer,
) -> Result<Option<Tree>, CommandError> {
    let tree = match Tree::open(settings) {
        Ok(tree) => tree,
        Err(TreeError::Vcs(error)) if !request.save && request.set_commit_hash.is_none() => {
            if !has_no_commit(&error) {
                printer.warn(&format!(
                    "which commit is checked out cannot be told, and neither can whether `package` \
                     is imported from it: {error}"
                ));
            }
            return Ok(None);
        }
        Err(error) => return Err(of_tree(error)),
    };
    if request.dirty == Dirty::Refuse {
        tree.require_clean().map_err(of_tree)?;
    }
    if let Some(revision) = request.set_commit_hash {
        tree.require_commit(revision).map_err(of_tree)?;
    }
    Ok(Some(tree))
}

/// There is nothing to be read, as opposed to something that cannot be.
fn has_no_commit(error: &VcsError) -> bool {
    matches!(
        error,
        VcsError::NotARepository { .. } | VcsError::NoCommits { .. } | VcsError::Bare { .. }
    )
}

fn of_tree(error: TreeError) -> CommandError {
    let hint = error.hint();
    let error = CommandError::usage(error);
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

/// Refuses to measure a package that is not the one that is checked out.
pub(in crate::commands) fn check_package(
    settings: &Settings,
    tree: Option<&Tree>,
    session: &Session,
) -> Result<(), CommandError> {
    let (Some(package), Some(tree)) = (&settings.package, tree) else {
        return Ok(());
    };
    let file = session.discovery.package_file.as_deref();
    let prefix = &session.discovery.interpreter.prefix;
    let strays = &session.discovery.package_strays;
    tree.check_imported(package, file, prefix)
        .and_then(|()| {
            strays
                .iter()
                .try_for_each(|(module, file)| tree.check_module(module, file, prefix))
        })
        .map_err(|error| {
            let hint = error.hint();
            CommandError::usage(error).hint(hint)
        })
}
