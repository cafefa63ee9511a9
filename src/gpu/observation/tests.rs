use super::*;
use crate::gpu::reading::Absence;

fn quiet() -> State {
    State {
        sm_clock: Ok(1755),
        reasons: Ok(Reasons(0)),
        processes: Ok(Vec::new()),
        energy: Ok(1000),
        ecc_corrected: Ok(3),
        ..State::absent(&Absence::NotSupported)
    }
}

fn seen(before: State, during: State, after: State) -> Observation {
    Observation {
        devices: vec![Seen {
            before,
            during: vec![during],
            after,
        }],
        seconds: 2.0,
    }
}

fn process(pid: u32, owner: Owner) -> Process {
    Process {
        pid,
        memory: Some(1),
        owner,
        name: None,
    }
}

fn with_processes(processes: Vec<Process>) -> State {
    State {
        processes: Ok(processes),
        ..quiet()
    }
}

#[test]
fn a_quiet_run_has_no_flag_and_its_energy() {
    let after = State {
        energy: Ok(3500),
        ..quiet()
    };
    let observation = seen(quiet(), quiet(), after);
    assert!(observation.flags().is_empty());
    assert_eq!(observation.energy(), Some(2500));
    assert_eq!(observation.devices[0].busy_clock(), Some(1755));
}

#[test]
fn a_bit_during_the_run_counts_and_one_before_it_does_not() {
    let hot = |bits| State {
        reasons: Ok(Reasons(bits)),
        ..quiet()
    };
    assert_eq!(seen(quiet(), hot(0x20), quiet()).flags(), [THROTTLED]);
    assert_eq!(seen(quiet(), quiet(), hot(0x4)).flags(), [POWER_CAPPED]);
    assert!(seen(hot(0x20), quiet(), quiet()).flags().is_empty());
    assert_eq!(seen(quiet(), hot(0x1_0000), quiet()).flags(), [CLOCK_EVENT]);
    assert_eq!(seen(quiet(), hot(0x10), quiet()).flags(), [CLOCK_EVENT]);
    assert_eq!(seen(quiet(), hot(0x8), quiet()).flags(), [THROTTLED]);
    assert!(seen(quiet(), hot(0x3), quiet()).flags().is_empty());
}

#[test]
fn a_counter_that_grew_counts_and_one_that_is_not_there_does_not() {
    let grown = State {
        ecc_corrected: Ok(4),
        ..quiet()
    };
    assert_eq!(seen(quiet(), quiet(), grown).flags(), [ECC]);
    let mut before = quiet();
    let mut after = quiet();
    before.violations.thermal = Ok(5);
    after.violations.thermal = Ok(6);
    assert_eq!(seen(before, quiet(), after.clone()).flags(), [THROTTLED]);
    assert!(seen(quiet(), quiet(), after).flags().is_empty());
}

#[test]
fn processes_of_others_count_and_those_of_the_run_do_not() {
    let ours = with_processes(vec![process(7, Owner::Ours)]);
    assert!(seen(quiet(), ours, quiet()).flags().is_empty());
    let foreign = with_processes(vec![process(7, Owner::Ours), process(9, Owner::Foreign)]);
    let observation = seen(quiet(), foreign, quiet());
    assert_eq!(observation.flags(), [FOREIGN_PROCESS]);
    assert_eq!(observation.devices[0].foreign()[0].pid, 9);
    // Numbers of another namespace: there before is somebody else's, come with the run is its own.
    let unseen = with_processes(vec![process(0, Owner::Unknown)]);
    assert!(seen(quiet(), unseen.clone(), quiet()).flags().is_empty());
    assert_eq!(seen(unseen, quiet(), quiet()).flags(), [FOREIGN_PROCESS]);
}

#[test]
fn a_lost_device_is_said() {
    let lost = State::absent(&Absence::Lost);
    assert_eq!(seen(quiet(), quiet(), lost).flags(), [GPU_LOST]);
}

#[test]
fn a_pair_is_void_for_what_is_known_without_its_times() {
    let flags = |words: &[&str]| -> Vec<String> { words.iter().map(|w| (*w).to_owned()).collect() };
    let (none, capped) = (flags(&[]), flags(&[POWER_CAPPED]));
    assert_eq!(void_reason(&none, &none), None);
    assert_eq!(void_reason(&capped, &capped), None);
    assert_eq!(
        void_reason(&capped, &none).unwrap(),
        "power-capped on the base alone"
    );
    assert_eq!(
        void_reason(&none, &flags(&["compiled-while-timed", THROTTLED])).unwrap(),
        "throttled on HEAD"
    );
    assert_eq!(
        void_reason(&flags(&[ECC]), &flags(&[ECC])).unwrap(),
        "ecc on both sides"
    );
    assert_eq!(void_reason(&flags(&[CLOCK_EVENT]), &none), None);
}
