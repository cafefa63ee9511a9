//! The script of the Action: inputs become arguments, and the binary is found or refused.

use std::path::{Path, PathBuf};

use fs_err as fs;

use super::act::executable;
use crate::common::Project;
use crate::common::command::Lcmbench;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A binary that prints its version when asked, and else its arguments, one a line, and its token.
fn stub(path: &Path, version: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'lcmbench {version}'; exit; fi\n\
         for one in \"$@\"; do echo \"<$one>\"; done\necho \"token ${{LCMBENCH_TOKEN-none}}\"\n\
         env | grep -c ^LCMBENCH_ACTION_\necho \"$0 in $PWD\"\n"
    );
    fs::write(path, text).unwrap();
    executable(path);
}

fn target() -> String {
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}

fn cached(project: &Project, version: &str) -> PathBuf {
    project
        .home()
        .join("cache/lcmbench")
        .join(version)
        .join(target())
        .join("lcmbench")
}

/// The script with a tool cache of its own and a PATH of the system alone.
fn action(project: &Project, inputs: &[(&str, &str)]) -> Lcmbench {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/action/main.sh");
    run(&script, project, inputs)
}

fn run(script: &Path, project: &Project, inputs: &[(&str, &str)]) -> Lcmbench {
    let mut command = project
        .program("bash")
        .args(["--noprofile", "--norc"])
        .arg(script)
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", project.home().join("tools").display()),
        )
        .env("RUNNER_TOOL_CACHE", project.home().join("cache"))
        .env("LCMBENCH_ACTION_COMMAND", "run")
        .env("LCMBENCH_ACTION_DIRECTORY", ".");
    for (name, value) in inputs {
        command = command.env(&format!("LCMBENCH_ACTION_{name}"), value);
    }
    command
}

#[test]
fn inputs_become_arguments_and_nothing_in_them_is_expanded() {
    let project = Project::without_git();
    stub(&cached(&project, VERSION), VERSION);
    fs::create_dir(project.path("sub")).unwrap();
    let output = action(
        &project,
        &[
            ("COMMAND", "pr"),
            ("ARGUMENTS", "--key 'a b' \"$(touch pwned)\"\n--x=*"),
            ("BENCH", "^a b$\n\n--c"),
            ("PYTHON", "pixi run -e x python"),
            ("MACHINE", "gpu-01"),
            ("FAIL_ON", " slower, failed\n"),
            ("DIRECTORY", "sub"),
            ("TOKEN", "t0"),
        ],
    )
    .run()
    .expect(0);
    let cache = cached(&project, VERSION);
    let expected = format!(
        "<pr>\n<--bench=^a b$>\n<--bench=--c>\n<--python=pixi run -e x python>\n<--machine=gpu-01>\n\
         <--fail-on=slower,failed>\n<--key>\n<a b>\n<$(touch pwned)>\n<--x=*>\ntoken t0\n0\n{} in {}\n",
        cache.display(),
        project.path("sub").display()
    );
    assert_eq!(output.stdout, expected);
    assert!(!project.path("pwned").exists() && !project.path("sub/pwned").exists());
}

#[test]
fn only_commands_that_report_get_the_token() {
    let project = Project::without_git();
    stub(&cached(&project, VERSION), VERSION);
    for (command, arguments, token) in [
        ("run", "", "none"),
        ("quick", "", "none"),
        ("main", "", "none"),
        ("pair", "", "none"),
        ("pr", "--handoff file.json", "none"),
        ("pr", "--handoff=file.json", "none"),
        ("pr", "", "t0"),
        ("check", "--status", "t0"),
        ("report", "--handoff file.json", "t0"),
    ] {
        let output = action(
            &project,
            &[
                ("COMMAND", command),
                ("ARGUMENTS", arguments),
                ("TOKEN", "t0"),
            ],
        )
        .run()
        .expect(0);
        let said = format!("token {token}\n");
        assert!(
            output.stdout.contains(&said),
            "{command} {arguments}: {}",
            output.stdout
        );
    }
}

#[test]
fn bad_inputs_are_errors_of_usage_with_an_annotation() {
    let project = Project::without_git();
    stub(&cached(&project, VERSION), VERSION);
    for (name, value, said) in [
        ("COMMAND", "--help", "the input 'command'"),
        ("COMMAND", "run; rm", "the input 'command'"),
        ("ARGUMENTS", "--key 'a", "a quote that is not closed"),
        ("VERSION", "latest", "the input 'version'"),
        ("DIRECTORY", "nowhere", "does actions/checkout come first?"),
        ("BINARY", "/nowhere", "no executable file"),
        ("COMMAND", "a\n::error::b%", "a%0A::error::b%25"),
    ] {
        let output = action(&project, &[(name, value)]).run().expect(3);
        assert!(
            output.stdout.starts_with("::error title=lcmbench::"),
            "{}",
            output.stdout
        );
        assert!(output.stdout.contains(said), "{said}: {}", output.stdout);
        assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
    }
}

