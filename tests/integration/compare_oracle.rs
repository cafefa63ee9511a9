//! The marks of `compare` beside those of `asv compare`, on made-up result files.

use std::collections::BTreeMap;

use lcmbench::json::{Json, Object, to_compact};
use serde_json::Value;

use crate::common::{Project, VENV, oracle};

const MACHINE: &str = "m";
const ENVIRONMENT: &str = "virtualenv-py3.12";

const COLUMNS: [&str; 12] = [
    "result",
    "params",
    "version",
    "started_at",
    "duration",
    "stats_ci_99_a",
    "stats_ci_99_b",
    "stats_q_25",
    "stats_q_75",
    "stats_number",
    "stats_repeat",
    "samples",
];

/// `SplitMix64`.
struct Generator(u64);

impl Generator {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: u32) -> u32 {
        u32::try_from(self.bits() % u64::from(count)).unwrap()
    }

    fn uniform(&mut self) -> f64 {
        f64::from(self.below(1 << 30)) / f64::from(1 << 30)
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
}

/// One combination of one benchmark on one side.
struct Cell {
    value: Json,
    /// 99 % interval, quartiles, repeat.
    statistics: Option<[f64; 5]>,
    samples: Option<Vec<f64>>,
}

impl Cell {
    fn plain(value: Json) -> Self {
        Self {
            value,
            statistics: None,
            samples: None,
        }
    }

    /// Around `level`, with statistics and samples more often than not.
    fn around(level: f64, generator: &mut Generator) -> Self {
        let noise = [0.001, 0.03, 0.2][generator.below(3) as usize];
        let count = [1, 2, 4, 5, 10, 25][generator.below(6) as usize];
        let samples: Vec<f64> = (0..count)
            .map(|_| level * (1.0 + noise * generator.uniform()))
            .collect();
        let summary = lcmbench::stats::summarise(&samples).unwrap().rounded();
        let statistics = [
            summary.ci_99.0,
            summary.ci_99.1,
            summary.q_25,
            summary.q_75,
            f64::from(count),
        ];
        let has_statistics = generator.chance(80);
        Self {
            value: summary.median.into(),
            statistics: has_statistics.then_some(statistics),
            samples: (has_statistics && generator.chance(60)).then_some(samples),
        }
    }

    /// Failed, skipped, zero, infinite, a whole number: what is rare in a good run.
    fn odd(generator: &mut Generator) -> Self {
        Self::plain(match generator.below(6) {
            0 => Json::Null,
            1 => f64::NAN.into(),
            2 => 0.0.into(),
            3 => f64::INFINITY.into(),
            4 => 3.into(),
            _ => (-2.0).into(),
        })
    }

    fn is_skipped(&self) -> bool {
        matches!(self.value, Json::Float(value) if value.is_nan())
    }
}

/// One benchmark on both sides: cells by parameter.
struct Case {
    name: String,
    /// Whether each side has a result at all.
    present: [bool; 2],
    versions: [Option<&'static str>; 2],
    params: [Vec<String>; 2],
    cells: [Vec<Cell>; 2],
}

fn cases(generator: &mut Generator) -> Vec<Case> {
    (0..220).map(|number| case(number, generator)).collect()
}

fn case(number: usize, generator: &mut Generator) -> Case {
    let versions = match generator.below(12) {
        0 => [Some("v1"), Some("v2")],
        1 => [None, Some("v2")],
        2 => [Some("v1"), None],
        _ => [Some("v1"); 2],
    };
    let axis = |from: u32, to: u32| (from..to).map(|value| value.to_string()).collect();
    let params: [Vec<String>; 2] = match generator.below(6) {
        0 => [axis(0, 3), axis(0, 3)],
        1 => [axis(0, 3), axis(1, 5)],
        _ => [Vec::new(), Vec::new()],
    };
    let mut cells = [Vec::new(), Vec::new()];
    for (side, cells) in cells.iter_mut().enumerate() {
        for _ in 0..params[side].len().max(1) {
            cells.push(if generator.chance(18) {
                Cell::odd(generator)
            } else {
                let level = [1.0, 1.0, 1.04, 1.2, 0.8, 3.0][generator.below(6) as usize];
                Cell::around(level * 1e-3, generator)
            });
        }
    }
    let present = match number % 11 {
        5 => [number.is_multiple_of(2), !number.is_multiple_of(2)],
        _ => [true; 2],
    };
    Case {
        name: format!("bench.track_{number:03}"),
        present,
        versions,
        params,
        cells,
    }
}

impl Case {
    fn row(&self, side: usize) -> Json {
        let cells = &self.cells[side];
        let column = |of: &dyn Fn(&Cell) -> Json| -> Json {
            let column: Vec<Json> = cells.iter().map(of).collect();
            if column.iter().all(Json::is_null) {
                Json::Null
            } else {
                column.into()
            }
        };
        let statistic = |place: usize| {
            column(&|cell: &Cell| cell.statistics.map_or(Json::Null, |all| all[place].into()))
        };
        let params = &self.params[side];
        let axes: Vec<Vec<String>> = if params.is_empty() {
            Vec::new()
        } else {
            vec![params.clone()]
        };
        let whole = |value: f64| format!("{value:.0}").parse::<i64>().unwrap();
        vec![
            column(&|cell: &Cell| cell.value.clone()),
            axes.into(),
            self.versions[side].map_or(Json::Null, Json::from),
            1_700_000_000_000.into(),
            0.5.into(),
            statistic(0),
            statistic(1),
            statistic(2),
            statistic(3),
            column(&|cell: &Cell| cell.statistics.map_or(Json::Null, |_| 1.into())),
            column(&|cell: &Cell| {
                cell.statistics
                    .map_or(Json::Null, |all| whole(all[4]).into())
            }),
            column(&|cell: &Cell| cell.samples.clone().map_or(Json::Null, Json::from)),
        ]
        .into()
    }

