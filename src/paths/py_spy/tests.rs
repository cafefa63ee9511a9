use std::os::unix::fs::PermissionsExt;

use super::*;

fn sampling(folder: &Path) -> Sampling {
    Sampling {
        output: folder.join("out.svg"),
        rate: 250,
    }
}

fn attach(script: &str) -> (tempfile::TempDir, Result<PySpy, PySpyError>) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("py-spy");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let environment: Environment = [("PATH", "/usr/bin:/bin")].into_iter().collect();
    let sampling = sampling(folder.path());
    let attached = PySpy::attach(&program, 4711, &sampling, &environment, None);
    (folder, attached)
}

#[test]
fn it_is_asked_for_a_flame_graph_of_the_process() {
    let arguments = arguments(4711, &sampling(Path::new("/x")));
    assert_eq!(
        arguments.join(" ".as_ref()),
        "record --format flamegraph --pid 4711 --rate 250 --output /x/out.svg"
    );
}

#[test]
fn it_is_awaited_ended_and_has_written() {
    let script = |last_words: &str| {
        format!(
            "for last; do :; done\n\
             trap 'echo done > \"$last\"; echo \"{last_words}\"; exit 0' INT\n\
             echo 'py-spy> Sampling process 250 times a second.'\n\
             while :; do sleep 0.02; done"
        )
    };
    for (last_words, samples) in [
        ("py-spy> Wrote the data. Samples: 99 Errors: 0", Some(99)),
        ("", None),
    ] {
        let (folder, attached) = attach(&script(last_words));
        assert_eq!(Box::new(attached.unwrap()).finish().unwrap(), samples);
        assert!(folder.path().join("out.svg").is_file());
    }
    let (_folder, attached) = attach(&script("Samples: 0 Errors: 0"));
    let error = Box::new(attached.unwrap()).finish().unwrap_err();
    assert!(matches!(error, PySpyError::NoSample), "{error}");
}

#[test]
fn an_old_picture_is_not_taken_for_a_new_one() {
    let script = "trap 'echo Error: read-only >&2; exit 1' INT\n\
                  echo 'py-spy> Sampling process 250 times a second.'\n\
                  while :; do sleep 0.02; done";
    let (folder, attached) = attach(script);
    fs::write(folder.path().join("out.svg"), "").unwrap();
    let error = Box::new(attached.unwrap()).finish().unwrap_err();
    assert_eq!(
        error.to_string(),
        "py-spy ended without a profile: Error: read-only"
    );
}

#[test]
fn a_missing_permission_is_told_with_its_remedy() {
    let (_folder, attached) = attach("echo 'Permission Denied: Try again' >&2; exit 1");
    let message = attached.unwrap_err().to_string();
    assert!(
        message.starts_with("py-spy may not look into the process; "),
        "{message}"
    );
    let (_folder, attached) =
        attach("echo 'Error: Failed to get process executable name. Check it.' >&2; exit 1");
    let error = attached.unwrap_err();
    assert!(matches!(error, PySpyError::NotPermitted { .. }), "{error}");
    let (_folder, attached) = attach("echo 'Error: no such process' >&2; exit 1");
    assert_eq!(
        attached.unwrap_err().to_string(),
        "py-spy ended without a profile: Error: no such process"
    );
}