#[test]
fn the_binary_is_looked_for_in_order() {
    let project = Project::without_git();
    let named = project.home().join("named/lcmbench");
    let on_path = project.home().join("tools/lcmbench");
    let used = |inputs: &[(&str, &str)]| action(&project, inputs).run().expect(0).stdout;
    // Nothing is there, and no release is known.
    let output = action(&project, &[("VERSION", "9.9.9")]).run().expect(3);
    assert!(
        output.stdout.contains("no lcmbench 9.9.9 was found"),
        "{}",
        output.stdout
    );
    // Another version on PATH is not taken for this one.
    stub(&on_path, "9.9.8");
    let _other = action(&project, &[("VERSION", "9.9.9")]).run().expect(3);
    stub(&on_path, "9.9.9");
    assert!(used(&[("VERSION", "9.9.9")]).contains(on_path.to_str().unwrap()));
    // The tool cache goes before PATH, if it is what it says.
    stub(&cached(&project, "9.9.9"), "1.0.0");
    assert!(used(&[("VERSION", "9.9.9")]).contains(on_path.to_str().unwrap()));
    stub(&cached(&project, "9.9.9"), "9.9.9");
    let cache = cached(&project, "9.9.9");
    assert!(used(&[("VERSION", "9.9.9")]).contains(cache.to_str().unwrap()));
    // What is named goes before all.
    stub(&named, "0.0.1");
    let path = named.to_str().unwrap();
    assert!(used(&[("VERSION", "9.9.9"), ("BINARY", path)]).contains(path));
}

/// The Action with a release whose digest it knows, and a `curl` that brings `content`.
fn with_release(project: &Project, content: &str) -> PathBuf {
    let folder = project.home().join("action");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::create_dir_all(folder.join("scripts/action")).unwrap();
    for name in ["main.sh", "binary.sh"] {
        let name = format!("scripts/action/{name}");
        fs::copy(root.join(&name), folder.join(&name)).unwrap();
    }
    fs::copy(root.join("Cargo.toml"), folder.join("Cargo.toml")).unwrap();
    let release = project.home().join("release");
    stub(&release, "9.9.9");
    let sum = project
        .program("sha256sum")
        .arg(&release)
        .run()
        .expect(0)
        .stdout;
    let digest = &sum[..64];
    fs::write(
        folder.join("scripts/action/checksums.txt"),
        format!("# x\n{digest}  lcmbench-9.9.9-{}\n", target()),
    )
    .unwrap();
    let served = project.home().join("served");
    fs::write(
        &served,
        content.replace("RELEASE", &fs::read_to_string(&release).unwrap()),
    )
    .unwrap();
    let curl = project.home().join("tools/curl");
    fs::create_dir_all(curl.parent().unwrap()).unwrap();
    fs::write(
        &curl,
        format!(
            "#!/bin/sh\necho \"$@\" >> '{}'\nwhile [ \"$1\" != --output ]; do shift; done\ncp '{}' \"$2\"\n",
            project.home().join("asked").display(),
            served.display()
        ),
    )
    .unwrap();
    executable(&curl);
    folder.join("scripts/action/main.sh")
}

#[test]
fn a_release_is_fetched_once_and_compared_every_time() {
    let project = Project::without_git();
    let script = with_release(&project, "RELEASE");
    let inputs = [("VERSION", "9.9.9")];
    for _ in 0..2 {
        let output = run(&script, &project, &inputs).run().expect(0);
        assert!(output.stdout.contains("<run>"), "{}", output.stdout);
    }
    let asked = || fs::read_to_string(project.home().join("asked")).unwrap();
    assert_eq!(asked().lines().count(), 1, "{}", asked());
    assert!(asked().contains(&format!(
        "https://github.com/{}/releases/download/v9.9.9/lcmbench-9.9.9-{}",
        lcmbench::github::ACTION,
        target()
    )));
    // Somebody has changed what lies in the cache of the runner.
    stub(&cached(&project, "9.9.9"), "9.9.9 ");
    let output = run(&script, &project, &inputs).run().expect(0);
    assert!(
        output.stdout.contains("is not the binary of the release"),
        "{}",
        output.stdout
    );
    assert_eq!(asked().lines().count(), 2);
}

#[test]
fn a_download_that_is_another_file_is_refused() {
    let project = Project::without_git();
    let script = with_release(&project, "#!/bin/sh\necho pwned\n");
    let output = run(&script, &project, &[("VERSION", "9.9.9")])
        .run()
        .expect(3);
    assert!(
        output
            .stdout
            .contains("is not the file that this Action knows"),
        "{}",
        output.stdout
    );
    assert!(!output.stdout.contains("pwned"));
    assert!(!cached(&project, "9.9.9").exists());
}
