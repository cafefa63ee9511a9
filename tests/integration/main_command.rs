//! `lcmbench main`: run, then publish.

use rustix::process::Signal;

use crate::common::command::Output;
use crate::common::{Project, python3};
use crate::stored::check;

/// A suite that waits where `STEPS_FOLDER` tells it to, and a bare repository for the site.
struct Main {
    project: Project,
    python: std::path::PathBuf,
}

impl Main {
    fn new(site: bool) -> Option<Self> {
        let python = python3()?;
        let project = Project::new();
        project.suite("steps");
        let bare = project.home().join("site.git");
        if site {
            let path = bare.to_str().unwrap().to_owned();
            project.git(["init", "--quiet", "--bare", "--initial-branch=pages", &path]);
            let text = format!("[site]\nrepo = \"{path}\"\nbranch = \"pages\"\n");
            project.write("lcmbench.toml", &text);
        }
        project.write(".gitignore", "__pycache__/\nresults\n.benchmark-site\n");
        project.commit("One");
        let notes = project.home().join("notes");
        fs_err::create_dir(&notes).unwrap();
        fs_err::write(notes.join("go-on"), "").unwrap();
        Some(Self { project, python })
    }

    fn command<const N: usize>(&self, more: [&str; N]) -> crate::common::command::Lcmbench {
        self.project
            .lcmbench()
            .args(["main", "--python"])
            .arg(&self.python)
            .args(more)
            .env("STEPS_FOLDER", self.project.home().join("notes"))
    }

    fn run<const N: usize>(&self, more: [&str; N]) -> Output {
        self.command(more).run()
    }

    /// Result files in the site.
    fn published(&self) -> usize {
        let folder = self.project.home().join("site.git");
        let folder = folder.to_str().unwrap();
        let listed = self
            .project
            .program("git")
            .args(["-C", folder, "ls-tree", "-r", "--name-only", "pages"])
            .run();
        let names = listed.stdout.lines();
        names
            .filter(|name| name.starts_with("results/") && name.matches('/').count() == 2)
            .count()
    }
}

#[test]
fn it_measures_and_publishes() {
    let Some(main) = Main::new(true) else {
        return;
    };
    check(main.run([]), 0, &["4 measured", "published "]);
    // machine.json and one result file.
    assert_eq!(main.published(), 2);
    assert_eq!(main.project.result_files().len(), 1);
}

#[test]
fn without_a_site_it_saves_and_says_so() {
    let Some(main) = Main::new(false) else {
        return;
    };
    check(main.run([]), 0, &["nothing is published", "site.repo"]);
    assert_eq!(main.project.result_files().len(), 1);
}

#[test]
fn another_branch_is_refused_before_anything_is_measured() {
    let Some(main) = Main::new(true) else {
        return;
    };
    main.project.git(["checkout", "--quiet", "-b", "topic"]);
    check(main.run([]), 3, &["topic is checked out", "--any-branch"]);
    assert!(!main.project.path("results").exists());
    check(main.run(["--any-branch"]), 0, &["published "]);
}

#[test]
fn a_site_that_is_gone_fails_the_publication_alone() {
    let Some(main) = Main::new(true) else {
        return;
    };
    fs_err::remove_dir_all(main.project.home().join("site.git")).unwrap();
    check(
        main.run([]),
        4,
        &["the results are saved; `lcmbench publish`"],
    );
    let warned = main.run(["--report-errors", "warn", "-k"]);
    check(warned, 0, &["warning: ", "the results are saved"]);
    // A failed benchmark goes before.
    let project = &main.project;
    let suite = project
        .read("benchmarks/ordered.py")
        .replace("return 1\n", "raise ValueError\n");
    project.write("benchmarks/ordered.py", &suite);
    project.commit("Break it");
    check(main.run([]), 2, &["1 failed", "the results are saved"]);
}

#[test]
fn what_failed_is_published_all_the_same_and_an_interruption_is_not() {
    let Some(main) = Main::new(true) else {
        return;
    };
    let notes = main.project.home().join("notes");
    fs_err::remove_file(notes.join("go-on")).unwrap();
    let mut running = main.command([]).start();
    running.wait_until("the third benchmark runs", || notes.join("c").exists());
    running.signal(Signal::TERM);
    check(
        running.wait(),
        143,
        &["nothing is published, since the run was interrupted"],
    );
    assert_eq!(main.published(), 0);
    fs_err::write(notes.join("go-on"), "").unwrap();
    let suite = main.project.read("benchmarks/ordered.py");
    let suite = suite.replace("return 4\n", "raise ValueError('no')\n");
    main.project.write("benchmarks/ordered.py", &suite);
    main.project.commit("Break it");
    check(main.run([]), 2, &["1 failed", "published "]);
    assert_eq!(main.published(), 3);
}
