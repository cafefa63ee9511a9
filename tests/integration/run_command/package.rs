//! The package that is measured is the one that is checked out.

use super::*;

/// The measured package, imported by the benchmark alone.
fn with_package(package: &str) -> Option<Suite> {
    let suite = Suite::with(
        "def setup():\n    import lcm\n\ndef track_value():\n    import lcm\n    return lcm.VALUE\n",
    )?;
    suite
        .project
        .write("lcmbench.toml", &format!("package = \"{package}\"\n"));
    suite.project.write("src/lcm/__init__.py", "VALUE = 3\n");
    suite.project.commit("The package");
    Some(suite)
}

fn run_with_path(suite: &Suite, path: &Path, code: i32) -> Output {
    // asv's variable for what is put on the module path.
    suite
        .project
        .lcmbench()
        .args(["run", "--machine", "box", "--python"])
        .arg(&suite.python)
        .env("ASV_PYTHONPATH", path)
        .run()
        .expect(code)
}

#[test]
fn only_the_checked_out_package_is_measured() {
    let Some(suite) = with_package("lcm") else {
        return;
    };
    let _inside = run_with_path(&suite, &suite.project.path("src"), 0);
    assert_eq!(suite.cell("bench.track_value", 0), numbers(&[3]));

    let elsewhere = suite.project.home().join("elsewhere");
    fs::create_dir_all(elsewhere.join("lcm")).unwrap();
    fs::write(elsewhere.join("lcm/__init__.py"), "VALUE = 4\n").unwrap();
    let outside = run_with_path(&suite, &elsewhere, 3);
    let place = elsewhere.join("lcm/__init__.py").display().to_string();
    let _outside = outside.says(&place).says("which is not in the checkout");

    let installed = suite.project.path(".venv/lib/site-packages");
    fs::create_dir_all(installed.join("lcm")).unwrap();
    fs::write(installed.join("lcm/__init__.py"), "VALUE = 5\n").unwrap();
    suite.project.write(".gitignore", "__pycache__/\n.venv/\n");
    suite.project.commit("Ignore the environment");
    let _installed = run_with_path(&suite, &installed, 3).says("an installed copy");
}

#[test]
fn a_package_that_nobody_finds_is_not_measured() {
    let Some(suite) = with_package("no_such_package_here") else {
        return;
    };
    let _run = suite
        .run([], 3)
        .says("the package `no_such_package_here` cannot be found by the environment's Python");
}
