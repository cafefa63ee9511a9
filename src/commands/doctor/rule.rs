//! Whether the main branch requires the status, and from whom.

use crate::github::{ACTIONS_APP, ApiError, RepositoryName, Required, STATUS_CONTEXT};

use super::finding::Finding;

/// What GitHub says about the branch.
pub(super) struct Asked {
    pub(super) by_ruleset: Result<Option<Required>, ApiError>,
    pub(super) by_protection: Result<Option<Required>, ApiError>,
}

pub(super) fn judged(repository: &RepositoryName, branch: &str, asked: &Asked) -> Finding {
    let page = format!("https://github.com/{repository}/settings/rules");
    match (&asked.by_ruleset, &asked.by_protection) {
        // One that names an app decides; both apply.
        (Ok(Some(required)), _) if required.app.is_some() => of_required(branch, *required, &page),
        (_, Ok(Some(required))) | (Ok(Some(required)), _) => of_required(branch, *required, &page),
        (Ok(None), Ok(None)) => Finding::warning(
            format!("{branch} does not require {STATUS_CONTEXT}, so nobody has to look at it"),
            format!(
                "if it is to gate: require it with GitHub Actions as its source, at {page} (`lcmbench init` \
                 prints the steps)"
            ),
        ),
        (Err(error), _) | (_, Err(error)) => Finding::warning(
            format!(
                "whether {branch} requires {STATUS_CONTEXT} is not known: {}",
                why(error)
            ),
            format!(
                "look at {page}, or run this with the token of somebody who administers the repository"
            ),
        ),
    }
}

fn of_required(branch: &str, required: Required, page: &str) -> Finding {
    match required.app {
        Some(ACTIONS_APP) => Finding::fine(format!(
            "{branch} requires {STATUS_CONTEXT} from GitHub Actions"
        )),
        Some(app) => Finding::warning(
            format!(
                "{branch} requires {STATUS_CONTEXT} from the app {app}, which is not that of GitHub Actions \
                 on github.com ({ACTIONS_APP}): what workflows set may not count"
            ),
            format!("choose the source at {page}"),
        ),
        None => Finding::warning(
            format!("{branch} requires {STATUS_CONTEXT} from anybody: whoever may push can set it"),
            format!(
                "choose GitHub Actions as its source at {page}; leave it if it is to be set from a desk, \
                 too"
            ),
        ),
    }
}

fn why(error: &ApiError) -> String {
    match error {
        ApiError::MissingScope { purpose, .. } | ApiError::NotFound { purpose, .. } => {
            format!("the token may not {purpose}")
        }
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    const ACTIONS: Option<Required> = Some(Required {
        app: Some(ACTIONS_APP),
    });
    const ANYBODY: Option<Required> = Some(Required { app: None });
    const OTHER: Option<Required> = Some(Required { app: Some(7) });

    fn judge(
        by_ruleset: Result<Option<Required>, ApiError>,
        by_protection: Result<Option<Required>, ApiError>,
    ) -> (Level, String) {
        let asked = Asked {
            by_ruleset,
            by_protection,
        };
        let finding = judged(&"o/r".parse().unwrap(), "main", &asked);
        (finding.level, finding.sentence)
    }

    fn refused() -> ApiError {
        ApiError::MissingScope {
            purpose: "read the branch protection",
            permission: "administration: read",
            message: String::new(),
        }
    }

    #[test]
    fn only_a_status_that_is_required_from_github_actions_is_well() {
        for (by_ruleset, by_protection, level, said) in [
            (ACTIONS, None, Level::Fine, "from GitHub Actions"),
            (None, ACTIONS, Level::Fine, "from GitHub Actions"),
            (ANYBODY, ACTIONS, Level::Fine, "from GitHub Actions"),
            (ACTIONS, ANYBODY, Level::Fine, "from GitHub Actions"),
            (ANYBODY, None, Level::Warning, "from anybody"),
            (None, ANYBODY, Level::Warning, "from anybody"),
            (None, OTHER, Level::Warning, "from the app 7"),
            (None, None, Level::Warning, "does not require"),
        ] {
            let found = judge(Ok(by_ruleset), Ok(by_protection));
            assert_eq!(found.0, level, "{}", found.1);
            assert!(found.1.contains(said), "{}", found.1);
        }
    }

    #[test]
    fn what_may_not_be_read_is_said_unless_the_other_answers() {
        let (level, said) = judge(Ok(None), Err(refused()));
        assert_eq!(level, Level::Warning);
        assert_eq!(
            said,
            "whether main requires benchmark-check is not known: the token may not read the branch \
             protection"
        );
        let (_, said) = judge(Ok(ANYBODY), Err(refused()));
        assert!(said.contains("from anybody"), "{said}");
        let (level, _) = judge(Err(refused()), Ok(ACTIONS));
        assert_eq!(level, Level::Fine);
    }
}
