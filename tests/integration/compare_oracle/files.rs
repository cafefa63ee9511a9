//! A repository with the result files of two commits.

use lcmbench::json::{Json, Object, to_compact};

use super::cases::Case;
use crate::common::Project;

pub(super) const MACHINE: &str = "m";
const ENVIRONMENT: &str = "virtualenv-py3.12";

const COLUMNS: [&str; 12] = [
    "result",
    "params",
    "version",
    "started_at",
    "duration",
    "stats_ci_99_a",
    "stats_ci_99_b",
    "stats_q_25",
    "stats_q_75",
    "stats_number",
    "stats_repeat",
    "samples",
];

fn object(members: &[(&str, Json)]) -> Object {
    members
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect()
}

fn machine() -> Object {
    let fields = ["arch", "cpu", "machine", "num_cpu", "os", "ram"];
    object(&fields.map(|field| (field, MACHINE.into())))
}

/// A repository with the results of two commits.
pub(super) fn project(cases: &[Case]) -> Project {
    let project = Project::new();
    project.write(
        "asv.conf.json",
        "{\"version\": 1, \"project\": \"p\", \"repo\": \".\", \"branches\": [\"main\"], \
         \"environment_type\": \"virtualenv\"}",
    );
    let hashes = [project.commit("before"), project.commit("after")];
    for (side, hash) in hashes.iter().enumerate() {
        let mut params = machine();
        params.insert("python".to_owned(), "3.12".into());
        let results: Object = cases
            .iter()
            .filter(|case| case.present[side])
            .map(|case| (case.name.clone(), case.row(side)))
            .collect();
        let columns: Vec<Json> = COLUMNS.map(Json::from).to_vec();
        let file = object(&[
            ("commit_hash", hash.as_str().into()),
            ("env_name", ENVIRONMENT.into()),
            ("date", 1_700_000_000_000.into()),
            ("params", params.into()),
            ("python", "3.12".into()),
            ("requirements", Object::new().into()),
            ("env_vars", Object::new().into()),
            ("result_columns", columns.into()),
            ("results", results.into()),
            ("durations", Object::new().into()),
            ("version", 2.into()),
        ]);
        let name = format!("results/{MACHINE}/{}-{ENVIRONMENT}.json", &hash[..8]);
        project.write(name, &to_compact(&file.into()));
    }
    let mut described = machine();
    described.insert("version".to_owned(), 1.into());
    project.write(
        format!("results/{MACHINE}/machine.json"),
        &to_compact(&described.into()),
    );
    let registry = object(&[(MACHINE, machine().into()), ("version", 1.into())]);
    fs_err::write(
        project.home().join(".asv-machine.json"),
        to_compact(&registry.into()),
    )
    .unwrap();
    let mut index: Object = cases
        .iter()
        .map(|case| (case.name.clone(), record(case).into()))
        .collect();
    index.insert("version".to_owned(), 2.into());
    project.write("results/benchmarks.json", &to_compact(&index.into()));
    project
}

fn record(case: &Case) -> Object {
    let axes: Vec<Vec<String>> = case.params[1..]
        .iter()
        .filter(|axis| !axis.is_empty())
        .cloned()
        .collect();
    let names: Vec<String> = axes.iter().map(|_| "n".to_owned()).collect();
    object(&[
        ("code", "".into()),
        ("name", case.name.as_str().into()),
        ("param_names", names.into()),
        ("params", axes.into()),
        ("type", "track".into()),
        ("unit", "furlongs".into()),
        ("version", case.versions[1].map_or(Json::Null, Json::from)),
    ])
}
