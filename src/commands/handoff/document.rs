//! The envelope: whose measurement it is and how it ended.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::commands::reporting::{Baseline, Finding};
use crate::report::handoff::{ComparisonDocument, Refused};
use crate::sys::files::{FileError, write_atomic};

const SCHEMA: &str = "lcmbench-handoff";
const VERSION: u32 = 1;

/// Bytes of a document; a larger one is not read.
const MOST_BYTES: u64 = 8 << 20;

/// Characters of why something was not measured.
const MOST_OF_A_REASON: usize = 300;

/// Commits between a baseline and the merge base.
const LONGEST_DISTANCE: usize = 1_000_000;

/// Benchmarks of a suite.
const MOST_BENCHMARKS: usize = 1_000_000;

/// How a measurement ended, with nothing that is markup.
#[derive(Debug, Clone)]
pub(in crate::commands) enum Told {
    Measured(Box<Finding>),
    Interrupted { signal: i32, done: (usize, usize) },
    NotMeasured { why: String },
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
    NotMeasured {
        why: String,
    },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum BaselineDocument {
    Exact {
        commit: String,
        fetched: bool,
    },
    Earlier {
        commit: String,
        distance: usize,
        merge_base: String,
        fetched: bool,
    },
    Paired {
        commit: String,
    },
    Missing {
        merge_base: String,
    },
    HeadIsMain {},
    Unknown {
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
                let of_pairs = matches!(baseline, BaselineDocument::Paired { .. });
                let comparison = comparison.checked(of_pairs)?;
                if comparison.head.commit != head {
                    let what = "it names two commits as the measured one";
                    return Err(HandoffError::Contradiction(what));
                }
                let baseline = checked(baseline)?;
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
                    baseline: baseline(&finding.baseline),
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

fn short(text: &str) -> String {
    text.chars().take(MOST_OF_A_REASON).collect()
}

fn hash(text: String) -> Result<String, HandoffError> {
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

fn baseline(known: &Baseline) -> BaselineDocument {
    match known.clone() {
        Baseline::Exact { commit, fetched } => BaselineDocument::Exact { commit, fetched },
        Baseline::Earlier {
            commit,
            distance,
            merge_base,
            fetched,
        } => BaselineDocument::Earlier {
            commit,
            distance,
            merge_base,
            fetched,
        },
        Baseline::Paired { commit } => BaselineDocument::Paired { commit },
        Baseline::Missing { merge_base } => BaselineDocument::Missing { merge_base },
        Baseline::HeadIsMain => BaselineDocument::HeadIsMain {},
        Baseline::Unknown { why } => BaselineDocument::Unknown { why: short(&why) },
    }
}

fn checked(document: BaselineDocument) -> Result<Baseline, HandoffError> {
    Ok(match document {
        BaselineDocument::Exact { commit, fetched } => Baseline::Exact {
            commit: hash(commit)?,
            fetched,
        },
        BaselineDocument::Earlier {
            commit,
            distance,
            merge_base,
            fetched,
        } => {
            if distance > LONGEST_DISTANCE {
                let what = "its baseline is too far away";
                return Err(HandoffError::Contradiction(what));
            }
            Baseline::Earlier {
                commit: hash(commit)?,
                distance,
                merge_base: hash(merge_base)?,
                fetched,
            }
        }
        BaselineDocument::Paired { commit } => Baseline::Paired {
            commit: hash(commit)?,
        },
        BaselineDocument::Missing { merge_base } => Baseline::Missing {
            merge_base: hash(merge_base)?,
        },
        BaselineDocument::HeadIsMain {} => Baseline::HeadIsMain,
        BaselineDocument::Unknown { why } => Baseline::Unknown { why: short(&why) },
    })
}

fn compared_with(baseline: &Baseline) -> Option<&str> {
    match baseline {
        Baseline::Exact { commit, .. }
        | Baseline::Earlier { commit, .. }
        | Baseline::Paired { commit } => Some(commit),
        Baseline::Missing { .. } | Baseline::HeadIsMain | Baseline::Unknown { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const HEAD: &str = "0123456789abcdef0123456789abcdef01234567";

    fn interrupted() -> Value {
        json!({"schema": "lcmbench-handoff", "version": 1, "head": HEAD,
            "outcome": {"kind": "interrupted", "signal": 15, "done": 1, "wanted": 3}})
    }

    fn error(value: &Value) -> String {
        Handoff::interpret(&value.to_string())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn an_interruption_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("handoff.json");
        let handoff = Handoff {
            head: HEAD.to_owned(),
            told: Told::Interrupted {
                signal: libc::SIGTERM,
                done: (1, 3),
            },
        };
        handoff.write(&path).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value, interrupted());
        assert!(matches!(
            Handoff::read(&path).unwrap().told,
            Told::Interrupted {
                signal: libc::SIGTERM,
                done: (1, 3)
            }
        ));
    }

    #[test]
    fn what_is_no_document_is_refused_without_quoting_it() {
        for (key, wrong) in [
            ("schema", json!("evil @everyone")),
            ("version", json!(2)),
            ("head", json!("$(rm)")),
            ("outcome", json!({"kind": "@everyone"})),
            (
                "outcome",
                json!({"kind": "interrupted", "signal": 9, "done": 0, "wanted": 0}),
            ),
            (
                "outcome",
                json!({"kind": "interrupted", "signal": 2, "done": 4, "wanted": 3}),
            ),
            ("markdown", json!("@everyone")),
        ] {
            let mut value = interrupted();
            value[key] = wrong;
            let said = error(&value);
            assert!(!said.contains("everyone") && !said.contains("rm"), "{said}");
        }
        assert!(Handoff::interpret("[[[[").is_err());
        assert!(Handoff::interpret(&"[".repeat(100_000)).is_err());
        let large = format!("{}{}", interrupted(), " ".repeat(8 << 20));
        let refused = Handoff::interpret(&large).unwrap_err();
        assert!(matches!(refused, HandoffError::TooLarge), "{refused}");
    }

    #[test]
    fn a_link_a_folder_and_nothing_are_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing.json");
        assert!(matches!(
            Handoff::read(&missing),
            Err(HandoffError::Missing(_))
        ));
        assert!(matches!(
            Handoff::read(folder.path()),
            Err(HandoffError::NoFile(_))
        ));
        let link = folder.path().join("link.json");
        std::os::unix::fs::symlink("/etc/hostname", &link).unwrap();
        assert!(matches!(Handoff::read(&link), Err(HandoffError::NoFile(_))));
    }
}
