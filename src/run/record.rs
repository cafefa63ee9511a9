//! What a result file says about a run beside its numbers: the header and the provenance.

use std::collections::BTreeMap;

use crate::config::Settings;
use crate::json::{Json, Object, object};
use crate::machine::Machine;
use crate::results::{Provenance, ResultSet};
use crate::vcs::CommitInfo;
use crate::worker::{Discovery, Interpreter, ModuleError};

use super::attributes::Attributes;
use super::failure::one_line;

/// Version of the `lcmbench` key's layout.
const FORMAT: i64 = 1;

/// Who measures what, where.
#[derive(Debug, Clone, Copy)]
pub struct Identity<'a> {
    pub commit: &'a CommitInfo,
    /// The worktree differs from the commit.
    pub dirty: bool,
    pub machine: &'a Machine,
    /// asv's name of the environment.
    pub environment: &'a str,
    /// The interpreter's path, as asv files it for an existing environment.
    pub python: &'a str,
}

/// The result file's header, without results.
pub fn header(identity: &Identity<'_>) -> ResultSet {
    let mut params = identity.machine.params();
    params.insert("python".to_owned(), identity.python.into());
    ResultSet {
        commit_hash: identity.commit.hash.clone(),
        env_name: identity.environment.to_owned(),
        date: Some(identity.commit.date),
        params,
        python: identity.python.to_owned(),
        ..ResultSet::default()
    }
}

/// The provenance of a run, without its benchmarks and the host's state.
pub fn provenance(
    identity: &Identity<'_>,
    discovery: &Discovery,
    settings: &Settings,
    attributes: &Attributes,
) -> Provenance {
    Provenance {
        format: FORMAT,
        lcmbench: env!("CARGO_PKG_VERSION").to_owned(),
        head: identity.commit.hash.clone(),
        dirty: identity.dirty,
        worker: worker(discovery, settings, attributes),
        environment: fingerprint(&discovery.interpreter, &settings.benchmark_env),
        ..Provenance::default()
    }
}

/// The choices of the worker.
fn worker(discovery: &Discovery, settings: &Settings, attributes: &Attributes) -> Object {
    let interpreter = &discovery.interpreter;
    let launch = if discovery.forks { "fork" } else { "spawn" };
    let runner = interpreter.asv_runner.clone();
    let mut worker = object([
        ("launch", launch.into()),
        ("launch_reason", discovery.launch_reason.clone().into()),
        ("setup_scope", interpreter.setup_scope.clone().into()),
        ("share_setup", settings.share_setup.into()),
        ("asv_runner", runner.map_or(Json::Null, Json::from)),
        ("device_sync", settings.device_sync.into()),
        ("attributes", attributes.for_jobs().clone().into()),
    ]);
    if let Some(cpus) = &attributes.cpu_affinity {
        let cpus = cpus
            .iter()
            .map(|cpu| i64::try_from(*cpu).unwrap_or(i64::MAX));
        let cpus: Vec<Json> = cpus.map(Json::Int).collect();
        worker.insert("cpu_affinity".to_owned(), Json::Array(cpus));
    }
    if !discovery.module_errors.is_empty() {
        let errors: Object = discovery.module_errors.iter().map(module_entry).collect();
        worker.insert("module_errors".to_owned(), errors.into());
    }
    worker
}

/// The fingerprint of the environment: interpreter, packages, and the variables of the benchmarks.
pub fn fingerprint(interpreter: &Interpreter, variables: &BTreeMap<String, String>) -> Object {
    let texts = |map: &BTreeMap<String, String>| -> Json {
        let members: Object = map
            .iter()
            .map(|(key, value)| (key.clone(), value.clone().into()))
            .collect();
        members.into()
    };
    object([
        ("python", interpreter.version.clone().into()),
        ("implementation", interpreter.implementation.clone().into()),
        (
            "executable",
            interpreter.executable.to_string_lossy().into_owned().into(),
        ),
        (
            "prefix",
            interpreter.prefix.to_string_lossy().into_owned().into(),
        ),
        ("packages", texts(&interpreter.packages)),
        ("variables", texts(variables)),
    ])
}

fn module_entry(failed: &ModuleError) -> (String, Json) {
    (module_name(failed), one_line(&failed.error).into())
}

/// The module that could not be imported, or the object of it that could not be examined.
pub fn module_name(failed: &ModuleError) -> String {
    match &failed.object {
        Some(object) => format!("{}.{object}", failed.module),
        None => failed.module.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::to_compact;
    use crate::worker::PythonError;

    #[test]
    fn the_header_is_as_asv_writes_it_for_an_existing_environment() {
        let machine = Machine {
            name: "vm".to_owned(),
            facts: [("ram".to_owned(), "25GB".to_owned())].into(),
        };
        let commit = CommitInfo {
            hash: "01fbbb5bb5a6e2052a4c9966a2aaeee8ab48b3a5".to_owned(),
            date: 1_796_055_776_000,
            subject: String::new(),
            author: String::new(),
        };
        let identity = Identity {
            commit: &commit,
            dirty: false,
            machine: &machine,
            environment: "existing-py_opt_venv_bin_python3",
            python: "/opt/venv/bin/python3",
        };
        let header = header(&identity);
        assert_eq!(header.date, Some(1_796_055_776_000));
        assert_eq!(
            to_compact(&header.params.into()),
            r#"{"machine": "vm", "ram": "25GB", "python": "/opt/venv/bin/python3"}"#
        );
        assert!(header.requirements.is_empty() && header.env_vars.is_empty());
    }

    #[test]
    fn the_worker_s_choices_and_failed_modules_are_kept() {
        let discovery = Discovery {
            forks: true,
            launch_reason: "safe".to_owned(),
            module_errors: vec![ModuleError {
                module: "bench_bad".to_owned(),
                object: None,
                error: PythonError {
                    class: "ImportError".to_owned(),
                    message: "no".to_owned(),
                    traceback: String::new(),
                },
            }],
            ..Discovery::default()
        };
        let mut attributes = Attributes::default();
        attributes.set("cpu_affinity", "0-1").unwrap();
        attributes.set("number", "3").unwrap();
        let worker = worker(&discovery, &Settings::default(), &attributes);
        assert_eq!(
            to_compact(&worker.into()),
            r#"{"launch": "fork", "launch_reason": "safe", "setup_scope": "", "share_setup": false, "asv_runner": null, "device_sync": false, "attributes": {"number": 3}, "cpu_affinity": [0, 1], "module_errors": {"bench_bad": "ImportError: no"}}"#
        );
    }
}
