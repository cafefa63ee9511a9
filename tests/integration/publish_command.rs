//! `lcmbench publish` into a bare repository on disk.

use std::path::Path;

use fs_err as fs;

use crate::bad_input::with_own_mounts;
use crate::common::command::Output;
use crate::stored::{ENVIRONMENT, StoredProject, check, result_file, timed};

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

/// A history as it comes from other machines and other times: Windows line ends, a byte order mark, a
/// commit twice, a commit that nobody knows, a folder without a description, a date to come.
#[test]
fn an_odd_history_is_published_and_stays_as_it_was_published() {
    let published = Published::new();
    let stored = &published.stored;
    let commit = &stored.commits[0];
    let text = result_file(commit, "box", "other", &[timed("m.time_plain", 0.4)]);
    let name = |commit: &str, environment: &str| {
        format!("results/box/{}-{environment}.json", &commit[..8])
    };
    let write = |name: &str, text: &str| stored.project.write(name, text);
    write(&name(commit, "other"), &text.replace(", ", ",\r\n  "));
    let marked = format!("\u{FEFF}{}", text.replace("\"other\"", "\"marked\""));
    write(&name(commit, "marked"), &marked);
    // The same commit and environment once more, under another name.
    write(
        &format!("results/box/{}-again.json", &commit[..8]),
        &text.replace("0.4", "0.3"),
    );
    let unknown = "dead".repeat(10);
    let future = result_file(&unknown, "box", ENVIRONMENT, &[timed("m.time_plain", 0.2)]);
    write(
        &name(&unknown, ENVIRONMENT),
        &future.replace("1704067200000", "9999999999000"),
    );
    let bare = result_file(commit, "bare", ENVIRONMENT, &[timed("m.time_plain", 0.1)]);
    write(
        &format!("results/bare/{}-{ENVIRONMENT}.json", &commit[..8]),
        &bare,
    );

    check(
        published.publish(&[]),
        0,
        &["published ", "`bare` counts as the machine's"],
    );
    let files = published.files();
    for wanted in [
        format!("proj/results/bare/{}-{ENVIRONMENT}.json", &commit[..8]),
        format!("proj/{}", name(commit, "other")),
        format!("proj/{}", name(commit, "marked")),
        format!("proj/{}", name(&unknown, ENVIRONMENT)),
    ] {
        assert!(files.contains(&wanted), "{wanted}: {files:?}");
        let text = published
            .git(&["show", &format!("pages:{wanted}")])
            .expect(0)
            .stdout;
        assert!(text.starts_with("{\"commit_hash\""), "asv reads it: {text}");
    }
    assert_eq!(
        files.iter().filter(|file| file.contains("-again")).count(),
        0
    );
    check(published.publish(&[]), 0, &["nothing new for "]);
    // Neither does it without what was remembered, from a clone that is made anew.
    fs::remove_dir_all(stored.project.path(".benchmark-site")).unwrap();
    check(published.publish(&[]), 0, &["nothing new for "]);
}

#[test]
fn a_full_disk_is_said_and_leaves_no_halves() {
    let published = Published::new();
    let project = &published.stored.project;
    let big: Vec<String> = (0..4_000)
        .map(|number| timed(&format!("m.time_{number}"), 0.5))
        .collect();
    published.stored.save(&published.stored.commits[0], &big);
    let script = "set -e
        mkdir full
        mount -t tmpfs -o size=64k none full
        code=0
        $LCMBENCH publish --output full/site || code=$?
        ls -A full/site/results/box
        exit $code";
    let Some(output) = with_own_mounts(project, script) else {
        return;
    };
    let output = output.expect(3).says("No space left");
    assert!(output.stdout.contains("machine.json"), "{}", output.stdout);
    assert!(!output.stdout.contains(".tmp"), "{}", output.stdout);
    fs::remove_dir(project.path("full")).unwrap();
    check(published.publish(&[]), 0, &["published "]);
}
