//! Twenty processes before one GPU.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fs_err as fs;
use lcmbench::gpu::{Holder, Lease, LeaseError, Library, Queue, Target, Waiting};
use lcmbench::sys::env::Environment;

use super::standin::StandIn;

/// Makes this test program a member of the queue; its value is the member's number.
const MEMBER: &str = "LCMBENCH_TEST_MEMBER";

/// Where members write what they do.
const LOG: &str = "LCMBENCH_TEST_LOG";

/// How long a member waits at most, milliseconds.
const PATIENCE: &str = "LCMBENCH_TEST_PATIENCE";

const UUID: &str = "GPU-00000000-aaaa-bbbb-cccc-dddddddddddd";

/// Not a test of its own: what a member of the queue does, when `twenty_processes` starts it.
#[test]
fn member() {
    let environment = Environment::of_process();
    let (Some(number), Some(log)) = (environment.get(MEMBER), environment.path(LOG)) else {
        return;
    };
    let patience = environment.get(PATIENCE).unwrap().parse().unwrap();
    let say = |word: &str| {
        let mut file = fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&log)
            .unwrap();
        let line = format!("{word} {number}\n");
        std::io::Write::write_all(&mut file, line.as_bytes()).unwrap();
    };
    let library = Library::open(&environment).unwrap();
    let device = library.devices().unwrap().remove(0).unwrap();
    let target = Target {
        device,
        slice: None,
    };
    let mut tell = |_: &str| {};
    let mut waiting = Waiting {
        holder: Holder::of_process(number, Path::new("/"), &environment),
        patience: Duration::from_millis(patience),
        environment: &environment,
        tell: &mut tell,
    };
    match Lease::take(&[target], &mut waiting) {
        Ok(lease) => {
            say("begin");
            // The first is killed here; the others are quick.
            let pause = if number == "0" { 60_000 } else { 20 };
            std::thread::sleep(Duration::from_millis(pause));
            say("end");
            drop(lease);
        }
        Err(LeaseError::Deadline { .. }) => say("late"),
        Err(error) => panic!("{error}"),
    }
}

fn start(stand_in: &StandIn, log: &Path, number: usize, patience: u64) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["gpu::queue::member", "--exact", "--nocapture"])
        .env(MEMBER, number.to_string())
        .env(LOG, log)
        .env(PATIENCE, patience.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    stand_in.give(&mut command);
    command.spawn().unwrap()
}

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(
            began.elapsed() < Duration::from_mins(2),
            "not in time: {what}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn twenty_processes_keep_their_order_and_are_never_two_at_once() {
    let stand_in = StandIn::new("");
    let log = stand_in.state_file().with_file_name("log");
    let queue = Queue::of(UUID, &stand_in.environment());
    let said = || fs::read_to_string(&log).unwrap_or_default();
    let mut members: Vec<Child> = Vec::new();
    for number in 0..20 {
        // The eighth loses its patience while the first still holds.
        let patience = if number == 8 { 300 } else { 120_000 };
        members.push(start(&stand_in, &log, number, patience));
        wait_until("the member queues", || {
            said().contains("late 8") && number == 8
                || queue
                    .places()
                    .unwrap()
                    .iter()
                    .any(|place| place.holder.command == number.to_string())
        });
    }
    wait_until("the first holds", || said().contains("begin 0"));
    wait_until("one is too late", || said().contains("late 8"));
    // One of those that wait, and then the one that holds.
    for number in [5, 0] {
        members[number].kill().unwrap();
        members[number].wait().unwrap();
    }
    for (number, member) in members.iter_mut().enumerate() {
        let status = member.wait().unwrap();
        assert_eq!(status.success(), number != 0 && number != 5, "{number}");
    }
    let mut expected = vec!["begin 0".to_owned(), "late 8".to_owned()];
    for number in (1..20).filter(|number| ![5, 8].contains(number)) {
        expected.extend([format!("begin {number}"), format!("end {number}")]);
    }
    let said = said();
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    assert!(queue.places().unwrap().is_empty());
}
