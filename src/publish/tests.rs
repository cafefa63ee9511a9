//! Two publishers, refusals, rewritten histories and broken clones, against real repositories.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use fs_err as fs;

use super::*;
use crate::config::{EnvironmentSettings, HistorySettings};
use crate::json::{Json, Object};
use crate::machine::Machine;
use crate::results::{Addition, BenchmarkResult, ResultSet, Store, Value};
use crate::vcs::Git;

/// A bare repository, and what publishers need.
struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let world = Self { folder };
        fs::create_dir(world.path("site.git")).unwrap();
        let git = world.remote();
        git.run(&["init", "--quiet", "--bare", "--initial-branch=pages"])
            .unwrap();
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn remote(&self) -> Git {
        Git::at(&self.path("site.git"))
    }

    fn place(&self, publisher: &str) -> SitePlace {
        SitePlace {
            folder: self.path(publisher).join("clone"),
            repo: self.path("site.git").display().to_string(),
            branch: Some("pages".to_owned()),
            subdir: "proj".into(),
        }
    }

    /// Local results of one publisher: one benchmark of one commit.
    fn local(&self, publisher: &str, commit: char, benchmark: &str, value: f64) -> Store {
        let store = Store::new(self.path(publisher).join("results"));
        let mut params = Object::new();
        params.insert("machine".to_owned(), "vm".into());
        let mut set = ResultSet {
            commit_hash: commit.to_string().repeat(40),
            env_name: "env".to_owned(),
            date: Some(1000),
            params,
            ..ResultSet::default()
        };
        let result = BenchmarkResult {
            values: vec![Value::Number(Json::Float(value))],
            version: Some("v".to_owned()),
            ..BenchmarkResult::default()
        };
        set.results.insert(benchmark.to_owned(), result);
        let machine = Machine {
            name: "vm".to_owned(),
            facts: [("ram".to_owned(), "16416652".to_owned())].into(),
        };
        store.save_machine(&machine).unwrap();
        let addition = Addition {
            set,
            ..Addition::default()
        };
        store.save(&addition).unwrap();
        store
    }

    /// A commit on the site's branch by somebody else.
    fn others_push(&self, name: &str) {
        let other = self.path(&format!("other-{name}"));
        fs::create_dir_all(&other).unwrap();
        let url = self.path("site.git").display().to_string();
        let git = Git::at(&other);
        git.run(&["init", "--quiet", "--initial-branch=pages"])
            .unwrap();
        git.run(&["pull", "--quiet", &url, "pages"]).ok();
        fs::write(other.join(name), name).unwrap();
        commit(&git, name);
        git.run(&["push", "--quiet", &url, "HEAD:pages"]).unwrap();
    }

    /// All files of the site's branch.
    fn files(&self) -> Vec<String> {
        let listed = self
            .remote()
            .run(&["ls-tree", "-r", "--name-only", "pages"]);
        listed.unwrap().lines().map(str::to_owned).collect()
    }

    fn read(&self, file: &str) -> String {
        self.remote()
            .run(&["show", &format!("pages:{file}")])
            .unwrap()
    }
}

fn commit(git: &Git, message: &str) {
    git.run(&["add", "--all"]).unwrap();
    git.run(&[
        "-c",
        "user.name=o",
        "-c",
        "user.email=o@example.org",
        "commit",
        "--quiet",
        "-m",
        message,
    ])
    .unwrap();
}

/// Publishes; `pause` is called where it would sleep.
fn run(
    place: &SitePlace,
    local: &Store,
    pause: &dyn Fn(Duration),
) -> Result<Published, PublishError> {
    publish(&request(place, local, pause))
}

fn request<'a>(site: &'a SitePlace, local: &'a Store, pause: &'a dyn Fn(Duration)) -> Request<'a> {
    static DEFAULTS: LazyLock<(HistorySettings, EnvironmentSettings)> =
        LazyLock::new(Default::default);
    Request {
        site,
        local,
        history: &DEFAULTS.0,
        environment: &DEFAULTS.1,
        draw: &|_, _| Ok(()),
        message: "proj: publish benchmarks for 0123456789ab",
        until: Outcome::Pushed,
        pause,
        jitter: &|| 1.0,
    }
}

fn never(_: Duration) {
    panic!("nobody else pushed");
}

