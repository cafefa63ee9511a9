//! How long a process waited for a processor.

use fs_err as fs;

/// Of the time in which the threads of a process could have run, the share that they waited for a
/// processor, since each began. A thread that has ended is not counted. `None` where the kernel does not
/// tell, or where there is no such process.
pub fn run_queue_delay(pid: i32) -> Option<f64> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let (mut ran, mut waited) = (0, 0);
    for thread in threads {
        let text = fs::read_to_string(thread.ok()?.path().join("schedstat"));
        // A thread may end between the two looks.
        let Some((own_ran, own_waited)) = text.ok().and_then(|text| nanoseconds(&text)) else {
            continue;
        };
        ran += own_ran;
        waited += own_waited;
    }
    share(waited, ran + waited)
}

/// `ran waited slices`, in nanoseconds.
fn nanoseconds(text: &str) -> Option<(u64, u64)> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the nanoseconds of a process are far below 2^53"
)]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_of_three_numbers_count() {
        assert_eq!(
            nanoseconds("279472068 954248790 88\n"),
            Some((279_472_068, 954_248_790))
        );
        assert_eq!(nanoseconds("5"), None);
        assert_eq!(nanoseconds(""), None);
        assert_eq!(share(3, 4), Some(0.75));
        assert_eq!(share(0, 0), None);
    }

    #[test]
    fn this_process_has_a_share_and_a_process_that_is_not_there_has_none() {
        let own = i32::try_from(std::process::id()).unwrap();
        if fs::exists("/proc/self/schedstat").unwrap() {
            let found = run_queue_delay(own).unwrap();
            assert!((0.0..=1.0).contains(&found), "{found}");
        }
        assert_eq!(run_queue_delay(i32::MAX), None);
    }
}
