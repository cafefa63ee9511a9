//! A first benchmark and an `asv.conf.json`, where there is none.

use crate::json::{self, Json};

use super::plan::Plan;
use super::project::Project;

const FIRST: &str = include_str!("templates/first.py");
const IMPORT: &str = include_str!("templates/import.py");

/// Plans them; a suite that is there stays as it is.
pub(super) fn plan(project: &Project, plan: &mut Plan) {
    if project.has_asv_file {
        return;
    }
    plan.make(project.folder.join("asv.conf.json"), asv_file(project));
    let suite = &project.settings.asv.benchmark_dir;
    if suite.is_dir() {
        return;
    }
    plan.make(suite.join("__init__.py"), String::new());
    plan.make(suite.join("first.py"), FIRST.to_owned());
    if let Some(package) = &project.package {
        plan.make(suite.join("start.py"), IMPORT.replace("PACKAGE", package));
    }
}

/// The file that asv itself needs, with what lcmbench takes from it.
fn asv_file(project: &Project) -> String {
    let url = project.repository.as_ref().map_or_else(
        || "#".to_owned(),
        |name| format!("https://github.com/{name}"),
    );
    let commits = project.repository.as_ref().map_or_else(
        || "#".to_owned(),
        |name| format!("https://github.com/{name}/commit/"),
    );
    let up = project.below_top().map_or_else(
        || ".".to_owned(),
        |below| vec![".."; below.split('/').count()].join("/"),
    );
    let quoted = |text: &str| json::to_compact(&Json::from(text));
    format!(
        "{{\n    \"version\": 1,\n    \"project\": {},\n    \"project_url\": {},\n    \
         \"show_commit_url\": {},\n    \"repo\": {},\n    \"branches\": [{}],\n    \
         \"environment_type\": \"existing\",\n    \"benchmark_dir\": \"benchmarks\",\n    \
         \"results_dir\": \"results\",\n    \"html_dir\": \"html\"\n}}\n",
        quoted(&project.name),
        quoted(&url),
        quoted(&commits),
        quoted(&up),
        quoted(&project.main_branch)
    )
}
