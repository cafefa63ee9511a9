//! How a measuring command comes to its GPUs: which it uses, its turn at them, what is kept of it.
//!
//! A command calls [`GpuUse::choose`] before it starts Python, [`GpuUse::take`] when it is about to
//! measure, wraps its workers in [`crate::run::GpuWatch`] with [`GpuUse::targets`], and puts
//! [`GpuUse::record`] and [`GpuUse::fingerprint`] into what it saves.

mod arguments;

use crate::config::Settings;
use crate::gpu::{
    GpuError, Holder, Journal, Judgement, Lease, LeaseError, Library, Needs, Selection, Target,
    Waiting, Wanted,
};
use crate::json::{Json, Object};
use crate::worker::{ChildEnvironment, Interpreter};

use super::{CommandError, Context};

pub(super) use arguments::{CacheArguments, GpuArguments};

/// Shows a process just these devices.
const VISIBLE: &str = "CUDA_VISIBLE_DEVICES";

/// The GPUs of a command.
#[derive(Debug, Default)]
pub(super) struct GpuUse {
    wanted: Wanted,
    /// `None` as long as it depends on the environment of the benchmarks.
    selection: Option<Selection>,
    lease: Lease,
    /// Probes before and after, as the record keeps them.
    probes: Object,
}

impl GpuUse {
    /// Follows `--gpu` as far as that needs no Python: GPUs that are named must be there, and the
    /// benchmarks are shown these and no others.
    pub(super) fn choose(settings: &mut Settings, context: &Context) -> Result<Self, CommandError> {
        let wanted = Wanted::parse(&settings.gpu.which);
        let mut own = Self {
            wanted,
            ..Self::default()
        };
        if own.wanted != Wanted::Auto {
            let selection = own.select(settings, context, None)?;
            if let Some(show) = &selection.show {
                settings
                    .benchmark_env
                    .insert(VISIBLE.to_owned(), show.clone());
            }
            own.selection = Some(selection);
        }
        Ok(own)
    }

    /// Whether [`GpuUse::take`] could come to a GPU: there is one, and it is not refused.
    pub(super) fn is_possible(&self, context: &Context) -> bool {
        match &self.selection {
            Some(selection) => !selection.targets.is_empty(),
            None => match Library::open(&context.environment) {
                Ok(_) => true,
                Err(error) => !error.is_absence(),
            },
        }
    }

    /// Settles which GPUs are used, and waits until they are this command's alone. They are given back
    /// when this is dropped. `interpreter` is that of the benchmarks; without it they are taken to be
    /// able to use a GPU.
    pub(super) fn take(
        &mut self,
        command: &str,
        settings: &Settings,
        context: &Context,
        interpreter: Option<&Interpreter>,
    ) -> Result<(), CommandError> {
        let selection = match self.selection.take() {
            Some(selection) => selection,
            None => self.select(settings, context, interpreter)?,
        };
        for warning in &selection.warnings {
            context.printer.warn(warning);
        }
        let printer = &context.printer;
        let mut tell = |line: &str| printer.foreign_note(line);
        let mut waiting = Waiting {
            holder: Holder::of_process(command, &settings.directory, &context.environment),
            patience: settings.gpu.wait,
            environment: &context.environment,
            tell: &mut tell,
        };
        self.lease = Lease::take(&selection.targets, &mut waiting).map_err(of_lease)?;
        if self.lease.holds() {
            let labels: Vec<String> = selection.targets.iter().map(Target::label).collect();
            printer.note(&format!("measuring on {}, alone", labels.join(", ")));
        }
        self.selection = Some(selection);
        Ok(())
    }

    /// The GPUs that are used; none before [`GpuUse::take`] and for a suite that needs none.
    pub(super) fn targets(&self) -> &[Target] {
        match &self.selection {
            Some(selection) if self.lease.holds() => &selection.targets,
            _ => &[],
        }
    }

