//! `lcmbench paths`, from the command line to the report.

mod declared;
mod example;
mod interrupted;
mod real_data;
mod refused;
mod saving;
mod trspecfit;
mod workflow;

use std::path::Path;

use crate::common::Project;
use crate::common::command::Lcmbench;

/// A model of a project's own, in plain Python. Its behaviour is chosen by environment variables.
const FIXTURE: &str = r#"
import os
import time

from lcmbench.paths import Fit, Function, ModelPaths, NoFixture, Parameter, Path

ODD = os.environ.get("ODD", "")


def residual(value):
    return value - 3.0


class Line(ModelPaths):
    """A line over a small grid, and a fit of one of its two parameters."""

    number = 1
    name = "line"
    exercises = ("plain",)
    reference = "slow"
    compiled = "fast"

    def paths(self):
        return [
            Path("fast", lambda: [0.0, 1.0, 2.0], self.evaluate_fast),
            Path("slow", lambda: [0.0, 1.0, 2.0], self.evaluate_slow),
            Path("remote", None, None, unavailable="it is not installed"),
        ]

    def evaluate_slow(self, grid, values):
        return [values[0] * x + values[1] for x in grid]

    def evaluate_fast(self, grid, values):
        if ODD == "raises":
            raise ValueError("out of range")
        if ODD == "nan":
            return [float("nan"), 1.0, 2.0]
        if ODD == "shape":
            return [[1.0, 2.0]]
        if ODD == "dies":
            os._exit(3)
        if ODD == "hangs":
            time.sleep(600)
        a, b = values
        return [a * x + b for x in grid]

    def parameters(self):
        return [Parameter("slope", 2.0, 0.0, 10.0), Parameter("offset", 1.0)]

    def fit(self, path, run):
        with run.stage("first"):
            start = run.initial(self.parameters())
        with run.stage("second"):
            if ODD == "endless" and path == "slow":
                while True:
                    time.sleep(0.01)
            note(path)
            value = start["slope"]
            while abs(residual(value)) > 0.01:
                value -= 0.5 * residual(value)
        return Fit({"slope": value, "offset": start["offset"]}, 2.0)

    def counted(self):
        import fixtures_of_ours as here

        return [Function("residuals", here, "residual")]


def note(path):
    """Leaves a file for each fit, and waits in the third one."""
    folder = os.environ.get("NOTES")
    if not folder:
        return
    count = len(os.listdir(folder))
    with open(os.path.join(folder, str(count)), "w") as file:
        file.write(str(os.getpid()))
    if count == 2:
        time.sleep(600)


def fixtures():
    return [Line(), NoFixture(5, "five", "is not meant for this")]
"#;

/// A repository with that model, and the command that measures it.
fn project() -> Project {
    let project = Project::new();
    project.write("fixtures_of_ours.py", FIXTURE);
    project.commit("Declare the fixture");
    project
}

fn paths(project: &Project, python: &Path) -> Lcmbench {
    project
        .lcmbench()
        .args(["paths", "--fixture", "fixtures_of_ours", "--python"])
        .arg(python)
}
