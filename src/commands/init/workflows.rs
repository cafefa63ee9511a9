//! The workflows: those of `.github/workflows/examples`, fitted to the project.

use super::manager::Manager;
use super::plan::Plan;
use super::project::Project;
use super::{Arguments, Extra};
use crate::github::ACTION;

/// What stands in the examples for what a project has.
const RUNNER: &str = "gpu-benchmark";
const PIXI_ENVIRONMENT: &str = "benchmarks-cuda12";
/// What is handed over, as the measuring job finds it in its workspace.
const HANDED_OVER: &str = "          path: handoff.json";
/// Commands of jobs that check nothing out: there is no folder to go to.
const WITHOUT_CHECKOUT: [&str; 2] = ["          command: check", "          command: report"];
const INSTALLS: &str = "      - name: Install what the benchmarks need";

macro_rules! example {
    ($name:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/.github/workflows/examples/",
            $name
        ))
    };
}

/// Plans those that every project wants, and those that are asked for.
pub(super) fn plan(project: &Project, arguments: &Arguments, plan: &mut Plan) {
    let mut files = vec![
        ("benchmark-pr.yml", pull_requests(&project.manager)),
        ("benchmark-check.yml", example!("benchmark-check.yml")),
        ("benchmark-main.yml", example!("benchmark-main.yml")),
    ];
    for extra in &arguments.with {
        match extra {
            Extra::Forks => files.extend([
                ("benchmark-fork.yml", example!("benchmark-fork.yml")),
                (
                    "benchmark-fork-report.yml",
                    example!("benchmark-fork-report.yml"),
                ),
            ]),
            Extra::Queue => files.push(("benchmark-queue.yml", example!("benchmark-queue.yml"))),
            Extra::OnDemand => files.push((
                "benchmark-on-demand.yml",
                example!("benchmark-on-demand.yml"),
            )),
        }
    }
    let folder = project.top.join(".github/workflows");
    for (name, text) in files {
        plan.make(folder.join(name), fitted(text, project, &arguments.runner));
    }
}

fn pull_requests(manager: &Manager) -> &'static str {
    match manager {
        Manager::Pixi { .. } => example!("benchmark-pr-pixi.yml"),
        Manager::Uv { .. } | Manager::Pip => example!("benchmark-pr-uv.yml"),
    }
}

/// An example with the project's runner, environment, main branch and folder.
fn fitted(text: &str, project: &Project, runner: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut rest = text.lines().peekable();
    while let Some(line) = rest.next() {
        if brings_a_manager(line) {
            while rest.next_if(|next| next.starts_with("        ")).is_some() {}
            // What installs belongs to it.
            if rest.next_if(|next| *next == INSTALLS).is_some() {
                rest.next();
            }
            lines.extend(environment(project));
            continue;
        }
        if line.starts_with("          python: ") {
            lines.push(format!("          python: {}", python(project)));
            continue;
        }
        if let (HANDED_OVER, Some(below)) = (line, project.below_top()) {
            let file = yaml(&format!("{below}/handoff.json"));
            lines.push(format!("          path: {file}"));
            continue;
        }
        lines.push(line.to_owned());
        if line.contains(&format!("uses: {ACTION}@")) {
            lines.extend(folder(project, &mut rest));
        }
    }
    let main = format!("branches: [{}]", project.main_branch);
    let mut text = lines.join("\n");
    text.push('\n');
    text.replace(
        &format!("[self-hosted, {RUNNER}]"),
        &format!("[self-hosted, {runner}]"),
    )
    .replace("branches: [main]", &main)
}

/// The lines up to the inputs, and the folder as one of these where it is not the top.
fn folder<'t>(
    project: &Project,
    rest: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>,
) -> Vec<String> {
    let Some(below) = project.below_top() else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    while let Some(line) = rest.next() {
        lines.push(line.to_owned());
        if line.trim_end() == "        with:" {
            if rest
                .peek()
                .is_none_or(|next| !WITHOUT_CHECKOUT.contains(next))
            {
                lines.push(format!("          working-directory: {}", yaml(&below)));
            }
            break;
        }
    }
    lines
}

/// The steps that make the environment, in place of those of an example.
fn environment(project: &Project) -> Vec<String> {
    let install = |lines: &[&str]| {
        let mut step = vec![INSTALLS.to_owned()];
        step.extend(lines.iter().map(|line| (*line).to_owned()));
        step
    };
    match &project.manager {
        Manager::Pixi { environment } => block_of(example!("benchmark-pr-pixi.yml"))
            .map(|line| line.replace(PIXI_ENVIRONMENT, environment))
            .collect(),
        Manager::Uv { group } => {
            let group = group
                .as_ref()
                .map_or_else(String::new, |group| format!(" --group {group}"));
            let run = format!("        run: uv sync --locked{group}");
            let mut steps: Vec<String> = block_of(example!("benchmark-pr-uv.yml"))
                .map(str::to_owned)
                .collect();
            steps.extend(install(&[&run]));
            steps
        }
        // In the folder of the configuration, where it is looked for and ignored by git.
        Manager::Pip => {
            let venv = project
                .below_top()
                .map_or_else(|| ".venv".to_owned(), |below| format!("{below}/.venv"));
            let venv = shlex::try_quote(&venv).unwrap_or_else(|_| ".venv".into());
            install(&[
                "        run: |",
                &format!("          python3 -m venv {venv}"),
                &format!("          {venv}/bin/python -m pip install --editable ."),
            ])
        }
    }
}

/// The lines of the step of an example that brings its environment's manager.
fn block_of(text: &'static str) -> impl Iterator<Item = &'static str> {
    let mut lines = text
        .lines()
        .skip_while(|line| !brings_a_manager(line))
        .enumerate();
    std::iter::from_fn(move || lines.next())
        .take_while(|(at, line)| *at == 0 || line.starts_with("        "))
        .map(|(_, line)| line)
}

fn brings_a_manager(line: &str) -> bool {
    ["prefix-dev/setup-pixi@", "astral-sh/setup-uv@"]
        .iter()
        .any(|action| line.contains(&format!("- uses: {action}")))
}

fn python(project: &Project) -> String {
    match (&project.python, &project.manager) {
        (Some(python), _) => yaml(python),
        (None, _) => ".venv/bin/python".to_owned(),
    }
}

/// A scalar of YAML: as it is where it is plain, else in single quotes.
fn yaml(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ' ');
    let starts_well =
        text.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/'));
    if starts_well && text.chars().all(plain) && !text.ends_with(' ') {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}
