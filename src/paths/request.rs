//! What the Python side is asked, as lines of JSON.

use std::time::Duration;

use crate::config::SetupScope;
use crate::json::{Json, Object, to_compact};

/// One request; each gets exactly one reply.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Which fixtures there are.
    List,
    /// Load the fixture of this number.
    Load(i64),
    /// Make the plan of a path and evaluate it once.
    Build(String),
    /// Evaluate a path so many times, untimed.
    Warm(String, u32),
    /// Time so many calls of a path, after one that is not timed.
    Block(String, u32),
    /// Time so many calls of a path with nothing around them.
    Loop(String, u32),
    /// The largest differences of a path's output from those of others.
    Compare(String, Vec<String>),
    /// One fit.
    Fit(FitRequest),
    /// Start Python, if it does not run yet.
    Hello,
    /// Set up a benchmark of a suite and call it until it is warm.
    Prepare(SuiteBenchmark),
    /// Call the prepared benchmark so often, or for so long.
    Repeat(Length),
    /// Tear the prepared benchmark down.
    Release,
    /// Let a profiler look into the process; answers with its id.
    Trace,
}

/// A benchmark of a suite with one combination of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteBenchmark {
    /// The folder of the suite, absolute.
    pub suite: String,
    /// The folder to run in, absolute.
    pub folder: String,
    /// `module.Class.function`.
    pub name: String,
    /// The name with the values of the parameters, for people.
    pub shown: String,
    /// Position of the combination; `None` if unparameterised.
    pub combination: Option<usize>,
    pub setup_scope: SetupScope,
    /// Whether arrays that a call returns are waited for.
    pub device_sync: bool,
}

/// How long a loop is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Length {
    Calls(u32),
    /// At least one call.
    Lasting(Duration),
}

/// One fit on a path.
#[derive(Debug, Clone, PartialEq)]
pub struct FitRequest {
    pub path: String,
    pub watch: Watch,
    /// Number of the start; 0 for the model's own initial values.
    pub start: usize,
    /// The starts of the runs before this one, from run 0 on; null where one has none.
    pub known: Vec<Json>,
}

/// Which functions are watched while a fit runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    Nothing,
    Counted,
    Planning,
}

/// Where the fixtures are; comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Configuration<'a> {
    pub(super) directory: &'a str,
    pub(super) fixture: Option<&'a str>,
    pub(super) examples: Option<&'a str>,
    /// Import name of what is measured.
    pub(super) package: Option<&'a str>,
}

impl Request {
    /// The line of this request.
    pub(super) fn line(&self) -> String {
        match self {
            Self::List => line("list", []),
            Self::Load(number) => line("load", [("number", (*number).into())]),
            Self::Build(path) => line("build", [("path", path.clone().into())]),
            Self::Warm(path, calls) => line("warm", counted(path, *calls)),
            Self::Block(path, calls) => line("block", counted(path, *calls)),
            Self::Loop(path, calls) => line("loop", counted(path, *calls)),
            Self::Compare(path, against) => line(
                "compare",
                [
                    ("path", path.clone().into()),
                    ("against", against.clone().into()),
                ],
            ),
            Self::Fit(fit) => line("fit", fit.fields()),
            Self::Hello => line("hello", []),
            Self::Prepare(benchmark) => line("prepare", benchmark.fields()),
            Self::Repeat(length) => line("repeat", length.fields()),
            Self::Release => line("release", []),
            Self::Trace => line("trace", []),
        }
    }
}

impl SuiteBenchmark {
    fn fields(&self) -> [(&'static str, Json); 6] {
        let combination = self
            .combination
            .map(|place| i64::try_from(place).unwrap_or(i64::MAX));
        [
            ("benchmark_dir", self.suite.clone().into()),
            ("cwd", self.folder.clone().into()),
            ("benchmark", self.name.clone().into()),
            ("combination", combination.map_or(Json::Null, Json::from)),
            ("setup_scope", self.setup_scope.word().into()),
            ("device_sync", self.device_sync.into()),
        ]
    }
}

impl Length {
    fn fields(self) -> [(&'static str, Json); 2] {
        let (calls, seconds) = match self {
            Self::Calls(calls) => (i64::from(calls).into(), Json::Null),
            Self::Lasting(duration) => (Json::Null, duration.as_secs_f64().into()),
        };
        [("calls", calls), ("seconds", seconds)]
    }
}

impl FitRequest {
    fn fields(&self) -> [(&'static str, Json); 4] {
        let watch = match self.watch {
            Watch::Nothing => Json::Null,
            Watch::Counted => "counted".into(),
            Watch::Planning => "planning".into(),
        };
        [
            ("path", self.path.clone().into()),
            ("watch", watch),
            (
                "start",
                i64::try_from(self.start).unwrap_or(i64::MAX).into(),
            ),
            ("known", Json::Array(self.known.clone())),
        ]
    }
}

impl Configuration<'_> {
    pub(super) fn line(&self) -> String {
        let text = |text: Option<&str>| text.map_or(Json::Null, Json::from);
        line(
            "configure",
            [
                ("directory", self.directory.into()),
                ("fixture", text(self.fixture)),
                ("examples", text(self.examples)),
                ("package", text(self.package)),
            ],
        )
    }
}

fn counted(path: &str, calls: u32) -> [(&'static str, Json); 2] {
    [("path", path.into()), ("calls", i64::from(calls).into())]
}

fn line<const N: usize>(request: &str, fields: [(&str, Json); N]) -> String {
    let mut members: Object = [("request".to_owned(), request.into())]
        .into_iter()
        .collect();
    members.extend(
        fields
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value)),
    );
    let mut line = to_compact(&members.into());
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_one_line_each() {
        assert_eq!(
            Request::Block("JÄX".to_owned(), 10).line(),
            "{\"request\": \"block\", \"path\": \"J\\u00c4X\", \"calls\": 10}\n"
        );
        let fit = FitRequest {
            path: "compiled".to_owned(),
            watch: Watch::Counted,
            start: 2,
            known: vec![Json::Null],
        };
        assert_eq!(
            Request::Fit(fit).line(),
            "{\"request\": \"fit\", \"path\": \"compiled\", \"watch\": \"counted\", \"start\": 2, \
             \"known\": [null]}\n"
        );
        let benchmark = SuiteBenchmark {
            suite: "/p/benchmarks".to_owned(),
            folder: "/tmp/x".to_owned(),
            name: "solving.time_it".to_owned(),
            shown: "solving.time_it(3)".to_owned(),
            combination: Some(1),
            setup_scope: SetupScope::Call,
            device_sync: true,
        };
        assert_eq!(
            Request::Prepare(benchmark).line(),
            "{\"request\": \"prepare\", \"benchmark_dir\": \"/p/benchmarks\", \"cwd\": \"/tmp/x\", \
             \"benchmark\": \"solving.time_it\", \"combination\": 1, \"setup_scope\": \"call\", \
             \"device_sync\": true}\n"
        );
        assert_eq!(
            Request::Repeat(Length::Lasting(Duration::from_millis(2500))).line(),
            "{\"request\": \"repeat\", \"calls\": null, \"seconds\": 2.5}\n"
        );
        let configuration = Configuration {
            directory: "/p",
            fixture: Some("bench.paths"),
            examples: None,
            package: None,
        };
        assert_eq!(
            configuration.line(),
            "{\"request\": \"configure\", \"directory\": \"/p\", \"fixture\": \"bench.paths\", \
             \"examples\": null, \"package\": null}\n"
        );
    }
}
