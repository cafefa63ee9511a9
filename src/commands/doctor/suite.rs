//! Python and the import of the suite.

use super::finding::Finding;
use super::subject::Subject;
use crate::commands::measure::{Session, check_package};
use crate::config::Settings;
use crate::run::{Tree, count, module_name};

pub(super) fn examine(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(settings) = subject.settings() else {
        return Vec::new();
    };
    let session = match Session::start(settings, subject.context, None) {
        Ok(session) => session,
        Err(error) => return vec![Finding::of_error(&error)],
    };
    let mut findings = vec![Finding::fine(session.sentence())];
    findings.push(benchmarks(&session));
    for failed in &session.discovery.module_errors {
        findings.push(Finding::error(
            format!(
                "{} of the suite cannot be imported: {}: {}",
                module_name(failed),
                failed.error.class,
                failed.error.message.lines().next().unwrap_or_default()
            ),
            "the traceback is above; install what is missing in that Python, or name another with \
             --python",
        ));
    }
    findings.extend(package(settings, &session));
    findings
}

fn benchmarks(session: &Session) -> Finding {
    match session.benchmarks.len() {
        0 => Finding::error(
            "the suite has no benchmarks",
            "name functions and methods `time_…`, `track_…`, `mem_…` or `peakmem_…`; `lcmbench init` \
             writes a first one",
        ),
        found => Finding::fine(format!("{} found", count(found, "benchmark"))),
    }
}

/// Whether what is imported is what is checked out.
fn package(settings: &Settings, session: &Session) -> Option<Finding> {
    let Some(package) = &settings.package else {
        return Some(Finding::warning(
            "no `package` is configured, so a run cannot tell whether the code that it imports is the \
             code that is checked out",
            "set `package = \"its import name\"` in lcmbench.toml or [tool.lcmbench]",
        ));
    };
    // Without a repository there is nothing to compare with, which the check of git says.
    let tree = Tree::open(settings).ok()?;
    Some(match check_package(settings, Some(&tree), session) {
        Ok(()) => Finding::fine(format!("`{package}` is imported from this checkout")),
        Err(error) => Finding::of_error(&error),
    })
}
