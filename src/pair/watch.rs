//! The GPUs around each process of a pair.

use crate::gpu::{Around, Journal, Observer, Target};
use crate::json::{Json, Object};

use super::checkout::Role;
use super::error::PairError;

/// Watches the GPUs around the processes of both sides.
#[derive(Debug)]
pub struct PairWatch<'a> {
    targets: &'a [Target],
    base: Observer<'a>,
    head: Observer<'a>,
}

impl<'a> PairWatch<'a> {
    /// Watches `targets`; without any it does nothing. `seen` holds what was seen on base and on head.
    pub fn new(targets: &'a [Target], seen: &'a mut [Journal; 2]) -> Self {
        let [base, head] = seen;
        Self {
            targets,
            base: Observer::new(targets, base),
            head: Observer::new(targets, head),
        }
    }

    /// Runs a process of a side; the member `gpu` of its record is returned beside the result, where there
    /// is a GPU.
    pub(super) fn around<T>(
        &mut self,
        side: Role,
        scenario: &str,
        run: impl FnOnce() -> Result<T, PairError>,
    ) -> Result<(T, Option<Object>), PairError> {
        let observer = match side {
            Role::Head => &mut self.head,
            Role::Base | Role::Harness => &mut self.base,
        };
        let (result, around) = observer.around(scenario, run).map_err(PairError::Prepare)?;
        Ok((result?, around.map(|around| self.record(&around))))
    }

    /// A GPU that has fallen off the bus, if there is one: nothing more can be measured on it.
    pub(super) fn lost(&self) -> Option<String> {
        let lost = |target: &&Target| target.quick_state().is_lost();
        self.targets.iter().find(lost).map(Target::label)
    }

    fn record(&self, around: &Around) -> Object {
        let mut own = Journal::default();
        own.add(&around.observation, &around.flags);
        let mut record = own.record(self.targets, None);
        record.insert("flags".to_owned(), Json::from(around.flags.clone()));
        record
    }
}
