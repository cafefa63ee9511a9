//! What is compared, what is posted, and what is said when it cannot be.

use serde_json::json;

use super::answers::Answer;
use super::fake::{REPOSITORY, What};
use super::workshop::{BOT, MARKER, Workshop};
use crate::stored::check;

#[test]
fn the_comparison_with_the_merge_base_is_posted_once() {
    let workshop = Workshop::new();
    let head = workshop.head();
    let output = workshop.in_pull_request(["pr-comment"]).run();
    check(output, 0, &["comment posted", "#issuecomment-"]);
    let bodies = workshop.bodies();
    assert_eq!(bodies.len(), 1);
    let lines: Vec<&str> = bodies[0].lines().collect();
    assert_eq!(lines[0], MARKER);
    assert_eq!(lines[1], format!("<!-- head-sha:{} -->", &head[..8]));
    let block = lines[2];
    let base = &workshop.stored.commits[2];
    for part in [
        format!("<!-- lcmbench:v1 key=default head={head} base={base} run=50 attempt=1 "),
        "started=2024-01-01T01:00:00Z".to_owned(),
        "alert:1".to_owned(),
    ] {
        assert!(block.contains(&part), "{part}\n{block}");
    }
    assert!(
        bodies[0].contains("where this branch left main"),
        "{}",
        bodies[0]
    );
    assert!(bodies[0].contains("actions/runs/50"));
    assert!(workshop.summary().starts_with(MARKER));
    assert!(
        workshop.summary().contains("1.60"),
        "{}",
        workshop.summary()
    );

    // Once more: nothing is sent.
    let output = workshop.in_pull_request(["pr-comment"]).run();
    check(output, 0, &["is there already, unchanged"]);
    let state = workshop.fake.state();
    assert_eq!((state.count("PATCH"), state.count("POST")), (0, 1));
}

#[test]
fn today_s_scripts_accept_the_comment() {
    let workshop = Workshop::new();
    drop(workshop.in_pull_request(["pr-comment"]).run().expect(0));
    let body = workshop.bodies().remove(0);
    // `body.includes(marker)`, then `/<!-- head-sha:(\w+) -->/` against the head's first 8 digits.
    assert!(body.contains(MARKER));
    let found = fancy_regex::Regex::new(r"<!-- head-sha:(\w+) -->")
        .unwrap()
        .captures(&body)
        .unwrap()
        .unwrap()
        .get(1)
        .unwrap()
        .as_str()
        .to_owned();
    assert_eq!(found, workshop.head()[..8]);
}

#[test]
fn an_earlier_commit_is_named_and_its_verdicts_are_weak() {
    let workshop = Workshop::unmeasured();
    workshop.save(0, 0.5);
    workshop.save(4, 0.8);
    let output = workshop
        .in_pull_request(["pr-comment", "--dry-run"])
        .run()
        .expect(0);
    assert!(
        output.stdout.contains("2 commits before the merge base"),
        "{}",
        output.stdout
    );
    assert!(
        output
            .stdout
            .contains(&format!("base={}", workshop.stored.commits[0]))
    );
    let output = workshop
        .in_pull_request(["pr-comment", "--dry-run", "--baseline", "exact"])
        .run()
        .expect(0);
    assert!(
        output.stdout.contains("No comparison was possible"),
        "{}",
        output.stdout
    );
    assert!(output.stdout.contains("base=none"));
    // Nothing was asked and nothing was written.
    assert!(workshop.fake.state().requests.is_empty());
    assert_eq!(workshop.summary(), "");
}

#[test]
fn a_head_that_was_not_measured_is_an_error_with_the_command() {
    let workshop = Workshop::unmeasured();
    workshop.save(2, 0.5);
    let output = workshop.in_pull_request(["pr-comment"]).run();
    check(output, 3, &["there are no results of", "lcmbench run"]);
    assert!(workshop.fake.state().requests.is_empty());
}

