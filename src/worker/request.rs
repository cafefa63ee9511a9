//! What we ask the worker, as lines of JSON.

use std::path::Path;

use super::job::{Job, JobKind};
use super::options::WorkerOptions;
use crate::json::{Json, Object, object, to_compact};

/// `configure`: comes first. `benchmark_dir` must be Unicode; else `None`. `package_file` is where
/// the discovery found the measured package.
pub(super) fn configure(options: &WorkerOptions, package_file: Option<&Path>) -> Option<String> {
    let affinity = options.cpu_affinity.as_ref().map_or(Json::Null, |list| {
        list.iter()
            .map(|processor| index(*processor))
            .collect::<Vec<Json>>()
            .into()
    });
    let benchmark_dir = options.benchmark_dir.to_str()?;
    let path = |path: Option<&Path>| path.and_then(Path::to_str).map_or(Json::Null, Json::from);
    Some(line(
        "configure",
        [
            ("benchmark_dir", benchmark_dir.into()),
            ("setup_scope", options.setup_scope.word().into()),
            ("device_sync", options.device_sync.into()),
            ("cpu_affinity", affinity),
            (
                "package",
                options.package.clone().map_or(Json::Null, Json::from),
            ),
            ("package_file", path(package_file)),
            ("checkout", path(options.checkout.as_deref())),
        ],
    ))
}

/// `discover` or `quit`.
pub(super) fn plain(request: &str) -> String {
    line(request, [])
}

/// `fork` or `run`. `cwd` must be Unicode; else `None`. What is at its default is left out: reading a
/// request is a good part of what a short job costs.
pub(super) fn job(request: &str, id: i64, job: &Job, cwd: &Path) -> Option<String> {
    let by_benchmark: Object = job
        .attributes_by_benchmark
        .iter()
        .map(|(name, attributes)| (name.clone(), attributes.clone().into()))
        .collect();
    let environment: Object = job
        .environment
        .iter()
        .map(|(name, value)| (name.clone(), value.clone().into()))
        .collect();
    let profiles: Object = job
        .profiles_before
        .iter()
        .map(|(name, profile)| (name.clone(), profile.clone().into()))
        .collect();
    let mut fields = object([
        ("id", id.into()),
        ("cwd", cwd.to_str()?.into()),
        ("benchmarks", job.benchmarks.clone().into()),
    ]);
    let is_cache = job.kind == JobKind::SetupCache;
    let combination = job.combination.map_or(Json::Null, index);
    let timeout = job.timeout.map_or(Json::Null, Json::from);
    let optional = [
        (is_cache, "kind", "setup_cache".into()),
        (job.combination.is_some(), "combination", combination),
        (
            !job.attributes.is_empty(),
            "attributes",
            job.attributes.clone().into(),
        ),
        (
            !by_benchmark.is_empty(),
            "attributes_by_benchmark",
            by_benchmark.into(),
        ),
        (!is_cache && job.cache.is_some(), "has_cache", true.into()),
        (!environment.is_empty(), "environment", environment.into()),
        (job.profile, "profile", true.into()),
        (!profiles.is_empty(), "profiles_before", profiles.into()),
        (job.timeout.is_some(), "timeout", timeout),
    ];
    let stated = optional.into_iter().filter(|(is_stated, ..)| *is_stated);
    fields.extend(stated.map(|(_, key, value)| (key.to_owned(), value)));
    Some(line(request, [("job", fields.into())]))
}

fn line<const N: usize>(request: &str, fields: [(&str, Json); N]) -> String {
    let mut members = object([("request", request.into())]);
    members.extend(object(fields));
    let mut line = to_compact(&members.into());
    line.push('\n');
    line
}

fn index(value: usize) -> Json {
    i64::try_from(value).unwrap_or(i64::MAX).into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;
    use crate::config::SetupScope;
    use crate::json::parse;
    use crate::sys::env::Environment;

    #[test]
    fn configure_says_all_settings() {
        let mut options = WorkerOptions::new(
            vec!["python".to_owned()],
            PathBuf::from("/süite"),
            Environment::default(),
        );
        options.cpu_affinity = Some(vec![0, 3]);
        options.package = Some("lcm".to_owned());
        options.checkout = Some(PathBuf::from("/c"));
        let line = configure(&options, Some(Path::new("/c/lcm/__init__.py"))).unwrap();
        assert_eq!(
            line,
            "{\"request\": \"configure\", \"benchmark_dir\": \"/s\\u00fcite\", \
             \"setup_scope\": \"auto\", \"device_sync\": false, \"cpu_affinity\": [0, 3], \
             \"package\": \"lcm\", \"package_file\": \"/c/lcm/__init__.py\", \
             \"checkout\": \"/c\"}\n"
        );
        options.cpu_affinity = None;
        options.setup_scope = SetupScope::Call;
        let line = configure(&options, None).unwrap();
        let read = parse(line.trim_end()).unwrap();
        assert_eq!(read.get("cpu_affinity"), Some(&Json::Null));
        assert_eq!(read.get("setup_scope"), Some(&"call".into()));
    }

    #[test]
    fn a_job_says_all_it_needs() {
        let attributes = object([("number", 3_i64.into())]);
        let mut work = Job {
            kind: JobKind::Benchmark,
            benchmarks: vec!["a.time_x".to_owned(), "a.track_y".to_owned()],
            combination: Some(2),
            attributes: attributes.clone(),
            attributes_by_benchmark: BTreeMap::from([("a.time_x".to_owned(), attributes)]),
            cache: Some(PathBuf::from("/cache")),
            environment: BTreeMap::from([("A".to_owned(), "1".to_owned())]),
            profile: true,
            profiles_before: BTreeMap::from([("a.time_x".to_owned(), "eJw=".to_owned())]),
            timeout: Some(1.5),
            deadline: Duration::from_mins(1),
            isolated: false,
        };
        let cwd = Path::new("/cache");
        assert_eq!(
            job("fork", 7, &work, cwd).unwrap(),
            "{\"request\": \"fork\", \"job\": {\"id\": 7, \"cwd\": \
             \"/cache\", \"benchmarks\": [\"a.time_x\", \"a.track_y\"], \"combination\": 2, \
             \"attributes\": {\"number\": 3}, \"attributes_by_benchmark\": {\"a.time_x\": \
             {\"number\": 3}}, \"has_cache\": true, \"environment\": {\"A\": \"1\"}, \
             \"profile\": true, \"profiles_before\": {\"a.time_x\": \"eJw=\"}, \
             \"timeout\": 1.5}}\n"
        );
        work.kind = JobKind::SetupCache;
        work.combination = None;
        work.timeout = None;
        let line = job("run", 8, &work, cwd).unwrap();
        let read = parse(line.trim_end()).unwrap();
        let inner = read.get("job").unwrap();
        assert_eq!(inner.get("kind"), Some(&"setup_cache".into()));
        for absent in ["has_cache", "combination", "timeout"] {
            assert_eq!(inner.get(absent), None, "{absent}");
        }
    }
}
