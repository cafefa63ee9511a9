//! In a workflow what is checked out must be the pull request's head, or the merge group's.

use crate::commands::CommandError;
use crate::github::{ActionsContext, Event};

/// The checkout is not what a comment would be about.
#[derive(Debug, thiserror::Error)]
#[error(
    "the commit that is checked out is {head}, but the commit that the workflow is about is {wanted}; \
     actions/checkout takes the test merge unless told otherwise"
)]
struct OtherHead {
    head: String,
    wanted: String,
}

/// Refuses a checkout of the test merge, and of anything else that is not the head.
pub(in crate::commands) fn require_head(
    head: &str,
    actions: &ActionsContext,
) -> Result<(), CommandError> {
    let (wanted, expression) = match &actions.event {
        Some(Event::PullRequest { head_sha, .. }) => {
            (head_sha, "github.event.pull_request.head.sha")
        }
        Some(Event::WorkflowRun { head_sha, .. }) => {
            (head_sha, "github.event.workflow_run.head_sha")
        }
        Some(Event::MergeGroup { head_sha, .. }) => (head_sha, "github.event.merge_group.head_sha"),
        _ => return Ok(()),
    };
    if !actions.in_actions || wanted == head {
        return Ok(());
    }
    Err(CommandError::usage(OtherHead {
        head: head.to_owned(),
        wanted: wanted.clone(),
    })
    .hint(format!(
        "check out the head:\n  - uses: actions/checkout@v4\n    with:\n      ref: ${{{{ {expression} }}}}\n      \
         fetch-depth: 0"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_merge_is_refused_and_a_desk_is_free() {
        let sha = |digit: &str| digit.repeat(40);
        let actions = |in_actions| ActionsContext {
            in_actions,
            event: Some(Event::PullRequest {
                number: 1,
                head_sha: sha("a"),
                from_fork: false,
            }),
            ..ActionsContext::default()
        };
        require_head(&sha("a"), &actions(true)).unwrap();
        require_head(&sha("b"), &actions(false)).unwrap();
        require_head(&sha("b"), &ActionsContext::default()).unwrap();
        let error = format!("{:?}", require_head(&sha("b"), &actions(true)).unwrap_err());
        for line in [
            "ref: ${{ github.event.pull_request.head.sha }}",
            "fetch-depth: 0",
        ] {
            assert!(error.contains(line), "{error}");
        }
    }
}
