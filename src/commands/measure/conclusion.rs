//! How a run went, and the exit code.

use crate::commands::Exit;
use crate::results::Saved;
use crate::run::{
    Clock, Outcome, Summary, SystemClock, Tree, count, module_name, short, signal_name,
};
use crate::sys::printer::Printer;
use crate::worker::ModuleError;

use super::session::Session;

/// Says how it went; the exit code says it too.
pub(super) fn conclude(
    printer: &Printer,
    session: &Session,
    outcome: &Outcome,
    saved: Option<&Saved>,
    clock: &SystemClock,
    tree: Option<&Tree>,
) -> Exit {
    let summary = Summary::of(outcome);
    printer.note(&format!(
        "{} in {:.1} s",
        summary.sentence(),
        clock.elapsed().as_secs_f64()
    ));
    match outcome.leftovers {
        0 => {}
        1 => printer.warn("one process outlived its benchmark and was ended"),
        many => printer.warn(&format!(
            "{many} processes outlived their benchmarks and were ended"
        )),
    }
    for warning in not_measured(&session.discovery.module_errors) {
        printer.warn(&warning);
    }
    if let Some(signal) = outcome.interrupted {
        printer.warn(&interruption(signal, saved.is_some()));
    }
    if let Some(saved) = saved {
        printer.note(&format!("saved in {}", saved.path.display()));
        if let Some(tree) = tree.filter(|tree| !tree.is_still_there()) {
            printer.warn(&format!(
                "another commit was checked out while {} was measured; what processes imported \
                 later may not be of that commit",
                short(&tree.commit.hash)
            ));
        }
    }
    let exit = if summary.is_bad() {
        Exit::Failed
    } else {
        session.exit()
    };
    match outcome.interrupted {
        Some(signal) => exit.worse(Exit::Interrupted(signal)),
        None => exit,
    }
}

/// What the suite lost before anything was measured: modules, and single classes or functions.
fn not_measured(errors: &[ModuleError]) -> Vec<String> {
    let (objects, modules): (Vec<_>, Vec<_>) =
        errors.iter().partition(|error| error.object.is_some());
    let names = |errors: &[&ModuleError]| {
        let names: Vec<String> = errors.iter().map(|error| module_name(error)).collect();
        names.join(", ")
    };
    let mut warnings = Vec::new();
    if !modules.is_empty() {
        warnings.push(format!(
            "not measured, since {} of the suite failed at import: {}",
            count(modules.len(), "module"),
            names(&modules)
        ));
    }
    if !objects.is_empty() {
        warnings.push(format!(
            "not measured, since they cannot be used as they are: {}",
            names(&objects)
        ));
    }
    warnings
}

/// What a signal stopped, and how to go on.
fn interruption(signal: i32, saved: bool) -> String {
    let name = signal_name(signal);
    if saved {
        format!(
            "interrupted by {name}: what was done is saved; `lcmbench run \
             --skip-existing-successful` measures the rest"
        )
    } else {
        format!("interrupted by {name}: the other benchmarks were not measured")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_that_cannot_be_examined_is_no_module() {
        let error = |module: &str, object: Option<&str>| ModuleError {
            module: module.to_owned(),
            object: object.map(str::to_owned),
            ..ModuleError::default()
        };
        assert_eq!(
            not_measured(&[error("gpu", None), error("io", Some("Load"))]),
            [
                "not measured, since 1 module of the suite failed at import: gpu",
                "not measured, since they cannot be used as they are: io.Load"
            ]
        );
        assert!(not_measured(&[]).is_empty());
    }

    #[test]
    fn an_interruption_says_how_to_go_on() {
        assert_eq!(
            interruption(libc::SIGINT, true),
            "interrupted by SIGINT: what was done is saved; `lcmbench run \
             --skip-existing-successful` measures the rest"
        );
        assert_eq!(
            interruption(libc::SIGTERM, false),
            "interrupted by SIGTERM: the other benchmarks were not measured"
        );
    }
}
