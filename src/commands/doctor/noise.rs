//! What disturbs measurements on this host.

use super::finding::Finding;
use super::subject::Subject;
use crate::machine::{HostFacts, noise};

pub(super) fn examine(_: &Subject<'_>) -> Vec<Finding> {
    noise(&HostFacts::now())
        .into_iter()
        .map(|source| match source.way_out {
            Some(way_out) => Finding::warning(source.sentence, way_out),
            None => Finding::fine(source.sentence),
        })
        .collect()
}
