//! Values out of the text of a file, number by number: most of the time of going through a history.

use std::sync::Arc;

use crate::config::NormaliseRules;
use crate::history::borders::facts;
use crate::history::normaliser::stamps;
use crate::json::{Json, Scanner};
use crate::results::{RawNumbers, RawResults, count_combinations};

use super::{FAILED, FileValues, KeptValues, OTHER, RowValues, SKIPPED};

impl FileValues {
    /// Those of a file whose rows are text. Gives up where a value is no number: such a file is read
    /// in full.
    pub(in crate::history) fn of_raw(
        raw: &RawResults<'_>,
        rules: NormaliseRules,
        known: &KeptValues,
    ) -> Option<Self> {
        let set = &raw.set;
        let stamps = stamps(set);
        let mut version: Option<Arc<str>> = None;
        let mut rows = Vec::with_capacity(set.results.len());
        for row in raw.numbers() {
            let own = set.results.get(row.name)?.version.as_deref();
            let stamp = || stamps?.get(row.name).and_then(Json::as_str);
            let text = own.or_else(stamp);
            if version.as_deref() != text {
                version = text.map(Arc::from);
            }
            rows.push(read(&row, version.clone(), known)?);
        }
        Some(Self {
            commit: set.commit_hash.clone(),
            environment: set.env_name.clone(),
            facts: facts(set, rules),
            rows,
        })
    }
}

fn read(row: &RawNumbers<'_>, version: Option<Arc<str>>, known: &KeptValues) -> Option<RowValues> {
    let key = known.key_of(row.name, row.params)?;
    let count = count_combinations(&key.params);
    let mut values = Vec::with_capacity(count);
    floats(row.result, |value| {
        values.push(match value {
            None => f64::from_bits(FAILED),
            Some(value) if value.is_nan() => f64::from_bits(SKIPPED),
            Some(value) if value.is_infinite() => f64::from_bits(OTHER),
            Some(value) => value,
        });
    })?;
    values.resize(count, f64::from_bits(FAILED));
    Some(RowValues {
        key,
        version,
        values,
        bounds: bounds(row, count)?,
    })
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "seven digits are shown of it"
)]
fn bounds(row: &RawNumbers<'_>, count: usize) -> Option<Vec<[f32; 2]>> {
    if row.low == "null" || row.high == "null" {
        return Some(Vec::new());
    }
    let mut bounds = Vec::with_capacity(count);
    floats(row.low, |low| {
        bounds.push([low.unwrap_or(f64::NAN) as f32, f32::NAN]);
    })?;
    bounds.resize(count, [f32::NAN; 2]);
    let (mut at, mut any) = (0, false);
    floats(row.high, |high| {
        let high = high.unwrap_or(f64::NAN) as f32;
        if let Some(bound) = bounds.get_mut(at) {
            let known = bound[0].is_finite() && high.is_finite();
            any |= known;
            *bound = if known {
                [bound[0], high]
            } else {
                [f32::NAN; 2]
            };
        }
        at += 1;
    })?;
    for bound in bounds.iter_mut().skip(at) {
        *bound = [f32::NAN; 2];
    }
    Some(if any { bounds } else { Vec::new() })
}

/// The numbers of a list; nothing for `null`.
fn floats(cell: &str, mut take: impl FnMut(Option<f64>)) -> Option<()> {
    if cell == "null" {
        return Some(());
    }
    let mut scanner = Scanner::new(cell);
    scanner.array(|scanner| {
        take(scanner.float()?);
        Some(())
    })
}
