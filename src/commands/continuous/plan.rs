//! From the request and the settings to how pairs are measured.

use std::path::Path;

use crate::commands::CommandError;
use crate::compare::{better_of, metric_of, minimum_effect};
use crate::config::{Better, CacheRegime, Settings, estimator_of};
use crate::continuous::{Journal, Limits, Options};
use crate::report::MetricKind;
use crate::run::{CachePlan, Clock, Planned, Sampling, SystemClock};
use crate::stats::{LowEstimator, Random, Rule};
use crate::suite::Selected;

use super::flow::Request;
use super::prepare::Ready;

/// A warm cache for each side, and cold ones for what measures compiling, unless the user says otherwise.
pub(super) fn cache_plan(settings: &Settings, selected: &[Selected]) -> CachePlan {
    let compiling = selected
        .iter()
        .map(|one| &one.benchmark)
        .filter(|one| {
            let metric = metric_of(one.name(), Some(&one.record));
            metric.kind == MetricKind::Compile
        })
        .map(|one| one.name().to_owned());
    CachePlan::new(settings.gpu.compile_cache, CacheRegime::Warm, compiling)
}

pub(super) fn options(
    request: &Request<'_>,
    settings: &Settings,
    path: &Path,
) -> Result<Options, CommandError> {
    let pairing = request.pairing;
    let usual = Limits::default();
    let first = pairing.pairs.map_or(usual.first, usize::from);
    let most = pairing.max_pairs.map_or(usual.most.max(first), usize::from);
    if most < first {
        return Err(CommandError::usage(anyhow::anyhow!(
            "--max-pairs {most} is below the {first} pairs that every benchmark gets"
        )));
    }
    let recorded = request.resume.then(|| Journal::seed_of(path)).flatten();
    let seed = match (recorded, pairing.seed) {
        (Some(recorded), _) => recorded.cast_unsigned(),
        (None, Some(seed)) => u64::from(seed),
        (None, None) => {
            let now = SystemClock::start().unix_millis().cast_unsigned();
            // Short enough to be typed again.
            Random::new(now ^ u64::from(std::process::id())).bits() >> 32
        }
    };
    let on_gpu = settings.device_sync && Path::new("/dev/nvidiactl").exists();
    let usual_time = if on_gpu {
        0.002
    } else {
        Sampling::default().sample_time
    };
    let estimator = settings
        .continuous
        .estimator
        .as_deref()
        .and_then(estimator_of);
    Ok(Options {
        limits: Limits {
            first,
            most,
            budget: pairing.budget,
        },
        sampling: Sampling {
            sample_time: pairing.sample_time.unwrap_or(usual_time),
            ..Sampling::default()
        },
        estimator: match estimator {
            Some(share) if share > 0.0 => LowEstimator::Quantile(share),
            _ => LowEstimator::Minimum,
        },
        seed,
    })
}

/// What later pairs must have in common with earlier ones.
pub(super) fn identity(
    base: &Ready,
    head: &Ready,
    options: &Options,
    request: &Request<'_>,
) -> String {
    let side = |ready: &Ready| {
        format!(
            "{} {} {}",
            ready.tree.commit.hash,
            ready.session.python_path().display(),
            ready.session.discovery.interpreter.version
        )
    };
    format!(
        "{} | {} | {:?} {:?} {:?}",
        side(base),
        side(head),
        options.sampling,
        options.estimator,
        request.attributes.for_jobs()
    )
}

/// Kind, limits and direction of a benchmark.
pub(super) fn facts(planned: &Planned, settings: &Settings) -> (MetricKind, Rule, bool) {
    let record = &planned.benchmark.record;
    let metric = metric_of(&record.name, Some(record));
    let better = better_of(&settings.limits, &record.name, &metric);
    let rule = Rule {
        minimum_effect: minimum_effect(&settings.limits, &record.name),
        ..Rule::default()
    };
    (metric.kind, rule, better == Better::Higher)
}
