//! The results that HEAD is compared with: of the merge base from this folder or the site's
//! repository, else of the nearest measured commit before it.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::commands::Context;
use crate::commands::comparing::Measured;
use crate::commands::stored::{Candidate, NamedCommit, Stored};
use crate::config::Settings;
use crate::report::{Comparison, Strength};
use crate::sys::printer::Printer;
use crate::vcs::{Repository, fetch_folder, without_passwords};

use super::merge_base::MergeBase;

/// So many commits before the merge base are looked at.
const FARTHEST: usize = 2000;

/// What to do without results of the merge base.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::commands) enum BaselinePolicy {
    /// Compare with the nearest measured commit before it, which is said, with weak verdicts.
    #[default]
    Nearest,
    /// Compare with nothing else: show HEAD's values alone.
    Exact,
}

/// Results to compare with.
#[derive(Debug)]
pub(super) struct Base {
    commit: NamedCommit,
    candidate: Candidate,
    /// The folder of results that they came from, if it is not the project's own.
    site: Option<PathBuf>,
    /// Where that folder was fetched to; gone when this is dropped.
    _fetched: Option<TempDir>,
}

impl Base {
    /// The commit that they are of.
    pub(super) fn hash(&self) -> &str {
        self.commit.hash.as_deref().unwrap_or(&self.commit.text)
    }

    /// Whether they were fetched from the site's repository.
    pub(super) fn is_fetched(&self) -> bool {
        self.site.is_some()
    }

    /// Calls `use_it` with the results and the store that they are in.
    pub(super) fn with<T>(
        &self,
        project: &Stored<'_>,
        settings: &Settings,
        printer: &Printer,
        use_it: impl FnOnce(Option<Measured<'_>>) -> T,
    ) -> T {
        let site = self
            .site
            .as_deref()
            .map(|folder| Stored::of_folder(folder, settings, printer));
        use_it(Some(Measured {
            stored: site.as_ref().unwrap_or(project),
            commit: &self.commit,
            candidate: &self.candidate,
        }))
    }
}

/// What was found.
#[derive(Debug)]
pub(super) enum Found {
    /// Results of the merge base.
    Exact(Base),
    /// Results of a commit so many before it.
    Earlier {
        base: Base,
        distance: usize,
    },
    Nothing,
}

/// The search for results to compare with.
pub(super) struct Search<'a> {
    pub(super) context: &'a Context,
    pub(super) settings: &'a Settings,
    pub(super) head: Measured<'a>,
    pub(super) local: &'a Repository,
    pub(super) policy: BaselinePolicy,
}

impl Search<'_> {
    /// First here, then at the site, then before the merge base at either.
    pub(super) fn run(&self, merge_base: &MergeBase) -> Found {
        let MergeBase::Known(hash) = merge_base else {
            return Found::Nothing;
        };
        let wanted = NamedCommit::of_hash(hash);
        if let Some(candidate) = self.head.stored.beside(self.head.candidate, &wanted) {
            return Found::Exact(Base {
                commit: wanted,
                candidate,
                site: None,
                _fetched: None,
            });
        }
        let fetched = self.fetch();
        let site = fetched
            .as_ref()
            .map(|(_, folder)| Stored::of_folder(folder, self.settings, &self.context.printer));
        let at_site = |commit: &NamedCommit| {
            site.as_ref()
                .and_then(|site| site.beside(self.head.candidate, commit))
        };
        if let Some(candidate) = at_site(&wanted) {
            drop(site);
            return Found::Exact(of_site(wanted, candidate, fetched));
        }
        if self.policy == BaselinePolicy::Exact {
            return Found::Nothing;
        }
        let Ok(walk) = self.local.first_parents(hash) else {
            return Found::Nothing;
        };
        for (distance, commit) in walk
            .map_while(Result::ok)
            .take(FARTHEST)
            .enumerate()
            .skip(1)
        {
            let commit = NamedCommit::of_hash(&commit.hash);
            if let Some(candidate) = self.here(&commit) {
                let base = Base {
                    commit,
                    candidate,
                    site: None,
                    _fetched: None,
                };
                return Found::Earlier { base, distance };
            }
            let may_be = site
                .as_ref()
                .is_some_and(|site| site.may_have(&self.machine(), &commit));
            if may_be && let Some(candidate) = at_site(&commit) {
                drop(site);
                let base = of_site(commit, candidate, fetched);
                return Found::Earlier { base, distance };
            }
        }
        Found::Nothing
    }

    fn machine(&self) -> String {
        self.head.candidate.place().0
    }

    fn here(&self, commit: &NamedCommit) -> Option<Candidate> {
        let stored = self.head.stored;
        stored
            .may_have(&self.machine(), commit)
            .then(|| stored.beside(self.head.candidate, commit))
            .flatten()
    }

    /// This machine's folder of the site's repository, in a temporary folder. What goes wrong is a
    /// warning: there may be an earlier commit here.
    fn fetch(&self) -> Option<(TempDir, PathBuf)> {
        let site = &self.settings.site;
        let url = site.repo.as_deref()?;
        let url = absolute(url, &self.settings.directory);
        let machine = self.machine();
        let inside = match site
            .subdir
            .as_deref()
            .map(|subdir| subdir.trim_matches('/'))
        {
            Some(subdir) if !subdir.is_empty() => format!("{subdir}/results"),
            _ => "results".to_owned(),
        };
        let folder = format!("{inside}/{machine}");
        self.context
            .printer
            .note(&format!("fetching {folder} of {}", without_passwords(&url)));
        let temporary = tempfile::Builder::new()
            .prefix("lcmbench-site-")
            .tempdir()
            .map_err(|error| {
                let said = format!("no temporary folder: {error}");
                self.context.printer.warn(&said);
            })
            .ok()?;
        let target = temporary.path().join("site");
        match fetch_folder(&url, site.branch.as_deref(), &folder, &target) {
            Ok(()) => Some((temporary, target.join(inside))),
            Err(error) => {
                self.context
                    .printer
                    .warn(&format!("no results from the site's repository: {error}"));
                None
            }
        }
    }
}

fn of_site(commit: NamedCommit, candidate: Candidate, fetched: Option<(TempDir, PathBuf)>) -> Base {
    let (temporary, folder) = fetched.map_or((None, None), |(temporary, folder)| {
        (Some(temporary), Some(folder))
    });
    Base {
        commit,
        candidate,
        site: folder,
        _fetched: temporary,
    }
}

/// A path in the configuration is below its folder; an address stays.
fn absolute(url: &str, directory: &Path) -> String {
    if url.contains(':') {
        url.to_owned()
    } else {
        directory.join(url).display().to_string()
    }
}

/// What other commits changed between the base and the merge base cannot be told apart from what
/// HEAD changed, so no verdict is firm.
pub(super) fn weaken(comparison: &mut Comparison) {
    for row in &mut comparison.rows {
        if let Some(confidence) = &mut row.confidence {
            confidence.strength = Strength::Weak;
        }
    }
}
