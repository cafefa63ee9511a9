//! The lines at the top of a comment that programs read.
//!
//! ```text
//! <!-- benchmark-check -->
//! <!-- head-sha:0123abcd -->
//! <!-- lcmbench:v1 key=default head=<40> base=<40> run=1 attempt=1 started=... verdict=same counts=same:2 sha256=<64> -->
//! ```
//!
//! The first two are what scripts written before lcmbench look for; a comment that has only them is
//! read, too. They count at the very beginning alone: anybody can write a marker further down.

use std::fmt;

use jiff::Timestamp;

use crate::report::markdown::MARKER;

use super::Run;

const BLOCK: &str = "<!-- lcmbench:v1 ";

/// The key of a comment unless another is wanted.
pub const DEFAULT_KEY: &str = "default";

/// The word under which a block counts accepted regressions.
pub const ACCEPTED: &str = "accepted";

/// What a comment says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Comments of different keys stand beside each other.
    pub key: String,
    /// Full hash of the measured commit.
    pub head: String,
    /// Full hash of what it was compared with; `None` without a comparison.
    pub base: Option<String>,
    /// The workflow's run; `None` from a desk.
    pub run: Option<Run>,
    /// When the newest of its benchmarks was started.
    pub started: Timestamp,
    /// The verdict that needs most attention.
    pub verdict: String,
    /// How many rows have each verdict, and `alert`: the words of `--fail-on`, without what is accepted;
    /// and [`ACCEPTED`].
    pub counts: Vec<(String, usize)>,
    /// The words that fail it: `--fail-on` of the command that measured. Whoever reads the block later
    /// fails by them, too.
    pub gate: Vec<String>,
    /// Digest of what was compared.
    pub sha256: String,
}

/// What the top of a comment says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marks {
    /// The first digits of HEAD's hash: eight, or all forty.
    pub head: String,
    /// `None` in comments written before lcmbench.
    pub block: Option<Block>,
}

impl Marks {
    /// The marks of a comment; `None` if it does not begin with the marker or names no HEAD.
    pub fn of(body: &str) -> Option<Self> {
        let mut lines = body.lines().map(str::trim);
        if lines.next()? != MARKER {
            return None;
        }
        let mut short = None;
        let mut block = None;
        // Comments for programs and empty lines only: what follows is the report.
        for line in lines.take_while(|line| {
            line.is_empty() || (line.starts_with("<!--") && line.ends_with("-->"))
        }) {
            if short.is_none() {
                short = inside(line, "<!-- head-sha:").and_then(hash);
            }
            if block.is_none() {
                block = inside(line, BLOCK).and_then(Block::parse);
            }
        }
        match (short, &block) {
            (_, Some(known)) => Some(Self {
                head: known.head.clone(),
                block,
            }),
            (Some(head), None) => Some(Self { head, block: None }),
            (None, None) => None,
        }
    }

    /// Whether they are of this commit.
    pub fn is_of(&self, head: &str) -> bool {
        head.starts_with(&self.head)
    }

    /// The key; comments without one are the default's.
    pub fn key(&self) -> &str {
        self.block.as_ref().map_or(DEFAULT_KEY, |block| &block.key)
    }
}

impl Block {
    fn parse(text: &str) -> Option<Self> {
        let value = |name: &str| {
            text.split_whitespace()
                .filter_map(|pair| pair.split_once('='))
                .find_map(|(key, value)| (key == name).then_some(value))
        };
        let full = |text: &str| hash(text).filter(|hash| hash.len() == 40);
        let number = |name: &str| value(name).and_then(|text| text.parse::<u64>().ok());
        let counts = value("counts").unwrap_or_default().split(',');
        Some(Self {
            key: value("key").filter(|key| is_key(key))?.to_owned(),
            head: value("head").and_then(full)?,
            base: value("base").and_then(full),
            run: number("run").filter(|id| *id > 0).map(|id| Run {
                id,
                attempt: number("attempt").unwrap_or(1),
            }),
            started: value("started")?.parse().ok()?,
            verdict: value("verdict")?.to_owned(),
            counts: counts
                .filter_map(|pair| pair.split_once(':'))
                .filter_map(|(word, count)| Some((word.to_owned(), count.parse().ok()?)))
                .collect(),
            gate: value("gate")
                .unwrap_or_default()
                .split(',')
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect(),
            sha256: value("sha256").unwrap_or_default().to_owned(),
        })
    }

    /// Rows with this word.
    pub fn count(&self, word: &str) -> usize {
        let found = self.counts.iter().find(|(counted, _)| counted == word);
        found.map_or(0, |(_, count)| *count)
    }

    /// Whether this is of a later run than the other. Runs of workflows are numbered; where one of
    /// the two is from a desk, the time of measuring decides.
    pub fn is_newer_than(&self, other: &Self) -> bool {
        match (self.run, other.run) {
            (Some(one), Some(two)) if (one.id, one.attempt) != (two.id, two.attempt) => {
                (one.id, one.attempt) > (two.id, two.attempt)
            }
            _ => self.started > other.started,
        }
    }
}

