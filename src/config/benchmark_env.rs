//! The environment variables that the benchmarks get, and who set them.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use crate::sys::env::Environment;

use super::toml_file::TomlFile;
use super::{ConfigError, Origin};

/// JAX takes three quarters of the GPU's memory at its start unless this says `false`, which would make
/// every peak of GPU memory the same and let no second process on the GPU.
const DEFAULTS: [(&str, &str); 1] = [("XLA_PYTHON_CLIENT_PREALLOCATE", "false")];

/// The variables, resolved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct BenchmarkEnv {
    pub(super) values: BTreeMap<String, String>,
    pub(super) origins: BTreeMap<String, Origin>,
    pub(super) notes: Vec<String>,
}

/// For each variable that the file or the defaults name: the value of this process's environment, else
/// of the file, else the default.
pub(super) fn resolve(
    environment: &Environment,
    toml: &TomlFile,
) -> Result<BenchmarkEnv, ConfigError> {
    let mut resolved = BenchmarkEnv::default();
    for (name, value) in DEFAULTS {
        resolved.set(name, value, Origin::Default);
    }
    for (name, value) in &toml.settings.env {
        let (key, text) = (name.get_ref().as_str(), value.get_ref().as_str());
        if key.is_empty() || key.contains(['=', '\0']) || text.contains('\0') {
            return Err(toml.wrong(
                &name.span(),
                format!("`{key}` in [env] cannot be an environment variable"),
            ));
        }
        resolved.set(key, text, Origin::File);
    }
    let named: Vec<String> = resolved.values.keys().cloned().collect();
    for name in named {
        let Some(theirs) = raw(environment, &name) else {
            continue;
        };
        let theirs = theirs.to_string_lossy();
        if resolved.origins.get(&name) == Some(&Origin::File) && resolved.values[&name] != theirs {
            resolved.notes.push(format!(
                "{name}={theirs} of the environment wins over `{}` of {}",
                resolved.values[&name],
                toml.path.display()
            ));
        }
        resolved.set(&name, &theirs, Origin::Environment);
    }
    Ok(resolved)
}

impl BenchmarkEnv {
    fn set(&mut self, name: &str, value: &str, origin: Origin) {
        self.values.insert(name.to_owned(), value.to_owned());
        self.origins.insert(name.to_owned(), origin);
    }
}

/// The variable even if it is empty: setting it to nothing is a choice, too.
fn raw<'a>(environment: &'a Environment, name: &str) -> Option<&'a OsStr> {
    environment
        .iter()
        .find(|(key, _)| key.as_os_str() == name)
        .map(|(_, value)| value.as_os_str())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const NAME: &str = "XLA_PYTHON_CLIENT_PREALLOCATE";

    fn resolved(variables: &[(&str, &str)], text: &str) -> BenchmarkEnv {
        let environment: Environment = variables.iter().copied().collect();
        let toml = TomlFile::of_own_file(Path::new("lcmbench.toml"), text.to_owned()).unwrap();
        resolve(&environment, &toml).unwrap()
    }

    fn of_name(env: &BenchmarkEnv, name: &str) -> (String, Origin) {
        (env.values[name].clone(), env.origins[name])
    }

    #[test]
    fn preallocation_is_off_unless_somebody_says_otherwise() {
        let env = resolved(&[("PATH", "/bin")], "");
        assert_eq!(of_name(&env, NAME), ("false".to_owned(), Origin::Default));
        assert_eq!(env.values.len(), 1);

        let env = resolved(&[], "[env]\nXLA_PYTHON_CLIENT_PREALLOCATE = \"true\"");
        assert_eq!(of_name(&env, NAME), ("true".to_owned(), Origin::File));

        let env = resolved(&[(NAME, "true")], "");
        assert_eq!(
            of_name(&env, NAME),
            ("true".to_owned(), Origin::Environment)
        );

        let env = resolved(&[(NAME, "")], "");
        assert_eq!(of_name(&env, NAME), (String::new(), Origin::Environment));
        assert!(env.notes.is_empty());
    }

    #[test]
    fn the_process_wins_over_the_file_and_says_so_where_they_differ() {
        let text = "[env]\nOMP_NUM_THREADS = \"2\"\nMKL_NUM_THREADS = \"2\"\nOTHER = \"x\"\n";
        let env = resolved(&[("OMP_NUM_THREADS", "8"), ("MKL_NUM_THREADS", "2")], text);
        assert_eq!(
            of_name(&env, "OMP_NUM_THREADS"),
            ("8".to_owned(), Origin::Environment)
        );
        assert_eq!(
            of_name(&env, "MKL_NUM_THREADS"),
            ("2".to_owned(), Origin::Environment)
        );
        assert_eq!(of_name(&env, "OTHER"), ("x".to_owned(), Origin::File));
        assert_eq!(
            env.notes,
            ["OMP_NUM_THREADS=8 of the environment wins over `2` of lcmbench.toml"]
        );
    }

    #[test]
    fn a_name_that_no_variable_can_have_is_refused() {
        let text = "[env]\n\"A=B\" = \"1\"\n".to_owned();
        let toml = TomlFile::of_own_file(Path::new("lcmbench.toml"), text).unwrap();
        let error = resolve(&Environment::default(), &toml).unwrap_err();
        assert_eq!(
            error.to_string(),
            "lcmbench.toml, line 2: `A=B` in [env] cannot be an environment variable"
        );
    }
}
