//! The changes as an Atom feed.

use std::fmt::Write;

use jiff::Timestamp;

use crate::history::SeriesSet;
use crate::report::Verdict;
use crate::report::units::{Scale, percent};

use super::File;
use super::catalogue::Catalogue;
use super::change::ChangeDocument;
use super::commits::Timeline;
use super::draw::Project;
use super::names::checksum;

/// The newest changes that are in the feed.
const MOST_ENTRIES: usize = 50;

/// `feed.xml`. Addresses are relative to it, so it works wherever the dashboard lies.
pub(super) fn feed(
    set: &SeriesSet,
    catalogue: &Catalogue,
    changes: &[ChangeDocument<'_>],
    timeline: &Timeline,
    project: &Project<'_>,
) -> File {
    let newest = timeline.len().checked_sub(1);
    let updated = newest.and_then(|at| timeline.commit(at, set));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    let name = escape(project.name);
    // Writing to a string cannot fail.
    write!(
        out,
        "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <id>urn:lcmbench:{}</id>\n\
         <title>{name}: changes of benchmarks</title>\n\
         <updated>{}</updated>\n\
         <author><name>{name}</name></author>\n\
         <link rel=\"self\" href=\"feed.xml\"/>\n\
         <link rel=\"alternate\" href=\"index.html\"/>\n",
        &checksum(project.name.as_bytes())[..16],
        instant(updated.map_or(0, |commit| commit.date)),
    )
    .ok();
    for change in changes.iter().take(MOST_ENTRIES) {
        entry(set, catalogue, change, timeline, &mut out);
    }
    out.push_str("</feed>\n");
    File {
        path: "feed.xml".to_owned(),
        text: out,
    }
}

fn entry(
    set: &SeriesSet,
    catalogue: &Catalogue,
    change: &ChangeDocument<'_>,
    timeline: &Timeline,
    out: &mut String,
) {
    let (Some(entry), Some(line), Some(commit)) = (
        catalogue.entries.get(change.benchmark),
        set.lines.get(change.line),
        timeline.commit(change.at, set),
    ) else {
        return;
    };
    let params = &entry.combinations[change.combination];
    let params = if params.is_empty() {
        String::new()
    } else {
        format!(" ({})", params.join(", "))
    };
    let name = format!(
        "{}{params} — {}",
        catalogue.groups[entry.group], entry.statistic
    );
    let scale = Scale::fitting(&entry.unit, [change.before, change.after]);
    let (before, after) = (
        scale.show_float(change.before),
        scale.show_float(change.after),
    );
    let by = change.ratio().map_or_else(String::new, |ratio| {
        format!(
            " ({}{})",
            if ratio > 1.0 { "+" } else { "" },
            percent(ratio - 1.0)
        )
    });
    let short = &commit.hash[..commit.hash.len().min(8)];
    let title = format!(
        "{name} is {}: {before} to {after}{by}",
        match change.verdict {
            Verdict::Faster => "better",
            _ => "worse",
        }
    );
    let range = if change.count > 1 {
        format!("one of {} commits up to {short}", change.count)
    } else {
        short.to_owned()
    };
    let accepted = change
        .accepted
        .map_or_else(String::new, |why| format!(" Accepted: {why}."));
    let text = format!(
        "{}. Commit: {range}, “{}”. Machine {}, environment {}.{accepted}",
        entry.name, commit.subject, line.machine, line.environment
    );
    let identity = format!(
        "{}\n{params}\n{}\n{}\n{}",
        entry.name, line.machine, line.environment, commit.hash
    );
    write!(
        out,
        "<entry>\n<id>urn:lcmbench:{}</id>\n<title>{}</title>\n<updated>{}</updated>\n\
         <link href=\"index.html#/benchmark/{}\"/>\n<content type=\"text\">{}</content>\n</entry>\n",
        &checksum(identity.as_bytes())[..16],
        escape(&title),
        instant(commit.date),
        entry.id,
        escape(&text),
    )
    .ok();
}

/// A time as Atom writes it.
fn instant(milliseconds: i64) -> String {
    let known = Timestamp::from_millisecond(milliseconds).unwrap_or_default();
    known.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Text in XML: what is no character there is left out.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            _ if character.is_control() => {}
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_the_text() {
        assert_eq!(
            escape("</title>\u{0}<x a='1'>\n\"&\u{1b}"),
            "&lt;/title&gt;&lt;x a=&#39;1&#39;&gt; &quot;&amp;"
        );
        assert_eq!(instant(1_700_000_000_000), "2023-11-14T22:13:20Z");
    }
}
