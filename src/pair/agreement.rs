//! What all three checkouts must have in common, byte for byte.

use std::collections::BTreeSet;
use std::path::Path;

use fs_err as fs;
use similar::TextDiff;

use super::checkout::Checkout;
use super::error::PairError;

/// Lock files that are compared where no others are configured, if any checkout has them.
pub const DEFAULT_LOCK_FILES: [&str; 9] = [
    "pixi.lock",
    "uv.lock",
    "poetry.lock",
    "pdm.lock",
    "Pipfile.lock",
    "conda-lock.yml",
    "conda-lock.yaml",
    "requirements.txt",
    "requirements.lock",
];

/// At most so many lines of a difference are shown.
const SHOWN_LINES: usize = 40;

/// Compares lock files and the sources that the scenarios own. A default lock file that no checkout
/// has is passed over; a source must exist.
pub fn agree(
    harness: &Checkout,
    others: [&Checkout; 2],
    lock_files: &[String],
    sources: &[String],
) -> Result<(), PairError> {
    for path in lock_files {
        same("lock file", path, harness, others)?;
    }
    for path in sources {
        let mut files = BTreeSet::new();
        for checkout in [harness, others[0], others[1]] {
            collect(&checkout.root, path, &mut files)?;
        }
        if files.is_empty() {
            return Err(PairError::NoSource { path: path.clone() });
        }
        for file in files {
            same("source", &file, harness, others)?;
        }
    }
    Ok(())
}

/// The files below `path`, relative to the root; the compiled ones of Python left out.
fn collect(root: &Path, path: &str, files: &mut BTreeSet<String>) -> Result<(), PairError> {
    let full = root.join(path);
    if full.is_file() {
        files.insert(path.to_owned());
    } else if full.is_dir() {
        for entry in fs::read_dir(&full)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name != "__pycache__" {
                collect(
                    root,
                    &format!("{}/{name}", path.trim_end_matches('/')),
                    files,
                )?;
            }
        }
    }
    Ok(())
}

fn same(
    what: &'static str,
    path: &str,
    harness: &Checkout,
    others: [&Checkout; 2],
) -> Result<(), PairError> {
    let all = [harness, others[0], others[1]];
    let contents: Vec<Option<Vec<u8>>> = all
        .iter()
        .map(|checkout| read(&checkout.root.join(path)))
        .collect::<Result<_, _>>()?;
    if contents.iter().all(Option::is_none) {
        return Ok(());
    }
    if let Some(missing) = contents.iter().position(Option::is_none) {
        return Err(PairError::Missing {
            what,
            path: path.to_owned(),
            role: all[missing].role,
        });
    }
    for (checkout, content) in all.iter().zip(&contents).skip(1) {
        if content != &contents[0] {
            return Err(PairError::Differs {
                what,
                path: path.to_owned(),
                role: checkout.role,
                lines: differing_lines(contents[0].as_deref(), content.as_deref()),
            });
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, PairError> {
    if !path.is_file() {
        return Ok(None);
    }
    Ok(Some(fs::read(path)?))
}

fn differing_lines(harness: Option<&[u8]>, other: Option<&[u8]>) -> String {
    let text =
        |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let (harness, other) = (text(harness), text(other));
    let diff = TextDiff::from_lines(&harness, &other);
    let lines: Vec<String> = diff
        .iter_all_changes()
        .filter(|change| change.tag() != similar::ChangeTag::Equal)
        .map(|change| {
            format!(
                "  {}{}",
                change.tag(),
                change.value().trim_end_matches('\n')
            )
        })
        .collect();
    let more = lines.len().saturating_sub(SHOWN_LINES);
    let mut text = lines[..lines.len() - more].join("\n");
    if more > 0 {
        text = format!("{text}\n  and {more} more lines");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::Role;

    fn place() -> (tempfile::TempDir, [Checkout; 3]) {
        let folder = tempfile::tempdir().unwrap();
        let checkouts = [Role::Harness, Role::Base, Role::Head].map(|role| {
            let root = folder.path().join(role.word());
            fs::create_dir_all(root.join("bench/__pycache__")).unwrap();
            fs::write(root.join("uv.lock"), "jax==1\nnumpy==2\n").unwrap();
            fs::write(root.join("bench/scenarios.py"), "x = 1\n").unwrap();
            fs::write(root.join("bench/__pycache__/x.pyc"), role.word()).unwrap();
            Checkout {
                role,
                root,
                revision: String::new(),
            }
        });
        (folder, checkouts)
    }

    fn check(all: &[Checkout; 3], sources: &[&str]) -> Result<(), PairError> {
        let texts = |list: &[&str]| {
            list.iter()
                .map(|text| (*text).to_owned())
                .collect::<Vec<_>>()
        };
        agree(
            &all[0],
            [&all[1], &all[2]],
            &texts(&DEFAULT_LOCK_FILES),
            &texts(sources),
        )
    }

    #[test]
    fn equal_files_pass_and_compiled_ones_do_not_count() {
        let (_folder, all) = place();
        assert!(check(&all, &["bench"]).is_ok());
    }

    #[test]
    fn a_lock_file_that_differs_is_shown_line_by_line() {
        let (_folder, all) = place();
        fs::write(all[2].root.join("uv.lock"), "jax==1\nnumpy==3\n").unwrap();
        assert_eq!(
            check(&all, &[]).unwrap_err().to_string(),
            "the lock file `uv.lock` differs between the harness and the head checkout:\n  \
             -numpy==2\n  +numpy==3"
        );
    }

    #[test]
    fn a_file_that_one_checkout_lacks_is_named() {
        let (_folder, all) = place();
        fs::remove_file(all[1].root.join("uv.lock")).unwrap();
        let error = check(&all, &[]).unwrap_err();
        assert!(
            matches!(
                error,
                PairError::Missing {
                    role: Role::Base,
                    ..
                }
            ),
            "{error}"
        );
        fs::write(all[1].root.join("uv.lock"), "jax==1\nnumpy==2\n").unwrap();
        fs::write(all[0].root.join("bench/extra.py"), "").unwrap();
        assert!(matches!(
            check(&all, &["bench"]),
            Err(PairError::Missing { .. })
        ));
        assert!(matches!(
            check(&all, &["nowhere"]),
            Err(PairError::NoSource { .. })
        ));
    }
}
