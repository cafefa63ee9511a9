use super::*;
use crate::config::{Better, SetupScope};

const FOLDER: &str = "/srv/project";

fn files(asv: Option<AsvFile>, toml: &str) -> Files {
    let toml = (!toml.is_empty())
        .then(|| TomlFile::of_own_file(Path::new("lcmbench.toml"), toml.to_owned()).unwrap());
    Files {
        directory: PathBuf::from(FOLDER),
        asv,
        toml,
    }
}

fn resolved(
    overrides: &Overrides,
    variables: &[(&str, &str)],
    files: &Files,
) -> Result<Loaded, ConfigError> {
    let environment: Environment = variables.iter().copied().collect();
    let check = |pattern: &str| {
        if pattern.contains("((") {
            Err(format!("`{pattern}` is odd"))
        } else {
            Ok(())
        }
    };
    resolve(Path::new("/start"), overrides, &environment, files, &check)
}

#[test]
fn each_source_wins_over_the_next() {
    let toml = "machine = \"of-file\"\npython = \"file-python\"\nlaunch = \"fork\"\n\
                setup-scope = \"call\"\nshare-setup = true\ndevice-sync = true\n\
                [environment]\nname = \"file-env\"\n";
    let files = files(None, toml);
    let of_file = resolved(&Overrides::default(), &[], &files)
        .unwrap()
        .settings;
    assert_eq!(of_file.machine.as_deref(), Some("of-file"));
    assert_eq!(of_file.python.as_deref(), Some("file-python"));
    assert_eq!(of_file.launch, LaunchMethod::Fork);
    assert_eq!(of_file.setup_scope, SetupScope::Call);
    assert!(of_file.share_setup && of_file.device_sync);
    assert_eq!(of_file.environment.name.as_deref(), Some("file-env"));
    assert_eq!(of_file.origins.machine, Origin::File);

    let variables = [
        ("LCMBENCH_MACHINE", "of-env"),
        ("LCMBENCH_PYTHON", "env-python"),
        ("LCMBENCH_LAUNCH", "spawn"),
        ("LCMBENCH_SETUP_SCOPE", "sample"),
        ("LCMBENCH_SHARE_SETUP", "false"),
        ("LCMBENCH_DEVICE_SYNC", "0"),
        ("LCMBENCH_ENVIRONMENT_NAME", "env-env"),
    ];
    let of_env = resolved(&Overrides::default(), &variables, &files)
        .unwrap()
        .settings;
    assert_eq!(of_env.machine.as_deref(), Some("of-env"));
    assert_eq!(of_env.python.as_deref(), Some("env-python"));
    assert_eq!(of_env.launch, LaunchMethod::Spawn);
    assert_eq!(of_env.setup_scope, SetupScope::Sample);
    assert!(!of_env.share_setup && !of_env.device_sync);
    assert_eq!(of_env.environment.name.as_deref(), Some("env-env"));
    assert_eq!(of_env.origins.python, Origin::Environment);

    let overrides = Overrides {
        gpu: None,
        gpu_wait: None,
        compile_cache: None,
        machine: Some("of-flag".to_owned()),
        python: Some("flag-python".to_owned()),
        launch: Some(LaunchMethod::Auto),
        setup_scope: Some(SetupScope::Process),
        share_setup: Some(true),
        device_sync: Some(true),
        fork_code_is_allowed: false,
    };
    let of_flag = resolved(&overrides, &variables, &files).unwrap().settings;
    assert_eq!(of_flag.machine.as_deref(), Some("of-flag"));
    assert_eq!(of_flag.python.as_deref(), Some("flag-python"));
    assert_eq!(of_flag.launch, LaunchMethod::Auto);
    assert_eq!(of_flag.setup_scope, SetupScope::Process);
    assert!(of_flag.share_setup && of_flag.device_sync);
    assert_eq!(of_flag.origins.python, Origin::CommandLine);
}

#[test]
fn nothing_said_means_the_documented_defaults() {
    let settings = resolved(&Overrides::default(), &[], &files(None, ""))
        .unwrap()
        .settings;
    assert_eq!(settings.asv.project, "project");
    assert_eq!(settings.asv.branches, [None]);
    assert_eq!(settings.asv.env_dir, Path::new("/srv/project/env"));
    assert_eq!(settings.asv.html_dir, Path::new("/srv/project/html"));
    assert_eq!(settings.asv.hash_length, 8);
    assert!((settings.asv.default_benchmark_timeout - 60.0).abs() < f64::EPSILON);
    assert_eq!(settings.main_branch, "main");
    assert_eq!(settings.machine, None);
    assert_eq!(settings.python, None);
    assert_eq!(settings.launch, LaunchMethod::Auto);
    assert_eq!(settings.setup_scope, SetupScope::Auto);
    assert_eq!(settings.site, SiteSettings::default());
    assert_eq!(settings.pr_bench, Vec::<String>::new());
    assert_eq!(settings.origins.machine, Origin::Default);
    assert!((settings.limits.alert - 1.1).abs() < f64::EPSILON);
}

