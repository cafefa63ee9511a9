//! A log: lines that are never taken back.

use crate::run::{Reporter, RunEvent};

use super::teller::Teller;

/// Where lines go.
pub(super) type Note = Box<dyn FnMut(&str)>;

/// Writes the lines of the teller.
pub(super) struct LogReporter {
    teller: Teller,
    note: Note,
}

impl LogReporter {
    pub(super) fn new(teller: Teller, note: Note) -> Self {
        Self { teller, note }
    }
}

impl Reporter for LogReporter {
    fn report(&mut self, event: &RunEvent<'_>) {
        let told = self.teller.tell(event);
        for line in told.lines(self.teller.shows_output()) {
            (self.note)(&line);
        }
    }
}
