//! A badge for a README: what became worse lately.

use crate::report::Verdict;

use super::File;
use super::change::ChangeDocument;
use super::commits::Timeline;
use super::index::LATELY;

/// Width of a character of the badge's type, roughly.
const CHARACTER: usize = 7;

/// `badge.svg`.
pub(super) fn badge(changes: &[ChangeDocument<'_>], timeline: &Timeline) -> File {
    let since = timeline.len().saturating_sub(LATELY);
    let count = |verdict: Verdict| {
        let counts = |change: &&ChangeDocument<'_>| {
            change.at >= since
                && change.verdict == verdict
                && change.versions.is_none()
                && change.accepted.is_none()
        };
        let mut found: Vec<usize> = changes.iter().filter(counts).map(|c| c.benchmark).collect();
        found.sort_unstable();
        found.dedup();
        found.len()
    };
    let (worse, better) = (count(Verdict::Slower), count(Verdict::Faster));
    let (message, colour) = if timeline.len() == 0 {
        ("no results".to_owned(), "#6b7280")
    } else if worse > 0 {
        (format!("{worse} worse"), "#b45309")
    } else if better > 0 {
        (format!("{better} better"), "#0f766e")
    } else {
        ("steady".to_owned(), "#0f766e")
    };
    File {
        path: "badge.svg".to_owned(),
        text: svg("benchmarks", &message, colour),
    }
}

fn svg(label: &str, message: &str, colour: &str) -> String {
    let width = |text: &str| text.len() * CHARACTER + 12;
    let (left, right) = (width(label), width(message));
    let whole = left + right;
    let (label_at, message_at) = (left / 2, left + right / 2);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole}\" height=\"20\" role=\"img\" \
         aria-label=\"{label}: {message}\">\n<title>{label}: {message}</title>\n\
         <clipPath id=\"r\"><rect width=\"{whole}\" height=\"20\" rx=\"3\"/></clipPath>\n\
         <g clip-path=\"url(#r)\"><rect width=\"{left}\" height=\"20\" fill=\"#374151\"/>\
         <rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{colour}\"/></g>\n\
         <g fill=\"#fff\" text-anchor=\"middle\" \
         font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\
         <text x=\"{label_at}\" y=\"14\">{label}</text>\
         <text x=\"{message_at}\" y=\"14\">{message}</text></g>\n</svg>\n"
    )
}
