//! From the raw evidence to the summary: what is accepted, and why the rest is not.

use fs_err as fs;
use similar::{ChangeTag, TextDiff};

use crate::json::{Json, Object, to_compact};
use crate::stats::{
    LowEstimator, PairedVerdict, Rule, conclude, log_low, median_of_sorted, paired_evidence, sorted,
};

use super::checkout::Role;
use super::error::PairError;
use super::evidence::{DeviceMemory, Leaf, Measured};
use super::hlo::{collectives, normalised, sha256};
use super::measure::head_first;
use super::npy;
use super::options::{Backend, PairOptions};
use super::parity::{LeafParity, differences};
use super::python::ScenarioEntry;
use super::raw::{Raw, Record, Run};
use super::summary::{
    CoreSummary, DeclarationSummary, MemorySummary, PairRatio, PairSummary, ScenarioSummary, State,
    Status, TimeChange, VERSION, VoidPair,
};

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
    /// Pairs that were disturbed, and a remark about those that never could be measured.
    fn voids(&mut self, repeats: usize) {
        let name = &self.entry.name;
        for repeat in 0..repeats {
            let mut reasons = self.raw.set_aside(name, repeat);
            let last = self.raw.void(name, repeat);
            let replaced = last.is_none();
            reasons.extend(last);
            if reasons.is_empty() {
                continue;
            }
            if !replaced {
                self.summary.remarks.push(format!(
                    "repeat {repeat} counts for no time: disturbed in every attempt ({}), at last {}",
                    reasons.len(),
                    reasons.last().map_or("", String::as_str)
                ));
            }
            self.summary.voids.push(VoidPair {
                repeat,
                reasons,
                replaced,
            });
        }
    }

    fn is_void(&self, repeat: usize) -> bool {
        let voids = self.summary.voids.iter();
        voids
            .clone()
            .any(|void| void.repeat == repeat && !void.replaced)
    }

    fn reject(&mut self, reason: String) {
        if !self.summary.reasons.contains(&reason) {
            self.summary.reasons.push(reason);
        }
    }

    fn times(&mut self, pairs: &[(usize, Process, Process)]) {
        let low = |process: &Process| log_low(&process.measured.samples, LowEstimator::Minimum);
        let mut logs = Vec::new();
        let mut firsts = Vec::new();
        for (repeat, base, head) in pairs {
            if self.is_void(*repeat) {
                continue;
            }
            if let (Some(base), Some(head)) = (base.measured.first, head.measured.first) {
                firsts.push((head / base).ln());
            }
            let (Some(base), Some(head)) = (low(base), low(head)) else {
                self.reject(format!("repeat {repeat} has no timed calls"));
                continue;
            };
            logs.push(head - base);
            let first = if head_first(*repeat) {
                Role::Head
            } else {
                Role::Base
            };
            self.summary.pairs.push(PairRatio {
                repeat: *repeat,
                first: first.word().to_owned(),
                base_seconds: base.exp(),
                head_seconds: head.exp(),
                ratio: (head - base).exp(),
            });
        }
        let rule = Rule::default();
        self.summary.first_call_ratio = median_of_sorted(&sorted(&firsts)).map(f64::exp);
        let lost = self.summary.voids.iter().filter(|void| !void.replaced);
        let contended = lost.count() > logs.len();
        self.summary.time = paired_evidence(&logs, &rule).map(|evidence| {
            let conclusion = conclude(&evidence, &rule);
            TimeChange {
                ratio: evidence.estimate.exp(),
                interval: evidence
                    .interval
                    .map(|interval| [interval.low.exp(), interval.high.exp()]),
                level: 1.0 - rule.alpha,
                verdict: match conclusion.verdict {
                    _ if contended => "disturbed",
                    PairedVerdict::Slower => "slower",
                    PairedVerdict::Faster => "faster",
                    PairedVerdict::Same => "same",
                    PairedVerdict::Inconclusive => "inconclusive",
                }
                .to_owned(),
                p: evidence.change.p(),
                more_pairs: conclusion.more_pairs.filter(|_| !contended),
            }
        });
    }

    fn memory(&mut self, pairs: &[(usize, Process, Process)]) {
        let host = |side: fn(&(usize, Process, Process)) -> &Process| {
            pairs
                .iter()
                .filter_map(|pair| side(pair).measured.host_peak)
                .max()
        };
        let device = |side: fn(&(usize, Process, Process)) -> &Process| {
            let peak = |pair| match side(pair).measured.device {
                DeviceMemory::Measured(bytes) => Some(bytes),
                _ => None,
            };
            pairs.iter().filter_map(peak).max()
        };
        let ratio = |base: Option<i64>, head: Option<i64>| Some(as_float(head?) / as_float(base?));
        let (base, head) = (host(|pair| &pair.1), host(|pair| &pair.2));
        let (base_device, head_device) = (device(|pair| &pair.1), device(|pair| &pair.2));
        let not_applicable = pairs.iter().all(|(_, base, head)| {
            [base, head]
                .iter()
                .all(|process| process.measured.device == DeviceMemory::NotApplicable)
        });
        let word = if base_device.is_some() && head_device.is_some() {
            "measured"
        } else if not_applicable && !pairs.is_empty() {
            "not applicable"
        } else {
            "missing"
        };
        self.summary.memory = MemorySummary {
            base_host_peak: base,
            head_host_peak: head,
            host_ratio: ratio(base, head),
            device: word.to_owned(),
            base_device_peak: base_device,
            head_device_peak: head_device,
            device_ratio: ratio(base_device, head_device),
        };
    }

    /// Evidence that every process must have.
    fn completeness(&mut self, repeat: usize, process: &Process, side: Role) {
        let measured = &process.measured;
        if measured.host_peak.is_none_or(|bytes| bytes <= 0) {
            self.reject(format!(
                "{side} has no host high-water mark in repeat {repeat}"
            ));
        }
        match (self.backend, &measured.device) {
            (Backend::Gpu, DeviceMemory::Measured(_))
            | (Backend::Cpu, DeviceMemory::NotApplicable) => {}
            (Backend::Gpu, _) => self.reject(format!(
                "{side} has no measured peak of device memory in repeat {repeat}"
            )),
            (Backend::Cpu, _) => self.reject(format!(
                "{side} has no record that device memory is not applicable in repeat {repeat}"
            )),
        }
        for core in &measured.cores {
            let text = core
                .file
                .as_deref()
                .and_then(|file| self.text(process, file));
            if text.is_none_or(|text| text.trim().is_empty()) {
                self.reject(format!("{side}: the core `{}` has no HLO", core.name));
            }
            if core.memory.as_ref().is_none_or(Object::is_empty) {
                self.reject(format!(
                    "{side}: the compiler tells nothing about the memory of the core `{}`",
                    core.name
                ));
            }
        }
    }

    fn text(&self, process: &Process, file: &str) -> Option<String> {
        let path = self.raw.folder().join(&process.folder).join(file);
        fs::read_to_string(path).ok()
    }

    fn outputs(&mut self, base: &Process, head: &Process) {
        let paths = |process: &Process| -> Vec<String> {
            let outputs = process.measured.outputs.iter();
            outputs.map(|leaf| leaf.path.clone()).collect()
        };
        let (base_paths, head_paths) = (paths(base), paths(head));
        if base_paths != head_paths {
            let only = |these: &[String], others: &[String]| -> String {
                let only: Vec<&str> = these
                    .iter()
                    .filter(|path| !others.contains(path))
                    .map(String::as_str)
                    .collect();
                if only.is_empty() {
                    "none".to_owned()
                } else {
                    only.join(", ")
                }
            };
            self.reject(format!(
                "the outputs have another structure: only base has {}, only head has {}",
                only(&base_paths, &head_paths),
                only(&head_paths, &base_paths)
            ));
        }
        for leaf in &base.measured.outputs {
            let other = head
                .measured
                .outputs
                .iter()
                .find(|other| other.path == leaf.path);
            if let Some(other) = other {
                self.leaf((base, leaf), (head, other));
            }
        }
    }

    fn leaf(&mut self, base: (&Process, &Leaf), head: (&Process, &Leaf)) {
        let ((base_process, base), (head_process, head)) = (base, head);
        let path = &base.path;
        let mut comparable = true;
        if base.shape != head.shape {
            comparable = false;
            self.reject(format!(
                "the shape of output {path} is {:?} in base and {:?} in head",
                base.shape, head.shape
            ));
        }
        if base.dtype != head.dtype {
            comparable = false;
            self.reject(format!(
                "the dtype of output {path} is {} in base and {} in head",
                base.dtype, head.dtype
            ));
        }
        if base.sharding != head.sharding {
            self.reject(format!(
                "the sharding of output {path} is `{}` in base and `{}` in head",
                base.sharding, head.sharding
            ));
        }
        if !comparable {
            return;
        }
        let read = |process: &Process, leaf: &Leaf| {
            let file = self.raw.folder().join(&process.folder).join(&leaf.file);
            let bytes = fs::read(file).map_err(|error| error.to_string())?;
            npy::read(&bytes, &leaf.dtype).map_err(|error| error.to_string())
        };
        let found = read(base_process, base)
            .and_then(|base| Ok((base, read(head_process, head)?)))
            .and_then(|(base, head)| {
                let tolerance = self.entry.tolerance;
                differences(&base, &head, tolerance)
                    .ok_or_else(|| "both sides hold different numbers of values".to_owned())
            });
        let found = match found {
            Ok(found) => found,
            Err(reason) => {
                self.reject(format!(
                    "the values of output {path} cannot be compared: {reason}"
                ));
                return;
            }
        };
        if found.beyond > 0 {
            let ulp = found
                .ulp
                .map_or(String::new(), |ulp| format!(", {ulp:.0} ULP"));
            let nan = if found.nan_mismatches > 0 {
                format!("; NaN on one side only at {} places", found.nan_mismatches)
            } else {
                String::new()
            };
            self.reject(format!(
                "output {path} differs beyond its tolerance in {} of {} values: at most {:.3e} \
                 absolute, {:.3e} relative{ulp}{nan}",
                found.beyond, found.elements, found.absolute, found.relative
            ));
        }
        let finite = |value: f64| if value.is_finite() { value } else { f64::MAX };
        let parity = LeafParity {
            path: path.clone(),
            shape: base.shape.clone(),
            dtype: base.dtype.clone(),
            sharding: base.sharding.clone(),
            within: found.beyond == 0,
            largest_absolute: finite(found.absolute),
            largest_relative: finite(found.relative),
            largest_ulp: found.ulp.map(finite),
            nan_mismatches: found.nan_mismatches,
            beyond: found.beyond,
            elements: found.elements,
        };
        // Of all repeats the one that differs most is shown.
        match self
            .summary
            .outputs
            .iter_mut()
            .find(|known| known.path == *path)
        {
            Some(known)
                if known.largest_absolute < parity.largest_absolute
                    || known.beyond < parity.beyond =>
            {
                *known = parity;
            }
            Some(_) => {}
            None => self.summary.outputs.push(parity),
        }
    }

    fn cores(&mut self, base: &Process, head: &Process) -> Result<(), PairError> {
        let mut names: Vec<&String> = Vec::new();
        for core in base.measured.cores.iter().chain(&head.measured.cores) {
            if !names.contains(&&core.name) {
                names.push(&core.name);
            }
        }
        let mut same = !names.is_empty();
        for (number, name) in names.into_iter().enumerate() {
            let text = |process: &Process| {
                let file = process.measured.core(name)?.file.clone()?;
                self.text(process, &file)
            };
            let memory = |process: &Process| {
                let memory = process.measured.core(name)?.memory.clone()?;
                let figure = |key: &str| memory.get(key).and_then(Json::as_i64);
                figure("peak_memory_in_bytes").or_else(|| figure("temp_size_in_bytes"))
            };
            let (base_text, head_text) = (text(base), text(head));
            let mut core = CoreSummary {
                name: name.clone(),
                base_sha256: base_text.as_deref().map(sha256),
                head_sha256: head_text.as_deref().map(sha256),
                head_collectives: head_text.as_deref().map(collectives).unwrap_or_default(),
                base_memory: memory(base),
                head_memory: memory(head),
                ..CoreSummary::default()
            };
            if let (Some(base_text), Some(head_text)) = (&base_text, &head_text) {
                let (old, new) = (normalised(base_text), normalised(head_text));
                core.same_program = Some(old == new);
                if old != new {
                    self.keep_diff(&mut core, number, &old, &new)?;
                }
            }
            same &= core.same_program == Some(true);
            if self.entry.forbid_collectives && !core.head_collectives.is_empty() {
                let found: Vec<String> = core
                    .head_collectives
                    .iter()
                    .map(|(opcode, count)| format!("{count} {opcode}"))
                    .collect();
                self.reject(format!(
                    "the core `{name}` of head communicates, which this scenario forbids: {}",
                    found.join(", ")
                ));
            }
            self.summary.cores.push(core);
        }
        if same {
            self.summary.remarks.push(
                "the compiled programs of both sides are equal, so a difference of time is not \
                 theirs: it is noise, or lies in the host's code"
                    .to_owned(),
            );
        }
        Ok(())
    }

    fn keep_diff(
        &self,
        core: &mut CoreSummary,
        number: usize,
        old: &str,
        new: &str,
    ) -> Result<(), PairError> {
        let diff = TextDiff::configure()
            .timeout(std::time::Duration::from_secs(5))
            .diff_lines(old, new);
        for change in diff.iter_all_changes() {
            match change.tag() {
                ChangeTag::Insert => core.lines_added += 1,
                ChangeTag::Delete => core.lines_removed += 1,
                ChangeTag::Equal => {}
            }
        }
        let text = diff.unified_diff().header("base", "head").to_string();
        let relative = format!("diffs/{}/{number:03}.diff", self.entry.name);
        let path = self.raw.folder().join(&relative);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
        core.diff = Some(relative);
        Ok(())
    }

    fn declarations(&mut self, pairs: &[(usize, Process, Process)]) {
        let Some((_, base, _)) = pairs.first() else {
            return;
        };
        for (target, expected) in &self.entry.expects {
            let expected_text = serde_json::to_string(expected).unwrap_or_default();
            let mut shown = serde_json::Value::Null;
            let mut as_expected = true;
            for (repeat, _, head) in pairs {
                let found = head.measured.declarations.get(target).map(plain);
                if *repeat == pairs[0].0 {
                    shown = found.clone().unwrap_or_default();
                }
                let reason = match &found {
                    None => format!(
                        "head declares nothing about the execution of `{target}`; {expected_text} is expected"
                    ),
                    Some(found) if found != expected => format!(
                        "head declares {found} about the execution of `{target}`; {expected_text} is expected"
                    ),
                    Some(_) => continue,
                };
                as_expected = false;
                self.reject(reason);
            }
            let base = base
                .measured
                .declarations
                .get(target)
                .map(plain)
                .unwrap_or_default();
            if base != *expected {
                self.summary.remarks.push(format!(
                    "base declares {base} about the execution of `{target}`"
                ));
            }
            self.summary.declarations.push(DeclarationSummary {
                target: target.clone(),
                expected: expected.clone(),
                head: shown,
                base,
                as_expected,
            });
        }
    }
}

/// A value of ours as serde has it.
fn plain(json: &Json) -> serde_json::Value {
    serde_json::from_str(&to_compact(json)).unwrap_or_default()
}

#[expect(clippy::cast_precision_loss, reason = "bytes of memory are below 2^53")]
fn as_float(bytes: i64) -> f64 {
    bytes as f64
}

#[cfg(test)]
mod tests;
