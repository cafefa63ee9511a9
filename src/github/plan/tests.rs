use super::super::models::User;
use super::super::{DEFAULT_KEY, Run};
use super::*;
use crate::report::markdown::MARKER;

const OLD: &str = "1111111111111111111111111111111111111111";
const LIVE: &str = "2222222222222222222222222222222222222222";
const BOT: &str = "github-actions[bot]";

fn block(head: &str, run: u64) -> Block {
    Block {
        key: DEFAULT_KEY.to_owned(),
        head: head.to_owned(),
        base: None,
        run: Some(Run {
            id: run,
            attempt: 1,
        }),
        started: "2026-11-30T12:00:00Z".parse().unwrap(),
        verdict: "same".to_owned(),
        counts: Vec::new(),
        gate: Vec::new(),
        sha256: String::new(),
    }
}

fn body(block: &Block) -> String {
    format!(
        "{MARKER}\n<!-- head-sha:{} -->\n{block}\n\n**text**\n",
        &block.head[..8]
    )
}

fn comment(id: u64, login: &str, body: String) -> Comment {
    Comment {
        id,
        body: Some(body),
        user: Some(User {
            login: login.to_owned(),
        }),
        html_url: String::new(),
        created_at: String::new(),
        author_association: "NONE".to_owned(),
    }
}

fn decide(comments: &[Comment], mine: &Block, mode: Mode) -> Plan {
    let text = body(mine);
    let draft = Draft {
        body: &text,
        block: mine,
        author: BOT,
        live_head: LIVE,
        mode,
    };
    plan(comments, &draft)
}

#[test]
fn comments_of_others_other_keys_and_quotes_are_left_alone() {
    let mine = block(LIVE, 5);
    let other_key = Block {
        key: "gpu".to_owned(),
        ..block(LIVE, 1)
    };
    let comments = [
        comment(1, "mallory", body(&block(LIVE, 1))),
        comment(2, BOT, format!("> {}", body(&block(LIVE, 1)))),
        comment(3, BOT, body(&other_key)),
        comment(4, BOT, "hello".to_owned()),
    ];
    for mode in [Mode::Edit, Mode::Recreate] {
        assert_eq!(decide(&comments, &mine, mode), Plan::Create);
    }
}

#[test]
fn the_oldest_stays_gets_the_body_and_the_others_go() {
    let mine = block(LIVE, 5);
    let legacy = format!("{MARKER}\n<!-- head-sha:11111111 -->\nold");
    let comments = [
        comment(3, BOT, legacy),
        comment(7, BOT, body(&block(OLD, 4))),
        comment(9, BOT, body(&block(OLD, 3))),
    ];
    assert_eq!(
        decide(&comments, &mine, Mode::Edit),
        Plan::Keep {
            id: 3,
            body: Some(body(&mine)),
            delete: vec![7, 9]
        }
    );
    assert_eq!(decide(&comments, &mine, Mode::Recreate), Plan::Create);
}

#[test]
fn what_is_there_already_is_not_sent() {
    let mine = block(LIVE, 5);
    let comments = [
        comment(3, BOT, body(&block(OLD, 4))),
        comment(9, BOT, body(&mine)),
    ];
    assert_eq!(
        decide(&comments[1..], &mine, Mode::Edit),
        Plan::Keep {
            id: 9,
            body: None,
            delete: vec![]
        }
    );
    // After a new one was written, the old one goes.
    assert_eq!(
        decide(&comments, &mine, Mode::Recreate),
        Plan::Keep {
            id: 9,
            body: None,
            delete: vec![3]
        }
    );
}

#[test]
fn a_newer_run_and_the_live_head_are_never_overwritten() {
    let newer_run = [comment(3, BOT, body(&block(LIVE, 6)))];
    let live = [comment(3, BOT, body(&block(LIVE, 1)))];
    for mode in [Mode::Edit, Mode::Recreate] {
        assert_eq!(
            decide(&newer_run, &block(LIVE, 5), mode),
            Plan::Newer {
                id: 3,
                delete: vec![]
            }
        );
        assert_eq!(
            decide(&live, &block(OLD, 9), mode),
            Plan::Newer {
                id: 3,
                delete: vec![]
            }
        );
    }
    // An old run's re-run does not matter once HEAD is another commit.
    let old = [comment(3, BOT, body(&block(OLD, 9)))];
    assert_eq!(
        decide(&old, &block(LIVE, 5), Mode::Edit),
        Plan::Keep {
            id: 3,
            body: Some(body(&block(LIVE, 5))),
            delete: vec![]
        }
    );
}

#[test]
fn two_writers_who_raced_agree() {
    let (one, two) = (block(LIVE, 5), block(LIVE, 6));
    let both = [comment(3, BOT, body(&one)), comment(4, BOT, body(&two))];
    // Both keep the oldest comment with the newest body, and delete the other.
    let agreed = Plan::Keep {
        id: 3,
        body: Some(body(&two)),
        delete: vec![4],
    };
    assert_eq!(decide(&both, &one, Mode::Edit), agreed);
    assert_eq!(decide(&both, &two, Mode::Edit), agreed);
}
