//! One result file for the page: what a comparison and a closer look at a commit need.

use super::File;
use super::commits::line_id;
use super::script::{script, text as quoted};
use super::shortened::shortened;

/// Digits of the commit in the file's name.
const DIGITS: usize = 12;

/// The results of a commit on one line of the history.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<'a> {
    /// Full hash.
    pub(super) commit: &'a str,
    /// The names under which it counts.
    pub(super) machine: &'a str,
    pub(super) environment: &'a str,
    /// Digest of the result file.
    pub(super) source: &'a str,
}

impl Run<'_> {
    /// `runs/<line>/<commit>.js`.
    pub(super) fn path(&self) -> String {
        format!("{}.js", self.key())
    }

    fn key(&self) -> String {
        let digits = self.commit.chars().filter(char::is_ascii_alphanumeric);
        let digits: String = digits.take(DIGITS).collect();
        format!("runs/{}/{digits}", line_id(self.machine, self.environment))
    }

    /// The run of a result file with this text: the file itself, whose JSON with Python's words for
    /// numbers is a script, too; shortened by what nobody reads.
    pub(super) fn draw(&self, text: &str) -> File {
        let mut json = String::with_capacity(text.len() + BEGINNING);
        json.push_str(SOURCE);
        json.push_str(self.source);
        json.push_str("\",\"machine\":");
        json.push_str(&quoted(self.machine));
        json.push_str(",\"file\":");
        shortened(text, &mut json);
        json.push('}');
        script(&self.key(), &json)
    }
}

/// The digest of the result file that a run was made of, from the beginning of the run's text.
pub(super) fn source_of(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(SOURCE)?;
    rest.split('"').next()
}

/// What stands before the digest.
const SOURCE: &str = "{\"source\":\"";

/// Bytes beside the file.
const BEGINNING: usize = 400;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_says_whose_it_is() {
        let run = Run {
            commit: "0123456789abcdef0123456789abcdef01234567",
            machine: "v\"m",
            environment: "env",
            source: "0a1b",
        };
        let drawn = run.draw("{\"results\": {\"m.x\": [[NaN, 1]]}}");
        assert_eq!(source_of(&drawn.text), Some("0a1b"));
        assert_eq!(drawn.path, run.path());
        assert!(drawn.path.starts_with("runs/v-m-env-"), "{}", drawn.path);
        assert!(drawn.path.ends_with("/0123456789ab.js"), "{}", drawn.path);
        let end = "\"machine\":\"v\\\"m\",\"file\":{\"results\":{\"m.x\":[[NaN,1]]}}});\n";
        assert!(drawn.text.ends_with(end), "{}", drawn.text);
    }
}
