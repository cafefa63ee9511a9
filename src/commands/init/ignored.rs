//! Folders that git should not list.

use std::path::Path;

use super::plan::Plan;
use super::project::Project;
use crate::vcs::Git;

/// Plans the lines of `.gitignore` that are missing. Results that are kept in git stay so.
pub(super) fn plan(project: &Project, plan: &mut Plan) {
    if !project.in_git {
        return;
    }
    let asv = &project.settings.asv;
    let mut lines = String::new();
    for folder in [&asv.results_dir, &asv.html_dir, &asv.env_dir] {
        let Ok(below) = folder.strip_prefix(&project.settings.directory) else {
            continue;
        };
        add(project, below, &mut lines);
    }
    for name in [".benchmark-site", ".venv", "benchmarks/__pycache__"] {
        add(project, Path::new(name), &mut lines);
    }
    let path = project.folder.join(".gitignore");
    if lines.is_empty() {
        plan.keep(path, "git ignores what it should");
    } else {
        plan.append(path, lines);
    }
}

fn add(project: &Project, below: &Path, lines: &mut String) {
    let name = below.to_string_lossy();
    let git = Git::at(&project.folder);
    let is_kept = git
        .run(&["ls-files", "--", &name])
        .is_ok_and(|files| !files.is_empty());
    let probe = format!("{name}/x/y");
    let is_ignored = git.run(&["check-ignore", "--quiet", &probe]).is_ok();
    if is_kept || is_ignored || name.is_empty() {
        return;
    }
    let line = match name.rsplit_once('/') {
        Some((_, "__pycache__")) => "__pycache__/".to_owned(),
        _ => format!("/{name}/"),
    };
    lines.push_str(&line);
    lines.push('\n');
}