/// Makes the repository run this at every push before it takes it.
fn hook(world: &World, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = world.path("site.git/hooks/pre-receive");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

const A: &str = "proj/results/vm/aaaaaaaa-env.json";
const B: &str = "proj/results/vm/bbbbbbbb-env.json";

#[test]
fn results_reach_an_empty_repository_normalised_and_once() {
    let world = World::new();
    let place = world.place("one");
    let local = world.local("one", 'a', "b.x", 1.0);
    let published = run(&place, &local, &never).unwrap();
    assert_eq!(published.outcome, Outcome::Pushed);
    assert_eq!(world.files(), [A, "proj/results/vm/machine.json"]);
    assert!(world.read(A).contains("\"ram\": \"17GB\""));
    assert!(world.read(A).contains("\"versions\": {\"b.x\": \"v\"}"));
    let subject = world
        .remote()
        .run(&["log", "-1", "--format=%s", "pages"])
        .unwrap();
    assert_eq!(subject, "proj: publish benchmarks for 0123456789ab");

    let again = run(&place, &local, &never).unwrap();
    assert_eq!((again.outcome, again.commit), (Outcome::Nothing, None));
    // From another clone that is not there yet neither.
    let again = run(&world.place("two"), &local, &never).unwrap();
    assert_eq!(again.outcome, Outcome::Nothing);
}

#[test]
fn what_is_on_the_site_stays() {
    let world = World::new();
    world.others_push("index.html");
    run(
        &world.place("one"),
        &world.local("one", 'a', "b.x", 1.0),
        &never,
    )
    .unwrap();
    run(
        &world.place("two"),
        &world.local("two", 'a', "b.y", 2.0),
        &never,
    )
    .unwrap();
    run(
        &world.place("two"),
        &world.local("two", 'b', "b.x", 3.0),
        &never,
    )
    .unwrap();
    assert_eq!(
        world.files(),
        ["index.html", A, B, "proj/results/vm/machine.json"]
    );
    let merged = world.read(A);
    assert!(
        merged.contains("\"b.x\"") && merged.contains("\"b.y\""),
        "{merged}"
    );
}

#[test]
fn of_two_publishers_nothing_is_lost() {
    let world = World::new();
    run(
        &world.place("zero"),
        &world.local("zero", 'c', "b.x", 1.0),
        &never,
    )
    .unwrap();
    let one = (world.place("one"), world.local("one", 'a', "b.x", 1.0));
    let two = (world.place("two"), world.local("two", 'b', "b.x", 2.0));
    // The first push of the one is refused, and before it comes again the other has pushed.
    hook(&world, "test -e took-one || { touch took-one; exit 1; }");
    let pauses = Cell::new(0);
    let pause = |_: Duration| {
        pauses.set(pauses.get() + 1);
        run(&two.0, &two.1, &never).unwrap();
    };
    let published = run(&one.0, &one.1, &pause).unwrap();
    assert_eq!((published.outcome, pauses.get()), (Outcome::Pushed, 1));
    let files = world.files();
    assert!(
        files.contains(&A.to_owned()) && files.contains(&B.to_owned()),
        "{files:?}"
    );
}

#[test]
fn many_publishers_at_once_lose_nothing() {
    let world = World::new();
    let digits: Vec<char> = "0123456789".chars().collect();
    std::thread::scope(|scope| {
        for digit in &digits[..4] {
            let world = &world;
            scope.spawn(move || {
                let name = format!("p{digit}");
                let local = world.local(&name, *digit, "b.x", 1.0);
                let place = world.place(&name);
                run(&place, &local, &|_| {
                    std::thread::sleep(Duration::from_millis(50));
                })
                .unwrap();
            });
        }
    });
    let results = world
        .files()
        .iter()
        .filter(|name| name.ends_with("-env.json"))
        .count();
    assert_eq!(results, 4);
}

/// Publishes without pushing.
fn commit_only(place: &SitePlace, local: &Store) -> Published {
    publish(&Request {
        until: Outcome::Committed,
        ..request(place, local, &never)
    })
    .unwrap()
}

/// Files of the commit in the clone.
fn committed(place: &SitePlace) -> Vec<String> {
    let listed = Git::at(&place.folder).run(&["ls-tree", "-r", "--name-only", "HEAD"]);
    listed.unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn what_was_not_pushed_is_taken_up_as_far_as_local_results_explain_it() {
    for is_new in [true, false] {
        let world = World::new();
        if !is_new {
            run(
                &world.place("zero"),
                &world.local("zero", 'c', "b.x", 1.0),
                &never,
            )
            .unwrap();
        }
        let place = world.place("one");
        world.local("one", 'a', "b.x", 1.0);
        let local = world.local("one", 'b', "b.x", 2.0);
        let first = commit_only(&place, &local);
        assert_eq!(first.merged.added, 2);
        let git = Git::at(&place.folder);
        let parents = || {
            let line = git.run(&["rev-list", "--parents", "--max-count=1", "HEAD"]);
            line.unwrap().split(' ').count() - 1
        };
        assert_eq!(parents(), usize::from(!is_new));
        // Nothing is gone through again, and there is still one commit on top of the site.
        let again = commit_only(&place, &local);
        assert_eq!((again.merged.added, again.merged.same), (0, 2));
        assert_eq!(parents(), usize::from(!is_new));
        // A local result that is gone goes from it, another value replaces the old one.
        fs::remove_file(world.path("one/results/vm/aaaaaaaa-env.json")).unwrap();
        let local = world.local("one", 'b', "b.x", 3.0);
        commit_only(&place, &local);
        let files = committed(&place);
        assert!(!files.contains(&A.to_owned()), "{files:?}");
        assert!(files.contains(&B.to_owned()), "{files:?}");
        let text = fs::read_to_string(place.folder.join(B)).unwrap();
        assert!(text.contains("[3.0]"), "{text}");
        // Without the ledger nothing is explained, and all of it is made again.
        fs::remove_file(place.folder.join(".git/lcmbench-ledger.json")).unwrap();
        assert_eq!(commit_only(&place, &local).merged.added, 1);
        assert_eq!(
            run(&place, &local, &never).unwrap().outcome,
            Outcome::Pushed
        );
        assert!(world.files().contains(&B.to_owned()));
        assert_eq!(world.files().len(), if is_new { 2 } else { 3 });
    }
}

#[test]
fn what_was_not_pushed_goes_on_top_of_what_others_pushed() {
    let world = World::new();
    let place = world.place("one");
    let local = world.local("one", 'a', "b.x", 1.0);
    commit_only(&place, &local);
    run(
        &world.place("two"),
        &world.local("two", 'b', "b.x", 2.0),
        &never,
    )
    .unwrap();
    run(&place, &local, &never).unwrap();
    assert_eq!(world.files(), [A, B, "proj/results/vm/machine.json"]);
    // A file that a killed try left is no part of it.
    commit_only(&place, &world.local("one", 'd', "b.x", 1.0));
    fs::write(place.folder.join("proj/stray"), "").unwrap();
    fs::write(place.folder.join(A), "{}").unwrap();
    run(&place, &local, &never).unwrap();
    assert!(!world.files().contains(&"proj/stray".to_owned()));
    assert!(world.read(A).contains("b.x"));
}

#[test]
fn a_repository_that_refuses_is_said_after_three_tries() {
    let world = World::new();
    run(
        &world.place("zero"),
        &world.local("zero", 'c', "b.x", 1.0),
        &never,
    )
    .unwrap();
    hook(&world, "echo no entry; exit 1");
    let pauses = RefCell::new(Vec::new());
    let pause = |pause| pauses.borrow_mut().push(pause);
    let local = world.local("one", 'a', "b.x", 1.0);
    let error = run(&world.place("one"), &local, &pause).unwrap_err();
    assert!(error.is_remote(), "{error:?}");
    assert!(matches!(error, PublishError::Refused(_)));
    assert_eq!(
        *pauses.borrow(),
        [Duration::from_millis(200), Duration::from_millis(400)]
    );
}

#[test]
fn a_repository_that_is_away_is_said_and_the_clone_stays() {
    let world = World::new();
    let (place, local) = (world.place("one"), world.local("one", 'a', "b.x", 1.0));
    run(&place, &local, &never).unwrap();
    fs::rename(world.path("site.git"), world.path("away")).unwrap();
    let error = run(&place, &local, &never).unwrap_err();
    assert!(matches!(error, PublishError::Unreachable(_)), "{error:?}");
    fs::rename(world.path("away"), world.path("site.git")).unwrap();
    assert_eq!(
        run(&place, &local, &never).unwrap().outcome,
        Outcome::Nothing
    );
}

#[test]
fn a_rewritten_history_is_followed() {
    let world = World::new();
    let (place, local) = (world.place("one"), world.local("one", 'a', "b.x", 1.0));
    run(&place, &local, &never).unwrap();
    // Somebody made the site anew.
    let other = world.path("anew");
    fs::create_dir_all(&other).unwrap();
    let git = Git::at(&other);
    git.run(&["init", "--quiet", "--initial-branch=pages"])
        .unwrap();
    fs::write(other.join("fresh"), "").unwrap();
    commit(&git, "Anew");
    let url = world.path("site.git").display().to_string();
    git.run(&["push", "--quiet", "--force", &url, "HEAD:pages"])
        .unwrap();
    let published = run(&place, &local, &never).unwrap();
    assert_eq!(published.outcome, Outcome::Pushed);
    assert_eq!(world.files(), ["fresh", A, "proj/results/vm/machine.json"]);
}

#[test]
fn a_broken_clone_is_made_anew() {
    let world = World::new();
    let (place, local) = (world.place("one"), world.local("one", 'a', "b.x", 1.0));
    run(&place, &local, &never).unwrap();
    let harms: [&dyn Fn(&Path); 4] = [
        &|clone| fs::remove_dir_all(clone).unwrap(),
        &|clone| fs::remove_dir_all(clone.join(".git")).unwrap(),
        &|clone| fs::write(clone.join(".git/HEAD"), "odd").unwrap(),
        &|clone| fs::write(clone.join(".git/index"), "odd").unwrap(),
    ];
    for (number, harm) in ('0'..'4').zip(harms) {
        harm(&place.folder);
        let local = world.local("more", number, "b.x", 2.0);
        assert_eq!(
            run(&place, &local, &never).unwrap().outcome,
            Outcome::Pushed
        );
    }
    assert_eq!(world.files().len(), 6);
}

#[test]
fn a_subdir_outside_the_repository_is_refused() {
    use crate::config::SiteSettings;
    for wrong in ["..", "/etc", "a/../../b", ".git"] {
        let settings = SiteSettings {
            repo: Some("r".to_owned()),
            branch: None,
            subdir: Some(wrong.to_owned()),
        };
        let error = SitePlace::new(&settings, PathBuf::new()).unwrap_err();
        assert!(matches!(error, PublishError::Subdir(_)), "{wrong}");
    }
}
