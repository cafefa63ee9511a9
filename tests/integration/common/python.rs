//! Interpreters for the tests, and what to say when one is missing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A virtual environment that the tests find by a variable; `scripts/test` makes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Venv {
    variable: &'static str,
    holds: &'static str,
}

/// asv 0.6.6 and `asv_runner` 0.3.
pub(crate) const VENV: Venv = Venv {
    variable: "LCMBENCH_TEST_VENV",
    holds: "asv and asv_runner 0.3",
};

/// asv 0.6.6 and `asv_runner` 0.2.4.
pub(crate) const VENV_02: Venv = Venv {
    variable: "LCMBENCH_TEST_VENV_02",
    holds: "asv and asv_runner 0.2",
};

/// JAX and numpy.
pub(crate) const JAX_VENV: Venv = Venv {
    variable: "LCMBENCH_TEST_VENV_JAX",
    holds: "jax",
};

/// trspecfit 0.20.0, JAX and py-spy, under Python 3.12 or newer.
pub(crate) const TRSPECFIT_VENV: Venv = Venv {
    variable: "LCMBENCH_TEST_VENV_TRSPECFIT",
    holds: "trspecfit",
};

/// Prints the line that `scripts/test` counts; the caller returns then.
#[expect(clippy::print_stdout, reason = "the line is read by scripts/test")]
pub(crate) fn skip(reason: &str) {
    println!("skipped: {reason}");
}

/// The folder of a virtual environment, or `None` after saying why the test is skipped.
pub(crate) fn oracle(venv: Venv) -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the harness itself reads the outer environment"
    )]
    let folder = std::env::var_os(venv.variable).map(PathBuf::from);
    match folder {
        Some(folder) if folder.join("bin/python").exists() => Some(folder),
        Some(folder) => panic!(
            "{} names {}, which has no bin/python",
            venv.variable,
            folder.display()
        ),
        None => {
            skip(&format!(
                "{} is not set (a virtual environment with {})",
                venv.variable, venv.holds
            ));
            None
        }
    }
}

/// A Python 3.9 or newer, as an absolute path, or `None` after saying that the test is skipped.
///
/// `LCMBENCH_TEST_PYTHON` wins over `python3` on `PATH`.
pub(crate) fn python3() -> Option<PathBuf> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        #[expect(
            clippy::disallowed_methods,
            reason = "the harness itself reads the outer environment"
        )]
        let named = std::env::var_os("LCMBENCH_TEST_PYTHON").map(PathBuf::from);
        interpreter(named.as_deref().unwrap_or(Path::new("python3")))
    });
    if found.is_none() {
        skip("no Python 3.9 or newer on PATH");
    }
    found.clone()
}

/// The executable that `command` stands for, if it runs and is new enough.
fn interpreter(command: &Path) -> Option<PathBuf> {
    let script = "import sys; print(sys.executable if sys.version_info >= (3, 9) else '')";
    let output = Command::new(command).args(["-c", script]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let path = text.trim();
    (output.status.success() && !path.is_empty()).then(|| PathBuf::from(path))
}
