//! `lcmbench.toml`: what asv's file has no place for.

use super::manager::Manager;
use super::plan::Plan;
use super::project::Project;

/// More environments than this are no aliases of one.
const MOST_ALIASES: usize = 12;

/// Plans the file, unless there are settings of ours already.
pub(super) fn plan(project: &Project, plan: &mut Plan) {
    if let Some(path) = &project.own_settings {
        plan.keep(path.clone(), "it has settings of lcmbench already");
        return;
    }
    plan.make(project.folder.join("lcmbench.toml"), text(project));
}

fn text(project: &Project) -> String {
    let mut text = "# Settings of lcmbench; docs/configuration.md has every key.\n\n".to_owned();
    let mut add = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    match &project.package {
        Some(package) => add(format!(
            "# Must be imported from the checkout that is measured.\npackage = {}",
            quoted(package)
        )),
        None => add(
            "# The import name of what is measured: it must come from the checkout.\n\
             # package = \"...\""
                .to_owned(),
        ),
    }
    if project.main_branch != project.settings.main_branch && project.has_asv_file
        || (!project.has_asv_file && project.main_branch != "main")
    {
        add(format!("main-branch = {}", quoted(&project.main_branch)));
    }
    if let Some(python) = &project.python {
        add(format!("python = {}", quoted(python)));
    }
    let (name, aliases) = environment(project);
    add(String::new());
    add("# A name that stays when the interpreter moves.".to_owned());
    add("[environment]".to_owned());
    add(format!("name = {}", quoted(&name)));
    if !aliases.is_empty() {
        let listed: Vec<String> = aliases.iter().map(|alias| quoted(alias)).collect();
        add(
            "# Under these names results are stored; they count as the same environment."
                .to_owned(),
        );
        add(format!("aliases = [{}]", listed.join(", ")));
    }
    add(String::new());
    add("# Pull requests: base and HEAD in pairs in one sitting (`stored` compares with results of before,\n\
         # and leaves most rows inconclusive). `bench` says which benchmarks run.\n\
         [pr]\n\
         mode = \"paired\"\n\
         # bench = '^(?!.*TooSlow)'\n\
         \n\
         # Where the history is published.\n\
         # [site]\n\
         # repo = \"git@github.com:OWNER/OWNER.github.io.git\"\n\
         # subdir = \"benchmarks\""
        .to_owned());
    text
}

fn environment(project: &Project) -> (String, Vec<String>) {
    let name = match &project.manager {
        Manager::Pixi { environment } => environment.clone(),
        Manager::Uv { group: Some(group) } => group.clone(),
        Manager::Uv { group: None } | Manager::Pip => "benchmarks".to_owned(),
    };
    let aliases: Vec<String> = project
        .environments
        .iter()
        .filter(|known| **known != name)
        .cloned()
        .collect();
    if aliases.len() > MOST_ALIASES {
        return (name, Vec::new());
    }
    (name, aliases)
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
