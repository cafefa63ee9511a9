//! What only GitHub's pages can do, and what to do next.

use super::project::Project;
use crate::github::STATUS_CONTEXT;

/// The lines to be printed at the end.
pub(super) fn steps(project: &Project, with_workflows: bool) -> Vec<String> {
    let mut lines = vec![
        String::new(),
        "Next:".to_owned(),
        "  lcmbench doctor           # is everything there?".to_owned(),
        "  lcmbench machine --yes    # once a machine".to_owned(),
        "  lcmbench quick            # does the suite work?".to_owned(),
    ];
    if !with_workflows {
        return lines;
    }
    let page = project.repository.as_ref().map_or_else(
        || "the repository's page Settings -> Rules -> Rulesets".to_owned(),
        |name| format!("https://github.com/{name}/settings/rules"),
    );
    let main = &project.main_branch;
    lines.extend([
        String::new(),
        format!("To let nothing into {main} without a benchmark of its newest commit:"),
        "  1. Commit these files, and let the workflows run on one pull request: GitHub offers a status".to_owned(),
        "     only after it was set once.".to_owned(),
        format!("  2. In {page}"),
        format!("     make a rule for the branch {main} with \"Require status checks to pass\"."),
        format!("  3. Add `{STATUS_CONTEXT}`, with GitHub Actions as its source: otherwise anybody who may push can"),
        "     set it. (A status that is set from a desk then no longer counts.)".to_owned(),
        "  4. Require none of the jobs: a job that is skipped counts as passed.".to_owned(),
        format!("  5. No job may be called `{STATUS_CONTEXT}`: GitHub would require both."),
        "  In a public repository keep forks off your own runner: Settings -> Actions -> General ->".to_owned(),
        "  \"Require approval for all external contributors\".".to_owned(),
    ]);
    lines
}
