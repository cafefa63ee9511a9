//! The token stands in lcmbench's own environment, and benchmarks run as the same user.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fs_err as fs;

use super::fake::{DEV_TOKEN, Fake, What};
use crate::common::python::skip;

/// Who owns nothing, where the tests are run by root, who may read everything.
const NOBODY: &str = "65534";

/// A program of a user who is not root, with the token among its variables.
fn as_somebody(program: &Path, folder: &Path) -> Command {
    let mut command = if rustix::process::geteuid().is_root() {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--"])
            .arg(program);
        command
    } else {
        Command::new(program)
    };
    command
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", folder)
        .env("GH_TOKEN", DEV_TOKEN)
        .current_dir(folder)
        .stdin(Stdio::null());
    command
}

/// A process that is ended with its test.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

#[test]
fn no_process_of_the_same_user_reads_the_token_from_lcmbench() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let open = || std::fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder, open()).unwrap();
    // Where it was built others may not look.
    let binary = folder.join("lcmbench");
    fs::copy(env!("CARGO_BIN_EXE_lcmbench"), &binary).unwrap();
    fs::set_permissions(&binary, open()).unwrap();
    let read = |process: u32| {
        let path = format!("/proc/{process}/environ");
        let output = as_somebody(Path::new("cat"), folder).arg(path).output();
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let sleeping = as_somebody(Path::new("sleep"), folder).arg("600").spawn();
    let Ok(sleeping) = sleeping.map(Ended) else {
        return skip(
            "the tests are run by root, and there is no `setpriv` to become somebody else",
        );
    };
    // An ordinary process shows its variables, once it is its own program.
    let deadline = Instant::now() + Duration::from_mins(2);
    while !read(sleeping.0.id()).unwrap().contains(DEV_TOKEN) {
        if Instant::now() > deadline {
            return skip("no process can read the variables of another one of its user here");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let fake = Fake::start();
    fake.fault("GET", What::NeverAnswer);
    let lcmbench = as_somebody(&binary, folder)
        .args(["check", "--pr", "7", "--repo", "owner/project"])
        .env("GITHUB_API_URL", fake.url())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut lcmbench = Ended(lcmbench.unwrap());
    while fake.state().requests.is_empty() {
        let ended = lcmbench.0.try_wait().unwrap();
        assert!(ended.is_none() && Instant::now() < deadline, "{ended:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    let seen = read(lcmbench.0.id()).unwrap();
    assert_eq!(seen, "", "lcmbench shows its variables");
    assert!(lcmbench.0.try_wait().unwrap().is_none());
}
