//! Facts about machine and environment whose change ends comparability.

use std::collections::BTreeMap;

use crate::config::NormaliseRules;
use crate::json::{Json, Object, to_compact};
use crate::results::{COMPILERS, DEVICE_FACTS, MACHINE_FACTS, ResultSet};

/// Facts of `params` that make another machine where the rule for machines is off.
const DRIFTING: [&str; 2] = ["os", "ram"];

/// The facts of one result file, by name; unknown ones are left out.
pub(super) fn facts(set: &ResultSet, rules: NormaliseRules) -> BTreeMap<&'static str, String> {
    let mut facts = BTreeMap::new();
    let drifting = if rules.machine {
        &[][..]
    } else {
        &DRIFTING[..]
    };
    take(
        &set.params,
        MACHINE_FACTS.iter().chain(drifting).chain(&COMPILERS),
        &mut facts,
    );
    if let Some(provenance) = &set.provenance {
        take(&provenance.environment, DEVICE_FACTS.iter(), &mut facts);
        let packages = provenance.environment.get("packages");
        if let Some(packages) = packages.and_then(Json::as_object) {
            take(packages, COMPILERS.iter(), &mut facts);
        }
    }
    facts
}

/// The name of a fact as [`facts`] has it.
pub(super) fn fact_named(name: &str) -> Option<&'static str> {
    let mut names = MACHINE_FACTS
        .iter()
        .chain(&DRIFTING)
        .chain(&COMPILERS)
        .chain(&DEVICE_FACTS);
    names.find(|known| **known == name).copied()
}

fn take<'n>(
    from: &Object,
    names: impl Iterator<Item = &'n &'static str>,
    facts: &mut BTreeMap<&'static str, String>,
) {
    for name in names {
        let text = match from.get(*name) {
            None | Some(Json::Null) => continue,
            Some(Json::String(text)) if text.is_empty() => continue,
            Some(Json::String(text)) => text.clone(),
            Some(other) => to_compact(other),
        };
        facts.insert(name, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::testing::object;
    use crate::results::Provenance;

    #[test]
    fn machine_driver_and_compiler_count_and_drift_does_not() {
        let mut set = ResultSet {
            params: object(
                r#"{"arch": "x", "cpu": "", "num_cpu": 2, "os": "Linux 6", "ram": "7GB"}"#,
            ),
            ..ResultSet::default()
        };
        set.provenance = Some(Provenance {
            environment: object(
                r#"{"driver": "550", "gpu": null, "packages": {"jaxlib": "0.4", "numpy": "2"}}"#,
            ),
            ..Provenance::default()
        });
        let mut rules = NormaliseRules::default();
        let found = |rules| {
            let facts = facts(&set, rules);
            facts
                .iter()
                .map(|(name, value)| format!("{name} {value}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            found(rules),
            ["arch x", "driver 550", "jaxlib 0.4", "num_cpu 2"]
        );
        rules.machine = false;
        assert_eq!(found(rules).len(), 6);
    }
}
