//! The checks that need the answers of Python.

use std::path::Path;

use crate::pair::{Backend, Checkout, PairError, Probe, PythonSide, ScenarioEntry};

/// The scenarios that are measured, in the order of their declaration.
pub(super) fn choose(
    entries: &[ScenarioEntry],
    named: &[String],
    backend: Backend,
) -> Result<Vec<ScenarioEntry>, PairError> {
    for (at, name) in named.iter().enumerate() {
        if named[..at].contains(name) {
            return Err(PairError::TwiceNamed { name: name.clone() });
        }
        if !entries.iter().any(|entry| entry.name == *name) {
            let known: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
            return Err(PairError::UnknownScenario {
                name: name.clone(),
                known: known.join(", "),
            });
        }
    }
    let chosen: Vec<ScenarioEntry> = entries
        .iter()
        .filter(|entry| named.is_empty() || named.contains(&entry.name))
        .cloned()
        .collect();
    let unable = chosen
        .iter()
        .find(|entry| !entry.backends.contains(&entry.backend(backend)));
    match unable {
        Some(entry) => Err(PairError::OtherBackend {
            name: entry.name.clone(),
            backend: entry.backend(backend).word(),
            allowed: words(&entry.backends),
        }),
        None => Ok(chosen),
    }
}

/// `cpu` and `gpu` as a list.
pub(super) fn words(backends: &[Backend]) -> String {
    let words: Vec<&str> = backends.iter().map(|backend| backend.word()).collect();
    words.join(", ")
}

/// Each side must import the package from its own checkout.
pub(super) fn check_package(
    side: &PythonSide,
    probe: &Probe,
    checkout: &Checkout,
) -> Result<(), PairError> {
    let Some(package) = &side.package else {
        return Ok(());
    };
    let real = |path: &Path| fs_err::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let file = probe.package_file.as_deref().map(real);
    let installed = |file: &Path| file.iter().any(|part| part == "site-packages");
    match file {
        Some(file) if file.starts_with(&checkout.root) && !installed(&file) => Ok(()),
        found => Err(PairError::ImportedElsewhere {
            role: side.role,
            package: package.clone(),
            found: found.map_or("nowhere".to_owned(), |file| file.display().to_string()),
            checkout: checkout.root.clone(),
        }),
    }
}

/// JAX must be on both sides or on none, and the compiler must be the same.
pub(super) fn check_jax(base: &Probe, head: &Probe, allow: bool) -> Result<(), PairError> {
    let word = |version: &Option<String>| version.clone().unwrap_or_else(|| "none".to_owned());
    if base.jax.is_some() != head.jax.is_some() {
        return Err(PairError::JaxOnOneSide {
            base: word(&base.jax),
            head: word(&head.jax),
        });
    }
    if base.jaxlib != head.jaxlib && !allow {
        return Err(PairError::OtherJaxlib {
            base: word(&base.jaxlib),
            head: word(&head.jaxlib),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, backends: &[Backend], cpu_devices: Option<u32>) -> ScenarioEntry {
        ScenarioEntry {
            name: name.to_owned(),
            backends: backends.to_vec(),
            cpu_devices,
            expects: std::collections::BTreeMap::new(),
            tolerance: crate::pair::Tolerance::default(),
            forbid_collectives: false,
        }
    }

    #[test]
    fn scenarios_are_chosen_by_name_in_their_own_order() {
        let both = [Backend::Cpu, Backend::Gpu];
        let all = [
            entry("a", &both, None),
            entry("b", &both, None),
            entry("c", &[Backend::Cpu], Some(4)),
        ];
        let names = |named: &[&str]| {
            let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
            choose(&all, &named, Backend::Gpu).map(|chosen| {
                chosen
                    .into_iter()
                    .map(|entry| entry.name)
                    .collect::<Vec<_>>()
            })
        };
        assert_eq!(names(&[]).unwrap(), ["a", "b", "c"]);
        assert_eq!(names(&["b", "a"]).unwrap(), ["a", "b"]);
        assert!(matches!(
            names(&["b", "b"]),
            Err(PairError::TwiceNamed { .. })
        ));
        assert!(matches!(
            names(&["x"]),
            Err(PairError::UnknownScenario { .. })
        ));
        let only_cpu = [entry("d", &[Backend::Cpu], None)];
        assert!(matches!(
            choose(&only_cpu, &[], Backend::Gpu),
            Err(PairError::OtherBackend { .. })
        ));
    }

    #[test]
    fn jax_is_on_both_sides_with_one_compiler() {
        let probe = |jax: Option<&str>, jaxlib: Option<&str>| Probe {
            jax: jax.map(str::to_owned),
            jaxlib: jaxlib.map(str::to_owned),
            ..Probe::default()
        };
        let (one, two, none) = (
            probe(Some("1"), Some("1")),
            probe(Some("1"), Some("2")),
            probe(None, None),
        );
        assert!(check_jax(&one, &one, false).is_ok());
        assert!(check_jax(&none, &none, false).is_ok());
        assert!(matches!(
            check_jax(&one, &none, false),
            Err(PairError::JaxOnOneSide { .. })
        ));
        assert!(matches!(
            check_jax(&one, &two, false),
            Err(PairError::OtherJaxlib { .. })
        ));
        assert!(check_jax(&one, &two, true).is_ok());
    }
}
