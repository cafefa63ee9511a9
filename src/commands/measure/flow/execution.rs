//! Measuring what was chosen, and saving it.

use super::super::history::durations;
use super::super::request::Request;
use super::choice::Choice;
use super::{Prepared, tell};
use crate::commands::gpu_use::GpuUse;
use crate::commands::progress::reporter;
use crate::commands::{CommandError, Context};
use crate::compare::metric_of;
use crate::config::CacheRegime;
use crate::gpu::Journal;
use crate::json::Json;
use crate::report::MetricKind;
use crate::results::{Saved, problem_lines};
use crate::run::{
    CachePlan, CompileCaches, Durations, Engine, EngineOptions, Finished, GpuWatch, Opened,
    Outcome, Plan, PlanOptions, SystemClock,
};
use crate::suite::Selected;

impl Prepared {
    /// The cache of compiled programs for each benchmark.
    fn cache_plan(&self, selected: &[Selected]) -> CachePlan {
        let compiling = selected
            .iter()
            .map(|one| &one.benchmark)
            .filter(|one| metric_of(one.name(), Some(&one.record)).kind == MetricKind::Compile)
            .map(|one| one.name().to_owned());
        let stated = self.settings.gpu.compile_cache;
        CachePlan::new(stated, CacheRegime::Shared, compiling)
    }

    pub(super) fn open_filing(&mut self, choice: &Choice) -> Result<Option<Opened>, CommandError> {
        let (Some(filing), Some(place), Some(tree)) = (self.filing.take(), &self.place, &self.tree)
        else {
            return Ok(None);
        };
        let mut provenance = place.provenance(
            &self.settings,
            &self.session,
            tree,
            &self.attributes,
            &choice.left_out,
        );
        provenance.environment.extend(self.gpu.fingerprint());
        let caches = self.cache_plan(&choice.selected);
        let regime = Json::from(caches.regime.word());
        provenance.worker.insert("compile_cache".to_owned(), regime);
        Ok(Some(filing.open(provenance)?))
    }

    /// Measures, and saves what was measured.
    pub(super) fn execute(
        &mut self,
        request: &Request<'_>,
        context: &Context,
        choice: Choice,
        mut opened: Option<Opened>,
        clock: &SystemClock,
    ) -> Result<(Outcome, Option<Saved>), CommandError> {
        let printer = &context.printer;
        let plan = Plan::new(
            &choice.selected,
            &PlanOptions {
                attributes: self.attributes.clone(),
                default_timeout: self.settings.asv.default_benchmark_timeout,
                share_setup: self.settings.share_setup,
            },
        );
        let options = EngineOptions {
            attributes: self.attributes.clone(),
            samples: request.samples,
            profile: request.measure.profile,
        };
        let history = if printer.progress {
            durations(&self.settings, &choice.selected)
        } else {
            Durations::default()
        };
        let mut reporter = reporter(printer, history, request.measure.show_stderr);
        let mut keep = |finished: &Finished| {
            if let Some(opened) = &mut opened {
                opened.keep(finished);
            }
        };
        let caches = self.cache_plan(&choice.selected);
        let temporary = context.environment.temporary_folder();
        let mut journal = Journal::default();
        let mut watched = GpuWatch::new(&mut self.session.worker, self.gpu.targets(), &mut journal);
        let engine = Engine {
            executor: &mut CompileCaches::new(&mut watched, caches, &temporary),
            clock,
            reporter: reporter.as_mut(),
            keep: &mut keep,
        };
        let mut outcome = engine.run(&plan, choice.existing.as_ref(), &options);
        for finished in choice.lost {
            keep(&finished);
            outcome.finished.push(finished);
        }
        if request.measure.probe() {
            self.gpu.probe("after", context);
        }
        let gpu = self.gpu.record(&journal);
        // Nothing is measured any more: the next in the queue may begin.
        self.gpu = GpuUse::default();
        let Some(mut opened) = opened else {
            return Ok((outcome, None));
        };
        if let Some(error) = opened.broken() {
            printer.warn(&format!("the journal could not be kept: {error}"));
        }
        opened.note_gpu(gpu);
        let saved = opened.save(&outcome)?;
        if let Some(saved) = &saved {
            tell(printer, problem_lines(&saved.problems));
        }
        Ok((outcome, saved))
    }
}
