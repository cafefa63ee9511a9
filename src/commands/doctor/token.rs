//! What the token may do, from what GitHub says to it.

use crate::github::{Access, ApiError, RepositoryName};

use super::finding::Finding;

/// The lines that a job needs which reports.
const LINES: &str = "permissions:\n  contents: read\n  pull-requests: write\n  statuses: write";

/// What was found out about a token that GitHub accepts.
pub(super) struct Known<'a> {
    /// The variable, or `gh auth token`.
    pub(super) source: &'a str,
    pub(super) repository: &'a RepositoryName,
    pub(super) access: &'a Access,
    /// Lines of permissions whose reading is refused; only asked of tokens without scopes.
    pub(super) refused: Result<Vec<&'static str>, ApiError>,
}

pub(super) fn judged(known: &Known<'_>) -> Vec<Finding> {
    let Known {
        source,
        repository,
        access,
        ..
    } = known;
    let mut findings = match &access.scopes {
        Some(scopes) => vec![of_scopes(known, scopes)],
        None => vec![of_permissions(known)],
    };
    if access.may_push == Some(false) {
        findings.push(Finding::warning(
            format!(
                "whoever the token of {source} belongs to may not push to {repository}: it can comment, \
                 but set no status"
            ),
            "let a workflow report (`lcmbench init` writes it), or ask for write access",
        ));
    }
    findings
}

/// A classic token says its scopes.
fn of_scopes(known: &Known<'_>, scopes: &[String]) -> Finding {
    let Known {
        source,
        repository,
        access,
        ..
    } = known;
    let has = |scope: &str| scopes.iter().any(|known| known == scope);
    let named = match scopes {
        [] => "no scope".to_owned(),
        [only] => format!("the scope {only}"),
        several => format!("the scopes {}", several.join(", ")),
    };
    let said = format!("the token of {source} works for {repository} and has {named}");
    if has("repo") || (has("public_repo") && !access.is_private) {
        return Finding::fine(format!("{said}, which is enough for comment and status"));
    }
    let wanted = if access.is_private {
        "`repo`"
    } else {
        "`public_repo` (or `repo`)"
    };
    Finding::warning(
        format!("{said}; comment and status need {wanted}"),
        if source.starts_with("gh ") {
            "`gh auth refresh --scopes repo`".to_owned()
        } else {
            format!("give it the scope {wanted} at https://github.com/settings/tokens")
        },
    )
}

/// A fine-grained token, or a workflow's: reading tells what is refused, and nothing tells whether it
/// may write.
fn of_permissions(known: &Known<'_>) -> Finding {
    let Known {
        source, repository, ..
    } = known;
    match &known.refused {
        Ok(refused) if refused.is_empty() => Finding::fine(format!(
            "the token of {source} works for {repository} and reads pull requests and statuses; whether it \
             may write them, GitHub tells only when it does (a job needs `pull-requests: write` and \
             `statuses: write`)"
        )),
        Ok(refused) => Finding::warning(
            format!(
                "the token of {source} works for {repository} and lacks {}",
                refused.join(", ")
            ),
            format!(
                "a job that reports needs\n{LINES}\nand a fine-grained token the same permissions of the \
                 repository"
            ),
        ),
        Err(error) => Finding::warning(
            format!(
                "the token of {source} works for {repository}; what it may do is not known: {error}"
            ),
            "try again later",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    fn judge(scopes: Option<&[&str]>, is_private: bool, refused: &[&'static str]) -> Finding {
        let access = Access {
            scopes: scopes.map(|scopes| scopes.iter().map(|scope| (*scope).to_owned()).collect()),
            is_private,
            may_push: Some(true),
            default_branch: "main".to_owned(),
        };
        let known = Known {
            source: "GH_TOKEN",
            repository: &"o/r".parse().unwrap(),
            access: &access,
            refused: Ok(refused.to_vec()),
        };
        judged(&known).remove(0)
    }

    #[test]
    fn a_classic_token_needs_repo_or_public_repo_where_that_is_enough() {
        for (scopes, is_private, level) in [
            (&["repo", "gist"][..], true, Level::Fine),
            (&["public_repo"], false, Level::Fine),
            (&["public_repo"], true, Level::Warning),
            (&["repo:status"], false, Level::Warning),
            (&[], false, Level::Warning),
        ] {
            let finding = judge(Some(scopes), is_private, &[]);
            assert_eq!(finding.level, level, "{scopes:?}: {}", finding.sentence);
        }
        let finding = judge(Some(&["repo:status"]), true, &[]);
        assert_eq!(
            finding.sentence,
            "the token of GH_TOKEN works for o/r and has the scope repo:status; comment and status need \
             `repo`"
        );
    }

    #[test]
    fn other_tokens_are_judged_by_what_they_may_read() {
        assert_eq!(judge(None, false, &[]).level, Level::Fine);
        let finding = judge(None, false, &["pull-requests: read"]);
        assert_eq!(finding.level, Level::Warning);
        assert!(finding.way_out[0].contains("  pull-requests: write"));
    }
}