    /// Probes each GPU, and says where one is not in its usual state. `when` is `before` or `after`. A
    /// probe that fails is said and no more.
    pub(super) fn probe(&mut self, when: &str, context: &Context) {
        let mut probes = Vec::new();
        for target in self.targets() {
            match super::gpu::probe(target, context) {
                Ok(probed) => {
                    let line = format!("probe {when}: {}", probed.judgement.sentence());
                    match probed.judgement {
                        Judgement::Abnormal(_) => context.printer.warn(&line),
                        _ => context.printer.note(&line),
                    }
                    probes.push(Json::Object(probed.to_object()));
                }
                Err(error) => context.printer.warn(&error.sentence()),
            }
        }
        if !probes.is_empty() {
            self.probes.insert(when.to_owned(), probes.into());
        }
    }

    /// What is kept of the GPUs, with what was seen of them.
    pub(super) fn record(&self, journal: &Journal) -> Object {
        let Some(selection) = &self.selection else {
            return Object::new();
        };
        let mut record = journal.record(self.targets(), selection.versions.as_ref());
        if let Some(none) = &selection.none {
            record.insert("none".to_owned(), none.clone().into());
        }
        if !self.probes.is_empty() {
            record.insert("probe".to_owned(), self.probes.clone().into());
        }
        if self.lease.holds() {
            let seconds = (self.lease.waited.as_secs_f64() * 1e3).round() / 1e3;
            record.insert("waited_seconds".to_owned(), Json::Float(seconds));
        }
        record
    }

    /// What of the GPUs belongs to the environment: results of another kind of GPU are not comparable.
    pub(super) fn fingerprint(&self) -> Object {
        let mut facts = Object::new();
        let targets = self.targets();
        if targets.is_empty() {
            return facts;
        }
        let names = |of: &dyn Fn(&Target) -> String| {
            let names: Vec<String> = targets.iter().map(of).collect();
            Json::from(names.join(", "))
        };
        let kind = |target: &Target| match &target.slice {
            Some(_) => format!("slice of {}", target.device.name),
            None => target.device.name.clone(),
        };
        facts.insert("gpu".to_owned(), names(&kind));
        facts.insert(
            "gpu_uuid".to_owned(),
            names(&|target| target.uuid().to_owned()),
        );
        if let Some(versions) = self
            .selection
            .as_ref()
            .and_then(|one| one.versions.as_ref())
        {
            for (key, version) in [
                ("driver", &versions.driver),
                ("cuda_driver", &versions.cuda),
            ] {
                if let Ok(version) = version {
                    facts.insert(key.to_owned(), version.clone().into());
                }
            }
        }
        facts
    }

    fn select(
        &self,
        settings: &Settings,
        context: &Context,
        interpreter: Option<&Interpreter>,
    ) -> Result<Selection, CommandError> {
        let benchmarks = ChildEnvironment::new(&context.environment, &settings.benchmark_env);
        let needs = Needs {
            wanted: &self.wanted,
            own: &context.environment,
            benchmarks: &benchmarks.variables,
            packages: interpreter.map(|interpreter| &interpreter.packages),
            prefix: interpreter.map(|interpreter| interpreter.prefix.as_path()),
        };
        Selection::of(needs).map_err(of_gpu)
    }
}

pub(super) fn of_gpu(error: GpuError) -> CommandError {
    let hint = match &error {
        GpuError::Library(_) => Some("`lcmbench doctor` says more; `--gpu none` leaves GPUs alone"),
        GpuError::List(_) | GpuError::Open { .. } => {
            Some("`nvidia-smi` may say more; `--gpu` names those that work")
        }
        GpuError::Choice(_) => None,
    };
    let error = CommandError::usage(error);
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

/// A GPU that was not free in time: nothing could be measured.
pub(super) fn of_lease(error: LeaseError) -> CommandError {
    match error {
        LeaseError::Interrupted(signal) => CommandError::interrupted(signal),
        error @ LeaseError::Deadline { .. } => CommandError::failed(error)
            .hint("`--gpu-wait` says how long to wait; `lcmbench gpu` shows who has it"),
        error => CommandError::usage(error),
    }
}
