//! Small workflows in the form of trspecfit's examples, written by the test.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::common::Project;

/// Below a checkout, where trspecfit keeps its examples.
pub(super) const FOLDER: &str = "examples/fitting_workflows";

const TIMES: usize = 16;
const ENERGIES: usize = 40;

const PEAK: &str = "\
2D:
    Offset:
      y0: [1, False]
    GLP:
      A: [10, False]
      x0: [5.2, True, 3, 7]
      F: [1.5, False]
      m: [0.3, False]
";

/// Follows from the first peak. trspecfit 0.20's evaluators disagree about one that follows from
/// convolved dynamics, so only the plain workflow has it.
const TWIN: &str = "    GLP:
      A: [\"GLP_01_A / 2\"]
      x0: [\"GLP_01_x0 + 2\"]
      F: [\"GLP_01_F\"]
      m: [\"GLP_01_m\"]
";

const TIME_MODELS: &str = "\
sine_wave:
    sinFun:
        A: [-0.4, True, -2, 2]
        f: [0.11, True, 1E-2, 1]
        phi: [0, False]
        t0: [0, False]
decay:
    gaussCONV:
        SD: [0.4, False]
    expFun:
        A: [0.5, True, 0, 2]
        tau: [3, True, 0.5, 20]
        t0: [2, False]
IRF:
    gaussCONV:
        SD: [0.3, False]
one:
    expFun:
        A: [0.5, True, 0, 2]
        tau: [1, False]
        t0: [0, False]
two:
    expFun:
        A: [0.3, True, 0, 2]
        tau: [1, False]
        t0: [0, False]
";

/// A repository with three workflows: plain dynamics, a convolution, subcycles that trspecfit 0.20 does
/// not lower; and some folders that are none.
pub(super) fn project() -> Project {
    let project = Project::new();
    write(&project, "01_decay", &call("'decay'", ""));
    write(&project, "02_sine", &call("'sine_wave'", ""));
    write(
        &project,
        "03_cycles",
        &call("['IRF', 'one', 'two']", ",\n    frequency=0.125"),
    );
    for name in [
        "02_sine_fits",
        "10_model_comparison",
        "20_multi_file_independent_fit",
    ] {
        project.write(format!("{FOLDER}/{name}/example.ipynb"), "{}");
    }
    project.write(".gitignore", "__pycache__/\n");
    project.commit("Add workflows");
    project
}

fn call(models: &str, more: &str) -> String {
    format!(
        "# Attach the dynamics to the peak\nfile.add_time_dependence(\n    target_model='2D',  # fitted below\n    \
         target_parameter='GLP_01_x0',\n    dynamics_yaml='models_time.yaml',\n    dynamics_model={models}{more}\n)\n"
    )
}

/// Writes one workflow whose notebook has this code.
pub(super) fn write(project: &Project, name: &str, code: &str) {
    let folder = PathBuf::from(FOLDER).join(name);
    let twin = if code.contains("sine_wave") { TWIN } else { "" };
    project.write(folder.join("models_energy.yaml"), &format!("{PEAK}{twin}"));
    project.write(folder.join("models_time.yaml"), TIME_MODELS);
    project.write(folder.join("project.yaml"), "show_output: 1\n");
    let column = |count: usize, step: f64| -> String {
        let lines: Vec<String> = (0..count)
            .map(|index| format!("{:.6}", number(index) * step))
            .collect();
        lines.join("\n") + "\n"
    };
    project.write(folder.join("data/energy.csv"), &column(ENERGIES, 0.25));
    project.write(folder.join("data/time.csv"), &column(TIMES, 1.01));
    project.write(folder.join("data/data.csv"), &data());
    notebook(project, name, code);
}

/// Replaces the notebook of a workflow.
pub(super) fn notebook(project: &Project, name: &str, code: &str) {
    let cells = serde_json::json!([
        {"cell_type": "markdown", "metadata": {}, "source": "file.add_time_dependence(target_model='2D')"},
        {"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [],
         "source": ["%matplotlib inline\n", "import trspecfit"]},
        {"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": code},
    ]);
    let notebook =
        serde_json::json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5});
    let path = Path::new(FOLDER).join(name).join("example.ipynb");
    project.write(path, &notebook.to_string());
}

/// A peak and its smaller twin that sway, with a little deterministic noise.
fn data() -> String {
    let mut text = String::new();
    for time in 0..TIMES {
        let centre = 5.0 + 0.5 * (number(time) * 0.7).sin();
        for energy in 0..ENERGIES {
            let at = number(energy) * 0.25;
            let peak = |centre: f64| (-(at - centre) * (at - centre)).exp();
            let noise = number((time * 31 + energy * 17) % 13) * 0.01;
            let value = 1.0 + 10.0 * peak(centre) + 5.0 * peak(centre + 2.0) + noise;
            let end = if energy + 1 == ENERGIES { '\n' } else { ',' };
            write!(text, "{value:.6}{end}").unwrap();
        }
    }
    text
}

fn number(index: usize) -> f64 {
    f64::from(u32::try_from(index).unwrap())
}

/// Takes rows off a file of a workflow.
pub(super) fn cut(project: &Project, name: &str, file: &str) {
    let path = project.path(FOLDER).join(name).join(file);
    let text = fs::read_to_string(&path).unwrap();
    let rows: Vec<&str> = text.lines().skip(1).collect();
    fs::write(&path, rows.join("\n") + "\n").unwrap();
}
