use super::*;
use crate::github::{Block, DEFAULT_KEY};
use crate::report::Verdict;
use crate::report::markdown::MARKER;

const HEAD: &str = "1111111111111111111111111111111111111111";
const OLD: &str = "2222222222222222222222222222222222222222";

fn comment(head: &str, started: &str, verdict: &str, counts: &[(&str, usize)]) -> Counted {
    let block = Block {
        key: DEFAULT_KEY.to_owned(),
        head: head.to_owned(),
        base: None,
        run: None,
        started: started.parse().unwrap(),
        verdict: verdict.to_owned(),
        counts: counts
            .iter()
            .map(|(word, count)| ((*word).to_owned(), *count))
            .collect(),
        gate: Vec::new(),
        sha256: String::new(),
    };
    written(&format!(
        "{MARKER}\n<!-- head-sha:{} -->\n{block}\n",
        &head[..8]
    ))
    .unwrap()
}

fn written(body: &str) -> Option<Counted> {
    Counted::of(&Comment {
        id: 1,
        body: Some(body.to_owned()),
        user: None,
        html_url: "https://example.org/1".to_owned(),
        created_at: "2026-01-01T00:00:00Z".to_owned(),
        author_association: String::new(),
    })
}

fn decided(comments: &[Counted], stale: Stale, fail_on: &[Gate]) -> Answer {
    decide(comments, HEAD, &Policy { stale, fail_on })
}

const SLOWER: Gate = Gate::Verdict(Verdict::Slower);

#[test]
fn a_match_passes_and_the_newest_gives_the_verdict() {
    let comments = [
        comment(HEAD, "2026-11-30T12:00:00Z", "slower", &[("slower", 2)]),
        comment(HEAD, "2026-11-30T13:00:00Z", "same", &[("same", 3)]),
        comment(OLD, "2026-11-30T14:00:00Z", "slower", &[("slower", 1)]),
    ];
    let answer = decided(&comments, Stale::Fail, &[SLOWER]);
    assert_eq!(answer.state(), State::Success);
    assert_eq!(
        answer.sentence(),
        "benchmark-check passes: the comment is for this commit; worst verdict: same."
    );
    let answer = decided(&comments[..1], Stale::Pass, &[SLOWER]);
    assert_eq!(answer.state(), State::Failure);
    assert_eq!(
        answer.sentence(),
        "benchmark-check fails: the comment for this commit counts 2 slower."
    );
    assert_eq!(
        decided(&comments[..1], Stale::Pass, &[]).state(),
        State::Success
    );
}

#[test]
fn an_older_commit_is_a_warning_unless_strict() {
    let comments = [comment(OLD, "2026-11-30T12:00:00Z", "same", &[])];
    let mut answer = decided(&comments, Stale::Pass, &[]);
    assert!(answer.is_warning());
    assert_eq!(answer.state(), State::Success);
    if let Answer::Stale { behind, .. } = &mut answer {
        *behind = Some(3);
    }
    assert_eq!(
        answer.sentence(),
        "benchmark-check passes with a warning: the benchmark comment is 3 commits behind (it is for \
         22222222)."
    );
    assert_eq!(decided(&comments, Stale::Fail, &[]).state(), State::Failure);
}

#[test]
fn comments_of_before_lcmbench_pass_and_cannot_be_gated() {
    let body = format!("{MARKER}\n<!-- head-sha:11111111 -->\n\n## Benchmarks\n| a | b |");
    let legacy = [written(&body).unwrap()];
    assert_eq!(decided(&legacy, Stale::Pass, &[]).state(), State::Success);
    let gated = decided(&legacy, Stale::Pass, &[SLOWER]);
    assert_eq!(gated.state(), State::Failure);
    assert!(gated.sentence().contains("does not say its verdicts"));
    assert_eq!(written("hello <!-- benchmark-check -->"), None);
}

fn status(state: &str, description: &str, created_at: &str) -> CommitStatus {
    CommitStatus {
        state: state.to_owned(),
        context: "benchmark-check".to_owned(),
        description: Some(description.to_owned()),
        created_at: created_at.to_owned(),
    }
}

#[test]
fn nothing_fails_and_what_is_pending_stays() {
    let pending = |at: &str| status("pending", "measuring 3 benchmarks", at);
    let answer = decided(&[], Stale::Pass, &[]);
    assert_eq!(answer, Answer::Missing);
    assert_eq!(answer.state(), State::Failure);
    assert!(answer.yields_to(&pending("2026-11-30T12:00:00Z")));
    let current = decided(
        &[comment(HEAD, "2026-11-30T12:00:00Z", "same", &[])],
        Stale::Pass,
        &[],
    );
    assert!(current.yields_to(&pending("2026-11-30T12:00:01Z")));
    assert!(!current.yields_to(&pending("2026-11-30T11:59:59Z")));
}

#[test]
fn what_the_measurement_was_to_fail_by_holds_without_the_option() {
    let body = |gate: &str| {
        format!(
            "{MARKER}\n<!-- lcmbench:v1 key=default head={HEAD} base=none run=0 attempt=0 \
             started=2026-11-30T12:00:00Z verdict=slower counts=slower:2,failed:1{gate} sha256=0 -->"
        )
    };
    let answer = |gate: &str, fail_on: &[Gate]| {
        decided(&[written(&body(gate)).unwrap()], Stale::Pass, fail_on)
    };
    assert_eq!(answer("", &[]).state(), State::Success);
    let held = answer(" gate=slower,gone", &[]);
    assert_eq!(held.state(), State::Failure);
    assert_eq!(
        held.description(),
        "the comment for this commit counts 2 slower"
    );
    let both = answer(" gate=slower", &[Gate::Verdict(Verdict::Failed), SLOWER]);
    assert_eq!(
        both.description(),
        "the comment for this commit counts 1 failed, 2 slower"
    );
    assert_eq!(answer(" gate=gone", &[]).state(), State::Success);
}

#[test]
fn a_red_status_of_a_measurement_stays_until_a_newer_one() {
    let current = decided(
        &[comment(HEAD, "2026-11-30T12:00:00.5Z", "slower", &[])],
        Stale::Pass,
        &[],
    );
    let red = |at: &str| status("failure", "1 slower of 3", at);
    assert!(current.yields_to(&red("2026-11-30T12:00:00Z")));
    assert!(!current.yields_to(&red("2026-11-30T11:59:59Z")));
    let stale = decided(
        &[comment(OLD, "2026-11-30T12:00:00Z", "same", &[])],
        Stale::Pass,
        &[],
    );
    assert!(stale.yields_to(&red("2026-11-30T11:00:00Z")));
    // What could not be measured is no regression, and what a check wrote is looked at again.
    assert!(!stale.yields_to(&status("error", "cancelled", "2026-11-30T13:00:00Z")));
    for failing in [
        Answer::Missing,
        decided(
            &[comment(OLD, "2026-11-30T12:00:00Z", "same", &[])],
            Stale::Fail,
            &[],
        ),
        decided(
            &[comment(
                HEAD,
                "2026-11-30T12:00:00Z",
                "slower",
                &[("slower", 1)],
            )],
            Stale::Pass,
            &[SLOWER],
        ),
        Answer::Group { state: None },
        Answer::QueueStatus {
            state: "error".to_owned(),
        },
    ] {
        assert_eq!(failing.state(), State::Failure);
        let of_check = status("failure", &failing.description(), "2026-11-30T13:00:00Z");
        assert!(!stale.yields_to(&of_check), "{}", failing.description());
        assert!(!current.yields_to(&of_check), "{}", failing.description());
    }
}
