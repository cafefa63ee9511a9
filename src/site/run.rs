//! One result file for the page: what a comparison and a closer look at a commit need.

use crate::results::RawResults;

use super::File;
use super::commits::line_id;
use super::script::{script, text as quoted};

/// Digits of the commit in the file's name.
const DIGITS: usize = 12;

/// How a profile of Python begins: compressed, in base64.
const PROFILE: &str = "\"eJ";

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

    /// The run of a result file with this text: the file as it is, whose JSON with Python's words for
    /// numbers is a script, too.
    pub(super) fn draw(&self, text: &str) -> File {
        let machine = quoted(self.machine);
        let source = self.source;
        let file = without_profiles(text);
        let file = file.as_deref().unwrap_or(text);
        script(
            &self.key(),
            &format!("{SOURCE}{source}\", \"machine\": {machine}, \"file\": {file}}}"),
        )
    }
}

/// Profiles are large, and nothing on the page is made of them.
fn without_profiles(text: &str) -> Option<String> {
    if !text.contains(PROFILE) {
        return None;
    }
    let mut raw = RawResults::read(text)?;
    raw.drop_profiles();
    Some(raw.to_text())
}

/// The digest of the result file that a run was made of, from the beginning of the run's text.
pub(super) fn source_of(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(SOURCE)?;
    rest.split('"').next()
}

/// What stands before the digest.
const SOURCE: &str = "{\"source\": \"";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_the_file_without_its_profiles() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let run = |machine| Run {
            commit,
            machine,
            environment: "env",
            source: "0a1b",
        };
        let file = |cells: &str| {
            format!(
                "{{\"commit_hash\": \"{commit}\", \"env_name\": \"env\", \"date\": 0, \"params\": {{}}, \"python\": \"3\", \
                 \"requirements\": {{}}, \"env_vars\": {{}}, \"result_columns\": [\"result\", \"params\", \"profile\"], \
                 \"results\": {{\"m.time_x\": [{cells}]}}, \"durations\": {{}}, \"version\": 2}}"
            )
        };
        let plain = file("[0.1, null, NaN, -Infinity], [[\"1\", \"2\", \"3\", \"4\"]]");
        let drawn = run("v\"m").draw(&plain);
        assert_eq!(source_of(&drawn.text), Some("0a1b"));
        assert_eq!(drawn.path, run("v\"m").path());
        assert!(drawn.path.starts_with("runs/v-m-env-"), "{}", drawn.path);
        assert!(drawn.path.ends_with("/0123456789ab.js"), "{}", drawn.path);
        let end = format!("\"machine\": \"v\\\"m\", \"file\": {plain}}});\n");
        assert!(drawn.text.ends_with(&end), "{}", drawn.text);

        let profiled = file("[0.1], [], \"eJxyz\"");
        let drawn = run("vm").draw(&profiled);
        assert!(drawn.text.contains(&file("[0.1], []")), "{}", drawn.text);
    }
}
