//! Checkouts that are what they must be, and all the others.

use std::process::Command;

use super::*;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(place.path("base")).unwrap();
        place.git("base", &["init", "-q", "-b", "main"]);
        fs::write(place.path("base/a.py"), "1\n").unwrap();
        place.git("base", &["add", "-A"]);
        place.git("base", &["commit", "-q", "-m", "one"]);
        place
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    fn git(&self, folder: &str, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .current_dir(self.path(folder))
            .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
            .args(["-c", "protocol.file.allow=always"])
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {said}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn head(&self, folder: &str) -> String {
        self.git(folder, &["rev-parse", "HEAD"])
    }

    fn open(&self, folder: &str) -> Result<Checkout, PairError> {
        Checkout::open(Role::Base, &self.path(folder), &self.head("base"))
    }
}

fn checkout(role: Role, root: &str) -> Checkout {
    Checkout {
        role,
        root: root.into(),
        revision: String::new(),
    }
}

#[test]
fn a_clean_checkout_at_its_revision_passes() {
    let place = Place::new();
    assert_eq!(place.open("base").unwrap().revision, place.head("base"));
}

#[test]
fn changed_and_untracked_files_are_named() {
    let place = Place::new();
    fs::write(place.path("base/a.py"), "2\n").unwrap();
    fs::write(place.path("base/new.py"), "2\n").unwrap();
    let error = place.open("base").unwrap_err().to_string();
    assert!(error.contains("is not clean"), "{error}");
    assert!(
        error.contains(" M a.py") && error.contains("?? new.py"),
        "{error}"
    );
}

#[test]
fn another_commit_and_an_unknown_one_are_told_apart() {
    let place = Place::new();
    let first = place.head("base");
    place.git("base", &["commit", "-q", "--allow-empty", "-m", "two"]);
    let at =
        |revision: &str| Checkout::open(Role::Head, &place.path("base"), revision).unwrap_err();
    assert!(matches!(at(&first), PairError::OtherRevision { .. }));
    assert!(matches!(
        at(&"0".repeat(40)),
        PairError::UnknownRevision { .. }
    ));
    assert!(matches!(
        Checkout::open(Role::Head, &place.path("nowhere"), &first),
        Err(PairError::NoFolder { .. })
    ));
    fs::create_dir(place.path("base/sub")).unwrap();
    assert!(matches!(
        Checkout::open(Role::Head, &place.path("base/sub"), &first),
        Err(PairError::NotTheTop { .. })
    ));
}

#[test]
fn a_submodule_off_its_commit_is_refused() {
    let place = Place::new();
    fs::create_dir(place.path("lib")).unwrap();
    place.git("lib", &["init", "-q", "-b", "main"]);
    place.git("lib", &["commit", "-q", "--allow-empty", "-m", "lib"]);
    let url = place.path("lib").to_string_lossy().into_owned();
    place.git("base", &["submodule", "--quiet", "add", &url, "lib"]);
    place.git("base", &["commit", "-q", "-m", "with a submodule"]);
    assert!(place.open("base").is_ok());
    place.git("base/lib", &["commit", "-q", "--allow-empty", "-m", "on"]);
    assert!(matches!(
        place.open("base"),
        Err(PairError::Submodules { .. })
    ));
}

#[test]
fn the_same_folder_and_nested_ones_are_refused() {
    let apart = |base: &str, head: &str, harness: &str| {
        check_apart(
            &checkout(Role::Base, base),
            &checkout(Role::Head, head),
            &checkout(Role::Harness, harness),
        )
    };
    assert!(apart("/w/base", "/w/head", "/w/harness").is_ok());
    assert!(apart("/w/base", "/w/head", "/w/head").is_ok());
    assert!(matches!(
        apart("/w/a", "/w/a", "/w/h"),
        Err(PairError::SameFolder { .. })
    ));
    let error = apart("/w/a", "/w/a/b", "/w/h").unwrap_err().to_string();
    assert!(
        error.contains("head checkout /w/a/b lies inside the base checkout /w/a"),
        "{error}"
    );
    assert!(matches!(
        apart("/w/a", "/w/b", "/w"),
        Err(PairError::Nested { .. })
    ));
}

#[test]
fn a_link_to_the_other_checkout_is_the_same_folder() {
    let place = Place::new();
    std::os::unix::fs::symlink(place.path("base"), place.path("head")).unwrap();
    let (base, head) = (place.open("base").unwrap(), place.open("head").unwrap());
    assert!(matches!(
        check_apart(&base, &head, &base),
        Err(PairError::SameFolder { .. })
    ));
}

#[test]
fn output_must_be_new_and_outside() {
    let place = Place::new();
    let base = place.open("base").unwrap();
    let check = |relative: &str| check_output(&place.path(relative), &[&base]);
    assert!(check("out/deep").is_ok());
    assert!(matches!(check("base"), Err(PairError::OutputExists { .. })));
    assert!(matches!(
        check("base/out"),
        Err(PairError::OutputInside { .. })
    ));
    assert!(matches!(
        check("other/../base/out"),
        Err(PairError::OutputInside { .. })
    ));
    std::os::unix::fs::symlink(place.path("base"), place.path("link")).unwrap();
    let error = check("link/out").unwrap_err().to_string();
    assert!(error.contains("when links are followed"), "{error}");
    std::os::unix::fs::symlink(place.path("gone"), place.path("dangling")).unwrap();
    assert!(matches!(
        check("dangling"),
        Err(PairError::OutputExists { .. })
    ));
}
