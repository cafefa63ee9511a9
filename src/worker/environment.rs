//! The environment variables of the process under test: ours, without what gives access to anything.

use std::collections::BTreeMap;
use std::ffi::OsString;

use crate::sys::env::Environment;

/// Names that are withheld. Tokens are recognised by their ending; these are the others.
const NAMES: &[&str] = &[
    // Files by which a step sets variables, paths, outputs and the summary of later steps.
    "GITHUB_ENV",
    "GITHUB_OUTPUT",
    "GITHUB_PATH",
    "GITHUB_STATE",
    "GITHUB_STEP_SUMMARY",
    // The keys of an agent, and programs that answer questions for a password.
    "GIT_ASKPASS",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "SSH_AGENT_PID",
    "SSH_ASKPASS",
    "SSH_AUTH_SOCK",
];

/// Beginnings of names that are withheld: the runner's own services (addresses and tokens), inputs of
/// an action, and settings of git given by variables, which is how a header with a token is passed to
/// it.
const PREFIXES: &[&str] = &["ACTIONS_", "INPUT_", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"];

/// Endings of names that are withheld, wherever they come from; `GITHUB_TOKEN`, `GH_TOKEN`,
/// `ACTIONS_RUNTIME_TOKEN` and `ACTIONS_ID_TOKEN_REQUEST_TOKEN` are among them.
const SUFFIXES: &[&str] = &[
    "_TOKEN",
    "_SECRET",
    "_PASSWORD",
    "_PASSPHRASE",
    "_PRIVATE_KEY",
    "_SECRET_KEY",
    "_SECRET_ACCESS_KEY",
    "_API_KEY",
    "_CREDENTIALS",
];

/// Endings that name a *file* are let through: what lies in files is not ours to hide.
const HARMLESS: &[&str] = &["GOOGLE_APPLICATION_CREDENTIALS"];

/// What the process under test gets, and what it does not.
#[derive(Debug, Clone, Default)]
pub struct ChildEnvironment {
    pub variables: Environment,
    /// Names of variables that were set and are not passed on, sorted.
    pub withheld: Vec<String>,
}

impl ChildEnvironment {
    /// Takes `own` without what is withheld, and adds `extra`, whatever its names: who sets a variable
    /// for the benchmarks wants them to have it.
    pub fn new(own: &Environment, extra: &BTreeMap<String, String>) -> Self {
        let mut variables: BTreeMap<OsString, OsString> = BTreeMap::new();
        let mut withheld = Vec::new();
        for (name, value) in own.iter() {
            let text = name.to_string_lossy();
            if !gives_access(&text) {
                variables.insert(name.clone(), value.clone());
            } else if !extra.contains_key(text.as_ref()) {
                withheld.push(text.into_owned());
            }
        }
        variables.extend(
            extra
                .iter()
                .map(|(name, value)| (name.into(), value.into())),
        );
        Self {
            variables: variables.into_iter().collect(),
            withheld,
        }
    }
}

fn gives_access(name: &str) -> bool {
    let name = name.to_uppercase();
    !HARMLESS.contains(&name.as_str())
        && (NAMES.contains(&name.as_str())
            || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
            || SUFFIXES.iter().any(|suffix| name.ends_with(suffix)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child(own: &[(&str, &str)], extra: &[(&str, &str)]) -> ChildEnvironment {
        let own = own.iter().copied().collect();
        let extra = extra
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        ChildEnvironment::new(&own, &extra)
    }

    #[test]
    fn what_gives_access_is_withheld_and_the_rest_stays() {
        let child = child(
            &[
                ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "t"),
                ("ACTIONS_ID_TOKEN_REQUEST_URL", "u"),
                ("ACTIONS_RUNTIME_TOKEN", "t"),
                ("ACTIONS_RUNTIME_URL", "u"),
                ("DB_PASSWORD", "p"),
                ("GH_TOKEN", "t"),
                ("GITHUB_ENV", "/x"),
                ("GITHUB_SHA", "abc"),
                ("GITHUB_TOKEN", "t"),
                ("INPUT_GITHUB-TOKEN", "t"),
                ("PATH", "/bin"),
                ("PYTHONPATH", "src"),
                ("TOKENIZERS_PARALLELISM", "false"),
                ("my_secret", "s"),
            ],
            &[],
        );
        let kept: Vec<_> = child.variables.iter().map(|(name, _)| name).collect();
        assert_eq!(
            kept,
            ["GITHUB_SHA", "PATH", "PYTHONPATH", "TOKENIZERS_PARALLELISM"]
        );
        assert_eq!(
            child.withheld,
            [
                "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
                "ACTIONS_ID_TOKEN_REQUEST_URL",
                "ACTIONS_RUNTIME_TOKEN",
                "ACTIONS_RUNTIME_URL",
                "DB_PASSWORD",
                "GH_TOKEN",
                "GITHUB_ENV",
                "GITHUB_TOKEN",
                "INPUT_GITHUB-TOKEN",
                "my_secret",
            ]
        );
    }

    #[test]
    fn a_variable_of_the_benchmarks_wins() {
        let child = child(
            &[("HF_TOKEN", "theirs"), ("OMP_NUM_THREADS", "8")],
            &[("HF_TOKEN", "given"), ("OMP_NUM_THREADS", "1")],
        );
        assert_eq!(child.variables.get("HF_TOKEN"), Some("given"));
        assert_eq!(child.variables.get("OMP_NUM_THREADS"), Some("1"));
        assert_eq!(child.withheld, Vec::<String>::new());
    }
}
