//! What a step says to the steps after it.

use std::io::Write as _;
use std::path::Path;

use fs_err as fs;

use crate::report::Comparison;
use crate::report::Verdict;
use crate::report::verdict::{Summary, worst};
use crate::sys::env::Environment;
use crate::sys::printer::Printer;

/// Writes outputs to the file of the step, where there is one. A value must be one line; others are
/// left out, since a second line could name another output.
pub fn write(environment: &Environment, values: &[(&str, &str)], printer: &Printer) {
    if !environment.in_actions() {
        return;
    }
    if let Some(path) = environment.path("GITHUB_OUTPUT")
        && let Err(error) = append(&path, values)
    {
        printer.warn(&format!("the outputs of the step are not written: {error}"));
    }
}

/// The outputs of a comparison.
pub fn comparison(environment: &Environment, comparison: &Comparison, printer: &Printer) {
    let summary = Summary::of(&comparison.rows);
    let count = |verdict| summary.count(verdict).to_string();
    let resolution = summary.resolution.map_or_else(String::new, |resolution| {
        format!("{:.6}", resolution.median)
    });
    write(
        environment,
        &[
            ("verdict", worst(&comparison.rows).key()),
            ("slower", &count(Verdict::Slower)),
            ("faster", &count(Verdict::Faster)),
            ("resolution", &resolution),
        ],
        printer,
    );
}

fn append(path: &Path, values: &[(&str, &str)]) -> std::io::Result<()> {
    let mut text = String::new();
    for (name, value) in values {
        if !value.chars().any(char::is_control) {
            text.push_str(name);
            text.push('=');
            text.push_str(value);
            text.push('\n');
        }
    }
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)?;
    file.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_two_lines_is_no_output() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("output");
        fs::write(&path, "before=1\n").unwrap();
        append(&path, &[("a", "1"), ("b", "x\nverdict=same"), ("c", "")]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "before=1\na=1\nc=\n");
    }
}
