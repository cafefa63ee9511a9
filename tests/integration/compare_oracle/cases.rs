//! Made-up results of two commits: what is usual, what is rare, and what asv gets wrong.

use lcmbench::json::Json;

/// `SplitMix64`.
pub(super) struct Generator(pub(super) u64);

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
pub(super) struct Case {
    pub(super) name: String,
    /// Whether each side has a result at all.
    pub(super) present: [bool; 2],
    pub(super) versions: [Option<&'static str>; 2],
    pub(super) params: [Vec<String>; 2],
    cells: [Vec<Cell>; 2],
}

pub(super) fn cases(generator: &mut Generator) -> Vec<Case> {
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
    pub(super) fn row(&self, side: usize) -> Json {
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
    pub(super) fn asv_is_wrong(&self, param: Option<&str>) -> bool {
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