    /// What one side has of a combination.
    fn cell(&self, side: usize, param: Option<&str>) -> Option<&Cell> {
        let cells = self.present[side].then_some(&self.cells[side])?;
        match param {
            None => cells.first(),
            Some(param) => {
                let place = self.params[side].iter().position(|value| value == param)?;
                cells.get(place)
            }
        }
    }

    /// The rows that asv is known to mark for no good reason: nothing before and a failure now,
    /// a failure before and nothing now, equal negative values.
    fn asv_is_wrong(&self, param: Option<&str>) -> bool {
        let (base, head) = (self.cell(0, param), self.cell(1, param));
        let nothing = |cell: Option<&Cell>| cell.is_none_or(Cell::is_skipped);
        let failed = |cell: Option<&Cell>| cell.is_some_and(|cell| cell.value.is_null());
        let equal_negative = base
            .zip(head)
            .is_some_and(|(base, head)| base.value == head.value && is_negative(&base.value));
        (nothing(base) && failed(head)) || (failed(base) && nothing(head)) || equal_negative
    }
}

fn is_negative(value: &Json) -> bool {
    value.as_f64().is_some_and(|value| value < 0.0)
}

fn object(members: &[(&str, Json)]) -> Object {
    members
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect()
}

fn machine() -> Object {
    let fields = ["arch", "cpu", "machine", "num_cpu", "os", "ram"];
    object(&fields.map(|field| (field, MACHINE.into())))
}

/// A repository with the results of two commits.
fn project(cases: &[Case]) -> Project {
    let project = Project::new();
    project.write(
        "asv.conf.json",
        "{\"version\": 1, \"project\": \"p\", \"repo\": \".\", \"branches\": [\"main\"], \
         \"environment_type\": \"virtualenv\"}",
    );
    let hashes = [project.commit("before"), project.commit("after")];
    for (side, hash) in hashes.iter().enumerate() {
        let mut params = machine();
        params.insert("python".to_owned(), "3.12".into());
        let results: Object = cases
            .iter()
            .filter(|case| case.present[side])
            .map(|case| (case.name.clone(), case.row(side)))
            .collect();
        let columns: Vec<Json> = COLUMNS.map(Json::from).to_vec();
        let file = object(&[
            ("commit_hash", hash.as_str().into()),
            ("env_name", ENVIRONMENT.into()),
            ("date", 1_700_000_000_000.into()),
            ("params", params.into()),
            ("python", "3.12".into()),
            ("requirements", Object::new().into()),
            ("env_vars", Object::new().into()),
            ("result_columns", columns.into()),
            ("results", results.into()),
            ("durations", Object::new().into()),
            ("version", 2.into()),
        ]);
        let name = format!("results/{MACHINE}/{}-{ENVIRONMENT}.json", &hash[..8]);
        project.write(name, &to_compact(&file.into()));
    }
    let mut described = machine();
    described.insert("version".to_owned(), 1.into());
    project.write(
        format!("results/{MACHINE}/machine.json"),
        &to_compact(&described.into()),
    );
    let registry = object(&[(MACHINE, machine().into()), ("version", 1.into())]);
    fs_err::write(
        project.home().join(".asv-machine.json"),
        to_compact(&registry.into()),
    )
    .unwrap();
    let mut index: Object = cases
        .iter()
        .map(|case| (case.name.clone(), record(case).into()))
        .collect();
    index.insert("version".to_owned(), 2.into());
    project.write("results/benchmarks.json", &to_compact(&index.into()));
    project
}

fn record(case: &Case) -> Object {
    let axes: Vec<Vec<String>> = case.params[1..]
        .iter()
        .filter(|axis| !axis.is_empty())
        .cloned()
        .collect();
    let names: Vec<String> = axes.iter().map(|_| "n".to_owned()).collect();
    object(&[
        ("code", "".into()),
        ("name", case.name.as_str().into()),
        ("param_names", names.into()),
        ("params", axes.into()),
        ("type", "track".into()),
        ("unit", "furlongs".into()),
        ("version", case.versions[1].map_or(Json::Null, Json::from)),
    ])
}

/// Mark and ratio of each row.
type Rows = BTreeMap<String, (String, String)>;

fn rows_of_asv(table: &str) -> Rows {
    table
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
        .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
        .filter(|cells| cells.len() == 5 && cells[4].starts_with("bench."))
        .map(|cells| {
            let mark = cells[0].to_owned();
            (cells[4].to_owned(), (mark, cells[3].to_owned()))
        })
        .collect()
}

fn our_rows(json: &str) -> Rows {
    let document: Value = serde_json::from_str(json).unwrap();
    document["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let mark = match row["mark"].as_str().unwrap() {
                "better" => "-",
                "fixed" => "*",
                "blank" => "",
                "worse" => "+",
                "broken" => "!",
                "incomparable" => "x",
                other => panic!("{other}"),
            };
            let params: Vec<&str> = row["params"]
                .as_array()
                .unwrap()
                .iter()
                .map(|param| param["value"].as_str().unwrap())
                .collect();
            let name = row["benchmark"].as_str().unwrap();
            let name = if params.is_empty() {
                name.to_owned()
            } else {
                format!("{name}({})", params.join(", "))
            };
            let sign = if row["uncertain"] == true { "~" } else { "" };
            let ratio = match row["ratio"].as_f64() {
                Some(ratio) => format!("{sign}{ratio}"),
                None => "n/a".to_owned(),
            };
            (name, (mark.to_owned(), ratio))
        })
        .collect()
}

