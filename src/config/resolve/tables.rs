//! The settings that one table of the file alone says.

use std::collections::BTreeMap;

use toml::Spanned;

use super::CheckPattern;
use crate::config::toml_file::TomlFile;
use crate::config::toml_model::Texts;
use crate::config::{
    ConfigError, ContinuousSettings, HistorySettings, NormaliseRules, PairSettings,
};

pub(super) fn history_settings(toml: &TomlFile) -> Result<HistorySettings, ConfigError> {
    let file = &toml.settings;
    let mut renamed = BTreeMap::new();
    for (old, new) in &file.renamed {
        for name in [old, new] {
            let text = name.get_ref();
            if text.trim().is_empty() || text.contains('*') {
                return Err(toml.wrong(
                    &name.span(),
                    format!("`renamed`: `{text}` is no name of a benchmark"),
                ));
            }
        }
        let is_full = |name: &Spanned<String>| name.get_ref().contains('.');
        if is_full(old) != is_full(new) {
            let message = format!(
                "`renamed`: `{}` and `{}` must both be full names, or both names of a function",
                old.get_ref(),
                new.get_ref()
            );
            return Err(toml.wrong(&old.span(), message));
        }
        if file
            .renamed
            .keys()
            .any(|other| other.get_ref() == new.get_ref())
        {
            let message = format!(
                "`renamed`: `{}` is renamed itself; name the last one",
                new.get_ref()
            );
            return Err(toml.wrong(&new.span(), message));
        }
        renamed.insert(old.get_ref().clone(), new.get_ref().clone());
    }
    let retired = match &file.retired {
        Some(retired) => toml.patterns("retired", retired)?,
        None => Vec::new(),
    };
    let rules = &file.normalise;
    Ok(HistorySettings {
        renamed,
        retired,
        rules: NormaliseRules {
            machine: rules.machine.unwrap_or(true),
            versions: rules.versions.unwrap_or(true),
            renames: rules.renames.unwrap_or(true),
            environments: rules.environments.unwrap_or(true),
            retired: rules.retired.unwrap_or(true),
        },
    })
}

pub(super) fn pair_settings(toml: &TomlFile) -> Result<PairSettings, ConfigError> {
    let file = &toml.settings.pair;
    Ok(PairSettings {
        scenarios: texts(toml, "scenarios", file.scenarios.as_ref())?,
        sources: texts(toml, "sources", file.sources.as_ref())?,
        lock_files: texts(toml, "lock-files", file.lock_files.as_ref())?,
        python: toml.filled("python", file.python.as_ref())?,
        python_path: texts(toml, "python-path", file.python_path.as_ref())?,
    })
}

pub(super) fn continuous_settings(toml: &TomlFile) -> Result<ContinuousSettings, ConfigError> {
    let file = &toml.settings.continuous;
    if let Some(estimator) = &file.estimator
        && estimator_of(estimator.get_ref()).is_none()
    {
        return Err(toml.wrong(
            &estimator.span(),
            format!(
                "`estimator`: `{}` is neither `min` nor a quantile such as `p10`",
                estimator.get_ref()
            ),
        ));
    }
    Ok(ContinuousSettings {
        setup: toml.filled("setup", file.setup.as_ref())?,
        python: toml.filled("python", file.python.as_ref())?,
        python_path: texts(toml, "python-path", file.python_path.as_ref())?,
        estimator: toml.filled("estimator", file.estimator.as_ref())?,
    })
}

/// The share that an estimator names: 0 for `min`, 0.1 for `p10`. `None` for anything else.
pub fn estimator_of(text: &str) -> Option<f64> {
    if text == "min" {
        return Some(0.0);
    }
    let share: f64 = text.strip_prefix('p')?.parse().ok()?;
    (share > 0.0 && share < 100.0).then_some(share / 100.0)
}

fn texts(
    toml: &TomlFile,
    key: &str,
    value: Option<&Spanned<Texts>>,
) -> Result<Vec<String>, ConfigError> {
    value.map_or_else(|| Ok(Vec::new()), |texts| toml.patterns(key, texts))
}

pub(super) fn pull_request_patterns(
    toml: &TomlFile,
    check: CheckPattern<'_>,
) -> Result<Vec<String>, ConfigError> {
    let Some(bench) = &toml.settings.pr.bench else {
        return Ok(Vec::new());
    };
    let patterns = toml.patterns("bench", bench)?;
    for pattern in &patterns {
        check(pattern).map_err(|complaint| {
            let place = toml.span_of(&bench.span(), pattern);
            toml.wrong(&place, format!("`bench`: {complaint}"))
        })?;
    }
    Ok(patterns)
}
