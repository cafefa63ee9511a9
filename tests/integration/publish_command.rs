//! `lcmbench publish` into a bare repository on disk.

use std::path::Path;

use crate::common::command::Output;
use crate::stored::{ENVIRONMENT, StoredProject, check, timed};

/// A measured project and the bare repository of its site.
struct Published {
    stored: StoredProject,
    site: tempfile::TempDir,
}

impl Published {
    fn new() -> Self {
        let stored = StoredProject::with_commits(2);
        stored.save(&stored.commits[1], &[timed("m.time_plain", 0.5)]);
        let site = tempfile::tempdir().unwrap();
        let published = Self { stored, site };
        let _made = published
            .git(&["init", "--quiet", "--bare", "--initial-branch=pages"])
            .expect(0);
        published.configure(&published.site.path().display().to_string());
        published
    }

    fn configure(&self, repo: &str) {
        let text = format!("[site]\nrepo = \"{repo}\"\nbranch = \"pages\"\nsubdir = \"proj\"\n");
        self.stored.project.write("lcmbench.toml", &text);
        self.stored.project.git(["add", "lcmbench.toml"]);
    }

    fn publish(&self, arguments: &[&str]) -> Output {
        let project = &self.stored.project;
        project.lcmbench().arg("publish").args(arguments).run()
    }

    /// git in the bare repository.
    fn git(&self, arguments: &[&str]) -> Output {
        let folder = self.site.path().to_str().unwrap();
        let arguments = [&["-C", folder], arguments].concat();
        self.stored.project.program("git").args(arguments).run()
    }

    /// The published results; the pages beside them depend on whether this build has the page.
    fn files(&self) -> Vec<String> {
        let listed = self
            .git(&["ls-tree", "-r", "--name-only", "pages"])
            .expect(0);
        let files = listed.stdout.lines();
        files
            .filter(|path| path.contains("results/"))
            .map(str::to_owned)
            .collect()
    }

    fn result_file(&self) -> String {
        format!(
            "proj/results/box/{}-{ENVIRONMENT}.json",
            &self.stored.commits[1][..8]
        )
    }
}

#[test]
fn results_are_published_once() {
    let published = Published::new();
    let hash = &published.stored.commits[1];
    check(
        published.publish(&[]),
        0,
        &["published ", "(pages)", "1 stamp of versions taken off"],
    );
    assert_eq!(
        published.files(),
        [
            "proj/results/benchmarks.json".to_owned(),
            published.result_file(),
            "proj/results/box/machine.json".to_owned(),
        ]
    );
    let subject = published
        .git(&["log", "-1", "--format=%s", "pages"])
        .expect(0);
    assert_eq!(
        subject.stdout.trim(),
        format!("p: publish benchmarks for {}", &hash[..12])
    );
    check(published.publish(&[]), 0, &["nothing new for "]);
    let status = published.stored.project.git(["status", "--porcelain"]);
    assert_eq!(status, "A  lcmbench.toml", "the clone is ignored");
}

#[test]
fn without_pushing_the_site_stays_as_it_is() {
    let published = Published::new();
    check(
        published.publish(&["--dry-run"]),
        0,
        &["would publish 1 result file to "],
    );
    check(
        published.publish(&["--no-push"]),
        0,
        &["committed ", "not pushed"],
    );
    check(published.git(&["rev-parse", "--verify", "pages"]), 128, &[]);
    check(published.publish(&[]), 0, &["published "]);
}

#[test]
fn a_folder_will_do() {
    let published = Published::new();
    published.stored.project.write("lcmbench.toml", "");
    check(
        published.publish(&[]),
        3,
        &[
            "no site repository is configured",
            "site.repo",
            "--output DIR",
        ],
    );
    check(published.publish(&["--output", "out"]), 0, &["wrote "]);
    let project = &published.stored.project;
    let name = published.result_file().replace("proj", "out");
    assert!(project.path(Path::new(&name)).exists());
}

#[test]
fn another_branch_is_refused_unless_told() {
    let published = Published::new();
    let project = &published.stored.project;
    project.git(["checkout", "--quiet", "-b", "feature"]);
    check(
        published.publish(&[]),
        3,
        &[
            "feature is checked out; the history is that of main",
            "--any-branch",
        ],
    );
    check(published.publish(&["--any-branch"]), 0, &["published "]);
    // A detached HEAD at the tip of the main branch is the main branch.
    project.git(["checkout", "--quiet", "--detach", "main"]);
    check(published.publish(&[]), 0, &["nothing new for "]);
    project.git(["checkout", "--quiet", "--detach", "main~1"]);
    check(
        published.publish(&[]),
        3,
        &["a detached HEAD is checked out"],
    );
}

#[test]
fn a_site_that_is_away_ends_with_4() {
    let published = Published::new();
    published.configure("/nowhere/site.git");
    check(
        published.publish(&[]),
        4,
        &[
            "the site repository cannot be reached",
            "publish again later",
        ],
    );
}
