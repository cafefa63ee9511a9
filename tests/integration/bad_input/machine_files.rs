//! A `machine.json` that says nothing: the results beside it count all the same.

use fs_err as fs;

use crate::common::command::Output;
use crate::stored::{StoredProject, check, timed};

fn two_commits() -> StoredProject {
    let stored = StoredProject::with_commits(2);
    stored.save(&stored.commits[0], &[timed("m.time_plain", 0.5)]);
    stored.save(&stored.commits[1], &[timed("m.time_plain", 0.8)]);
    stored
}

fn run(stored: &StoredProject, arguments: &[&str]) -> Output {
    stored.project.lcmbench().args(arguments).run()
}

#[test]
fn every_reader_goes_by_the_folder_s_name_and_says_so() {
    const REMARK: &str = "the folder's name `box` counts as the machine's. To mend it";
    let stored = two_commits();
    let path = stored.project.path("results/box/machine.json");
    let damaged = [
        (Some(""), "machine.json is no JSON"),
        (Some("{\"machine\": \"box\""), "machine.json is no JSON"),
        (Some("{\"version\": 1}"), "machine.json has no `machine`"),
        (
            Some("{\"machine\": \"box\"}"),
            "machine.json has no version",
        ),
        (None, "machine.json is missing"),
    ];
    for (text, wrong) in damaged {
        match text {
            Some(text) => fs::write(&path, text).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let output = run(&stored, &["compare", "HEAD~1", "HEAD"]);
        check(output, 0, &["m.time_plain (1.60)", wrong, REMARK]);
    }
    fs::write(&path, "[").unwrap();
    for arguments in [
        &["compare", "HEAD~1", "HEAD", "--machine", "box"][..],
        &["show", "HEAD"],
        &["show"],
        &["changes"],
    ] {
        check(run(&stored, arguments), 0, &["no JSON", REMARK]);
    }
}

#[test]
fn publishing_it_leaves_the_site_s_description_in_place() {
    let stored = two_commits();
    let site = tempfile::tempdir().unwrap();
    let repo = site.path().to_str().unwrap();
    let git = |arguments: &[&str]| {
        let arguments = [&["-C", repo], arguments].concat();
        stored
            .project
            .program("git")
            .args(arguments)
            .run()
            .expect(0)
            .stdout
    };
    git(&["init", "--quiet", "--bare", "--initial-branch=pages"]);
    let text = format!("[site]\nrepo = \"{repo}\"\nbranch = \"pages\"\n");
    stored.project.write("lcmbench.toml", &text);
    check(run(&stored, &["publish"]), 0, &[]);
    let described = git(&["show", "pages:results/box/machine.json"]);
    assert!(described.contains("x86_64"), "{described}");

    let path = stored.project.path("results/box/machine.json");
    fs::write(path, "{").unwrap();
    stored.save_row(&stored.commits[1], &timed("m.time_other", 0.5));
    check(
        run(&stored, &["publish"]),
        0,
        &["folder's name `box` counts"],
    );
    let after = git(&["show", "pages:results/box/machine.json"]);
    assert_eq!(after, described);
    let name = format!(
        "pages:results/box/{}-{}.json",
        &stored.commits[1][..8],
        crate::stored::ENVIRONMENT
    );
    let results = git(&["show", &name]);
    assert!(results.contains("m.time_other") && results.contains("x86_64"));
}
