//! Names of environments as asv makes them, and the part that they play in file names.

use std::fmt::Write;
use std::path::Path;

use md5::{Digest, Md5};

use crate::json::Object;

use super::row;

/// From this many characters on, a file is named after the name's checksum.
const LONGEST_IN_FILE_NAME: usize = 128;

/// Characters that asv replaces. The caret is one, the backslash is none.
const REPLACED: &str = "<>:\"/^|?*";

/// Names that DOS gave to devices; numbered ones end in a digit from 1 to 9.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// The name of an environment: its parts, joined by `-` and made fit for a file name.
///
/// `tool` is `existing`, `virtualenv` and so on, or empty for files from before there was one;
/// `python` is a version or, for an existing environment, the interpreter's path. A requirement or
/// variable that is null or empty appears by its name alone.
pub fn environment_name(
    tool: &str,
    python: &str,
    requirements: &Object,
    env_vars: &Object,
) -> String {
    let mut parts = Vec::new();
    if !tool.is_empty() {
        parts.push(tool.to_owned());
    }
    parts.push(format!("py{python}"));
    parts.extend(sorted_parts(requirements));
    parts.extend(sorted_parts(env_vars));
    sanitised(&parts.join("-"))
}

/// The name of an existing environment, which asv takes from the path of its interpreter.
pub fn existing_environment_name(interpreter: &Path) -> String {
    let path = interpreter.to_string_lossy();
    environment_name("existing", &path, &Object::new(), &Object::new())
}

fn sorted_parts(members: &Object) -> Vec<String> {
    let mut parts: Vec<_> = members.iter().collect();
    parts.sort_by_key(|(key, _)| *key);
    parts
        .into_iter()
        .map(|(key, value)| match value {
            crate::json::Json::Null => key.clone(),
            value => format!("{key}{}", row::text(value.clone())),
        })
        .collect()
}

/// A text in which everything that may not be in a file name is `_`.
pub fn sanitised(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|character| {
            let replaced = REPLACED.contains(character) || character < ' ';
            if replaced { '_' } else { character }
        })
        .collect();
    if is_device(&clean.to_uppercase()) {
        clean + "_"
    } else {
        clean
    }
}

fn is_device(name: &str) -> bool {
    DEVICES.contains(&name)
        || NUMBERED_DEVICES.iter().any(|device| {
            name.strip_prefix(device)
                .is_some_and(|rest| matches!(rest.as_bytes(), [b'1'..=b'9']))
        })
}

/// The environment's part of a result file's name: the name itself or, when that is long,
/// `env-<md5>`. Names that asv made are fit for a file name already; one of another origin is made
/// so.
pub fn file_part(env_name: &str) -> String {
    if env_name.chars().count() < LONGEST_IN_FILE_NAME {
        return sanitised(env_name);
    }
    let mut part = "env-".to_owned();
    for byte in Md5::digest(env_name.as_bytes()) {
        write!(part, "{byte:02x}").ok();
    }
    part
}

/// The name of the result file of a commit in an environment: eight characters of the commit,
/// whatever the configured length of hashes.
pub fn result_file_name(commit_hash: &str, env_name: &str) -> String {
    let commit: String = commit_hash.chars().take(8).collect();
    format!("{}-{}.json", sanitised(&commit), file_part(env_name))
}

/// An environment under its name and the names that it had before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnvironmentNames {
    /// The name for new files.
    pub name: String,
    /// Names that count as the same environment.
    pub aliases: Vec<String>,
}

impl EnvironmentNames {
    /// An environment without other names.
    pub fn only(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            aliases: Vec::new(),
        }
    }

    /// Whether `env_name` is this environment.
    pub fn contains(&self, env_name: &str) -> bool {
        self.all().any(|name| name == env_name)
    }

    /// Whether a file with this environment's part in its name promises to be of this environment.
    /// Only the file's content is sure: names of files and of environments disagree in real files.
    pub fn suggests(&self, part: &str) -> bool {
        self.all().any(|name| file_part(name) == part)
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.aliases.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::testing::object;

    #[test]
    fn names_are_those_of_asv() {
        let python = Path::new("/opt/venv/bin/python3");
        assert_eq!(
            existing_environment_name(python),
            "existing-py_opt_venv_bin_python3"
        );
        assert_eq!(
            environment_name(
                "virtualenv",
                "3.11",
                &object(r#"{"six": "1.16", "pip+tomli": "2.0.1"}"#),
                &object(r#"{"FOO": "a/b", "BAR": "x:y"}"#)
            ),
            "virtualenv-py3.11-pip+tomli2.0.1-six1.16-BARx_y-FOOa_b"
        );
    }

    #[test]
    fn old_names_have_no_tool() {
        assert_eq!(
            environment_name(
                "",
                "2.7",
                &object(r#"{"numpy": "1.9", "Cython": null, "astropy": "1.0.1", "z": ""}"#),
                &Object::new()
            ),
            "py2.7-Cython-astropy1.0.1-numpy1.9-z"
        );
    }

    #[test]
    fn only_some_characters_are_replaced() {
        assert_eq!(
            sanitised("a<b>c:d\"e/f^g|h?i*j\u{1f}k"),
            "a_b_c_d_e_f_g_h_i_j_k"
        );
        assert_eq!(sanitised("a\\b+c d[e]é"), "a\\b+c d[e]é");
        assert_eq!(
            (sanitised("nul"), sanitised("Com1")),
            ("nul_".to_owned(), "Com1_".to_owned())
        );
        assert_eq!(
            (sanitised("com0"), sanitised("null")),
            ("com0".to_owned(), "null".to_owned())
        );
    }

    #[test]
    fn long_names_become_a_checksum() {
        assert_eq!(file_part(&"x".repeat(127)), "x".repeat(127));
        assert_eq!(
            result_file_name("0123456789abcdef", &"x".repeat(128)),
            "01234567-env-d69cb61a6ee87200676eb0d4b90edbcb.json"
        );
        assert_eq!(result_file_name("v0.1", "py3"), "v0.1-py3.json");
        assert_eq!(result_file_name("release/1", "../e"), "release_-.._e.json");
    }

    #[test]
    fn aliases_count_as_the_same() {
        let names = EnvironmentNames {
            name: "existing-gpu".to_owned(),
            aliases: vec!["y".repeat(200)],
        };
        assert!(names.contains("existing-gpu") && names.contains(&"y".repeat(200)));
        assert!(!names.contains("existing"));
        assert!(names.suggests(&file_part(&"y".repeat(200))));
        assert!(!names.suggests("existing"));
    }
}
