//! What every topic shares: the binary in a scrubbed environment, projects to run it in, Python.
//!
//! ```ignore
//! let project = Project::new();
//! project.write("benchmarks/__init__.py", "");
//! project.commit("Start");
//! let output = project.lcmbench().args(["run", "--quick"]).run().expect(0);
//! assert!(output.stdout.contains("..."));
//! ```

pub(crate) mod command;
pub(crate) mod project;
pub(crate) mod python;
pub(crate) mod saved;
pub(crate) mod steps;

pub(crate) use command::lcmbench;
pub(crate) use project::Project;
pub(crate) use python::{JAX_VENV, VENV, VENV_02, oracle, python3};