/// The number of a ratio as asv prints it (two decimals) and whether it is marked as uncertain.
fn ratio(text: &str) -> (Option<f64>, bool) {
    let number = text.trim_start_matches('~').parse::<f64>().ok();
    let finite = number.filter(|number| number.is_finite());
    (finite, text.starts_with('~'))
}

/// Compares everything; returns how many rows got each mark.
fn same_marks(cases: &[Case], asv: &Rows, ours: &Rows) -> BTreeMap<String, usize> {
    let mut seen = BTreeMap::new();
    for (name, (mark, asv_ratio)) in asv {
        let (benchmark, param) = match name.split_once('(') {
            Some((benchmark, rest)) => (benchmark, rest.strip_suffix(')')),
            None => (name.as_str(), None),
        };
        let case = cases.iter().find(|case| case.name == benchmark).unwrap();
        let wrong = case.asv_is_wrong(param);
        let Some((our_mark, our_ratio)) = ours.get(name) else {
            assert!(!case.present[1] && (mark.is_empty() || wrong), "{name}");
            continue;
        };
        if wrong && mark != "x" {
            assert_eq!(our_mark, "", "{name}");
            continue;
        }
        assert_eq!(our_mark, mark, "{name}: {our_ratio}, asv {asv_ratio}");
        let ((our_number, our_sign), (asv_number, asv_sign)) = (ratio(our_ratio), ratio(asv_ratio));
        assert_eq!(our_sign, asv_sign, "{name}: {our_ratio}, asv {asv_ratio}");
        match (our_number, asv_number) {
            (Some(ours), Some(asv)) => assert!((ours - asv).abs() < 0.0051, "{name}"),
            (ours, asv) => assert_eq!(ours, asv, "{name}"),
        }
        *seen.entry(mark.clone()).or_default() += 1;
    }
    for name in ours.keys() {
        assert!(asv.contains_key(name), "asv has no {name}");
    }
    seen
}

#[test]
fn marks_are_those_of_asv() {
    let Some(venv) = oracle(VENV) else {
        return;
    };
    let mut generator = Generator(20_250_301);
    let cases = cases(&mut generator);
    let project = project(&cases);
    for options in [&[][..], &["--factor", "1.03"], &["--no-stats"]] {
        let asv = project
            .program(venv.join("bin/asv"))
            .args(["compare", "--machine", MACHINE, "HEAD~1", "HEAD"])
            .args(options)
            .run()
            .expect(0);
        let ours = project
            .lcmbench()
            .args(["compare", "--format", "json", "HEAD~1", "HEAD"])
            .args(options)
            .run()
            .expect(0);
        let seen = same_marks(&cases, &rows_of_asv(&asv.stdout), &our_rows(&ours.stdout));
        for mark in ["", "+", "-", "!", "*", "x"] {
            assert!(seen.get(mark).is_some_and(|count| *count >= 5), "{seen:?}");
        }
    }
}
