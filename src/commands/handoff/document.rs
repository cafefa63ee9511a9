//! The envelope: whose measurement it is and how it ended.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::commands::reporting::Finding;
use crate::report::handoff::{ComparisonDocument, Refused};
use crate::sys::files::{FileError, write_atomic};

use super::baseline::{BaselineDocument, compared_with};

const SCHEMA: &str = "lcmbench-handoff";
const VERSION: u32 = 1;

/// Bytes of a document; a larger one is not read.
const MOST_BYTES: u64 = 8 << 20;

/// Characters of why something was not measured.
const MOST_OF_A_REASON: usize = 300;

/// Benchmarks of a suite.
const MOST_BENCHMARKS: usize = 1_000_000;

/// How a measurement ended, with nothing that is markup.
#[derive(Debug, Clone)]
pub(in crate::commands) enum Told {
    Measured(Box<Finding>),
    Interrupted {
        signal: i32,
        done: (usize, usize),
    },
    /// A list of paths says that what changed cannot change the speed. Whoever reads it asks that
    /// himself: a stranger's job could claim it of anything.
    NotNeeded,
    NotMeasured {
        why: String,
    },
}

/// The document.
#[derive(Debug, Clone)]
pub(in crate::commands) struct Handoff {
    /// Full hash of the commit that was measured.
    pub(in crate::commands) head: String,
    pub(in crate::commands) told: Told,
}

