//! Is there a configuration, and does it say what was meant?

use super::finding::Finding;
use super::subject::Subject;
use crate::config::ConfigError;

pub(super) fn examine(subject: &Subject<'_>) -> Vec<Finding> {
    let loaded = match &subject.loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            let way_out = match error {
                ConfigError::Missing { .. } => "`lcmbench init` writes what is missing",
                _ => "mend the file; docs/configuration.md has every key",
            };
            return vec![Finding::error(chain(error), way_out)];
        }
    };
    let settings = &loaded.settings;
    let mut findings = vec![Finding::fine(format!(
        "the suite is {}, the results are in {}",
        settings.asv.benchmark_dir.display(),
        settings.asv.results_dir.display()
    ))];
    for warning in &loaded.warnings {
        findings.push(Finding::warning(
            warning,
            "mend the key, or leave it out if nothing reads it",
        ));
    }
    findings
}

fn chain(error: &ConfigError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
