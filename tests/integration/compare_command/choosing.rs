//! Which results are compared: commits, machines and environments, and what is said where that is no single choice.

use super::*;

#[test]
fn commits_go_by_any_name_or_by_the_beginning_of_their_hash() {
    let stored = two_commits();
    let project = &stored.project;
    project.git(["tag", "v1", "HEAD~1"]);
    let short = &stored.commits[0][..6];
    for base in ["HEAD~1", "main^", "v1", short, &stored.commits[0]] {
        let document = json(project, &[base, "main"]);
        assert_eq!(document["base"]["commit"], stored.commits[0], "{base}");
        assert_eq!(document["head"]["commit"], stored.commits[1]);
        assert_eq!(document["head"]["name"], "main");
    }
    // A hash is no name, so the report takes git's.
    assert_eq!(json(project, &[short, "main"])["base"]["name"], "v1");
    // Results of a commit that git no longer has.
    let lost = "0123456789abcdef0123456789abcdef01234567";
    stored.save(lost, &[timed("m.time_plain", 0.25)]);
    let document = json(project, &["0123456", "HEAD~1"]);
    assert_eq!(document["base"]["commit"], lost);
    assert_eq!(document["base"]["name"], Value::Null);
}

#[test]
fn without_git_commits_go_by_their_hashes() {
    let project = Project::without_git();
    project.write("asv.conf.json", r#"{"version": 1, "repo": "."}"#);
    let hashes = ["a1".repeat(20), "b2".repeat(20)];
    project.write(
        "results/box/machine.json",
        r#"{"machine": "box", "version": 1}"#,
    );
    for hash in &hashes {
        let file = result_file(hash, "box", "e", &[timed("m.time_plain", 0.5)]);
        project.write(format!("results/box/{}-e.json", &hash[..8]), &file);
    }
    let document = json(&project, &["a1a1", "b2b2b2b2"]);
    assert_eq!(document["rows"][0]["ratio"], 1.0);
    check(
        project.lcmbench().args(["compare", "HEAD~1", "HEAD"]).run(),
        3,
        &[
            "there are no results of HEAD~1",
            "without a git repository commits go by their hashes",
            "measured commits are a1a1a1a1, b2b2b2b2",
        ],
    );
}

#[test]
fn several_machines_are_listed_and_none_is_guessed() {
    let stored = two_commits();
    for commit in &stored.commits {
        let rows = [timed("m.time_plain", 0.5)];
        stored.save_in(commit, "laptop", ENVIRONMENT, &rows);
    }
    let compare = || {
        stored
            .project
            .lcmbench()
            .args(["compare", "HEAD~1", "HEAD"])
    };
    check(
        compare().run(),
        3,
        &["several machines: `box`, `laptop`", "--machine"],
    );
    check(
        compare().args(["--machine", "laptop"]).run(),
        0,
        &["m.time_plain"],
    );
    check(
        compare().env("LCMBENCH_MACHINE", "box").run(),
        0,
        &["m.Suite.time_run(2)"],
    );
    check(
        compare().args(["-m", "nowhere"]).run(),
        3,
        &["no results of the machine `nowhere`; there are some of `box`, `laptop`"],
    );
}

#[test]
fn one_common_place_among_several_is_no_guess() {
    let stored = two_commits();
    stored.save_in(
        &stored.commits[0],
        "laptop",
        ENVIRONMENT,
        &[timed("m.time_plain", 0.5)],
    );
    let document = json(&stored.project, &["HEAD~1", "HEAD"]);
    assert_eq!(document["head"]["machine"], "box");
    fs::remove_dir_all(stored.project.path("results/box")).unwrap();
    stored.save_in(
        &stored.commits[1],
        "server",
        ENVIRONMENT,
        &[timed("m.time_plain", 0.5)],
    );
    check(
        stored
            .project
            .lcmbench()
            .args(["compare", "HEAD~1", "HEAD"])
            .run(),
        3,
        &[
            "not measured in the same place",
            &format!("`laptop/{ENVIRONMENT}`"),
            &format!("`server/{ENVIRONMENT}`"),
        ],
    );
}

#[test]
fn several_environments_are_listed_and_aliases_are_one() {
    let stored = two_commits();
    for commit in &stored.commits {
        stored.save_in(commit, "box", "conda-py3.10", &[timed("m.time_plain", 0.5)]);
    }
    let compare = || {
        stored
            .project
            .lcmbench()
            .args(["compare", "HEAD~1", "HEAD"])
    };
    check(
        compare().run(),
        3,
        &[
            "several environments of `box`: ",
            "`conda-py3.10`",
            "--environment",
        ],
    );
    for wanted in ["conda-py3.10", "conda"] {
        check(
            compare().args(["-E", wanted]).run(),
            0,
            &["1 of 1 benchmark"],
        );
    }
    check(
        compare().args(["-E", "uv"]).run(),
        3,
        &["in the environment `uv`; it was measured in `box/conda-py3.10`"],
    );

    // The runner's folder moved between both commits.
    let moved = StoredProject::with_commits(2);
    let rows = [timed("m.time_plain", 0.5)];
    moved.save_in(&moved.commits[0], "box", "existing-py_old_python", &rows);
    moved.save_in(&moved.commits[1], "box", "gpu", &rows);
    check(
        moved
            .project
            .lcmbench()
            .args(["compare", "HEAD~1", "HEAD"])
            .run(),
        3,
        &["aliases"],
    );
    moved.project.write(
        "lcmbench.toml",
        "[environment]\nname = \"gpu\"\naliases = [\"existing-py_old_python\"]\n",
    );
    let document = json(&moved.project, &["HEAD~1", "HEAD"]);
    assert_eq!(document["rows"][0]["ratio"], 1.0);
    let listed = moved.project.lcmbench().arg("show").run().expect(0);
    assert!(
        listed.stdout.contains("Environment: gpu\n") && !listed.stdout.contains("old_python"),
        "{}",
        listed.stdout
    );
    assert_eq!(document["base"]["environment"], "gpu");
    let differences = document["differences"].as_array().unwrap();
    assert!(
        differences.iter().all(|one| one["what"] != "environment"),
        "an alias is no other environment: {differences:?}"
    );
    let by_alias = ["HEAD~1", "HEAD", "-E", "existing-py_old_python"];
    assert_eq!(json(&moved.project, &by_alias)["rows"][0]["ratio"], 1.0);
}

#[test]
fn a_commit_without_results_is_told_what_is_there() {
    let stored = StoredProject::with_commits(4);
    check(
        stored
            .project
            .lcmbench()
            .args(["compare", "HEAD~1", "HEAD"])
            .run(),
        3,
        &["there are no results in ", "lcmbench run"],
    );
    for commit in &stored.commits[..2] {
        stored.save(commit, &[timed("m.time_plain", 0.5)]);
    }
    let [first, second, third] = [0, 1, 2].map(|at| &stored.commits[at][..8]);
    check(
        stored
            .project
            .lcmbench()
            .args(["compare", "HEAD~2", "HEAD~1"])
            .run(),
        3,
        &[
            &format!("there are no results of HEAD~1 ({third})"),
            &format!("measured commits are {second}, {first}"),
        ],
    );
    // What HEAD has is shown all the same.
    check(
        stored
            .project
            .lcmbench()
            .args(["compare", "HEAD~1", "HEAD~2", "--format", "markdown"])
            .run(),
        3,
        &[
            "there are no results of HEAD~1",
            "No comparison was possible",
            "500",
        ],
    );
    check(
        stored
            .project
            .lcmbench()
            .args(["compare", "nowhere", "HEAD~2"])
            .run(),
        3,
        &["git knows no revision `nowhere`"],
    );
}

#[test]
fn the_beginning_of_several_hashes_is_ambiguous() {
    let stored = two_commits();
    for hash in ["feed0000", "feed1111"] {
        stored.save(&hash.repeat(5), &[timed("m.time_plain", 0.5)]);
    }
    check(
        stored
            .project
            .lcmbench()
            .args(["compare", "feed", "HEAD"])
            .run(),
        3,
        &[
            "`feed` begins several measured commits",
            &"feed1111".repeat(5),
        ],
    );
}
