//! Suites that cannot be imported, wholly or in part.

use crate::common::{Project, python3};

#[test]
fn a_suite_without_init_is_named() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("without_init");
    project.commit("One");
    let refused = project.run_with(&python, []).expect(3);
    assert!(refused.stderr.contains("__init__.py"), "{}", refused.stderr);
}

#[test]
fn a_missing_suite_is_named() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.remove("benchmarks/texts.py");
    project.remove("benchmarks/__init__.py");
    project.remove_folder("benchmarks");
    project.commit("One");
    let refused = project.run_with(&python, []).expect(3);
    assert!(refused.stderr.contains("benchmarks"), "{}", refused.stderr);
}

#[test]
fn one_broken_module_of_five_leaves_the_others_running() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("broken_module");
    project.commit("One");
    let output = project.run_with(&python, []).expect(2);
    let printed = format!("{}{}", output.stdout, output.stderr);
    for text in [
        "delta",
        "No module named 'a_package_that_does_not_exist'",
        "Traceback",
    ] {
        assert!(printed.contains(text), "{text}\n{printed}");
    }
    let saved = project.saved();
    for name in ["alpha", "beta", "gamma", "epsilon"] {
        let benchmark = format!("{name}.track_{name}");
        assert_eq!(saved.result(&benchmark), "[1]", "{benchmark}");
    }
    assert_eq!(saved.result("delta.track_delta"), "missing");
}

#[test]
fn an_error_in_the_package_itself_ends_the_run() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.write("benchmarks/__init__.py", "1 / 0\n");
    project.commit("One");
    let output = project.run_with(&python, []);
    assert!([2, 3].contains(&output.code), "{output:?}");
    assert!(output.stderr.contains("ZeroDivisionError"), "{output:?}");
}

#[test]
fn a_function_without_source_does_not_end_discovery() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.write(
        "benchmarks/made.py",
        "namespace = {}\nexec('def track_made(): return 5', namespace)\n\
         track_made = namespace['track_made']\n",
    );
    project.commit("One");
    let output = project.run_with(&python, []);
    assert!([0, 2].contains(&output.code), "{output:?}");
    assert_eq!(
        project.saved().names().first(),
        Some(&"texts.Odd.track_length"),
        "{output:?}"
    );
}

#[test]
fn no_selected_benchmark_is_an_error() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.commit("One");
    let output = project.run_with(&python, ["--bench", "nothing_like_it"]);
    assert!([2, 3].contains(&output.code), "{output:?}");
    assert!(output.stderr.contains("nothing_like_it"), "{output:?}");
}
