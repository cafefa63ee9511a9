//! How a project gets its Python: pixi, uv, or by hand.

use std::path::Path;

use toml::{Table, Value};

use super::tables::{at, table};
use crate::commands::CommandError;

/// How the project gets its Python.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Manager {
    /// pixi with this environment.
    Pixi { environment: String },
    /// uv with this group of dependencies, if one is for benchmarks.
    Uv { group: Option<String> },
    /// Nothing that is known: a virtual environment made by hand.
    Pip,
}

/// The manager whose files lie in the folder of the configuration or at the top.
pub(super) fn manager(
    folder: &Path,
    top: &Path,
    pyproject: &Table,
) -> Result<Manager, CommandError> {
    for above in [folder, top] {
        let own = table(&above.join("pixi.toml"))?;
        let environments = match &own {
            Some(pixi) => at(pixi, &["environments"]),
            None => at(pyproject, &["tool", "pixi", "environments"]),
        };
        if own.is_some() || at(pyproject, &["tool", "pixi"]).is_some() {
            let names: Vec<String> = environments
                .and_then(Value::as_table)
                .map(|table| table.keys().cloned().collect())
                .unwrap_or_default();
            return Ok(Manager::Pixi {
                environment: for_benchmarks(&names).unwrap_or_else(|| "default".to_owned()),
            });
        }
    }
    let is_uv = [folder, top]
        .iter()
        .any(|above| above.join("uv.lock").is_file())
        || at(pyproject, &["tool", "uv"]).is_some();
    if !is_uv {
        return Ok(Manager::Pip);
    }
    let groups: Vec<String> = at(pyproject, &["dependency-groups"])
        .and_then(Value::as_table)
        .map(|table| table.keys().cloned().collect())
        .unwrap_or_default();
    Ok(Manager::Uv {
        group: for_benchmarks(&groups),
    })
}

/// The name that is for benchmarks; of several one with a GPU. Only names that a command line and YAML
/// bear as they are count.
pub(super) fn for_benchmarks(names: &[String]) -> Option<String> {
    let plain = |name: &&String| {
        name.chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    };
    let fitting: Vec<&String> = names
        .iter()
        .filter(plain)
        .filter(|name| name.contains("bench") || name.contains("asv"))
        .collect();
    let on_gpu = |name: &&&String| name.contains("cuda") || name.contains("gpu");
    fitting
        .iter()
        .find(on_gpu)
        .or_else(|| fitting.first())
        .map(|name| (**name).clone())
}
