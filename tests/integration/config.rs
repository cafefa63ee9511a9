//! The configuration files: errors as the user sees them, and asv's own loader as the oracle.

use std::path::Path;

use lcmbench::config::{AsvSettings, Overrides, Requirement, Start, load};
use lcmbench::sys::env::Environment;
use serde_json::{Value, json};

use crate::common::{Project, VENV, oracle};

const MINIMAL: &str = "{\"version\": 1, \"repo\": \".\"}";

/// A command that loads the configuration ends with `code` and says `text`.
fn says(project: &Project, code: i32, text: &str) {
    let _output = project
        .lcmbench()
        .arg("machine")
        .run()
        .expect(code)
        .says(text);
}

#[test]
fn a_broken_file_ends_with_3_and_names_its_line() {
    let project = Project::without_git();
    project.write(
        "asv.conf.json",
        "{\n  \"version\": 1,\n  \"repo\" \".\"\n}\n",
    );
    says(
        &project,
        3,
        "asv.conf.json, line 3, column 10: expected colon",
    );
    project.write(
        "asv.conf.json",
        "{\n  \"version\": 1,\n  \"hash_length\": [8]\n}\n",
    );
    says(
        &project,
        3,
        "asv.conf.json, line 3: `hash_length` must be a whole number, not a list",
    );
}

#[test]
fn two_files_where_one_may_be_end_with_3() {
    let project = Project::without_git();
    project.write("asv.conf.json", MINIMAL);
    project.write("asv.conf.jsonc", MINIMAL);
    says(&project, 3, "asv.conf.jsonc are there; only one can count");
    let _named = project
        .lcmbench()
        .args(["machine", "--config", "asv.conf.jsonc"])
        .run()
        .expect(0);

    let project = Project::without_git();
    project.write("lcmbench.toml", "");
    project.write("pyproject.toml", "[tool.lcmbench]\n");
    says(&project, 3, "pyproject.toml with [tool.lcmbench] are there");
}

#[test]
fn a_slip_in_the_toml_ends_with_3_and_the_right_key() {
    let project = Project::without_git();
    project.write(
        "pyproject.toml",
        "[project]\nname = \"x\"\n\n[tool.lcmbench]\nmain_branch = \"main\"\n",
    );
    says(
        &project,
        3,
        "pyproject.toml, line 5: unknown key `main_branch`; did you mean `main-branch`?",
    );
    project.write("pyproject.toml", "[tool.lcmbench.pr]\nbench = '(?<!a+'\n");
    says(
        &project,
        3,
        "pyproject.toml, line 2: `bench`: the pattern `(?<!a+` ",
    );
    // Python's look-around is allowed, and so is the literal name of one combination.
    project.write(
        "pyproject.toml",
        "[tool.lcmbench.pr]\nbench = ['^(?!.*AcaBaselineDebugLog)', 'bench.time_x([1)']\n",
    );
    let _machine = project.lcmbench().arg("machine").run().expect(0);
}

#[test]
fn unknown_and_unused_keys_of_asv_are_said_and_stop_nothing() {
    let project = Project::without_git();
    project.write(
        "asv.conf.json",
        "{\n\"version\": 1,\n\"repo\": \".\",\n\"result_dir\": \"r\",\n\"matrix\": {\"numpy\": [\"1.0\"]}}",
    );
    says(
        &project,
        0,
        "asv.conf.json, line 4: unknown key `result_dir`; did you mean `results_dir`?",
    );
    says(&project, 0, "does not act on `matrix` (line 5)");
}

/// What asv's own loader makes of the file, or `None` where it refuses it.
const ASV_LOADER: &str = r#"
import json, sys
from asv.config import Config
try:
    c = Config.load(sys.argv[1])
except Exception as error:
    print("null", file=sys.stdout)
    print(type(error).__name__, error, file=sys.stderr)
    sys.exit(0)
keys = ["project", "project_url", "repo", "branches", "benchmark_dir", "results_dir", "html_dir",
        "env_dir", "show_commit_url", "hash_length", "default_benchmark_timeout"]
print(json.dumps({key: getattr(c, key) for key in keys}))
"#;

