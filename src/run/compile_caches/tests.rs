use std::time::Duration;

use fs_err as fs;

use super::*;
use crate::worker::Launch;

/// Writes a file into the cache of each job, and remembers what it found there.
#[derive(Default)]
struct Fake {
    /// Number of files before the job, its folder, and `number` of its attributes.
    jobs: Vec<(Option<usize>, String, Option<i64>)>,
    ending: Option<Ending>,
}

impl Executor for Fake {
    fn discover(&mut self) -> Result<Discovery, WorkerError> {
        Ok(Discovery::default())
    }

    fn execute(&mut self, job: &Job) -> Result<JobOutcome, WorkerError> {
        let folder = job.environment.get("JAX_COMPILATION_CACHE_DIR").cloned();
        let before = folder.as_ref().map(|folder| {
            fs::create_dir_all(folder).unwrap();
            let count = fs::read_dir(folder).unwrap().count();
            fs::write(Path::new(folder).join(count.to_string()), "").unwrap();
            count
        });
        let number = job.attributes.get("number").and_then(Json::as_i64);
        self.jobs.push((before, folder.unwrap_or_default(), number));
        Ok(JobOutcome {
            reports: vec![JobReport::Value {
                benchmark: job.benchmarks[0].clone(),
                value: Json::Int(1),
                flags: Vec::new(),
                facts: Object::new(),
                profile: None,
            }],
            ending: self.ending.unwrap_or(Ending::Exited(0)),
            started_at: 0,
            wall: Duration::ZERO,
            stdout: String::new(),
            stderr: String::new(),
            max_rss: None,
            launch: Launch::Spawn,
            leftovers: 0,
            run_queue_delay: None,
            flags: Vec::new(),
        })
    }
}

fn job(name: &str) -> Job {
    Job {
        kind: JobKind::Benchmark,
        benchmarks: vec![name.to_owned()],
        combination: None,
        attributes: Object::new(),
        attributes_by_benchmark: BTreeMap::new(),
        cache: None,
        environment: BTreeMap::new(),
        profile: true,
        profiles_before: BTreeMap::new(),
        timeout: None,
        deadline: Duration::from_secs(1),
        isolated: false,
    }
}

fn regime_of(outcome: &JobOutcome) -> Option<String> {
    let JobReport::Value { facts, .. } = &outcome.reports[0] else {
        panic!("no value");
    };
    Some(facts.get("compile_cache")?.as_str()?.to_owned())
}

fn run(plan: CachePlan, names: &[&str]) -> (Fake, Vec<Option<String>>) {
    let parent = tempfile::tempdir().unwrap();
    let mut fake = Fake::default();
    let mut caches = CompileCaches::new(&mut fake, plan, parent.path());
    let regimes = names
        .iter()
        .map(|name| regime_of(&caches.execute(&job(name)).unwrap()))
        .collect();
    drop(caches);
    // Nothing private stays behind.
    assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    (fake, regimes)
}

#[test]
fn a_shared_cache_is_left_alone_and_what_compiles_is_cold() {
    let compiling = ["b".to_owned()];
    let plan = CachePlan::new(None, CacheRegime::Shared, compiling);
    let (fake, regimes) = run(plan, &["a", "b", "b"]);
    assert_eq!(regimes, [None, Some("cold".into()), Some("cold".into())]);
    let found: Vec<Option<usize>> = fake.jobs.iter().map(|job| job.0).collect();
    assert_eq!(found, [None, Some(0), Some(0)]);
    assert_ne!(fake.jobs[1].1, fake.jobs[2].1);
}

#[test]
fn the_user_s_word_holds_for_everything() {
    let compiling = ["b".to_owned()];
    let plan = CachePlan::new(Some(CacheRegime::Shared), CacheRegime::Warm, compiling);
    let (_, regimes) = run(plan, &["a", "b"]);
    assert_eq!(regimes, [None, None]);
}

#[test]
fn a_warm_cache_is_filled_by_one_run_that_nobody_sees() {
    let plan = CachePlan::new(Some(CacheRegime::Warm), CacheRegime::Shared, []);
    let (fake, regimes) = run(plan, &["a", "a", "b"]);
    assert_eq!(regimes, vec![Some("warm".to_owned()); 3]);
    let numbers: Vec<Option<i64>> = fake.jobs.iter().map(|job| job.2).collect();
    assert_eq!(numbers, [Some(1), None, None, Some(1), None]);
    let found: Vec<Option<usize>> = fake.jobs.iter().map(|job| job.0).collect();
    assert_eq!(found, [Some(0), Some(1), Some(2), Some(3), Some(4)]);
}

#[test]
fn two_sides_never_share() {
    let parent = tempfile::tempdir().unwrap();
    let plan = CachePlan::new(Some(CacheRegime::Warm), CacheRegime::Shared, []);
    let (mut base, mut head) = (Fake::default(), Fake::default());
    {
        let mut one = CompileCaches::new(&mut base, plan.clone(), parent.path());
        let mut other = CompileCaches::new(&mut head, plan, parent.path());
        one.execute(&job("a")).unwrap();
        other.execute(&job("a")).unwrap();
    }
    assert_ne!(base.jobs[0].1, head.jobs[0].1);
    assert_eq!(head.jobs[0].0, Some(0));
}

#[test]
fn an_interruption_ends_the_filling_too() {
    let parent = tempfile::tempdir().unwrap();
    let plan = CachePlan::new(Some(CacheRegime::Warm), CacheRegime::Shared, []);
    let mut fake = Fake {
        ending: Some(Ending::Interrupted(2)),
        ..Fake::default()
    };
    let mut caches = CompileCaches::new(&mut fake, plan, parent.path());
    let outcome = caches.execute(&job("a")).unwrap();
    assert_eq!(outcome.ending, Ending::Interrupted(2));
    drop(caches);
    assert_eq!(fake.jobs.len(), 1);
}
