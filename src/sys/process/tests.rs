//! Real children: shells, and Python where a shell cannot do it.

use std::ffi::OsString;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use fs_err as fs;
use rustix::event::{PollFd, PollFlags};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use super::*;
use crate::sys::env::Environment;
use crate::sys::signals::Signals;

const PATIENCE: Duration = Duration::from_secs(30);

/// A script and the environment it runs in.
struct Script {
    name: OsString,
    arguments: Vec<OsString>,
    environment: Environment,
    mark: Mark,
}

impl Script {
    fn shell(text: &str) -> Self {
        Self::new("sh", text)
    }

    fn new(program: &str, text: &str) -> Self {
        let mark = Mark::new(None);
        let variables = Environment::of_process();
        let environment = variables
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .chain([(Mark::VARIABLE.into(), mark.value().into())])
            .collect();
        Self {
            name: program.into(),
            arguments: vec!["-c".into(), text.into()],
            environment,
            mark,
        }
    }

    fn program(&self) -> Program<'_> {
        Program {
            name: &self.name,
            arguments: &self.arguments,
            environment: &self.environment,
            directory: None,
            inherited: &[],
            death_signal: Some(Signal::KILL),
            kept_bytes: 1000,
        }
    }

    fn spawn(&self) -> Process {
        spawn(&self.program()).unwrap()
    }

    fn run(&self) -> Finished {
        run(&self.program(), Some(Instant::now() + PATIENCE), None).unwrap()
    }

    fn run_for(&self, limit: Duration) -> Finished {
        run(&self.program(), Some(Instant::now() + limit), None).unwrap()
    }
}

/// Waits for the end of a child that ends by itself.
fn wait(process: &mut Process) -> Exit {
    let Wake::Ended(exit) = process
        .watch(Watched::until(Instant::now() + PATIENCE))
        .unwrap()
    else {
        panic!("still running");
    };
    exit
}

fn status(finished: &Finished) -> ExitStatus {
    finished.exit.unwrap().status
}

/// Whether the process is gone; a zombie of ours is not.
fn is_gone(pid: i32) -> bool {
    test_kill_process(Pid::from_raw(pid).unwrap()).is_err()
}

#[test]
fn exit_codes_signals_and_both_streams_arrive() {
    let finished = Script::shell("echo out; echo err >&2; exit 3").run();
    assert_eq!(status(&finished), ExitStatus::Code(3));
    assert_eq!(finished.cut, None);
    assert_eq!(finished.stdout, "out\n");
    assert_eq!(finished.stderr, "err\n");

    let finished = Script::shell("kill -SEGV $$").run();
    assert_eq!(status(&finished), ExitStatus::Signal(libc::SIGSEGV));
}

#[test]
fn a_child_has_its_own_session_no_input_and_no_open_descriptors_of_ours() {
    let script = Script::shell("ls /proc/self/fd; cat; exec cut -d' ' -f1,5,6 /proc/self/stat");
    let mut process = script.spawn();
    wait(&mut process);
    process.read_rest().unwrap();
    let pid = process.pid().as_raw_nonzero();
    // 3 is the folder that `ls` itself reads.
    assert_eq!(
        process.stdout.text(),
        format!("0\n1\n2\n3\n{pid} {pid} {pid}\n")
    );
}

