//! The top-level key `lcmbench` of a result file: who measured what, where and how.

mod json;

use indexmap::IndexMap;

use crate::json::Object;

/// The present version of the key's layout.
const FORMAT: i64 = 1;

/// What is known about the measurement beyond asv's format.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// Version of this key's layout; 1 now.
    pub format: i64,
    /// Version of the tool that measured.
    pub lcmbench: String,
    /// Full hash of the commit whose tree was imported.
    pub head: String,
    /// Measured with uncommitted changes.
    pub dirty: bool,
    /// Choices of the worker: `launch`, `launch_reason`, `setup_scope`, `share_setup`, `asv_runner`,
    /// `device_sync`.
    pub worker: Object,
    /// Fingerprint of the environment: `python`, `implementation`, `packages` and so on.
    pub environment: Object,
    /// State of the host before and after.
    pub host: Object,
    /// The GPUs, their state before, during and after, and who disturbed.
    pub gpu: Object,
    /// Facts of single benchmarks, by name.
    pub benchmarks: IndexMap<String, BenchmarkProvenance>,
    /// Keys of a later version; they survive a rewrite.
    pub extra: Object,
}

/// The member that keeps stamps of versions that were taken off, by benchmark.
pub const VERSION_STAMPS: &str = "versions";

impl Provenance {
    /// The stamps of versions that were taken off when the results were normalised, by benchmark.
    pub fn version_stamps(&self) -> Option<&Object> {
        self.extra.get(VERSION_STAMPS)?.as_object()
    }
}

impl Default for Provenance {
    /// The present layout, without a single fact.
    fn default() -> Self {
        Self {
            format: FORMAT,
            lcmbench: String::new(),
            head: String::new(),
            dirty: false,
            worker: Object::new(),
            environment: Object::new(),
            host: Object::new(),
            gpu: Object::new(),
            benchmarks: IndexMap::new(),
            extra: Object::new(),
        }
    }
}

/// What is known about one benchmark beyond asv's columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BenchmarkProvenance {
    /// Why a combination failed or was skipped, one entry per combination; empty when none was.
    pub failures: Vec<Option<Failure>>,
    /// How many of the recorded samples came from each process, in order, per combination; the
    /// sizes of one combination add up to its number of samples. Empty when not recorded.
    pub process_sizes: Vec<Vec<usize>>,
    /// Remarks for the reader (`compiled-while-timed`, `unfinished-array`, ...).
    pub flags: Vec<String>,
    /// What else is known of how it was measured: `allocator`, `compile_cache`.
    pub facts: Object,
    /// `fork` or `spawn`, as this benchmark really ran.
    pub launch: Option<String>,
    /// Keys of a later version; they survive a rewrite.
    pub extra: Object,
}

/// Why a combination has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// One sentence.
    pub message: String,
    /// Last lines of a traceback or of both streams; may be empty.
    pub details: String,
}

/// The kinds of failure; each is written as a kebab-case word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The benchmark or its set-up raised.
    Exception,
    /// The deadline passed.
    Timeout,
    /// The process died of a signal.
    Signal,
    /// The process ended with an exit code and no result.
    Exit,
    /// The benchmark returned nothing.
    NoValue,
    /// The returned value is no JSON.
    Unserializable,
    /// `setup_cache` failed.
    SetupCache,
    /// The module could not be imported.
    Import,
    /// Skipped by the suite.
    Skipped,
    /// The run was interrupted before this benchmark was done.
    Interrupted,
}

/// Each kind and its word.
const WORDS: [(FailureKind, &str); 10] = [
    (FailureKind::Exception, "exception"),
    (FailureKind::Timeout, "timeout"),
    (FailureKind::Signal, "signal"),
    (FailureKind::Exit, "exit"),
    (FailureKind::NoValue, "no-value"),
    (FailureKind::Unserializable, "unserializable"),
    (FailureKind::SetupCache, "setup-cache"),
    (FailureKind::Import, "import"),
    (FailureKind::Skipped, "skipped"),
    (FailureKind::Interrupted, "interrupted"),
];

impl FailureKind {
    /// The word on disk, for example `no-value`.
    pub fn word(self) -> &'static str {
        WORDS
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, word)| word)
    }

    /// The kind of this word.
    pub fn of_word(word: &str) -> Option<Self> {
        WORDS
            .iter()
            .find(|(_, known)| *known == word)
            .map(|(kind, _)| *kind)
    }
}
