//! Where compiled programs come from: an empty cache for each process, a private one that is warm, or
//! the user's own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::config::CacheRegime;
use crate::json::{Json, Object};
use crate::worker::{
    Discovery, Ending, Executor, Job, JobKind, JobOutcome, JobReport, LaunchChoice, WorkerError,
};

/// Caches of compilers: the variable that names the folder, and the folder's name here.
const FOLDERS: [(&str, &str); 5] = [
    ("JAX_COMPILATION_CACHE_DIR", "jax"),
    ("CUDA_CACHE_PATH", "cuda"),
    ("TRITON_CACHE_DIR", "triton"),
    ("TORCHINDUCTOR_CACHE_DIR", "inductor"),
    ("NUMBA_CACHE_DIR", "numba"),
];

/// JAX keeps only what took more than a second to compile, which would leave a warm cache half empty.
const KEEP_ALL: [(&str, &str); 2] = [
    ("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0"),
    ("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1"),
];

/// Which benchmarks get which cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachePlan {
    /// For all that are not among `always_cold`.
    pub regime: CacheRegime,
    /// Benchmarks that measure compiling; empty where the user has named a regime for everything.
    pub always_cold: BTreeSet<String>,
}

impl CachePlan {
    /// The user's word, or else `usual`, and `cold` for what measures compiling.
    pub fn new(
        stated: Option<CacheRegime>,
        usual: CacheRegime,
        compiling: impl IntoIterator<Item = String>,
    ) -> Self {
        match stated {
            Some(regime) => Self {
                regime,
                always_cold: BTreeSet::new(),
            },
            None => Self {
                regime: usual,
                always_cold: compiling.into_iter().collect(),
            },
        }
    }

    /// The regime of a job; one benchmark that measures compiling makes all that share its set-up cold.
    fn of(&self, job: &Job) -> CacheRegime {
        let cold = job
            .benchmarks
            .iter()
            .any(|name| self.always_cold.contains(name));
        if cold { CacheRegime::Cold } else { self.regime }
    }
}

/// Runs jobs as `inner` does, with the cache that is meant for each. Base and head have one of these
/// each, and so never share a private cache.
pub struct CompileCaches<'a> {
    inner: &'a mut dyn Executor,
    plan: CachePlan,
    /// Where private caches are made.
    parent: &'a Path,
    /// The warm cache of this side, once there is one.
    warm: Option<TempDir>,
    filled: BTreeSet<(Vec<String>, Option<usize>)>,
    /// The first run of each benchmark is untimed anyway.
    fills_itself: bool,
}

impl<'a> CompileCaches<'a> {
    /// `parent` is where private caches are made; they go when this is dropped.
    pub fn new(inner: &'a mut dyn Executor, plan: CachePlan, parent: &'a Path) -> Self {
        Self {
            inner,
            plan,
            parent,
            warm: None,
            filled: BTreeSet::new(),
            fills_itself: false,
        }
    }

    /// The first run of each benchmark is one whose times do not count, so that it fills a warm cache.
    #[must_use]
    pub fn filled_by_the_first_run(mut self) -> Self {
        self.fills_itself = true;
        self
    }

    fn folder(&self) -> Result<TempDir, WorkerError> {
        tempfile::Builder::new()
            .prefix("lcmbench-compiled-")
            .tempdir_in(self.parent)
            .map_err(WorkerError::Prepare)
    }

    fn cold(&mut self, job: &Job) -> Result<JobOutcome, WorkerError> {
        let folder = self.folder()?;
        self.inner.execute(&with_cache(job, folder.path(), &[]))
    }

    fn warm(&mut self, job: &Job) -> Result<JobOutcome, WorkerError> {
        if self.warm.is_none() {
            self.warm = Some(self.folder()?);
        }
        let folder: PathBuf = self.warm.iter().map(TempDir::path).collect();
        let job = with_cache(job, &folder, &KEEP_ALL);
        let key = (job.benchmarks.clone(), job.combination);
        if !self.fills_itself && job.kind == JobKind::Benchmark && self.filled.insert(key) {
            let outcome = self.inner.execute(&untimed(&job))?;
            if let Ending::Interrupted(_) = outcome.ending {
                return Ok(outcome);
            }
        }
        self.inner.execute(&job)
    }
}

impl Executor for CompileCaches<'_> {
    fn discover(&mut self) -> Result<Discovery, WorkerError> {
        self.inner.discover()
    }

    fn execute(&mut self, job: &Job) -> Result<JobOutcome, WorkerError> {
        let regime = self.plan.of(job);
        let mut outcome = match regime {
            CacheRegime::Shared => self.inner.execute(job),
            CacheRegime::Cold => self.cold(job),
            CacheRegime::Warm => self.warm(job),
        }?;
        for report in &mut outcome.reports {
            if let JobReport::Value { facts, .. } | JobReport::Samples { facts, .. } = report {
                note(facts, regime);
            }
        }
        Ok(outcome)
    }

    fn launch(&self) -> Option<&LaunchChoice> {
        self.inner.launch()
    }

    fn set_variable(&mut self, name: &str, value: &str) {
        self.inner.set_variable(name, value);
    }
}

/// The user's own cache is what anybody would expect, and is not noted.
fn note(facts: &mut Object, regime: CacheRegime) {
    if regime != CacheRegime::Shared {
        facts.insert("compile_cache".to_owned(), regime.word().into());
    }
}

fn with_cache(job: &Job, folder: &Path, more: &[(&str, &str)]) -> Job {
    let mut environment: BTreeMap<String, String> = job.environment.clone();
    for (variable, name) in FOLDERS {
        let path = folder.join(name).to_string_lossy().into_owned();
        environment.insert(variable.to_owned(), path);
    }
    for (variable, value) in more {
        environment.insert((*variable).to_owned(), (*value).to_owned());
    }
    Job {
        environment,
        ..job.clone()
    }
}

/// The same work with one sample of one call, which nobody looks at.
fn untimed(job: &Job) -> Job {
    let mut attributes = job.attributes.clone();
    attributes.insert("number".to_owned(), Json::Int(1));
    attributes.insert("repeat".to_owned(), Json::Int(1));
    attributes.insert("warmup_time".to_owned(), Json::Int(0));
    Job {
        attributes,
        attributes_by_benchmark: BTreeMap::new(),
        profile: false,
        profiles_before: BTreeMap::new(),
        ..job.clone()
    }
}

#[cfg(test)]
mod tests;
