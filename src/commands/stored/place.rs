//! The arguments that say where a commit was measured.

use clap::Args;

use crate::config::EnvironmentSettings;
use crate::results::ResultSet;

/// Machine and environment of stored results.
#[derive(Debug, Clone, Default, Args)]
pub(in crate::commands) struct Place {
    /// Machine whose results are meant. Default: the key `machine`, `LCMBENCH_MACHINE`, or the only
    /// one that fits.
    #[arg(short, long, value_name = "NAME")]
    pub(in crate::commands) machine: Option<String>,
    /// Environment whose results are meant: its name, or asv's `type:python`. Default: the only one
    /// that fits.
    #[arg(short = 'E', long, value_name = "NAME")]
    pub(in crate::commands) environment: Option<String>,
}

/// The name under which an environment counts: its aliases are the same one.
pub(super) fn canonical<'a>(env_name: &'a str, settings: &'a EnvironmentSettings) -> &'a str {
    match &settings.name {
        Some(name) if settings.aliases.iter().any(|alias| alias == env_name) => name,
        _ => env_name,
    }
}

/// All names of the environment that counts as `canonical`, that name first.
pub(super) fn names_of(canonical: &str, settings: &EnvironmentSettings) -> Vec<String> {
    let mut names = vec![canonical.to_owned()];
    if settings.name.as_deref() == Some(canonical) {
        names.extend(settings.aliases.iter().cloned());
    }
    names
}

/// Whether `wanted` names the environment of a result: by any name that it counts under,
/// or in asv's form `type:python`, `type` or `:python`. `same` is any Python, since none is started.
pub(super) fn is_wanted(wanted: &str, set: &ResultSet, settings: &EnvironmentSettings) -> bool {
    if canonical(&set.env_name, settings) == canonical(wanted, settings) {
        return true;
    }
    let (tool, python) = wanted.split_once(':').unwrap_or((wanted, ""));
    let has_tool = set.env_name.split_once("-py").map(|(tool, _)| tool);
    let tool_fits = tool.is_empty() || has_tool == Some(tool);
    let python_fits = matches!(python, "" | "same") || set.python == python;
    !wanted.is_empty() && tool_fits && python_fits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(env_name: &str, python: &str) -> ResultSet {
        ResultSet {
            env_name: env_name.to_owned(),
            python: python.to_owned(),
            ..ResultSet::default()
        }
    }

    fn aliased() -> EnvironmentSettings {
        EnvironmentSettings {
            name: Some("gpu".to_owned()),
            aliases: vec!["existing-py_old_python".to_owned()],
        }
    }

    #[test]
    fn aliases_count_as_the_same_environment() {
        let settings = aliased();
        assert_eq!(canonical("existing-py_old_python", &settings), "gpu");
        assert_eq!(canonical("gpu", &settings), "gpu");
        assert_eq!(canonical("other", &settings), "other");
        assert_eq!(
            names_of("gpu", &settings),
            ["gpu", "existing-py_old_python"]
        );
        assert_eq!(names_of("other", &settings), ["other"]);
    }

    #[test]
    fn an_environment_goes_by_name_or_by_type_and_python() {
        let settings = aliased();
        let conda = set("conda-py3.10-numpy", "3.10");
        for wanted in [
            "conda-py3.10-numpy",
            "conda",
            "conda:3.10",
            ":3.10",
            "conda:same",
        ] {
            assert!(is_wanted(wanted, &conda, &settings), "{wanted}");
        }
        for wanted in [
            "conda:3.1",
            "con",
            "virtualenv",
            "conda-py3.10",
            "conda-py3",
            "",
        ] {
            assert!(!is_wanted(wanted, &conda, &settings), "{wanted}");
        }
        let old = set("existing-py_old_python", "/old/python");
        assert!(is_wanted("gpu", &old, &settings));
        assert!(is_wanted("existing:/old/python", &old, &settings));
        let renamed = set("gpu", "/new/python");
        assert!(is_wanted("existing-py_old_python", &old, &settings));
        assert!(is_wanted("existing-py_old_python", &renamed, &settings));
    }
}
