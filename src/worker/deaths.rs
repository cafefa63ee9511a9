//! Servers that end while a job of theirs runs: how often, and when to stop starting new ones.

use std::collections::HashMap;

use super::job::{Ending, Job, WorkerError};

/// A benchmark that has ended so many servers is not run any more. A first death may have had
/// another cause, such as a machine that is out of memory.
const MOST_OF_ONE: usize = 2;

/// After so many in a row, whatever ran, no server is started any more.
const MOST_IN_A_ROW: usize = 10;

/// Counts the servers that ended together with a job.
#[derive(Debug, Default)]
pub(super) struct Deaths {
    by_benchmark: HashMap<String, usize>,
    in_a_row: usize,
}

impl Deaths {
    /// Takes in how a forked job ended.
    pub(super) fn note(&mut self, job: &Job, ending: Ending) {
        if !matches!(ending, Ending::WithItsWorker(_)) {
            self.in_a_row = 0;
            return;
        }
        self.in_a_row += 1;
        for name in &job.benchmarks {
            *self.by_benchmark.entry(name.clone()).or_default() += 1;
        }
    }

    /// Refuses a job that is not to be forked any more.
    pub(super) fn check(&self, job: &Job) -> Result<(), WorkerError> {
        if self.in_a_row >= MOST_IN_A_ROW {
            return Err(WorkerError::GivenUp {
                times: self.in_a_row,
            });
        }
        let worst = job
            .benchmarks
            .iter()
            .find(|name| self.by_benchmark.get(*name) >= Some(&MOST_OF_ONE));
        match worst {
            Some(name) => Err(WorkerError::Avoided {
                benchmark: name.clone(),
                times: MOST_OF_ONE,
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::process::ExitStatus;
    use crate::worker::tests::job;

    const KILLED: Ending = Ending::WithItsWorker(ExitStatus::Signal(libc::SIGKILL));

    #[test]
    fn one_benchmark_is_given_up_and_the_others_go_on() {
        let mut deaths = Deaths::default();
        let (killer, good) = (job("killer"), job("good"));
        deaths.note(&killer, KILLED);
        assert!(deaths.check(&killer).is_ok());
        deaths.note(&killer, KILLED);
        assert_eq!(
            deaths.check(&killer).unwrap_err().to_string(),
            "not run: killer ended the worker that started it twice already"
        );
        assert!(deaths.check(&good).is_ok());
    }

    #[test]
    fn deaths_in_a_row_end_all() {
        let mut deaths = Deaths::default();
        for number in 0..MOST_IN_A_ROW {
            assert!(deaths.check(&job("other")).is_ok());
            if number == 5 {
                // It starts anew where something worked in between.
                deaths.note(&job("good"), Ending::Exited(0));
                for again in 0..5 {
                    deaths.note(&job(&format!("again {again}")), KILLED);
                }
            }
            deaths.note(&job(&format!("killer {number}")), KILLED);
        }
        assert_eq!(
            deaths.check(&job("other")).unwrap_err().to_string(),
            "not run: the worker ended 10 times in a row while it ran a benchmark, so none is \
             started any more"
        );
    }
}
