//! From the raw evidence to the summary: what is accepted, and why the rest is not.

mod declarations;
mod memory;
mod outputs;
mod programs;
#[cfg(test)]
mod tests;
mod times;
mod voids;

use fs_err as fs;

use super::answer::ScenarioEntry;
use super::checkout::Role;
use super::error::PairError;
use super::evidence::Measured;
use super::options::{Backend, PairOptions};
use super::raw::{Raw, Record, Run};
use super::summary::{MemorySummary, PairSummary, ScenarioSummary, State, Status, VERSION};

/// The summary of what lies in a folder by now. Writes differences of programs beside it.
pub fn judge(raw: &Raw, run: &Run) -> Result<PairSummary, PairError> {
    let scenarios: Vec<ScenarioSummary> = run
        .scenarios
        .iter()
        .map(|entry| scenario(raw, &run.options, entry))
        .collect::<Result<_, _>>()?;
    let repeats = run.options.repeats;
    let is_open =
        |entry: &ScenarioEntry| (0..repeats).any(|repeat| !raw.is_settled(&entry.name, repeat));
    let unfinished = run.scenarios.iter().any(is_open);
    Ok(PairSummary {
        version: VERSION,
        lcmbench: env!("CARGO_PKG_VERSION").to_owned(),
        state: if unfinished {
            State::Unfinished
        } else {
            State::Finished
        },
        balanced: run.options.balanced(),
        options: run.options.clone(),
        base: run.base.facts(),
        head: run.head.facts(),
        gpu: run.gpu.clone(),
        scenarios,
    })
}

/// A process with the folder of its files, relative.
struct Process {
    measured: Measured,
    folder: String,
}

fn scenario(
    raw: &Raw,
    options: &PairOptions,
    entry: &ScenarioEntry,
) -> Result<ScenarioSummary, PairError> {
    let mut judged = Judged {
        raw,
        entry,
        backend: entry.backend(options.backend),
        summary: ScenarioSummary {
            name: entry.name.clone(),
            status: Status::Accepted,
            reasons: Vec::new(),
            remarks: Vec::new(),
            pairs: Vec::new(),
            voids: Vec::new(),
            time: None,
            first_call_ratio: None,
            outputs: Vec::new(),
            memory: MemorySummary::default(),
            cores: Vec::new(),
            declarations: Vec::new(),
            files: Vec::new(),
        },
    };
    let (mut pairs, mut missing, mut failed) = (Vec::new(), 0, false);
    for repeat in 0..options.repeats {
        let mut sides = Vec::new();
        for side in [Role::Base, Role::Head] {
            let folder = Raw::process(&entry.name, repeat, side);
            match raw.record(&entry.name, repeat, side) {
                None => missing += 1,
                Some(Record::Failed { reason, .. }) => {
                    failed = true;
                    judged.reject(format!("{side} failed in repeat {repeat}: {reason}"));
                    judged.summary.files.push(folder);
                }
                Some(Record::Measured(answer)) => {
                    judged.summary.files.push(folder.clone());
                    sides.push(Process {
                        measured: Measured::read(&answer),
                        folder,
                    });
                }
            }
        }
        if let (Some(head), Some(base)) = (sides.pop(), sides.pop()) {
            pairs.push((repeat, base, head));
        }
    }
    judged.voids(options.repeats);
    judged.times(&pairs);
    judged.memory(&pairs);
    for (repeat, base, head) in &pairs {
        judged.completeness(*repeat, base, Role::Base);
        judged.completeness(*repeat, head, Role::Head);
        judged.outputs(base, head);
        judged.communication(head);
    }
    if let Some((_, base, head)) = pairs.first() {
        judged.cores(base, head)?;
    }
    judged.declarations(&pairs);
    judged.summary.reasons.dedup();
    judged.summary.status = if failed {
        Status::Failed
    } else if !judged.summary.reasons.is_empty() {
        Status::Rejected
    } else if missing > 0 {
        Status::Unfinished
    } else {
        Status::Accepted
    };
    Ok(judged.summary)
}

struct Judged<'a> {
    raw: &'a Raw,
    entry: &'a ScenarioEntry,
    backend: Backend,
    summary: ScenarioSummary,
}

impl Judged<'_> {
    fn reject(&mut self, reason: String) {
        if !self.summary.reasons.contains(&reason) {
            self.summary.reasons.push(reason);
        }
    }

    /// What is in a file of a process.
    fn text(&self, process: &Process, file: &str) -> Option<String> {
        let path = self.raw.folder().join(&process.folder).join(file);
        fs::read_to_string(path).ok()
    }
}
