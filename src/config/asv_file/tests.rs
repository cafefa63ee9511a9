use super::*;

fn read_text(text: &str) -> Result<AsvFile, ConfigError> {
    interpret(Path::new("asv.conf.json"), text)
}

fn error(text: &str) -> String {
    read_text(text).unwrap_err().to_string()
}

const FULL: &str = r#"{
    // asv's own template has comments like this
    "version": 1,
    "project": "pylcm",
    "project_url": "https://example.org/pylcm",
    "repo": "..",
    "repo_subdir": "",
    "dvcs": "git",
    "branches": ["main", null],
    "pythons": ["same"],
    "environment_type": "existing",
    "matrix": {},
    "exclude": [],
    "include": [],
    "env_dir": ".asv/env",
    "benchmark_dir": "asv",
    "results_dir": ".asv/results",
    "html_dir": ".asv/html",
    "show_commit_url": "https://example.org/commit/",
    "hash_length": 10,
    "default_benchmark_timeout": 600,
    "conda_environment_file": null,
    "build_command": [],
    "plugins": [],
    "launch_method": "spawn",
    "regressions_first_commits": {},
}"#;

#[test]
fn every_key_that_is_acted_on_arrives() {
    let file = read_text(FULL).unwrap();
    assert_eq!(file.project.as_deref(), Some("pylcm"));
    assert_eq!(
        file.project_url.as_deref(),
        Some("https://example.org/pylcm")
    );
    assert_eq!(file.repo.as_deref(), Some(".."));
    assert_eq!(file.branches, Some(vec![Some("main".to_owned()), None]));
    assert_eq!(file.benchmark_dir.as_deref(), Some("asv"));
    assert_eq!(file.results_dir.as_deref(), Some(".asv/results"));
    assert_eq!(file.html_dir.as_deref(), Some(".asv/html"));
    assert_eq!(file.env_dir.as_deref(), Some(".asv/env"));
    assert_eq!(
        file.show_commit_url.as_deref(),
        Some("https://example.org/commit/")
    );
    assert_eq!(file.hash_length, Some(10));
    assert_eq!(file.default_benchmark_timeout, Some(600.0));
    assert_eq!(file.python, None);
    assert_eq!(file.launch_method.as_deref(), Some("spawn"));
    assert_eq!(file.warnings, Vec::<String>::new());
    assert_eq!(
        file.notes,
        Vec::<String>::new(),
        "empty keys ask for nothing"
    );
}

#[test]
fn keys_that_nothing_acts_on_are_named_once_with_their_lines() {
    let text = r#"{"version": 1,
        "environment_type": "virtualenv",
        "pythons": ["3.11", "3.12"],
        "matrix": {"req": {"numpy": []}},
        "install_command": ["pip install ."],
        "regressions_thresholds": {".*": 0.05},
        "dvcs": "hg", "repo": "x.hg"}"#;
    let notes = read_text(text).unwrap().notes;
    assert_eq!(
        notes,
        [
            "asv.conf.json: this version does not act on `environment_type` (line 2), `pythons` \
          (line 3), `matrix` (line 4), `install_command` (line 5), `regressions_thresholds` \
          (line 6), `dvcs` (line 7); it measures in a Python environment that exists"
        ]
    );
}

#[test]
fn the_one_interpreter_of_an_existing_environment_counts() {
    let python = |pythons: &str| {
        let text =
            format!(r#"{{"version": 1, "environment_type": "existing", "pythons": {pythons}}}"#);
        let file = read_text(&text).unwrap();
        (file.python, file.notes.len())
    };
    assert_eq!(
        python(r#"["/opt/venv/bin/python"]"#),
        (Some("/opt/venv/bin/python".to_owned()), 0)
    );
    assert_eq!(python(r#"["same"]"#), (None, 0));
    assert_eq!(python("[]"), (None, 0));
    assert_eq!(python(r#"["a", "b"]"#), (None, 1));
}

#[test]
fn unknown_keys_are_warned_about_with_the_nearest_one() {
    let text = "{\"version\": 1,\n 'benchmarks_dir': 'x',\n\n my_plugin_setting: 3}";
    assert_eq!(
        read_text(text).unwrap().warnings,
        [
            "asv.conf.json, line 2: unknown key `benchmarks_dir`; did you mean `benchmark_dir`?",
            "asv.conf.json, line 4: unknown key `my_plugin_setting`",
        ]
    );
}

#[test]
fn a_repeated_key_and_an_empty_repo_are_warned_about() {
    let text = "{\"version\": 1,\n \"project\": \"a\",\n \"repo\": \"\",\n \"project\": \"b\"}";
    let file = read_text(text).unwrap();
    assert_eq!(file.project.as_deref(), Some("b"));
    assert_eq!(file.repo, None);
    assert_eq!(
        file.warnings,
        [
            "asv.conf.json, line 4: `project` stands on line 2 too; this one counts",
            "asv.conf.json, line 3: `repo` is empty; asv refuses that",
        ]
    );
}

#[test]
fn a_wrong_type_names_file_line_key_and_what_it_must_be() {
    assert_eq!(
        error("{\"version\": 1,\n\n \"benchmark_dir\": 3}"),
        "asv.conf.json, line 3: `benchmark_dir` must be text, not 3"
    );
    assert_eq!(
        error("{\"version\": 1, \"pythons\": [\"3.11\", 3.12]}"),
        "asv.conf.json, line 1: `pythons` must be a list of text, not a list with 3.12"
    );
    assert_eq!(
        error("{\"version\": 1,\n\"hash_length\": \"8\"}"),
        "asv.conf.json, line 2: `hash_length` must be a whole number, not the text \"8\""
    );
    assert_eq!(
        error("{\"version\": 1,\n\"results_dir\": null}"),
        "asv.conf.json, line 2: `results_dir` must be text, not null"
    );
    assert_eq!(
        error("{\"version\": 1,\n\"matrix\": []}"),
        "asv.conf.json, line 2: `matrix` must be an object, not a list"
    );
}

#[test]
fn values_out_of_their_range_are_refused() {
    assert!(error("{\"version\": 1, \"branches\": []}").contains("`branches` is empty"));
    assert!(error("{\"version\": 1, \"html_dir\": \"\"}").contains("`html_dir` is empty"));
    assert!(error("{\"version\": 1, \"hash_length\": 0}").contains("between 1 and 40"));
    assert!(error("{\"version\": 1, \"default_benchmark_timeout\": NaN}").contains("above 0"));
    assert!(error("{\"version\": 1, \"launch_method\": \"fork\"}").contains("`forkserver`"));
}

#[test]
fn the_version_follows_asvs_rules() {
    assert_eq!(
        error("{\"project\": \"x\"}"),
        "asv.conf.json: the key `version` is missing; write `\"version\": 1`"
    );
    assert!(error("{\n\"version\": 0}").contains("line 2: `version` 0 is an old format"));
    assert!(error("{\"version\": 2}").contains("newer than the 1"));
    assert!(error("{\"version\": \"1\"}").contains("must be the number 1"));
    assert!(read_text("{version: 0x1}").is_ok());
}

#[test]
fn a_broken_file_names_line_and_column() {
    assert_eq!(
        error("{\n \"version\": 1,\n \"repo\" \".\"\n}"),
        "asv.conf.json, line 3, column 9: expected colon"
    );
}