impl fmt::Display for Block {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = self.run.unwrap_or(Run { id: 0, attempt: 0 });
        let counts: Vec<String> = self
            .counts
            .iter()
            .map(|(word, count)| format!("{word}:{count}"))
            .collect();
        let gate = match self.gate.as_slice() {
            [] => String::new(),
            words => format!(" gate={}", words.join(",")),
        };
        write!(
            formatter,
            "{BLOCK}key={} head={} base={} run={} attempt={} started={} verdict={} counts={}{gate} \
             sha256={} -->",
            self.key,
            self.head,
            self.base.as_deref().unwrap_or("none"),
            run.id,
            run.attempt,
            self.started,
            self.verdict,
            counts.join(","),
            self.sha256
        )
    }
}

/// Whether a text can be the key of a comment: letters, digits and `-_./`, at most 64.
pub fn is_key(text: &str) -> bool {
    let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    // Two hyphens may end an HTML comment.
    (1..=64).contains(&text.len()) && text.chars().all(valid) && !text.contains("--")
}

/// What stands between `start` and the end of an HTML comment.
fn inside<'a>(line: &'a str, start: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(start)?.strip_suffix("-->")?;
    (!rest.contains("--")).then_some(rest.trim())
}

fn hash(text: &str) -> Option<String> {
    let valid = (8..=40).contains(&text.len()) && text.chars().all(|c| c.is_ascii_hexdigit());
    valid.then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "0123456789abcdef0123456789abcdef01234567";

    fn block() -> Block {
        Block {
            key: "gpu-01".to_owned(),
            head: HEAD.to_owned(),
            base: Some(HEAD.chars().rev().collect()),
            run: Some(Run { id: 7, attempt: 2 }),
            started: "2026-11-30T12:00:00Z".parse().unwrap(),
            verdict: "not-comparable".to_owned(),
            counts: vec![("slower".to_owned(), 2), ("alert".to_owned(), 1)],
            gate: vec!["slower".to_owned(), "failed".to_owned()],
            sha256: "ab".repeat(32),
        }
    }

    #[test]
    fn a_block_reads_what_it_wrote() {
        for block in [
            block(),
            Block {
                base: None,
                run: None,
                counts: Vec::new(),
                gate: Vec::new(),
                ..block()
            },
        ] {
            let body = format!("{MARKER}\n<!-- head-sha:01234567 -->\n{block}\n\n**x**");
            let marks = Marks::of(&body).unwrap();
            assert_eq!(marks.block.as_ref(), Some(&block));
            assert!(marks.is_of(HEAD));
            assert_eq!(marks.key(), "gpu-01");
        }
        assert_eq!(block().count("slower"), 2);
        assert_eq!(block().count("faster"), 0);
    }

    #[test]
    fn a_comment_of_before_lcmbench_is_read() {
        for body in [
            format!("{MARKER}\n<!-- head-sha:01234567 -->\n## Benchmarks\n"),
            format!("{MARKER}\r\n\r\n<!-- head-sha:01234567 -->\r\ntext"),
        ] {
            let marks = Marks::of(&body).unwrap();
            assert_eq!(
                (marks.head.as_str(), marks.block.is_some()),
                ("01234567", false)
            );
            assert!(marks.is_of(HEAD));
            assert_eq!(marks.key(), DEFAULT_KEY);
        }
    }

    #[test]
    fn markers_elsewhere_do_not_count() {
        for body in [
            format!("hello\n{MARKER}\n<!-- head-sha:01234567 -->"),
            format!("> {MARKER}\n<!-- head-sha:01234567 -->"),
            format!("{MARKER}\nreport\n<!-- head-sha:01234567 -->"),
            format!("{MARKER}\n<!-- head-sha:0123456 -->"),
            format!("{MARKER}\n<!-- head-sha:0123456g -->"),
            format!("{MARKER}\n{BLOCK}key=a head=0123 -->"),
            String::new(),
        ] {
            assert_eq!(Marks::of(&body), None, "{body}");
        }
    }

    #[test]
    fn runs_go_by_number_and_desks_by_time() {
        let at = |run: Option<(u64, u64)>, started: &str| Block {
            run: run.map(|(id, attempt)| Run { id, attempt }),
            started: started.parse().unwrap(),
            ..block()
        };
        let (early, late) = ("2026-11-30T12:00:00Z", "2026-11-30T13:00:00Z");
        assert!(at(Some((8, 1)), early).is_newer_than(&at(Some((7, 2)), late)));
        assert!(at(Some((7, 2)), early).is_newer_than(&at(Some((7, 1)), late)));
        assert!(at(None, late).is_newer_than(&at(Some((7, 1)), early)));
        assert!(!at(None, early).is_newer_than(&at(None, early)));
    }

    #[test]
    fn keys_cannot_end_the_block() {
        for good in ["default", "gpu-01/cuda12", "a.b_c"] {
            assert!(is_key(good), "{good}");
        }
        for bad in ["", "a b", "a-->", "a--b", "ä", &"x".repeat(65)] {
            assert!(!is_key(bad), "{bad}");
        }
    }
}