/// Why a document cannot be written or is not believed. What stands in it is never quoted.
#[derive(Debug, thiserror::Error)]
pub(in crate::commands) enum HandoffError {
    #[error("there is no file {}", .0.display())]
    Missing(PathBuf),
    #[error("the file cannot be read")]
    Read(#[source] std::io::Error),
    #[error("{} is no ordinary file", .0.display())]
    NoFile(PathBuf),
    #[error("it has more than {MOST_BYTES} bytes")]
    TooLarge,
    #[error("it is no document of lcmbench ({0})")]
    Layout(String),
    #[error("it is of version {0}, and this lcmbench reads version {VERSION}")]
    Version(u32),
    #[error("something in it is not as it may be")]
    Refused(#[from] Refused),
    #[error("{0}")]
    Contradiction(&'static str),
    #[error(transparent)]
    Write(#[from] FileError),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: String,
    version: u32,
    head: String,
    outcome: Outcome,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum Outcome {
    Measured {
        started: String,
        baseline: BaselineDocument,
        comparison: Box<ComparisonDocument>,
    },
    Interrupted {
        signal: i32,
        done: usize,
        wanted: usize,
    },
    NotNeeded {},
    NotMeasured {
        why: String,
    },
}

impl Handoff {
    /// Writes it. One that is too large loses the rows that stayed the same.
    pub(in crate::commands) fn write(&self, path: &Path) -> Result<(), HandoffError> {
        let mut document = self.document();
        let mut text = print(&document);
        if text.len() as u64 > MOST_BYTES
            && let Outcome::Measured { comparison, .. } = &mut document.outcome
        {
            comparison.without_unchanged();
            text = print(&document);
        }
        // What its reader would refuse is better said here, where the results are.
        Self::interpret(&text)?;
        Ok(write_atomic(path, text.as_bytes())?)
    }

    /// Whether an ordinary file lies there that begins as a document of this kind does.
    pub(in crate::commands) fn is_at(path: &Path) -> bool {
        let beginning = format!(r#"{{"schema":"{SCHEMA}""#).into_bytes();
        let mut found = Vec::new();
        fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
            && fs::File::open(path)
                .and_then(|file| file.take(beginning.len() as u64).read_to_end(&mut found))
                .is_ok()
            && found == beginning
    }

    /// Reads a document that anybody may have written.
    pub(in crate::commands) fn read(path: &Path) -> Result<Self, HandoffError> {
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(HandoffError::Missing(path.to_owned()));
            }
            Err(error) => return Err(HandoffError::Read(error)),
        };
        if !metadata.is_file() {
            return Err(HandoffError::NoFile(path.to_owned()));
        }
        let mut text = String::new();
        fs::File::open(path)
            .and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text))
            .map_err(HandoffError::Read)?;
        Self::interpret(&text)
    }

    fn interpret(text: &str) -> Result<Self, HandoffError> {
        if text.len() as u64 > MOST_BYTES {
            return Err(HandoffError::TooLarge);
        }
        let document: Document = serde_json::from_str(text).map_err(layout)?;
        if document.schema != SCHEMA {
            return Err(HandoffError::Layout("its `schema` is another".to_owned()));
        }
        if document.version != VERSION {
            return Err(HandoffError::Version(document.version));
        }
        let head = hash(document.head)?;
        let told = match document.outcome {
            Outcome::Measured {
                started,
                baseline,
                comparison,
            } => {
                let of_pairs = baseline.is_of_pairs();
                let comparison = comparison.checked(of_pairs)?;
                if comparison.head.commit != head {
                    let what = "it names two commits as the measured one";
                    return Err(HandoffError::Contradiction(what));
                }
                let baseline = baseline.checked()?;
                let base = comparison.base.as_ref().map(|base| base.commit.as_str());
                if base != compared_with(&baseline) {
                    let what = "it names two commits as the base";
                    return Err(HandoffError::Contradiction(what));
                }
                Told::Measured(Box::new(Finding {
                    comparison,
                    baseline,
                    started: time(&started)?,
                }))
            }
            Outcome::Interrupted {
                signal,
                done,
                wanted,
            } => {
                let fits = matches!(signal, libc::SIGINT | libc::SIGTERM | libc::SIGHUP)
                    && done <= wanted
                    && wanted <= MOST_BENCHMARKS;
                if !fits {
                    let what = "its interruption cannot be";
                    return Err(HandoffError::Contradiction(what));
                }
                Told::Interrupted {
                    signal,
                    done: (done, wanted),
                }
            }
            Outcome::NotNeeded {} => Told::NotNeeded,
            Outcome::NotMeasured { why } => Told::NotMeasured { why: short(&why) },
        };
        Ok(Self { head, told })
    }

    fn document(&self) -> Document {
        Document {
            schema: SCHEMA.to_owned(),
            version: VERSION,
            head: self.head.clone(),
            outcome: match &self.told {
                Told::Measured(finding) => Outcome::Measured {
                    started: finding.started.to_string(),
                    baseline: BaselineDocument::new(&finding.baseline),
                    comparison: Box::new(ComparisonDocument::new(&finding.comparison)),
                },
                Told::Interrupted {
                    signal,
                    done: (done, wanted),
                } => Outcome::Interrupted {
                    signal: *signal,
                    done: *done,
                    wanted: *wanted,
                },
                Told::NotNeeded => Outcome::NotNeeded {},
                Told::NotMeasured { why } => Outcome::NotMeasured { why: short(why) },
            },
        }
    }
}

fn print(document: &Document) -> String {
    // Strings, numbers and lists alone, which always serialise.
    let mut text = serde_json::to_string(document).unwrap_or_default();
    text.push('\n');
    text
}

/// Where the layout is wrong; serde's own message would quote what is there.
#[expect(clippy::needless_pass_by_value, reason = "it is mapped over an error")]
fn layout(error: serde_json::Error) -> HandoffError {
    HandoffError::Layout(format!("line {}, column {}", error.line(), error.column()))
}

pub(super) fn short(text: &str) -> String {
    text.chars().take(MOST_OF_A_REASON).collect()
}

pub(super) fn hash(text: String) -> Result<String, HandoffError> {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    if text.len() == 40 && text.chars().all(is_digit) {
        Ok(text)
    } else {
        Err(HandoffError::Contradiction(
            "a commit in it is no full hash",
        ))
    }
}

/// A time at which something can have been measured.
fn time(text: &str) -> Result<Timestamp, HandoffError> {
    let latest = Timestamp::now() + jiff::SignedDuration::from_hours(24);
    text.parse::<Timestamp>()
        .ok()
        .filter(|time| (Timestamp::UNIX_EPOCH..=latest).contains(time))
        .ok_or(HandoffError::Contradiction(
            "its time is none at which something was measured",
        ))
}

#[cfg(test)]
mod tests;
