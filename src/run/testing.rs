//! Stand-ins for Python, the clock and the reporter.

use std::cell::Cell;
use std::collections::HashMap;
use std::time::Duration;

use crate::json::Json;
use crate::results::BenchmarkRecord;
use crate::suite::{Benchmark, Selected};
use crate::worker::{
    Discovery, Ending, Executor, Job, JobKind, JobOutcome, JobReport, Launch, PythonError,
    WorkerError,
};

use super::clock::Clock;
use super::event::{Reporter, RunEvent};

/// An outcome without reports, of a process that took a second.
pub(super) fn outcome(ending: Ending) -> JobOutcome {
    JobOutcome {
        reports: Vec::new(),
        ending,
        started_at: 0,
        wall: Duration::from_secs(1),
        stdout: String::new(),
        stderr: String::new(),
        max_rss: None,
        launch: Launch::Fork,
        leftovers: 0,
        run_queue_delay: None,
        flags: Vec::new(),
    }
}

/// A benchmark of which everything is selected.
pub(super) fn selected(name: &str, change: impl FnOnce(&mut Benchmark)) -> Selected {
    let mut benchmark = Benchmark {
        record: BenchmarkRecord {
            name: name.to_owned(),
            version: Some("v".to_owned()),
            ..BenchmarkRecord::default()
        },
        rounds: 1,
        ..Benchmark::default()
    };
    change(&mut benchmark);
    Selected {
        combinations: (0..benchmark.combinations()).collect(),
        benchmark,
    }
}

/// An axis of parameters.
pub(super) fn axis(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}

