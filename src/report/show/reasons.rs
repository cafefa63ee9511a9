//! Why combinations have no value: each reason once, with the combinations that it holds for.

use indexmap::IndexMap;

use super::{short, value};
use crate::report::grid::plain_line;
use crate::report::listing::ShownResult;
use crate::report::row::Cell;
use crate::report::shorten::shorten;

/// Longer reasons are cut in the middle.
const MOST_OF_A_REASON: usize = 200;

/// More combinations than this are counted: the table above has them all.
const MOST_COMBINATIONS: usize = 3;

/// One line for each reason, in the order in which they first appear.
pub(super) fn lines(results: &[ShownResult]) -> impl Iterator<Item = String> {
    let mut found: IndexMap<(String, String), Vec<String>> = IndexMap::new();
    for result in results {
        if let Some(reason) = of(result) {
            let params: Vec<String> = result.params.iter().map(short).collect();
            let combination = format!("({})", params.join(", "));
            // A cell without a number has no unit.
            let word = value(result, "");
            found.entry((word, reason)).or_default().push(combination);
        }
    }
    found.into_iter().map(|((word, reason), combinations)| {
        let more = match combinations.len().saturating_sub(MOST_COMBINATIONS) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let named = combinations.len().min(MOST_COMBINATIONS);
        format!(
            "{word} {}{more}: {reason}",
            combinations[..named].join(", ")
        )
    })
}

/// Why there is no value, on one line.
pub(super) fn of(result: &ShownResult) -> Option<String> {
    let (Cell::Failed { reason } | Cell::Skipped { reason }) = &result.cell else {
        return None;
    };
    let reason = reason.as_deref()?.trim();
    (!reason.is_empty()).then(|| shorten(&plain_line(reason), MOST_OF_A_REASON))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equal_reason_is_said_once() {
        let result = |n: i32, cell: Cell| ShownResult {
            params: vec![("n".into(), n.to_string()), ("s".into(), "'x'".into())],
            cell,
            details: None,
        };
        let failed = |n: i32, reason: &str| {
            let reason = Some(reason.to_owned());
            result(n, Cell::Failed { reason })
        };
        let skipped = |n: i32, reason: Option<&str>| {
            let reason = reason.map(str::to_owned);
            result(n, Cell::Skipped { reason })
        };
        let results = [
            failed(1, "boom"),
            skipped(2, Some("boom")),
            failed(3, "ValueError: other"),
            failed(4, " boom "),
            failed(5, "boom"),
            failed(6, "boom"),
            failed(7, "boom"),
            skipped(8, None),
            failed(9, ""),
        ];
        assert_eq!(
            lines(&results).collect::<Vec<String>>(),
            [
                "failed (1, 'x'), (4, 'x'), (5, 'x') and 2 more: boom",
                "skipped (2, 'x'): boom",
                "failed (3, 'x'): ValueError: other",
            ]
        );
    }
}
