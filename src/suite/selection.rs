//! Which benchmarks, and which of their combinations, a run is about.

use super::benchmark::Benchmark;
use super::pattern::{Pattern, PatternError};

/// A benchmark of which at least one combination was selected.
#[derive(Debug, Clone, PartialEq)]
pub struct Selected {
    pub benchmark: Benchmark,
    /// Positions of the selected combinations, ascending; `[0]` if unparameterised.
    pub combinations: Vec<usize>,
}

/// Why nothing can be run.
#[derive(Debug, thiserror::Error)]
pub enum SelectionError {
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error("no benchmark matches {}{}", quoted(.patterns), suggestion(.nearest))]
    NoMatch {
        patterns: Vec<String>,
        /// The names that come closest, the closest first.
        nearest: Vec<String>,
    },
    #[error("the suite has no benchmarks")]
    Empty,
}

/// The combinations that any of the patterns selects; without patterns all of them.
///
/// A pattern is searched for in `name` or, for a parameterised benchmark, in each
/// `name(p1, p2)`, as asv does it. A pattern that is literally the `name(p1, p2)` of a combination
/// selects what it names and is then not read as an expression. A benchmark without combinations
/// (an empty axis) is never selected.
pub fn select(
    benchmarks: &[Benchmark],
    patterns: &[String],
) -> Result<Vec<Selected>, SelectionError> {
    let patterns: Vec<Pattern> = patterns.iter().map(|text| Pattern::new(text)).collect();
    let names: Vec<Vec<String>> = benchmarks
        .iter()
        .map(|benchmark| {
            (0..benchmark.combinations())
                .map(|index| benchmark.record.display_name(index))
                .collect()
        })
        .collect();
    let mut chosen: Vec<Vec<bool>> = names
        .iter()
        .map(|names| vec![patterns.is_empty(); names.len()])
        .collect();
    for pattern in &patterns {
        mark(pattern, &names, &mut chosen)?;
    }
    let selected: Vec<Selected> = benchmarks
        .iter()
        .zip(chosen)
        .filter_map(|(benchmark, chosen)| {
            let combinations: Vec<usize> = (0..chosen.len()).filter(|i| chosen[*i]).collect();
            (!combinations.is_empty()).then(|| Selected {
                benchmark: benchmark.clone(),
                combinations,
            })
        })
        .collect();
    if !selected.is_empty() {
        return Ok(selected);
    }
    if patterns.is_empty() {
        return Err(SelectionError::Empty);
    }
    let texts: Vec<String> = patterns.iter().map(|p| p.text().to_owned()).collect();
    let nearest = nearest_names(benchmarks, &texts);
    Err(SelectionError::NoMatch {
        patterns: texts,
        nearest,
    })
}

/// The benchmarks that are asked for and have no combination of parameters, since an axis is empty;
/// with the names of such axes. A pattern that is wrong selects none: [`select`] says so.
pub fn without_combinations<'b>(
    benchmarks: &'b [Benchmark],
    patterns: &[String],
) -> Vec<(&'b Benchmark, Vec<&'b str>)> {
    let patterns: Vec<Pattern> = patterns.iter().map(|text| Pattern::new(text)).collect();
    let asked_for = |benchmark: &Benchmark| {
        let name = benchmark.name();
        patterns.is_empty()
            || patterns
                .iter()
                .any(|pattern| pattern.found_in(name).unwrap_or(false))
    };
    benchmarks
        .iter()
        .filter(|benchmark| benchmark.combinations() == 0 && asked_for(benchmark))
        .map(|benchmark| {
            let record = &benchmark.record;
            let axes = record.param_names.iter().zip(&record.params);
            let empty = axes.filter(|(_, values)| values.is_empty());
            (benchmark, empty.map(|(name, _)| name.as_str()).collect())
        })
        .collect()
}

/// Marks what one pattern selects.
fn mark(
    pattern: &Pattern,
    names: &[Vec<String>],
    chosen: &mut [Vec<bool>],
) -> Result<(), PatternError> {
    let all = || names.iter().flatten();
    let literal = all().any(|name| pattern.is_literally(name));
    for (names, chosen) in names.iter().zip(chosen) {
        for (name, chosen) in names.iter().zip(chosen) {
            *chosen |= if literal {
                pattern.is_literally(name)
            } else {
                pattern.found_in(name)?
            };
        }
    }
    Ok(())
}