#[test]
fn a_program_that_is_missing_is_an_error() {
    let script = Script::new("lcmbench-has-no-such-program", "");
    let error = spawn(&script.program()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn descriptors_are_passed_under_their_own_number() {
    use rustix::pipe::{PipeFlags, pipe_with};
    let (reading, writing) = pipe_with(PipeFlags::CLOEXEC).unwrap();
    let mut script = Script::shell("echo hello >&$0");
    let number = std::os::fd::AsRawFd::as_raw_fd(&writing).to_string();
    script.arguments.push(number.into());
    let inherited = [writing.as_fd()];
    let mut process = spawn(&Program {
        inherited: &inherited,
        ..script.program()
    })
    .unwrap();
    let woken = process.watch(Watched {
        others: &[PollFd::new(&reading, PollFlags::IN)],
        deadline: Some(Instant::now() + PATIENCE),
        signals: None,
    });
    assert_eq!(woken.unwrap(), Wake::Ready);
    let mut buffer = [0; 16];
    let count = rustix::io::read(&reading, &mut buffer).unwrap();
    assert_eq!(&buffer[..count], b"hello\n");
    assert_eq!(wait(&mut process).status, ExitStatus::Code(0));
}

#[test]
fn a_deadline_is_kept_though_the_child_prints_on() {
    let limit = Duration::from_millis(200);
    let started = Instant::now();
    let finished = Script::shell("while :; do echo again; done").run_for(limit);
    assert_eq!(finished.cut, Some(Wake::Expired));
    assert_eq!(status(&finished), ExitStatus::Signal(libc::SIGTERM));
    assert!(started.elapsed() >= limit);
}

#[test]
fn who_ignores_sigterm_is_killed_with_the_whole_group() {
    adopt_orphans().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin();
    let mut script = Script::shell(
        "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > $0/child; sleep 60' $0 & wait",
    );
    script.arguments.push(folder.path().into());
    let started = Instant::now();
    let finished = script.run_for(Duration::from_secs(1));
    assert_eq!(status(&finished), ExitStatus::Signal(libc::SIGKILL));
    assert!(started.elapsed() >= Duration::from_secs(2));
    let child: i32 = fs::read_to_string(folder.path().join("child"))
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    // We are its parent now, and have to wait for it; nothing is left to be ended.
    assert_eq!(sweep.end(&script.mark, PATIENCE), 0);
    assert!(is_gone(child));
}

#[test]
fn a_hundred_megabytes_of_output_neither_block_nor_grow() {
    let finished = Script::shell("head -c 100000000 /dev/zero | tr '\\0' x; echo; echo end").run();
    assert_eq!(status(&finished), ExitStatus::Code(0));
    assert!(finished.stdout.starts_with("[99999005 bytes before this"));
    assert!(finished.stdout.ends_with("xxx\nend\n"));
    assert!(finished.stdout.len() < 1100);
}

#[test]
fn a_signal_to_us_ends_the_child() {
    let (signals, trigger) = Signals::by_hand().unwrap();
    trigger.send(2).unwrap();
    let script = Script::shell("sleep 60");
    let finished = run(&script.program(), None, Some(&signals)).unwrap();
    assert_eq!(finished.cut, Some(Wake::Interrupted(2)));
    assert_eq!(status(&finished), ExitStatus::Signal(libc::SIGTERM));
}

#[test]
fn usage_is_that_of_the_child_alone() {
    let big = "head -c 60000000 /dev/zero | tail -c 50000000 | wc -c";
    let first = Script::shell(big).run().exit.unwrap();
    let second = Script::shell(":").run().exit.unwrap();
    assert!(first.max_rss > 45_000_000, "{first:?}");
    assert!(second.max_rss < 45_000_000, "{second:?}");
    assert!(first.user + first.system > Duration::ZERO);
}

#[test]
fn a_dropped_child_is_killed() {
    let process = Script::shell("sleep 60").spawn();
    let pid = process.pid().as_raw_nonzero().get();
    drop(process);
    assert!(is_gone(pid));
}

#[test]
fn a_child_does_not_outlive_the_thread_that_started_it() {
    let script = Script::shell("echo ready; sleep 60");
    let mut process = std::thread::scope(|scope| scope.spawn(|| script.spawn()).join().unwrap());
    assert_eq!(wait(&mut process).status, ExitStatus::Signal(libc::SIGKILL));
}

#[test]
fn leftovers_are_found_wherever_they_fled_and_are_counted() {
    adopt_orphans().unwrap();
    // One stays in the group, one has a session of its own, one sheds its environment as well, and
    // one ignores SIGTERM.
    let script = Script::shell(
        "sleep 61 & setsid sleep 62 & setsid env -i sleep 63 & \
         setsid sh -c 'trap \"\" TERM; sleep 64 & wait; wait' & sleep 0.5; exit 0",
    );
    let sweep = Sweep::begin();
    let finished = script.run();
    assert_eq!(status(&finished), ExitStatus::Code(0));
    let count = sweep.end(&script.mark, Duration::from_millis(50));
    // The fourth is a shell and its own child.
    assert_eq!(count, 5);
    assert_eq!(Sweep::begin().end(&script.mark, Duration::ZERO), 0);
}

#[test]
fn a_helper_that_ends_by_itself_is_no_leftover() {
    adopt_orphans().unwrap();
    let script = Script::shell("setsid sleep 0.2 & exit 0");
    let sweep = Sweep::begin();
    script.run();
    let started = Instant::now();
    assert_eq!(sweep.end(&script.mark, PATIENCE), 0);
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn orphans_of_another_family_are_let_be() {
    adopt_orphans().unwrap();
    let script = Script::shell("setsid sleep 60 & echo $!");
    let sweep = Sweep::begin();
    let finished = script.run();
    let orphan: i32 = finished.stdout.trim().parse().unwrap();
    assert_eq!(sweep.end(&Mark::new(None), Duration::ZERO), 0);
    assert!(!is_gone(orphan));
    kill_process(Pid::from_raw(orphan).unwrap(), Signal::KILL).unwrap();
}

#[test]
fn a_child_that_we_started_ourselves_is_no_leftover() {
    let sweep = Sweep::begin();
    let script = Script::shell("sleep 0.3; exit 7");
    let mut process = script.spawn();
    assert_eq!(sweep.end(&script.mark, Duration::ZERO), 0);
    assert_eq!(wait(&mut process).status, ExitStatus::Code(7));
}
