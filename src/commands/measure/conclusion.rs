//! How a run went, and the exit code.

use crate::commands::Exit;
use crate::results::Saved;
use crate::run::{Clock, Outcome, Summary, SystemClock, Tree, count, module_name, short};
use crate::sys::printer::Printer;

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
    let failed = &session.discovery.module_errors;
    if !failed.is_empty() {
        let names: Vec<String> = failed.iter().map(module_name).collect();
        printer.warn(&format!(
            "not measured, since {} of the suite failed at import: {}",
            count(failed.len(), "module"),
            names.join(", ")
        ));
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
