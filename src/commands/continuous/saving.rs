//! The results of both sides as ordinary records.

use crate::commands::CommandError;
use crate::commands::measure::Place;
use crate::continuous::Ended;
use crate::json::{Json, Object};
use crate::machine::HostFacts;
use crate::results::{LeftOut, Provenance, problem_lines};
use crate::sys::printer::Printer;

use super::flow::Request;
use super::prepare::Ready;
use super::sides::Sides;

/// What is kept of the host, the GPUs and the caches of compiled programs.
pub(super) struct Known {
    /// The host before the first pair.
    pub(super) before: HostFacts,
    pub(super) fingerprint: Object,
    /// Of base and head.
    pub(super) records: [Object; 2],
    pub(super) regime: &'static str,
}

impl Known {
    /// Adds what belongs to the environment and to the choices of the worker.
    pub(super) fn add_to(&self, provenance: &mut Provenance) {
        provenance.environment.extend(self.fingerprint.clone());
        let regime = Json::from(self.regime);
        provenance.worker.insert("compile_cache".to_owned(), regime);
    }
}

pub(super) fn save(
    place: &Place,
    sides: &Sides,
    [base, head]: [&Ready; 2],
    ended: &Ended,
    request: &Request<'_>,
    known: &Known,
    printer: &Printer,
) -> Result<(), CommandError> {
    let same_file = sides.one_tree && base.session.python_path() == head.session.python_path();
    for (ready, outcome) in [(base, &ended.base), (head, &ended.head)] {
        if same_file && std::ptr::eq(ready, base) {
            // Two equal sides are one result.
            continue;
        }
        let filing = place.filing(&ready.settings, &ready.session, &ready.tree)?;
        if std::ptr::eq(ready, head) {
            for line in problem_lines(&filing.describe(&ready.session.benchmarks)?) {
                printer.warn(&line);
            }
        }
        let mut provenance = place.provenance(
            &ready.settings,
            &ready.session,
            &ready.tree,
            &request.attributes,
            &LeftOut::default(),
        );
        known.add_to(&mut provenance);
        let mut opened = filing.open_since(known.before.clone(), provenance)?;
        opened.note_gpu(known.records[usize::from(std::ptr::eq(ready, head))].clone());
        for finished in &outcome.finished {
            opened.keep(finished);
        }
        if let Some(saved) = opened.save(outcome)? {
            for line in problem_lines(&saved.problems) {
                printer.warn(&line);
            }
            printer.note(&format!("saved in {}", saved.path.display()));
        }
    }
    Ok(())
}
