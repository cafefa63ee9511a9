//! GitHub's description of its API, from the package that publishes it, cut to what concerns us: of the
//! whole, Prism alone would take minutes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fs_err as fs;
use serde_json::{Map, Value, json};

/// All that the client, the doctor and the checks ask; Prism refuses whatever is not here.
const PATHS: [&str; 17] = [
    "/rate_limit",
    "/user",
    "/repos/{owner}/{repo}",
    "/repos/{owner}/{repo}/branches/{branch}",
    "/repos/{owner}/{repo}/branches/{branch}/protection/required_status_checks",
    "/repos/{owner}/{repo}/check-runs",
    "/repos/{owner}/{repo}/check-runs/{check_run_id}",
    "/repos/{owner}/{repo}/collaborators/{username}/permission",
    "/repos/{owner}/{repo}/commits/{ref}/check-runs",
    "/repos/{owner}/{repo}/commits/{ref}/statuses",
    "/repos/{owner}/{repo}/compare/{basehead}",
    "/repos/{owner}/{repo}/issues/comments/{comment_id}",
    "/repos/{owner}/{repo}/issues/{issue_number}/comments",
    "/repos/{owner}/{repo}/pulls",
    "/repos/{owner}/{repo}/pulls/{pull_number}",
    "/repos/{owner}/{repo}/rules/branches/{branch}",
    "/repos/{owner}/{repo}/statuses/{sha}",
];

/// Writes the part of `whole` that holds [`PATHS`] into `folder`, and says where.
pub(super) fn cut(whole: &Path, folder: &Path) -> PathBuf {
    let whole: Value = serde_json::from_str(&fs::read_to_string(whole).unwrap()).unwrap();
    let mut part =
        json!({"openapi": whole["openapi"], "info": whole["info"], "paths": {}, "components": {}});
    let mut open = Vec::new();
    for path in PATHS {
        let described = whole["paths"].get(path).expect("the path is described");
        part["paths"][path] = described.clone();
        references(described, &mut open);
    }
    let mut seen = BTreeSet::new();
    while let Some(reference) = open.pop() {
        if !seen.insert(reference.clone()) {
            continue;
        }
        let pointer = reference.trim_start_matches('#');
        let described = whole.pointer(pointer).expect("the part is described");
        let names: Vec<&str> = pointer.split('/').skip(2).collect();
        let [kind, name] = names[..] else {
            panic!("a part of another form: {reference}");
        };
        part["components"][kind][name] = described.clone();
        references(described, &mut open);
    }
    let path = folder.join("description.json");
    fs::write(&path, part.to_string()).unwrap();
    path
}

/// Adds every `$ref` below a value.
fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Object(members) => {
            found.extend(reference(members));
            members
                .values()
                .for_each(|member| references(member, found));
        }
        _ => {}
    }
}

fn reference(members: &Map<String, Value>) -> Option<String> {
    members.get("$ref")?.as_str().map(str::to_owned)
}
