use super::*;

/// A folder with executable files of these names; those that end in `-` are not executable.
fn tree(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in files {
        let path = folder.path().join(name.trim_end_matches('-'));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        let mode = if name.ends_with('-') { 0o644 } else { 0o755 };
        fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    folder
}

/// Finds with variables whose values are below the folder; words relative to it.
fn find(
    folder: &tempfile::TempDir,
    python: Option<&str>,
    variables: &[(&str, &str)],
) -> Result<String, InterpreterError> {
    let root = folder.path().to_str().unwrap();
    let environment: Environment = variables
        .iter()
        .map(|(name, value)| {
            let folders: Vec<String> = value
                .split(':')
                .map(|part| format!("{root}/{part}"))
                .collect();
            ((*name).to_owned(), folders.join(":"))
        })
        .collect();
    let command = find_python(python, &environment, folder.path())?;
    Ok(command.to_string().replace(&format!("{root}/"), ""))
}

#[test]
fn the_active_environment_comes_before_path() {
    let folder = tree(&[
        "venv/bin/python",
        "conda/bin/python3",
        "usr/bin/python",
        "opt/bin/python3",
    ]);
    let all = [
        ("VIRTUAL_ENV", "venv"),
        ("CONDA_PREFIX", "conda"),
        ("PATH", "usr/bin"),
    ];
    for spec in [
        None,
        Some("same"),
        Some("existing"),
        Some("existing:same"),
        Some("existing:python"),
        Some(":same"),
    ] {
        assert_eq!(
            find(&folder, spec, &all).unwrap(),
            "venv/bin/python",
            "{spec:?}"
        );
    }
    assert_eq!(find(&folder, None, &all[1..]).unwrap(), "conda/bin/python3");
    assert_eq!(find(&folder, None, &all[2..]).unwrap(), "usr/bin/python");
    assert_eq!(
        find(&folder, None, &[("PATH", "nowhere:opt/bin")]).unwrap(),
        "opt/bin/python3"
    );
    assert_eq!(
        find(
            &folder,
            None,
            &[("CONDA_PREFIX", "empty"), ("PATH", "usr/bin")]
        )
        .unwrap(),
        "usr/bin/python"
    );
    assert_eq!(
        find(&folder, Some("python"), &all).unwrap(),
        "usr/bin/python",
        "a command on PATH"
    );
}

#[test]
fn python_comes_before_python3_wherever_it_is_on_path() {
    let folder = tree(&["a/python3", "b/python"]);
    assert_eq!(find(&folder, None, &[("PATH", "a:b")]).unwrap(), "b/python");
}

#[test]
fn a_path_a_folder_or_a_command_may_be_named() {
    let folder = tree(&[
        "my venv/bin/python",
        "bin/pixi",
        "bin/python3.12",
        "home/v/bin/python",
    ]);
    let path = [("PATH", "bin"), ("HOME", "home")];
    let found = |spec: &str| find(&folder, Some(spec), &path).unwrap();
    assert_eq!(found("my venv/bin/python"), "'my venv/bin/python'");
    assert_eq!(
        found("existing:my venv/bin/python"),
        found("my venv/bin/python")
    );
    assert_eq!(found("my venv"), found("my venv/bin/python"));
    assert_eq!(found("~/v/bin/python"), "home/v/bin/python");
    assert_eq!(found("existing:python3.12"), "bin/python3.12");
    assert_eq!(found("python3.12"), "bin/python3.12");
    assert_eq!(
        found("pixi run -e 'cuda 12' python"),
        "bin/pixi run -e 'cuda 12' python"
    );
    assert_eq!(found("bin/pixi run python"), "bin/pixi run python");
}

#[test]
fn links_are_not_followed() {
    let folder = tree(&["real/python3.11"]);
    fs::create_dir_all(folder.path().join("venv/bin")).unwrap();
    let link = folder.path().join("venv/bin/python");
    std::os::unix::fs::symlink(folder.path().join("real/python3.11"), &link).unwrap();
    let command = find_python(
        Some("venv/bin/python"),
        &Environment::default(),
        folder.path(),
    )
    .unwrap();
    assert_eq!(command.executable(), Some(link.as_path()));
}

#[test]
fn what_is_missing_says_the_way_out() {
    let folder = tree(&["bin/python-", "venv/x-"]);
    let error = |spec: Option<&str>, variables: &[(&str, &str)]| {
        find(&folder, spec, variables).unwrap_err().to_string()
    };
    assert!(error(None, &[("PATH", "bin")]).contains("no Python found"));
    assert!(error(None, &[]).contains("--python"));
    assert!(error(None, &[("VIRTUAL_ENV", "venv")]).contains("has no bin/python"));
    assert!(error(Some("bin/python"), &[]).contains("is no executable file"));
    assert!(error(Some("pypy"), &[("PATH", "bin")]).contains("PATH has no `pypy`"));
    assert!(error(Some("existing:3.12"), &[]).ends_with("usually `python3.12`"));
    assert!(error(Some("3.13t"), &[]).ends_with("usually `python3.13t`"));
    assert!(error(Some("pixi run 'x"), &[]).contains("not closed"));
    assert!(error(Some("virtualenv:3.11"), &[]).contains("asv would create"));
    assert!(error(Some("conda"), &[]).contains("asv would create"));
}

#[test]
fn a_command_of_several_words_has_no_executable_of_its_own() {
    let folder = tree(&["bin/uv"]);
    let environment: Environment = [("PATH", folder.path().join("bin"))].into_iter().collect();
    let command = find_python(Some("uv run python"), &environment, folder.path()).unwrap();
    assert_eq!(command.executable(), None);
    assert_eq!(command.words.len(), 3);
}