#[test]
fn asvs_file_speaks_where_the_toml_is_silent() {
    let asv = AsvFile {
        branches: Some(vec![None, Some("develop".to_owned())]),
        python: Some("/opt/python".to_owned()),
        launch_method: Some("spawn".to_owned()),
        notes: vec!["a note".to_owned()],
        warnings: vec!["a warning".to_owned()],
        ..AsvFile::default()
    };
    let loaded = resolved(&Overrides::default(), &[], &files(Some(asv.clone()), "")).unwrap();
    assert_eq!(loaded.settings.main_branch, "develop");
    assert_eq!(loaded.settings.python.as_deref(), Some("/opt/python"));
    assert_eq!(loaded.settings.launch, LaunchMethod::Spawn);
    assert_eq!(loaded.notes, ["a note"]);
    assert_eq!(loaded.warnings, ["a warning"]);

    let toml = "main-branch = \"trunk\"\npython = \"own\"\nlaunch = \"auto\"\n";
    let settings = resolved(&Overrides::default(), &[], &files(Some(asv), toml))
        .unwrap()
        .settings;
    assert_eq!(settings.main_branch, "trunk");
    assert_eq!(settings.python.as_deref(), Some("own"));
    assert_eq!(settings.launch, LaunchMethod::Auto);
}

#[test]
fn the_rest_of_the_toml_arrives() {
    let toml = r#"
package = "lcm"
[environment]
aliases = ["existing-py_a", "existing-py_b"]
[pr]
bench = ['^(?!.*AcaBaselineDebugLog)']
[site]
repo = "git@example.org:site.git"
branch = "main"
subdir = "bench"
[alert]
default = 1.2
[[better]]
unit = "speedup"
direction = "higher"
"#;
    let settings = resolved(&Overrides::default(), &[], &files(None, toml))
        .unwrap()
        .settings;
    assert_eq!(settings.package.as_deref(), Some("lcm"));
    assert_eq!(
        settings.environment.aliases,
        ["existing-py_a", "existing-py_b"]
    );
    assert_eq!(settings.pr_bench, ["^(?!.*AcaBaselineDebugLog)"]);
    assert_eq!(
        settings.site.repo.as_deref(),
        Some("git@example.org:site.git")
    );
    assert_eq!(settings.site.branch.as_deref(), Some("main"));
    assert_eq!(settings.site.subdir.as_deref(), Some("bench"));
    assert!((settings.limits.alert - 1.2).abs() < f64::EPSILON);
    assert_eq!(settings.limits.better_by_unit["speedup"], Better::Higher);
    assert_eq!(
        settings.benchmark_env["XLA_PYTHON_CLIENT_PREALLOCATE"],
        "false"
    );
}

#[test]
fn a_bad_pattern_and_an_empty_value_name_their_lines() {
    let error = |toml: &str| {
        resolved(&Overrides::default(), &[], &files(None, toml))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error("[pr]\nbench = [\n  'fine',\n  '((',\n]\n"),
        "lcmbench.toml, line 4: `bench`: `((` is odd"
    );
    assert_eq!(
        error("package = \"a\"\npython = \" \"\n"),
        "lcmbench.toml, line 2: `python` is empty; fill it or leave it out"
    );
}

#[test]
fn relative_paths_of_the_command_line_are_below_the_start() {
    let folder = tempfile::tempdir().unwrap();
    fs_err::create_dir_all(folder.path().join("venv/bin")).unwrap();
    fs_err::write(folder.path().join("venv/bin/python"), "").unwrap();
    let absolute = folder.path().join("venv/bin/python").display().to_string();
    assert_eq!(below(folder.path(), "venv/bin/python"), absolute);
    assert_eq!(
        below(folder.path(), "existing:venv/bin/python"),
        format!("existing:{absolute}")
    );
    assert_eq!(
        below(folder.path(), ":venv/bin/python"),
        format!(":{absolute}")
    );
    for unchanged in [
        "python",
        "/usr/bin/python",
        "pixi run -e a/b python",
        "same",
        "no/such",
    ] {
        assert_eq!(below(folder.path(), unchanged), unchanged);
    }
}
