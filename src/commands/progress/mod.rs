//! What people see while a run goes on: a bar on a terminal, calm lines in a log, groups in GitHub
//! Actions.

mod actions;
mod line;
mod log;
mod reasons;
mod teller;
mod terminal;

use crate::run::{Durations, Reporter};
use crate::sys::printer::Printer;

pub(super) use line::{one_line, plain, spread};

use actions::ActionsReporter;
use log::LogReporter;
use teller::Teller;
use terminal::TerminalReporter;

/// The reporter that fits where the messages go. `show_output` shows what suites print, always;
/// otherwise only Actions' folded groups hold it.
pub(super) fn reporter(
    printer: &Printer,
    durations: Durations,
    show_output: bool,
) -> Box<dyn Reporter> {
    let teller = Teller::new(show_output);
    if printer.actions {
        let note = printer.clone();
        let note = Box::new(move |line: &str| note.note(line));
        Box::new(ActionsReporter::new(teller, note, actions::random_word()))
    } else if printer.progress {
        Box::new(TerminalReporter::new(teller, durations))
    } else {
        let note = printer.clone();
        Box::new(LogReporter::new(
            teller,
            Box::new(move |line: &str| note.note(line)),
        ))
    }
}
