//! What a folder says about its project.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fs_err as fs;
use toml::{Table, Value};

use crate::commands::setup::{self, Overrides};
use crate::commands::{CommandError, Context};
use crate::config::{Requirement, Settings};
use crate::github::RepositoryName;
use crate::results::Store;
use crate::vcs::Repository;

use super::Arguments;
use super::manager::{Manager, manager};
use super::tables::{at, pyproject, table};

/// A project as it was found.
#[derive(Debug)]
pub(super) struct Project {
    /// The folder of the configuration.
    pub(super) folder: PathBuf,
    /// The top of the checkout, or the folder where there is none.
    pub(super) top: PathBuf,
    pub(super) name: String,
    pub(super) package: Option<String>,
    pub(super) main_branch: String,
    /// Whether `asv.conf.json` says what the main branch is.
    pub(super) has_asv_file: bool,
    /// Where settings of ours are already.
    pub(super) own_settings: Option<PathBuf>,
    pub(super) settings: Settings,
    pub(super) manager: Manager,
    pub(super) python: Option<String>,
    /// Names of the environments of stored results.
    pub(super) environments: Vec<String>,
    pub(super) repository: Option<RepositoryName>,
    pub(super) in_git: bool,
}

impl Project {
    pub(super) fn find(arguments: &Arguments, context: &Context) -> Result<Self, CommandError> {
        let loaded = setup::load(context, &Overrides::default(), Requirement::Nothing)?;
        let settings = loaded.settings;
        let folder = settings.directory.clone();
        let local = Repository::discover(&folder).ok();
        let top = local
            .as_ref()
            .and_then(|local| local.root().ok())
            .map_or_else(|| folder.clone(), Path::to_owned);
        // libgit2 follows links where the shell's folder does not.
        let folder = fs::canonicalize(&folder)?;
        let top = fs::canonicalize(&top)?;
        let pyproject = pyproject(&folder, &top)?;
        let manager = manager(&folder, &top, &pyproject)?;
        let python = arguments.python.clone().or_else(|| match &manager {
            Manager::Pixi { environment } => Some(format!("pixi run -e {environment} python")),
            Manager::Uv { .. } => Some("uv run --no-sync python".to_owned()),
            Manager::Pip => None,
        });
        let has_asv_file = context.config.is_some()
            || ["asv.conf.json", "asv.conf.jsonc"]
                .iter()
                .any(|name| folder.join(name).is_file());
        let repository = local.as_ref().and_then(|local| {
            ["upstream", "origin"]
                .iter()
                .filter_map(|remote| local.remote_url(remote))
                .find_map(|url| RepositoryName::of_url(&url))
        });
        Ok(Self {
            name: project_name(&settings, &pyproject, &top),
            package: arguments
                .package
                .clone()
                .or_else(|| settings.package.clone())
                .or_else(|| package(&pyproject, &top)),
            main_branch: main_branch(&settings, has_asv_file, local.as_ref()),
            own_settings: own_settings(&folder, &top)?,
            environments: environments(&settings),
            in_git: local.is_some(),
            folder,
            top,
            has_asv_file,
            settings,
            manager,
            python,
            repository,
        })
    }

    /// The folder of the configuration below the top, where they differ.
    pub(super) fn below_top(&self) -> Option<String> {
        let below = self.folder.strip_prefix(&self.top).ok()?;
        let text = below.to_string_lossy().into_owned();
        (!text.is_empty()).then_some(text)
    }
}

