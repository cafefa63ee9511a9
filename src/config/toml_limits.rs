//! The parts of the TOML settings that say how results are shown and judged, checked.

use std::collections::BTreeMap;

use toml::Spanned;

use super::ConfigError;
use super::toml_file::TomlFile;
use super::toml_model::{Texts, TomlAlert, TomlBetter, TomlEffect, TomlLabels};
use super::{BenchmarkLabel, Better, Limits, ReportSettings, StatisticLabel};

/// Ratio from which a row is marked when nobody says otherwise.
const ALERT: f64 = 1.10;
/// Smallest relative change that is called slower or faster when nobody says otherwise.
const MINIMUM_EFFECT: f64 = 0.02;

/// The limits where there is no file.
pub(super) fn default_limits() -> Limits {
    Limits {
        alert: ALERT,
        minimum_effect: MINIMUM_EFFECT,
        ..Limits::default()
    }
}

impl TomlFile {
    /// `[labels]`.
    pub(super) fn report(&self) -> Result<ReportSettings, ConfigError> {
        let TomlLabels {
            benchmark,
            statistic,
        } = &self.settings.labels;
        let benchmarks = benchmark
            .iter()
            .map(|label| {
                Ok(BenchmarkLabel {
                    matches: self.patterns("match", &label.r#match)?,
                    label: label.label.clone(),
                })
            })
            .collect::<Result<_, ConfigError>>()?;
        let statistics = statistic
            .iter()
            .map(|label| {
                Ok(StatisticLabel {
                    matches: self.patterns("match", &label.r#match)?,
                    label: label.label.clone(),
                    explanation: label.explanation.clone(),
                })
            })
            .collect::<Result<_, ConfigError>>()?;
        Ok(ReportSettings {
            benchmarks,
            statistics,
        })
    }

    /// `[alert]`, `[effect]` and `[[better]]`.
    pub(super) fn limits(&self) -> Result<Limits, ConfigError> {
        let mut limits = default_limits();
        self.alerts(&self.settings.alert, &mut limits)?;
        self.effects(&self.settings.effect, &mut limits)?;
        for rule in &self.settings.better {
            self.direction(rule, &mut limits)?;
        }
        Ok(limits)
    }

    fn alerts(&self, alert: &TomlAlert, limits: &mut Limits) -> Result<(), ConfigError> {
        if let Some(ratio) = &alert.default {
            limits.alert = self.ratio("default", ratio)?;
        }
        let by_kind = [
            ("time", &alert.time),
            ("memory", &alert.memory),
            ("gpu-memory", &alert.gpu_memory),
            ("compile", &alert.compile),
            ("count", &alert.count),
            ("track", &alert.track),
        ];
        for (kind, ratio) in by_kind {
            if let Some(ratio) = ratio {
                let ratio = self.ratio(kind, ratio)?;
                limits.alert_by_kind.insert(kind.to_owned(), ratio);
            }
        }
        for rule in &alert.benchmark {
            let ratio = self.ratio("ratio", &rule.ratio)?;
            for pattern in self.patterns("match", &rule.r#match)? {
                limits.alert_by_benchmark.push((pattern, ratio));
            }
        }
        Ok(())
    }

    fn effects(&self, effect: &TomlEffect, limits: &mut Limits) -> Result<(), ConfigError> {
        if let Some(minimum) = &effect.minimum {
            limits.minimum_effect = self.share(minimum)?;
        }
        for rule in &effect.benchmark {
            let minimum = self.share(&rule.minimum)?;
            for pattern in self.patterns("match", &rule.r#match)? {
                limits.minimum_effect_by_benchmark.push((pattern, minimum));
            }
        }
        Ok(())
    }

    fn direction(&self, rule: &TomlBetter, limits: &mut Limits) -> Result<(), ConfigError> {
        let direction: Better = *rule.direction.get_ref();
        match (&rule.r#match, &rule.unit) {
            (Some(patterns), None) => {
                for pattern in self.patterns("match", patterns)? {
                    limits.better_by_benchmark.push((pattern, direction));
                }
                Ok(())
            }
            (None, Some(units)) => {
                let units = self.patterns("unit", units)?;
                let by_unit: BTreeMap<_, _> =
                    units.into_iter().map(|unit| (unit, direction)).collect();
                limits.better_by_unit.extend(by_unit);
                Ok(())
            }
            _ => Err(self.wrong(
                &rule.direction.span(),
                "this [[better]] must have either `match` or `unit`, and not both",
            )),
        }
    }

    fn ratio(&self, key: &str, ratio: &Spanned<f64>) -> Result<f64, ConfigError> {
        let value = *ratio.get_ref();
        if value.is_finite() && value >= 1.0 {
            return Ok(value);
        }
        Err(self.wrong(
            &ratio.span(),
            format!("`{key}` is {value}; a ratio must be 1 or more (1.1 is ten per cent)"),
        ))
    }

    fn share(&self, minimum: &Spanned<f64>) -> Result<f64, ConfigError> {
        let value = *minimum.get_ref();
        if value.is_finite() && (0.0..1.0).contains(&value) {
            return Ok(value);
        }
        Err(self.wrong(
            &minimum.span(),
            format!(
                "`minimum` is {value}; it must be 0 or more and below 1 (0.02 is two per cent)"
            ),
        ))
    }

    /// The texts of a key that must hold at least one, none of them empty.
    pub(super) fn patterns(
        &self,
        key: &str,
        texts: &Spanned<Texts>,
    ) -> Result<Vec<String>, ConfigError> {
        let Texts(list) = texts.get_ref();
        if list.is_empty() || list.iter().any(String::is_empty) {
            return Err(self.wrong(
                &texts.span(),
                format!("`{key}` holds an empty text or none"),
            ));
        }
        Ok(list.clone())
    }
}

#[cfg(test)]
mod tests;
