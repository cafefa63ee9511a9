//! What cannot be measured, and what is said about it.

use super::{paths, project};
use crate::common::{Project, python3};

#[test]
fn an_example_that_there_is_not_is_refused_with_the_list() {
    let Some(python) = python3() else { return };
    let project = project();
    let _unknown = paths(&project, &python)
        .args(["--example", "7"])
        .run()
        .expect(3)
        .says("error: there is no example 7; there are:\n   1  line (plain)\n   5  five");
    let _other = paths(&project, &python)
        .arg("5")
        .run()
        .expect(3)
        .says("example 5, five, cannot be measured: is not meant for this");
    for arguments in [&["-1"][..], &["--example", "-1"]] {
        let _negative = paths(&project, &python)
            .args(arguments)
            .run()
            .expect(3)
            .says("the number of an example is 1 or more, and 0 means all");
    }
    let _both = paths(&project, &python)
        .args(["1", "--example", "1"])
        .run()
        .expect(3);
    let _one_file = paths(&project, &python)
        .args(["0", "--profile", "-o", "x.svg"])
        .run()
        .expect(3)
        .says("--output names one file, and example 0 means several");
}

#[test]
fn numbers_out_of_range_are_refused_by_the_name_of_their_option() {
    let project = Project::new();
    for (arguments, said) in [
        (&["--calls", "0"][..], "'--calls <CALLS>': 0 is not in 1.."),
        (&["--calls", "-3"], "'--calls <CALLS>': -3 is not in 1.."),
        (&["-n", "-1"], "'-n <TIMES>': -1 is not in 1.."),
        (&["-n", "100000"], "'-n <TIMES>': 100000 is not in 1.."),
        (&["--starts", "-2"], "'--starts <N>': -2 is not in 1.."),
        (
            &["--profile", "--rate", "-5"],
            "'--rate <HZ>': -5 is not in 1..",
        ),
        (
            &["--timeout", "1e30"],
            "a number of seconds above zero is expected",
        ),
        (
            &["--timeout", "-1"],
            "a number of seconds above zero is expected",
        ),
        (&["--rate", "100"], "--profile"),
        (
            &["--profile", "--no-py-spy", "--rate", "100"],
            "cannot be used with",
        ),
    ] {
        let _refused = project
            .lcmbench()
            .arg("paths")
            .args(arguments)
            .run()
            .expect(3)
            .says(said);
    }
}

#[test]
fn without_trspecfit_its_workflows_say_how_to_get_it() {
    let Some(python) = python3() else { return };
    let project = super::workflow::project();
    let output = project
        .lcmbench()
        .args(["paths", "2", "--python"])
        .arg(&python)
        .run();
    if output.stdout.contains("Per call") {
        crate::common::python::skip("trspecfit is installed for python3 here");
        return;
    }
    let output = output
        .expect(3)
        .says("error: trspecfit is not installed for ")
        .says("pip install trspecfit");
    assert_eq!(output.stderr.matches("is not installed").count(), 1);
}

#[test]
fn modules_that_declare_nothing_usable_are_refused() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    let said = |text: &str, said: &str| {
        project.write("fixtures_of_ours.py", text);
        let _refused = paths(&project, &python).arg("1").run().expect(3).says(said);
    };
    said("x = 1\n", "fixtures_of_ours declares no fixture");
    said(
        "import nothing_of_this_name\n",
        "No module named 'nothing_of_this_name'",
    );
    said("def broken(:\n", "SyntaxError");
    project.remove("fixtures_of_ours.py");
    let _gone = paths(&project, &python)
        .arg("1")
        .run()
        .expect(3)
        .says("there is no module `fixtures_of_ours`");
    let _nothing = project
        .lcmbench()
        .args(["paths", "--python"])
        .arg(&python)
        .run()
        .expect(3)
        .says("has no folder examples/fitting_workflows");
}

#[test]
fn a_python_that_is_not_there_or_too_old_is_refused() {
    let project = project();
    for silent in ["/bin/true", "/bin/false"] {
        let _silent = paths(&project, std::path::Path::new(silent))
            .arg("1")
            .run()
            .expect(3)
            .says(&format!(
                "`{silent}` does not answer like a Python: it ended (exit code"
            ))
            .says("give --python another one");
    }
    let _missing = paths(&project, std::path::Path::new("/no/python"))
        .arg("1")
        .run()
        .expect(3)
        .says("the Python `/no/python` was not found");
    project.write(
        "old",
        "#!/bin/sh\nprintf '{\"event\": \"refused\", \"message\": \"it is Python 3.6.15; lcmbench needs 3.9 or newer\"}\\n' >&\"$3\"\n",
    );
    let old = project.path("old");
    std::process::Command::new("chmod")
        .arg("+x")
        .arg(&old)
        .status()
        .unwrap();
    let _old = paths(&project, &old)
        .arg("1")
        .run()
        .expect(3)
        .says("it is Python 3.6.15; lcmbench needs 3.9 or newer");
}

#[test]
fn a_profile_that_cannot_be_written_is_refused_before_the_loop() {
    let Some(python) = python3() else { return };
    let project = project();
    // Any program called py-spy will do, as nothing is attached.
    project.write("bin/py-spy", "#!/bin/sh\nexit 1\n");
    let script = project.path("bin/py-spy");
    std::process::Command::new("chmod")
        .arg("+x")
        .arg(&script)
        .status()
        .unwrap();
    let _unwritable = paths(&project, &python)
        .args(["1", "--profile", "-o", "no/such/folder/graph.svg"])
        .env("PATH", project.path("bin"))
        .run()
        .expect(2)
        .says("the flame graph cannot be written to ")
        .says("no/such/folder/graph.svg; name another file with --output: ");
}
