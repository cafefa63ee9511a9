//! What a run knows about benchmarks that it leaves without a result: part of the `lcmbench` key.

use std::collections::BTreeSet;

use crate::json::{Json, Object};

use super::Provenance;

const KEY: &str = "left_out";
const NOT_SELECTED: &str = "not_selected";
const DEPARTED: &str = "departed";

/// Benchmarks without a result, and why they have none. A name in neither set that has no result
/// either was selected and not run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// In the suite, and not asked for.
    pub not_selected: BTreeSet<String>,
    /// In `benchmarks.json` for the sake of older results, and no longer in the suite.
    pub departed: BTreeSet<String>,
}

impl LeftOut {
    /// What the record says; `None` if it says nothing, as in files that asv wrote.
    pub fn of(provenance: &Provenance) -> Option<Self> {
        let key = provenance.extra.get(KEY)?;
        let names = |part: &str| -> BTreeSet<String> {
            let items = key.get(part).and_then(Json::as_array).unwrap_or_default();
            let texts = items.iter().filter_map(Json::as_str);
            texts.map(str::to_owned).collect()
        };
        Some(Self {
            not_selected: names(NOT_SELECTED),
            departed: names(DEPARTED),
        })
    }

    /// Puts this into the record.
    pub fn record(&self, provenance: &mut Provenance) {
        let list = |names: &BTreeSet<String>| -> Json {
            let items: Vec<&str> = names.iter().map(String::as_str).collect();
            items.into()
        };
        let members = [
            (NOT_SELECTED, list(&self.not_selected)),
            (DEPARTED, list(&self.departed)),
        ];
        let key: Object = members
            .into_iter()
            .map(|(part, names)| (part.to_owned(), names))
            .collect();
        provenance.extra.insert(KEY.to_owned(), key.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_recorded_is_read_back() {
        let mut provenance = Provenance::default();
        assert_eq!(LeftOut::of(&provenance), None);
        let left_out = LeftOut {
            not_selected: BTreeSet::from(["m.time_b".to_owned(), "m.time_a".to_owned()]),
            departed: BTreeSet::new(),
        };
        left_out.record(&mut provenance);
        assert_eq!(
            crate::json::to_compact(&provenance.extra.clone().into()),
            r#"{"left_out": {"not_selected": ["m.time_a", "m.time_b"], "departed": []}}"#
        );
        assert_eq!(LeftOut::of(&provenance), Some(left_out));
    }

    #[test]
    fn a_record_of_another_shape_leaves_nothing_out() {
        let mut provenance = Provenance::default();
        provenance.extra.insert(KEY.to_owned(), Json::Int(1));
        assert_eq!(LeftOut::of(&provenance), Some(LeftOut::default()));
    }
}
