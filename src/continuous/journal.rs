//! Pairs on disk, so that a measurement can be interrupted and goes on.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::json::{Json, Object, parse, to_compact};
use crate::results::{Failure, FailureKind};
use crate::run::{Finding, Noticed, Taken};
use crate::sys::files::{FileError, write_atomic};

use super::track::Side;

/// What a journal belongs to: everything that a later pair must have in common with the earlier ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    pub seed: i64,
    /// Commits, interpreters, limits and sampling, as a compact text.
    pub identity: String,
}

/// Why pairs cannot be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(
        "the pairs in {} were measured on something else (other commits, another interpreter or \
         other options), so they cannot be gone on with; leave out --resume to begin anew",
        .path.display()
    )]
    Other { path: PathBuf },
    #[error("there is nothing to go on with: {} does not exist", .path.display())]
    Missing { path: PathBuf },
}

/// A pair as it was measured.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kept {
    pub(super) target: String,
    pub(super) pair: usize,
    pub(super) void: Option<String>,
    pub(super) base: Vec<Finding>,
    pub(super) head: Vec<Finding>,
}

/// A file of pairs, one a line.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Option<fs::File>,
}

impl Journal {
    /// Begins a new file.
    pub fn begin(path: &Path, header: &Header) -> Result<Self, JournalError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let line = to_compact(&Json::Object(
            [
                ("seed".to_owned(), header.seed.into()),
                ("identity".to_owned(), header.identity.clone().into()),
            ]
            .into_iter()
            .collect(),
        ));
        write_atomic(path, format!("{line}\n").as_bytes())?;
        Self::append(path)
    }

    /// The seed of a file that is there, and the pairs in it; they must belong to `identity`.
    pub(super) fn resume(
        path: &Path,
        identity: &str,
    ) -> Result<(Self, i64, Vec<Kept>), JournalError> {
        let missing = |_| JournalError::Missing {
            path: path.to_owned(),
        };
        let text = fs::read_to_string(path).map_err(missing)?;
        let mut lines = text.lines();
        let other = || JournalError::Other {
            path: path.to_owned(),
        };
        let header = lines
            .next()
            .and_then(|line| parse(line).ok())
            .ok_or_else(other)?;
        let seed = header
            .get("seed")
            .and_then(Json::as_i64)
            .ok_or_else(other)?;
        if header.get("identity").and_then(Json::as_str) != Some(identity) {
            return Err(other());
        }
        // The last line may have been cut off; so may the pair.
        let kept = lines.filter_map(|line| kept(&parse(line).ok()?)).collect();
        Ok((Self::append(path)?, seed, kept))
    }

    /// No file: nothing can be resumed.
    pub fn nowhere() -> Self {
        Self {
            path: PathBuf::new(),
            file: None,
        }
    }

    /// The seed of a file, to begin the identity with.
    pub fn seed_of(path: &Path) -> Option<i64> {
        let text = fs::read_to_string(path).ok()?;
        parse(text.lines().next()?).ok()?.get("seed")?.as_i64()
    }

    fn append(path: &Path) -> Result<Self, JournalError> {
        let file = fs::OpenOptions::new().append(true).open(path)?;
        Ok(Self {
            path: path.to_owned(),
            file: Some(file),
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn keep(&mut self, kept: &Kept) -> Result<(), JournalError> {
        use std::io::Write as _;
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let findings = |side: &[Finding]| Json::Array(side.iter().map(finding_json).collect());
        let line: Object = [
            ("target".to_owned(), kept.target.clone().into()),
            (
                "pair".to_owned(),
                i64::try_from(kept.pair).unwrap_or(0).into(),
            ),
            (
                "void".to_owned(),
                kept.void.clone().map_or(Json::Null, Json::from),
            ),
            (Side::Base.word().to_owned(), findings(&kept.base)),
            (Side::Head.word().to_owned(), findings(&kept.head)),
        ]
        .into_iter()
        .collect();
        // A line break first, so that half a line of a process that was killed spoils nothing.
        Ok(write!(file, "\n{}\n", to_compact(&line.into()))?)
    }
}

fn finding_json(finding: &Finding) -> Json {
    let mut members: Object = [
        ("benchmark".to_owned(), finding.benchmark.clone().into()),
        ("compiled".to_owned(), Json::Bool(finding.noticed.compiled)),
    ]
    .into_iter()
    .collect();
    let mut put = |key: &str, value: Json| {
        members.insert(key.to_owned(), value);
    };
    if !finding.noticed.flags.is_empty() {
        put("flags", finding.noticed.flags.clone().into());
    }
    match &finding.taken {
        Taken::Samples(samples, number) => {
            put(
                "samples",
                Json::Array(samples.iter().map(|s| Json::Float(*s)).collect()),
            );
            put("number", (*number).into());
        }
        Taken::Number(value) => put("value", value.clone()),
        Taken::Other(value) => put("other", value.clone()),
        Taken::Failed(failure) => {
            put("failed", failure.message.clone().into());
            put("details", failure.details.clone().into());
            put("kind", failure.kind.word().into());
        }
        Taken::Skipped(failure) => put("skipped", failure.message.clone().into()),
    }
    members.into()
}

fn kept(json: &Json) -> Option<Kept> {
    let findings = |side: Side| -> Option<Vec<Finding>> {
        json.get(side.word())?
            .as_array()?
            .iter()
            .map(finding)
            .collect()
    };
    Some(Kept {
        target: json.get("target")?.as_str()?.to_owned(),
        pair: usize::try_from(json.get("pair")?.as_i64()?).ok()?,
        void: json.get("void").and_then(Json::as_str).map(str::to_owned),
        base: findings(Side::Base)?,
        head: findings(Side::Head)?,
    })
}

fn finding(json: &Json) -> Option<Finding> {
    let text = |key: &str| json.get(key).and_then(Json::as_str).map(str::to_owned);
    let taken = if let Some(samples) = json.get("samples") {
        let samples: Option<Vec<f64>> = samples.as_array()?.iter().map(Json::as_f64).collect();
        Taken::Samples(samples?, json.get("number")?.as_i64()?)
    } else if let Some(value) = json.get("value") {
        Taken::Number(value.clone())
    } else if let Some(value) = json.get("other") {
        Taken::Other(value.clone())
    } else if let Some(message) = text("failed") {
        Taken::Failed(Failure {
            kind: FailureKind::of_word(&text("kind")?)?,
            message,
            details: text("details").unwrap_or_default(),
        })
    } else {
        Taken::Skipped(Failure {
            kind: FailureKind::Skipped,
            message: text("skipped")?,
            details: String::new(),
        })
    };
    let flags = json.get("flags").and_then(Json::as_array);
    Some(Finding {
        benchmark: text("benchmark")?,
        taken,
        noticed: Noticed {
            compiled: json.get("compiled")?.as_bool()?,
            flags: flags
                .unwrap_or_default()
                .iter()
                .filter_map(Json::as_str)
                .map(str::to_owned)
                .collect(),
            ..Noticed::default()
        },
    })
}