fn project_name(settings: &Settings, pyproject: &Table, top: &Path) -> String {
    let named = at(pyproject, &["project", "name"]).and_then(Value::as_str);
    let asv = Some(settings.asv.project.as_str()).filter(|name| !matches!(*name, "" | "project"));
    let folder = || {
        top.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    asv.or(named)
        .map(str::to_owned)
        .or_else(folder)
        .unwrap_or_else(|| "project".to_owned())
}

/// The import name: the folder that has the project's name, else the only package below `src`.
fn package(pyproject: &Table, top: &Path) -> Option<String> {
    let is_package = |folder: &Path| folder.join("__init__.py").is_file();
    if let Some(name) = at(pyproject, &["project", "name"]).and_then(Value::as_str) {
        let module = name.to_lowercase().replace(['-', '.'], "_");
        let found = ["src", ""]
            .iter()
            .any(|above| is_package(&top.join(above).join(&module)));
        if found {
            return Some(module);
        }
    }
    let entries = fs::read_dir(top.join("src")).ok()?;
    let packages: BTreeSet<String> = entries
        .flatten()
        .filter(|entry| is_package(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let mut packages = packages.into_iter();
    packages.next().filter(|_| packages.next().is_none())
}

/// The branch that the remote's HEAD is on; else what asv's file says, else the present one.
fn main_branch(settings: &Settings, has_asv_file: bool, local: Option<&Repository>) -> String {
    let configured = settings.main_branch.clone();
    let Some(local) = local else {
        return configured;
    };
    if has_asv_file || local.branch_tip(&configured).is_ok() {
        return configured;
    }
    let present = local.head().ok().and_then(|head| head.branch);
    ["master", "develop", "trunk"]
        .iter()
        .find(|name| local.branch_tip(name).is_ok())
        .map(|name| (*name).to_owned())
        .or(present)
        .unwrap_or(configured)
}

/// The file that has settings of ours already.
fn own_settings(folder: &Path, top: &Path) -> Result<Option<PathBuf>, CommandError> {
    for above in [folder, top] {
        let own = above.join("lcmbench.toml");
        if own.is_file() {
            return Ok(Some(own));
        }
        let shared = above.join("pyproject.toml");
        if table(&shared)?.is_some_and(|table| at(&table, &["tool", "lcmbench"]).is_some()) {
            return Ok(Some(shared));
        }
    }
    Ok(None)
}

fn environments(settings: &Settings) -> Vec<String> {
    let store = Store::new(&settings.asv.results_dir);
    let mut names = BTreeSet::new();
    for machine in store.machines().items {
        for file in store.files(&machine).items {
            names.insert(file.environment);
        }
    }
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::init::manager::for_benchmarks;

    fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        folder
    }

    fn found(files: &[(&str, &str)]) -> (Manager, Option<String>) {
        let folder = folder_with(files);
        let top = folder.path();
        let pyproject = pyproject(top, top).unwrap();
        (
            manager(top, top, &pyproject).unwrap(),
            package(&pyproject, top),
        )
    }

    #[test]
    fn pixi_is_found_with_the_environment_for_benchmarks_on_a_gpu() {
        let (manager, package) = found(&[
            (
                "pyproject.toml",
                "[project]\nname = \"pylcm\"\n[tool.pixi.environments]\ntests-cpu = [\"a\"]\n\
                 benchmarks = [\"b\"]\nbenchmarks-cuda12 = [\"c\"]\n",
            ),
            ("src/lcm/__init__.py", ""),
        ]);
        let environment = "benchmarks-cuda12".to_owned();
        assert_eq!(manager, Manager::Pixi { environment });
        assert_eq!(package.as_deref(), Some("lcm"));
        let (manager, _) = found(&[("pixi.toml", "[workspace]\nname = \"x\"\n")]);
        let environment = "default".to_owned();
        assert_eq!(manager, Manager::Pixi { environment });
    }

    #[test]
    fn uv_is_found_with_its_group_and_a_package_by_its_name() {
        let (manager, package) = found(&[
            (
                "pyproject.toml",
                "[project]\nname = \"My-Tool\"\n[dependency-groups]\ndev = []\nbench = []\n",
            ),
            ("uv.lock", ""),
            ("my_tool/__init__.py", ""),
            ("src/one/__init__.py", ""),
            ("src/two/__init__.py", ""),
        ]);
        let group = Some("bench".to_owned());
        assert_eq!(manager, Manager::Uv { group });
        assert_eq!(package.as_deref(), Some("my_tool"));
    }

    #[test]
    fn nothing_is_guessed_where_several_would_do() {
        let (manager, package) = found(&[("src/one/__init__.py", ""), ("src/two/__init__.py", "")]);
        assert_eq!(manager, Manager::Pip);
        assert_eq!(package, None);
        assert_eq!(for_benchmarks(&["bench; rm".to_owned()]), None);
    }
}