fn as_asv_has_it(settings: &AsvSettings, directory: &Path) -> Value {
    let folder = |path: &Path| {
        path.strip_prefix(directory)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    };
    json!({
        "project": settings.project,
        "project_url": settings.project_url,
        "repo": settings.repo,
        "branches": settings.branches,
        "benchmark_dir": folder(&settings.benchmark_dir),
        "results_dir": folder(&settings.results_dir),
        "html_dir": folder(&settings.html_dir),
        "env_dir": folder(&settings.env_dir),
        "show_commit_url": settings.show_commit_url,
        "hash_length": settings.hash_length,
        "default_benchmark_timeout": settings.default_benchmark_timeout,
    })
}

/// Texts that both read the same.
const READ_ALIKE: &[&str] = &[
    MINIMAL,
    "{version: 1, repo: '.',}",
    "// comment\n{/* { */ 'version': 0x1, \"repo\": \"a // b\", hash_length: 0xA, /* end */}\n// last",
    "{\"version\": 1, \"repo\": 'it\\'s', \"project\": \"\\u00e4\\x41\\\n continued\\tand on\"}",
    "\u{feff}{\"version\": 1.0, \"repo\": \".\", \"default_benchmark_timeout\": +.5e3}",
    "{\"version\": 1, \"repo\": \".\", \"default_benchmark_timeout\": 5.,\n\u{a0}\u{2028} branches: [null, 'main',],}",
    "{\"version\": 1, \"repo\": \"first\", \"repo\": \"second\", \"html\\u005fdir\": \"out\"}",
    "{\"version\": 1, \"repo\": \".\", \"benchmark_dir\": \"größe/β\", \"env_dir\": \".asv/env\", \"results_dir\": \"r\"}",
    "{\"version\": 1, \"repo\": \".\", \"unknown\": {\"a\": [1, {b: 'c'}, -Infinity, NaN]}, plugins: ['.x']}",
    "{\"version\": 1,\r\n\"repo\": \".\",\r\n\"show_commit_url\": \"http:\\/\\/x/\", \"project_url\": \"\"}",
    "{\"version\": 1, \"repo\": \"https://github.com/o/p.git\", $a_1: 2, \"project\": 'say \"hi\"'}",
];

/// Texts that both refuse.
const REFUSED_BY_BOTH: &[&str] = &[
    "",
    "{",
    "[1]",
    "{\"version\": 1 \"repo\": \".\"}",
    "{\"version\": 1, \"repo\": \".\",,}",
    "{\"version\": 1, \"repo\": \"line\nbreak\"}",
    "{# comment\n\"version\": 1, \"repo\": \".\"}",
    "{\"repo\": \".\"}",
    "{\"version\": 0, \"repo\": \".\"}",
    "{\"version\": 2, \"repo\": \".\"}",
    "{\"version\": 1, \"repo\": \".\", \"branches\": []}",
    "{\"version\": 1, \"repo\": \".\"} trailing",
    "{\"version\": 1, \"repo\": \".\" /* open",
];

#[test]
fn json5_means_what_it_means_to_asv() {
    let Some(venv) = oracle(VENV) else { return };
    let project = Project::without_git();
    let ours = |text: &str| {
        project.write("conf.json", text);
        let directory = project.root();
        let start = Start {
            directory: &directory,
            config: Some(Path::new("conf.json")),
            environment: &Environment::default(),
        };
        load(start, &Overrides::default(), Requirement::Project, &|_| {
            Ok(())
        })
        .map(|loaded| as_asv_has_it(&loaded.settings.asv, &directory))
    };
    let asvs = || {
        let output = project
            .program(venv.join("bin/python"))
            .args(["-c", ASV_LOADER, "conf.json"])
            .run()
            .expect(0);
        (
            serde_json::from_str::<Value>(&output.stdout).unwrap(),
            output.stderr,
        )
    };
    for text in READ_ALIKE {
        let ours = ours(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        let (mut asvs, complaint) = asvs();
        assert!(!asvs.is_null(), "asv refuses {text:?}: {complaint}");
        // asv keeps a whole number of seconds as it is written.
        asvs["default_benchmark_timeout"] =
            json!(asvs["default_benchmark_timeout"].as_f64().unwrap());
        assert_eq!(ours, asvs, "{text:?}");
    }
    for text in REFUSED_BY_BOTH {
        assert!(ours(text).is_err(), "{text:?}");
        let (asvs, _) = asvs();
        assert!(asvs.is_null(), "asv reads {text:?}: {asvs}");
    }
}
