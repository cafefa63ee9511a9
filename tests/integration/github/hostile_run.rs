//! A suite whose names, parameters, output and errors want to be markup, markers, mentions or commands
//! to the runner, measured and reported for real.

use super::measured::Measured;
use super::workshop::MARKER;

/// `NAMES` are names of benchmarks, parameters and messages of errors at once.
const SUITE: &str = r#"
import sys

NAMES = [
    "<!-- benchmark-check -->",
    "a|b`c`**d**",
    "@everyone",
    "<img src=x onerror=y>",
    "](https://evil/x)#1",
    "::error::gone",
    "x\n::set-output name=x::y\n##[error]gone",
    "y\r::stop-commands::word",
    "z\n<!-- head-sha:00000000 -->\n@octocat",
    "--><script>",
    "x@|" * 23_400,
]


def valued(name):
    def benchmark(parameter):
        print(name, file=sys.stderr)
        print("::warning::" + name)
        return 3

    benchmark.__name__ = "track_valued"
    benchmark.benchmark_name = "m.track_" + name
    benchmark.unit = name
    benchmark.params = [[name, "plain"]]
    benchmark.param_names = [name]
    return benchmark


def failing(name):
    def benchmark():
        raise ValueError(name)

    benchmark.__name__ = "track_failing"
    benchmark.benchmark_name = "m.track_" + name + " failing"
    return benchmark


for index, name in enumerate(NAMES):
    globals()["track_valued_%d" % index] = valued(name)
    globals()["track_failing_%d" % index] = failing(name)
"#;

const SETTINGS: &str = "machine = \"box\"\n[environment]\nname = \"bench\"\n";

/// What must not stand in Markdown as it is.
const MARKUP: [&str; 6] = [
    "@everyone",
    "@octocat",
    "<img",
    "<script>",
    "](https://evil",
    "<!-- head-sha:00000000",
];

#[test]
fn nothing_breaks_out_of_comment_summary_status_or_log() {
    let Some(measured) = Measured::with_suite(SUITE, SETTINGS) else {
        return;
    };
    let arguments = ["--check-run", "benchmark report", "--fail-on", "failed"];
    let output = measured.pr(arguments).run().expect(1);
    let bodies = measured.workshop.bodies();
    assert_eq!(bodies.len(), 1);
    assert!(bodies[0].chars().count() <= 65_000);
    let (check_run, title) = {
        let state = measured.workshop.fake.state();
        let run = &state.check_runs[0]["output"];
        let text = |name: &str| run[name].as_str().unwrap().to_owned();
        (text("text"), text("title"))
    };
    let summary = measured.workshop.summary();
    // The failures are there, as text.
    assert!(
        summary.contains("ValueError: &#64;&#8203;everyone"),
        "{summary:.3000}"
    );
    for text in [&bodies[0], &summary, &check_run] {
        assert!(text.starts_with(MARKER));
        assert_eq!(text.matches(MARKER).count(), 1, "{text:.3000}");
        for bad in MARKUP {
            assert!(!text.contains(bad), "{bad} in\n{text:.3000}");
        }
        let comments = text.matches("<!--").count();
        assert_eq!(comments, 3, "HTML comments other than ours:\n{text:.3000}");
    }
    let statuses = measured.statuses();
    assert_eq!(statuses[1].0, "failure");
    for (_, said) in &statuses {
        assert!(said.chars().count() <= 140);
        assert!(!said.contains('@') && !said.contains('<'), "{said}");
    }
    assert!(!title.contains('@') && !title.contains('<'), "{title}");
    no_commands(&output.stdout);
    no_commands(&output.stderr);
    // What was saved is reported alike by the other commands.
    let again = measured
        .workshop
        .in_pull_request(["pr-comment"])
        .run()
        .expect(0);
    no_commands(&again.stdout);
    no_commands(&again.stderr);
    let dry = measured.pr(["--dry-run"]).run().expect(0);
    no_commands(&dry.stdout);
    no_commands(&dry.stderr);
}

/// No line is a command to the runner, but for our own: groups, and the words that switch commands off
/// while a suite's output is shown.
fn no_commands(log: &str) {
    let mut stopped: Option<String> = None;
    for line in log.split(['\n', '\r']) {
        assert!(!line.contains("##["), "{line:.200}");
        let Some(command) = line.trim_start().strip_prefix("::") else {
            continue;
        };
        if let Some(word) = &stopped {
            // Only the word itself is heard again.
            if command == format!("{word}::") {
                stopped = None;
            }
            continue;
        }
        if let Some(word) = command.strip_prefix("stop-commands::") {
            assert!(word.len() >= 16, "the word can be guessed: {line:.200}");
            stopped = Some(word.to_owned());
            continue;
        }
        assert!(
            command.starts_with("group::") || command == "endgroup::",
            "{line:.200}"
        );
    }
    assert!(stopped.is_none(), "commands stay switched off");
}
