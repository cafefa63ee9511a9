//! A measured project with a pull request on the stand-in for GitHub.

use serde_json::{Value, json};

use crate::common::Project;
use crate::common::command::Lcmbench;
use crate::stored::{StoredProject, timed};

use super::fake::{ACTIONS_TOKEN, DEV_TOKEN, Fake, Pull, REPOSITORY};

pub(crate) const MARKER: &str = "<!-- benchmark-check -->";
pub(crate) const BOT: &str = "github-actions[bot]";

/// Pull request 7: three commits on `main`, two more on `topic`.
pub(crate) struct Workshop {
    pub(crate) stored: StoredProject,
    pub(crate) fake: Fake,
}

impl Workshop {
    /// Nothing is measured.
    pub(crate) fn unmeasured() -> Self {
        Self::unmeasured_with(|_| {})
    }

    /// Nothing is measured; `write` adds files to the first commit of the branch.
    pub(crate) fn unmeasured_with(write: impl Fn(&Project)) -> Self {
        let mut stored = StoredProject::with_commits(3);
        let project = &stored.project;
        project.git(["checkout", "--quiet", "-b", "topic"]);
        write(project);
        for name in ["Change it", "Change it more"] {
            project.write("code.py", name);
            let hash = project.commit(name);
            stored.commits.push(hash);
        }
        let origin = format!("https://github.com/{REPOSITORY}.git");
        project.git(["remote", "add", "origin", &origin]);
        project.git(["config", "branch.topic.remote", "origin"]);
        project.git(["config", "branch.topic.merge", "refs/heads/topic"]);
        let fake = Fake::start();
        let workshop = Self { stored, fake };
        let mut state = workshop.fake.state();
        state.commits.clone_from(&workshop.stored.commits);
        let main = workshop.stored.commits[2].clone();
        state.branches.insert("main".to_owned(), main);
        state.pulls.push(workshop.pull(7));
        drop(state);
        workshop
    }

    /// Merge base and head are measured; the head is slower.
    pub(crate) fn new() -> Self {
        let workshop = Self::unmeasured();
        workshop.save(2, 0.5);
        workshop.save(4, 0.8);
        workshop
    }

    /// A pull request of `topic` with the present head.
    pub(crate) fn pull(&self, number: u64) -> Pull {
        Pull {
            number,
            head_sha: self.head(),
            head_ref: "topic".to_owned(),
            head_repository: Some(REPOSITORY.to_owned()),
            base_sha: self.stored.commits[2].clone(),
        }
    }

    pub(crate) fn save(&self, commit: usize, seconds: f64) {
        self.stored.save(
            &self.stored.commits[commit],
            &[timed("m.time_plain", seconds)],
        );
    }

    pub(crate) fn head(&self) -> String {
        self.stored.commits[4].clone()
    }

    /// The binary at a desk, with a developer's token.
    pub(crate) fn at_desk<const N: usize>(&self, arguments: [&str; N]) -> Lcmbench {
        self.stored
            .project
            .lcmbench()
            .env("GITHUB_API_URL", self.fake.url())
            .env("GH_TOKEN", DEV_TOKEN)
            .args(arguments)
    }

    /// The binary in a workflow that `event` started.
    pub(crate) fn in_actions<const N: usize>(
        &self,
        name: &str,
        event: &Value,
        arguments: [&str; N],
    ) -> Lcmbench {
        let home = self.stored.project.home();
        let path = home.join("event.json");
        fs_err::write(&path, event.to_string()).unwrap();
        self.stored
            .project
            .lcmbench()
            .env("GITHUB_ACTIONS", "true")
            .env("GITHUB_API_URL", self.fake.url())
            .env("GITHUB_REPOSITORY", REPOSITORY)
            .env("GITHUB_TOKEN", ACTIONS_TOKEN)
            .env("GITHUB_RUN_ID", "50")
            .env("GITHUB_RUN_ATTEMPT", "1")
            .env("GITHUB_EVENT_NAME", name)
            .env("GITHUB_EVENT_PATH", &path)
            .env("GITHUB_STEP_SUMMARY", home.join("summary.md"))
            .args(arguments)
    }

    /// The event of pull request 7 with this head.
    pub(crate) fn event(head: &str, head_repository: &str) -> Value {
        json!({"action": "synchronize", "pull_request": {
            "number": 7,
            "head": {"sha": head, "ref": "topic", "repo": {"full_name": head_repository}},
            "base": {"sha": "0".repeat(40), "ref": "main", "repo": {"full_name": REPOSITORY}}}})
    }

    /// The binary in the workflow of pull request 7 at its head.
    pub(crate) fn in_pull_request<const N: usize>(&self, arguments: [&str; N]) -> Lcmbench {
        let event = Self::event(&self.head(), REPOSITORY);
        self.in_actions("pull_request", &event, arguments)
    }

    pub(crate) fn summary(&self) -> String {
        fs_err::read_to_string(self.stored.project.home().join("summary.md")).unwrap_or_default()
    }

    /// Bodies of the comments on pull request 7.
    pub(crate) fn bodies(&self) -> Vec<String> {
        let state = self.fake.state();
        let on_it = state.comments.iter().filter(|comment| comment.pull == 7);
        on_it.map(|comment| comment.body.clone()).collect()
    }

    /// A comment of before lcmbench.
    pub(crate) fn legacy(head: &str) -> String {
        format!(
            "{MARKER}\n<!-- head-sha:{} -->\n## Benchmarks\n",
            &head[..8]
        )
    }

    /// A comment of ours that a workflow's run wrote.
    pub(crate) fn of_run(head: &str, run: u64) -> String {
        let digest = "0".repeat(64);
        format!(
            "{MARKER}\n<!-- head-sha:{} -->\n<!-- lcmbench:v1 key=default head={head} base=none \
             run={run} attempt=1 started=2024-01-01T01:00:00Z verdict=same counts=same:1 \
             sha256={digest} -->\n\n**text**\n",
            &head[..8]
        )
    }
}
