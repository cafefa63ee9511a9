//! Configuration files that are missing, doubled or broken.

use crate::common::{Project, python3};

#[test]
fn without_asv_conf_json_the_defaults_do() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.remove("asv.conf.json");
    project.commit("One");
    let _measured = project.run_with(&python, []).expect(0);
    assert_eq!(project.saved().names(), ["texts.Odd.track_length"]);
}

#[test]
fn an_empty_folder_is_no_project() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.commit("Nothing");
    let refused = project.run_with(&python, []).expect(3);
    assert!(
        refused.stderr.contains("asv.conf.json"),
        "{}",
        refused.stderr
    );
}

#[test]
fn two_configuration_files_are_one_too_many() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.write("asv.conf.jsonc", &project.read("asv.conf.json"));
    project.commit("One");
    let refused = project.run_with(&python, []).expect(3);
    assert!(
        refused.stderr.contains("asv.conf.jsonc"),
        "{}",
        refused.stderr
    );
    assert!(
        refused.stderr.contains("asv.conf.json"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_broken_configuration_file_is_named_with_its_line() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.write("asv.conf.json", "{\n  \"version\": 1,\n  \"repo\": }\n");
    project.commit("One");
    let refused = project.run_with(&python, []).expect(3);
    assert!(
        refused.stderr.contains("asv.conf.json"),
        "{}",
        refused.stderr
    );
    let names_the_line = refused.stderr.contains(":3") || refused.stderr.contains("line 3");
    assert!(names_the_line, "{}", refused.stderr);
}

#[test]
fn a_broken_toml_is_named_with_its_line() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.write("lcmbench.toml", "package = \"x\"\nshare-setups = true\n");
    project.commit("One");
    let refused = project.run_with(&python, []).expect(3);
    assert!(
        refused.stderr.contains("lcmbench.toml"),
        "{}",
        refused.stderr
    );
    let names_the_line = refused.stderr.contains(":2") || refused.stderr.contains("line 2");
    assert!(names_the_line, "{}", refused.stderr);
    assert!(refused.stderr.contains("share-setup"), "{}", refused.stderr);
}