#[test]
fn the_site_s_repository_has_the_baseline() {
    let workshop = Workshop::unmeasured();
    workshop.save(2, 0.5);
    let project = &workshop.stored.project;
    // The results of the merge base move to another repository.
    let site = project.home().join("site");
    fs_err::create_dir_all(site.join("bench")).unwrap();
    fs_err::rename(project.path("results"), site.join("bench/results")).unwrap();
    let git = |arguments: &[&str]| {
        drop(
            project
                .program("git")
                .current_dir(&site)
                .args(arguments)
                .run()
                .expect(0),
        );
    };
    git(&["init", "--quiet", "--initial-branch=pages"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "-m", "Publish"]);
    workshop.save(4, 0.8);
    project.write(
        "lcmbench.toml",
        &format!(
            "[site]\nrepo = \"file://{}\"\nbranch = \"pages\"\nsubdir = \"bench\"\n",
            site.display()
        ),
    );
    let output = workshop
        .in_pull_request(["pr-comment", "--dry-run"])
        .run()
        .expect(0);
    assert!(
        output.stdout.contains("fetched from the site"),
        "{}{}",
        output.stdout,
        output.stderr
    );
    assert!(
        output
            .stdout
            .contains(&format!("base={}", workshop.stored.commits[2]))
    );
    // Without it the values stand alone, and the reason is a warning.
    fs_err::remove_dir_all(&site).unwrap();
    let output = workshop
        .in_pull_request(["pr-comment", "--dry-run"])
        .run()
        .expect(0);
    assert!(
        output.stderr.contains("no results from the site"),
        "{}",
        output.stderr
    );
    assert!(
        output.stdout.contains("No comparison was possible"),
        "{}",
        output.stdout
    );
}

#[test]
fn the_test_merge_is_refused_with_the_lines_to_use() {
    let workshop = Workshop::new();
    let event = Workshop::event(&workshop.stored.commits[3], REPOSITORY);
    let output = workshop
        .in_actions("pull_request", &event, ["pr-comment"])
        .run();
    check(
        output,
        3,
        &[
            "ref: ${{ github.event.pull_request.head.sha }}",
            "fetch-depth: 0",
        ],
    );
    assert!(workshop.fake.state().requests.is_empty());
}

#[test]
fn a_shallow_clone_asks_github_for_the_merge_base() {
    let workshop = Workshop::new();
    let project = &workshop.stored.project;
    let clone = project.home().join("clone");
    let url = format!("file://{}", project.root().display());
    project.git([
        "clone",
        "--quiet",
        "--depth=1",
        &url,
        clone.to_str().unwrap(),
    ]);
    for name in ["results", "asv.conf.json"] {
        let target = clone.join(name);
        drop(
            project
                .program("cp")
                .arg("-r")
                .arg(project.path(name))
                .arg(&target)
                .run(),
        );
    }
    let output = workshop
        .in_pull_request(["pr-comment"])
        .current_dir(&clone)
        .run()
        .expect(0);
    assert!(
        output.stderr.contains("comment posted"),
        "{}",
        output.stderr
    );
    let body = workshop.bodies().remove(0);
    assert!(
        body.contains(&format!("base={}", workshop.stored.commits[2])),
        "{body}"
    );
    assert_eq!(
        workshop
            .fake
            .state()
            .count("GET /repos/owner/project/compare"),
        1
    );
}

#[test]
fn a_missing_permission_loses_nothing_and_names_the_lines() {
    let workshop = Workshop::new();
    workshop.fake.state().withheld = vec!["pull-requests: write"];
    let output = workshop.in_pull_request(["pr-comment"]).run();
    check(
        output,
        4,
        &[
            "permissions:",
            "pull-requests: write",
            "the results are saved; repeat with",
        ],
    );
    // The page of the run has the report all the same.
    assert!(
        workshop.summary().contains("time"),
        "{}",
        workshop.summary()
    );
    assert_eq!(workshop.fake.state().count("POST"), 1);
}