/// What a benchmark does in the mock, by its name; by default it returns 1.
#[derive(Debug, Clone)]
pub(super) enum Behaviour {
    Returns(Json),
    /// Samples of the n-th process, and the number of calls that is found out if none is forced.
    Samples(Vec<Vec<f64>>, i64),
    Raises(&'static str),
    SkipsWith(&'static str),
    EndsWith(Ending),
    /// Reports, and then ends so.
    ReturnsThenEndsWith(Json, Ending),
    /// The worker itself fails.
    Breaks,
}

/// Pretends to run jobs and keeps a log of them.
#[derive(Debug, Default)]
pub(super) struct MockExecutor {
    pub(super) behaviours: HashMap<String, Vec<Behaviour>>,
    pub(super) log: Vec<String>,
    pub(super) jobs: Vec<Job>,
    /// A signal arrives while job number so and so runs (counted from 0).
    pub(super) interrupt_at: Option<(usize, i32)>,
    pub(super) calls: HashMap<String, usize>,
}

impl MockExecutor {
    /// What benchmark `name` does; with several, one after the other, the last one for good.
    pub(super) fn on(mut self, name: &str, behaviours: &[Behaviour]) -> Self {
        self.behaviours.insert(name.to_owned(), behaviours.to_vec());
        self
    }

    fn behaviour(&mut self, key: &str, plain: &str) -> Behaviour {
        let list = self
            .behaviours
            .get(key)
            .or_else(|| self.behaviours.get(plain));
        let call = self.calls.entry(key.to_owned()).or_default();
        let behaviour = list
            .and_then(|list| list.get(*call).or_else(|| list.last()))
            .cloned();
        *call += 1;
        behaviour.unwrap_or(Behaviour::Returns(Json::Int(1)))
    }
}

impl Executor for MockExecutor {
    fn discover(&mut self) -> Result<Discovery, WorkerError> {
        Ok(Discovery::default())
    }

    fn execute(&mut self, job: &Job) -> Result<JobOutcome, WorkerError> {
        if let Some((at, signal)) = self.interrupt_at
            && self.jobs.len() == at
        {
            return Ok(outcome(Ending::Interrupted(signal)));
        }
        self.jobs.push(job.clone());
        let place = job
            .combination
            .map_or_else(String::new, |c| format!("-{c}"));
        let names = job.benchmarks.join("+");
        if job.kind == JobKind::SetupCache {
            self.log.push(format!("cache {names}"));
            let mut outcome = outcome(Ending::Exited(0));
            match self.behaviour("setup_cache", "setup_cache") {
                Behaviour::Raises(message) => outcome.reports.push(JobReport::Failed {
                    benchmark: names,
                    kind: "exception".to_owned(),
                    error: error(message),
                }),
                Behaviour::EndsWith(ending) => outcome.ending = ending,
                _ => outcome.reports.push(JobReport::Cached),
            }
            return Ok(outcome);
        }
        self.log.push(format!("{names}{place}"));
        let mut outcome = outcome(Ending::Exited(0));
        for name in &job.benchmarks {
            let benchmark = name.clone();
            let calls = self.calls.get(&format!("{name}{place}")).copied();
            match self.behaviour(&format!("{name}{place}"), name) {
                Behaviour::Returns(value) => outcome.reports.push(value_report(name, value)),
                Behaviour::Samples(rounds, found) => {
                    let own = job.attributes_by_benchmark.get(name);
                    let forced = own.and_then(|own| own.get("number")?.as_i64());
                    let at = calls.unwrap_or(0).min(rounds.len() - 1);
                    outcome.reports.push(JobReport::Samples {
                        benchmark,
                        samples: rounds[at].clone(),
                        number: forced.unwrap_or(found),
                        flags: Vec::new(),
                        facts: crate::json::Object::new(),
                        profile: None,
                    });
                }
                Behaviour::Raises(message) => outcome.reports.push(JobReport::Failed {
                    benchmark,
                    kind: "exception".to_owned(),
                    error: error(message),
                }),
                Behaviour::SkipsWith(reason) => outcome.reports.push(JobReport::Skipped {
                    benchmark,
                    reason: reason.to_owned(),
                }),
                Behaviour::EndsWith(ending) => {
                    outcome.ending = ending;
                    break;
                }
                Behaviour::ReturnsThenEndsWith(value, ending) => {
                    outcome.reports.push(value_report(name, value));
                    outcome.ending = ending;
                }
                Behaviour::Breaks => {
                    return Err(WorkerError::Suite("gone".to_owned()));
                }
            }
        }
        Ok(outcome)
    }
}

fn value_report(name: &str, value: Json) -> JobReport {
    JobReport::Value {
        benchmark: name.to_owned(),
        value,
        flags: Vec::new(),
        facts: crate::json::Object::new(),
        profile: None,
    }
}

fn error(message: &str) -> PythonError {
    PythonError {
        class: "ValueError".to_owned(),
        message: message.to_owned(),
        traceback: format!("Traceback\nValueError: {message}"),
    }
}

/// A clock that moves by a second whenever it is read.
#[derive(Debug, Default)]
pub(super) struct StepClock {
    reads: Cell<i64>,
}

impl Clock for StepClock {
    fn unix_millis(&self) -> i64 {
        self.reads.set(self.reads.get() + 1);
        self.reads.get() * 1000
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// Writes down the kinds of events.
#[derive(Debug, Default)]
pub(super) struct LogReporter {
    pub(super) log: Vec<String>,
}

impl Reporter for LogReporter {
    fn report(&mut self, event: &RunEvent<'_>) {
        self.log.push(match event {
            RunEvent::Started { plan } => format!("started {}", plan.processes()),
            RunEvent::RoundStarted {
                round,
                rounds,
                benchmarks,
            } => format!("round {round}/{rounds}: {benchmarks}"),
            RunEvent::CacheStarted { key } => format!("cache {key}"),
            RunEvent::CacheFinished { key, failure, .. } => {
                let how = failure.map_or("ok", |failure| failure.message.as_str());
                format!("cache {key} {how}")
            }
            RunEvent::JobStarted {
                names,
                combination,
                round,
                rounds,
            } => format!("{}-{combination} {round}/{rounds}", names.join("+")),
            RunEvent::JobFinished { .. } => "end".to_owned(),
            RunEvent::BenchmarkFinished(finished) => {
                format!("finished {}", finished.benchmark.name())
            }
            RunEvent::Finished { interrupted } => format!("over {interrupted:?}"),
        });
    }
}