/// At most three names that look like what was asked for.
fn nearest_names(benchmarks: &[Benchmark], patterns: &[String]) -> Vec<String> {
    let likeness = |name: &str| {
        let function = name.rsplit('.').next().unwrap_or(name);
        patterns
            .iter()
            .map(|pattern| {
                let plain = pattern.trim_matches(['^', '$', '.', '*']);
                let whole = strsim::jaro_winkler(name, plain);
                whole.max(strsim::jaro_winkler(function, plain))
            })
            .fold(0.0, f64::max)
    };
    let mut near: Vec<(f64, &str)> = benchmarks
        .iter()
        .map(|benchmark| (likeness(benchmark.name()), benchmark.name()))
        .filter(|(likeness, _)| *likeness > 0.7)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    near.truncate(3);
    near.into_iter().map(|(_, name)| name.to_owned()).collect()
}

fn quoted(patterns: &[String]) -> String {
    let quoted: Vec<String> = patterns.iter().map(|p| format!("`{p}`")).collect();
    quoted.join(" or ")
}

fn suggestion(names: &[String]) -> String {
    if names.is_empty() {
        String::new()
    } else {
        format!("; the nearest names are {}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::BenchmarkRecord;

    fn benchmark(name: &str, params: &[&[&str]]) -> Benchmark {
        Benchmark {
            record: BenchmarkRecord {
                name: name.to_owned(),
                params: params
                    .iter()
                    .map(|axis| axis.iter().map(|p| (*p).to_owned()).collect())
                    .collect(),
                ..BenchmarkRecord::default()
            },
            ..Benchmark::default()
        }
    }

    fn suite() -> Vec<Benchmark> {
        vec![
            benchmark("aca.Aca.track_time", &[]),
            benchmark("aca.AcaDebugLog.track_time", &[]),
            benchmark("b.S.time_it", &[&["1", "2 (0)"], &["'a'", "None"]]),
            benchmark("b.empty", &[&["1"], &[]]),
        ]
    }

    fn chosen(patterns: &[&str]) -> Vec<(String, Vec<usize>)> {
        let patterns: Vec<String> = patterns.iter().map(|p| (*p).to_owned()).collect();
        select(&suite(), &patterns)
            .unwrap()
            .into_iter()
            .map(|s| (s.benchmark.record.name.clone(), s.combinations))
            .collect()
    }

    #[test]
    fn without_patterns_everything_that_has_combinations_is_selected() {
        assert_eq!(
            chosen(&[]),
            [
                ("aca.Aca.track_time".to_owned(), vec![0]),
                ("aca.AcaDebugLog.track_time".to_owned(), vec![0]),
                ("b.S.time_it".to_owned(), vec![0, 1, 2, 3]),
            ]
        );
    }

    #[test]
    fn a_pattern_is_searched_in_the_name_with_its_parameters() {
        let only = |combinations: Vec<usize>| [("b.S.time_it".to_owned(), combinations)];
        assert_eq!(chosen(&[r"time_it\(1"]), only(vec![0, 1]));
        assert_eq!(chosen(&["None"]), only(vec![1, 3]));
        assert_eq!(
            chosen(&["^(?!.*DebugLog)aca"]),
            [("aca.Aca.track_time".to_owned(), vec![0])]
        );
    }

    #[test]
    fn one_pattern_of_several_is_enough() {
        assert_eq!(
            chosen(&["DebugLog", r"\(2.*None"]),
            [
                ("aca.AcaDebugLog.track_time".to_owned(), vec![0]),
                ("b.S.time_it".to_owned(), vec![3]),
            ]
        );
    }

    #[test]
    fn a_literal_name_with_parameters_selects_that_combination() {
        let only = [("b.S.time_it".to_owned(), vec![2])];
        assert_eq!(chosen(&["b.S.time_it(2 (0), 'a')"]), only);
        assert_eq!(chosen(&["time_it(2 (0), 'a')"]), only);
    }

    #[test]
    fn a_text_that_is_neither_literal_nor_expression_is_an_error() {
        let error = select(&suite(), &["time_it(2 (0)".to_owned()]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the pattern `time_it(2 (0)` cannot be used: `(` is not closed"
        );
    }

    #[test]
    fn nothing_selected_names_what_is_near() {
        let error = select(&suite(), &["track_tyme$".to_owned()]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no benchmark matches `track_tyme$`; the nearest names are aca.Aca.track_time, \
             aca.AcaDebugLog.track_time"
        );
        assert_eq!(
            select(&[], &[]).unwrap_err().to_string(),
            "the suite has no benchmarks"
        );
    }
}