#[test]
fn limits_are_waited_for_and_a_bad_token_is_not() {
    let workshop = Workshop::new();
    let limited =
        Answer::message(403, "You have exceeded a secondary rate limit").with("Retry-After", "0");
    workshop.fake.fault("POST", What::Answer(limited));
    let budget = Answer::message(403, "API rate limit exceeded")
        .with("x-ratelimit-remaining", "0")
        .with("x-ratelimit-reset", "1");
    workshop
        .fake
        .fault("GET /repos/owner/project/issues", What::Answer(budget));
    drop(workshop.in_pull_request(["pr-comment"]).run().expect(0));
    assert_eq!(workshop.bodies().len(), 1);
    let output = workshop
        .in_pull_request(["pr-comment"])
        .env("GITHUB_TOKEN", "ghs_bad")
        .run();
    check(output, 4, &["does not accept the token"]);
    let output = workshop
        .in_pull_request(["pr-comment"])
        .env("GITHUB_TOKEN", "")
        .env("PATH", "/usr/bin:/bin")
        .run();
    check(output, 3, &["${{ github.token }}"]);
}

#[test]
fn what_is_posted_can_be_had_as_a_file_and_in_other_forms() {
    let workshop = Workshop::new();
    let output = workshop
        .at_desk([
            "pr-comment",
            "--dry-run",
            "--format",
            "json",
            "--output",
            "out.json",
        ])
        .run()
        .expect(0);
    let parsed: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(parsed["head"]["commit"], json!(workshop.head()));
    let written = workshop.stored.project.read("out.json");
    assert_eq!(written.trim(), output.stdout.trim());
    assert!(workshop.fake.state().requests.is_empty());
}

#[test]
fn other_keys_other_authors_and_other_comments_are_left_alone() {
    let workshop = Workshop::new();
    let head = workshop.head();
    {
        let mut state = workshop.fake.state();
        state.comment(7, "mallory", &Workshop::of_run(&head, 1));
        state.comment(7, BOT, &format!("> {}", Workshop::of_run(&head, 1)));
        state.comment(
            7,
            BOT,
            &Workshop::of_run(&head, 1).replace("key=default", "key=cpu"),
        );
    }
    drop(workshop.in_pull_request(["pr-comment"]).run().expect(0));
    drop(
        workshop
            .in_pull_request(["pr-comment", "--key", "gpu"])
            .run()
            .expect(0),
    );
    let bodies = workshop.bodies();
    assert_eq!(bodies.len(), 5);
    assert!(bodies[0].contains("run=1 ") && bodies[2].contains("key=cpu"));
    assert!(bodies[3].contains("key=default") && bodies[4].contains("key=gpu"));
}

#[test]
fn requests_for_one_comment_among_250() {
    let workshop = Workshop::new();
    {
        let mut state = workshop.fake.state();
        for index in 0..249 {
            state.comment(7, "somebody", &format!("comment {index}"));
        }
        let legacy = Workshop::legacy(&workshop.stored.commits[3]);
        state.comment(7, BOT, &legacy);
    }
    let output = workshop.in_pull_request(["pr-comment"]).run();
    check(output, 0, &["comment edited", "(6 requests)"]);
    let state = workshop.fake.state();
    // `docs/benchmarks.md` says how these lines are seen.
    println!(
        "requests for one comment among 250: {}",
        state.requests.len()
    );
    for line in &state.requests {
        println!("  {line}");
    }
    assert_eq!(state.requests.len(), 6, "{:#?}", state.requests);
    assert_eq!(state.comments.len(), 250);
}

#[test]
fn a_new_comment_goes_to_the_end_in_recreate_mode() {
    let workshop = Workshop::new();
    {
        let mut state = workshop.fake.state();
        state.comment(7, BOT, &Workshop::legacy(&workshop.stored.commits[3]));
        state.comment(7, "somebody", "please look");
    }
    let output = workshop
        .in_pull_request(["pr-comment", "--mode", "recreate"])
        .run();
    check(output, 0, &["comment posted; 1 older deleted"]);
    let bodies = workshop.bodies();
    assert_eq!(bodies.len(), 2);
    assert_eq!(bodies[0], "please look");
    assert!(bodies[1].contains(&workshop.head()));
}
