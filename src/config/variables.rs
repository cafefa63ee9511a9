//! The environment variables `LCMBENCH_…` that stand for settings.

use std::time::Duration;

use crate::sys::env::Environment;

use super::duration::duration;

use super::{CacheRegime, ConfigError, LaunchMethod, SetupScope};

/// Settings given by environment variables; `None` where the variable is unset or empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Variables {
    pub(super) machine: Option<String>,
    pub(super) python: Option<String>,
    pub(super) environment_name: Option<String>,
    pub(super) launch: Option<LaunchMethod>,
    pub(super) setup_scope: Option<SetupScope>,
    pub(super) share_setup: Option<bool>,
    pub(super) device_sync: Option<bool>,
    pub(super) gpu: Option<String>,
    pub(super) gpu_wait: Option<Duration>,
    pub(super) compile_cache: Option<CacheRegime>,
}

/// Reads the variables; a value that is none of the allowed words is an error.
pub(super) fn read(environment: &Environment) -> Result<Variables, ConfigError> {
    let text = |name: &str| environment.get(name).map(str::to_owned);
    Ok(Variables {
        machine: text("LCMBENCH_MACHINE"),
        python: text("LCMBENCH_PYTHON"),
        environment_name: text("LCMBENCH_ENVIRONMENT_NAME"),
        launch: word(
            environment,
            "LCMBENCH_LAUNCH",
            &[
                ("auto", LaunchMethod::Auto),
                ("fork", LaunchMethod::Fork),
                ("spawn", LaunchMethod::Spawn),
            ],
        )?,
        setup_scope: word(
            environment,
            "LCMBENCH_SETUP_SCOPE",
            &[
                ("auto", SetupScope::Auto),
                ("process", SetupScope::Process),
                ("sample", SetupScope::Sample),
                ("call", SetupScope::Call),
            ],
        )?,
        share_setup: word(environment, "LCMBENCH_SHARE_SETUP", &SWITCH)?,
        device_sync: word(environment, "LCMBENCH_DEVICE_SYNC", &SWITCH)?,
        gpu: text("LCMBENCH_GPU"),
        gpu_wait: patience(environment, "LCMBENCH_GPU_WAIT")?,
        compile_cache: word(
            environment,
            "LCMBENCH_COMPILE_CACHE",
            &[
                ("cold", CacheRegime::Cold),
                ("warm", CacheRegime::Warm),
                ("shared", CacheRegime::Shared),
            ],
        )?,
    })
}

/// A duration such as `2h`.
fn patience(
    environment: &Environment,
    name: &'static str,
) -> Result<Option<Duration>, ConfigError> {
    let Some(value) = environment.get(name) else {
        return Ok(None);
    };
    duration(value)
        .map(Some)
        .map_err(|expected| ConfigError::Variable {
            name,
            value: value.to_owned(),
            expected,
        })
}

const SWITCH: [(&str, bool); 4] = [("true", true), ("false", false), ("1", true), ("0", false)];

/// The value of the word that the variable holds; case does not count.
fn word<T: Copy>(
    environment: &Environment,
    name: &'static str,
    words: &[(&str, T)],
) -> Result<Option<T>, ConfigError> {
    let Some(value) = environment.get(name) else {
        return Ok(None);
    };
    let meant = words
        .iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(value));
    if let Some((_, meaning)) = meant {
        return Ok(Some(*meaning));
    }
    let known: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
    Err(ConfigError::Variable {
        name,
        value: value.to_owned(),
        expected: format!("one of {}", known.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_variable_sets_its_setting() {
        let environment: Environment = [
            ("LCMBENCH_MACHINE", "gpu-01"),
            ("LCMBENCH_PYTHON", "python3.12"),
            ("LCMBENCH_ENVIRONMENT_NAME", "cuda12"),
            ("LCMBENCH_LAUNCH", "Spawn"),
            ("LCMBENCH_SETUP_SCOPE", "process"),
            ("LCMBENCH_SHARE_SETUP", "1"),
            ("LCMBENCH_DEVICE_SYNC", "false"),
            ("LCMBENCH_GPU", "0,1"),
            ("LCMBENCH_GPU_WAIT", "90s"),
            ("LCMBENCH_COMPILE_CACHE", "warm"),
        ]
        .into_iter()
        .collect();
        assert_eq!(
            read(&environment).unwrap(),
            Variables {
                machine: Some("gpu-01".to_owned()),
                python: Some("python3.12".to_owned()),
                environment_name: Some("cuda12".to_owned()),
                launch: Some(LaunchMethod::Spawn),
                setup_scope: Some(SetupScope::Process),
                share_setup: Some(true),
                device_sync: Some(false),
                gpu: Some("0,1".to_owned()),
                gpu_wait: Some(Duration::from_secs(90)),
                compile_cache: Some(CacheRegime::Warm),
            }
        );
    }

    #[test]
    fn unset_and_empty_say_nothing_and_odd_words_are_errors() {
        let empty: Environment = [("LCMBENCH_MACHINE", ""), ("LCMBENCH_LAUNCH", "")]
            .into_iter()
            .collect();
        assert_eq!(read(&empty).unwrap(), Variables::default());
        let odd: Environment = [("LCMBENCH_SHARE_SETUP", "perhaps")].into_iter().collect();
        assert_eq!(
            read(&odd).unwrap_err().to_string(),
            "the environment variable LCMBENCH_SHARE_SETUP is `perhaps`; \
             it must be one of `true`, `false`, `1`, `0`"
        );
    }
}
