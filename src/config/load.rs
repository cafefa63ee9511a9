//! Finds the configuration files and resolves the settings.

use std::path::Path;

use crate::sys::env::Environment;

use super::resolve::{CheckPattern, Files, resolve};
use super::{ConfigError, Overrides, Settings, asv_file, locate};

/// What a command needs to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// A configuration file, or a folder of benchmarks or results at the default place.
    Project,
    /// Nothing: defaults where there is no project.
    Nothing,
}

/// The settings and what is to be said about them.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    pub settings: Settings,
    /// Something is probably not what the user meant (an unknown key, for example).
    pub warnings: Vec<String>,
    /// Worth knowing, nothing wrong (a key that this version does not act on, for example).
    pub notes: Vec<String>,
}

/// Where and how a command was started.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// The folder, absolute.
    pub directory: &'a Path,
    /// `--config`.
    pub config: Option<&'a Path>,
    pub environment: &'a Environment,
}

/// Loads the configuration of the project in `start.directory`, or of the file `start.config`.
pub fn load(
    start: Start<'_>,
    overrides: &Overrides,
    requirement: Requirement,
    check_pattern: CheckPattern<'_>,
) -> Result<Loaded, ConfigError> {
    let (directory, path) = locate::asv_file(start.directory, start.config)?;
    let asv = path.as_deref().map(asv_file::read).transpose()?;
    let toml = locate::toml_file(&directory)?;
    let files = Files {
        directory,
        asv,
        toml,
    };
    let loaded = resolve(
        start.directory,
        overrides,
        start.environment,
        &files,
        check_pattern,
    )?;
    let folders = [
        &loaded.settings.asv.benchmark_dir,
        &loaded.settings.asv.results_dir,
    ];
    let is_project = files.asv.is_some() || folders.iter().any(|folder| folder.is_dir());
    if requirement == Requirement::Project && !is_project {
        return Err(ConfigError::Missing {
            directory: files.directory,
        });
    }
    Ok(loaded)
}

#[cfg(test)]
mod tests {
    use fs_err as fs;

    use super::*;

    fn load_in(
        folder: &Path,
        config: Option<&str>,
        requirement: Requirement,
    ) -> Result<Loaded, ConfigError> {
        let start = Start {
            directory: folder,
            config: config.map(Path::new),
            environment: &Environment::default(),
        };
        load(start, &Overrides::default(), requirement, &|_| Ok(()))
    }

    #[test]
    fn without_any_file_the_defaults_hold_where_there_are_benchmarks() {
        let folder = tempfile::tempdir().unwrap();
        let error = load_in(folder.path(), None, Requirement::Project).unwrap_err();
        assert!(matches!(error, ConfigError::Missing { .. }), "{error}");
        assert!(load_in(folder.path(), None, Requirement::Nothing).is_ok());

        fs::create_dir_all(folder.path().join("benchmarks")).unwrap();
        let settings = load_in(folder.path(), None, Requirement::Project)
            .unwrap()
            .settings;
        assert_eq!(settings.asv.benchmark_dir, folder.path().join("benchmarks"));
        assert_eq!(settings.asv.results_dir, folder.path().join("results"));
        assert_eq!(settings.main_branch, "main");
    }

    #[test]
    fn paths_are_below_the_folder_of_the_named_file() {
        let folder = tempfile::tempdir().unwrap();
        let sub = folder.path().join("asv_bench");
        fs::create_dir_all(&sub).unwrap();
        fs::write(
            sub.join("conf.json"),
            r#"{"version": 1, "repo": "..", "results_dir": "../out", "html_dir": "/srv/html"}"#,
        )
        .unwrap();
        fs::write(sub.join("lcmbench.toml"), "package = \"lcm\"").unwrap();
        let loaded = load_in(
            folder.path(),
            Some("asv_bench/conf.json"),
            Requirement::Project,
        )
        .unwrap();
        let settings = loaded.settings;
        assert_eq!(settings.directory, sub);
        assert_eq!(settings.asv.benchmark_dir, sub.join("benchmarks"));
        assert_eq!(settings.asv.results_dir, sub.join("../out"));
        assert_eq!(settings.asv.html_dir, Path::new("/srv/html"));
        assert_eq!(settings.package.as_deref(), Some("lcm"));
        assert_eq!(settings.repository_folder(), sub.join(".."));
    }
}
