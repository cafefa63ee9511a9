//! The page itself: written in `web/`, bundled there, and embedded if it was there when this was
//! built.

use super::File;

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Nothing is loaded from elsewhere and nothing inline is run, whatever the data holds.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: \
                      blob:; base-uri 'none'; form-action 'none'";

/// Whether the page is in this program.
pub fn has_page() -> bool {
    BUNDLE.is_some()
}

/// The files of the page; none if it is not in this program.
pub(super) fn files() -> Vec<File> {
    let Some((script, style)) = BUNDLE else {
        return Vec::new();
    };
    let file = |path: &str, text: &str| File {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    vec![
        file("index.html", &html()),
        file("app.js", script),
        file("app.css", style),
    ]
}

/// What tells this page from others' (`index.html` of something else is not overwritten).
pub(super) const GENERATOR: &str = "<meta name=\"generator\" content=\"lcmbench\">";

fn html() -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n{GENERATOR}\n\
         <title>Benchmarks</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <link rel=\"stylesheet\" href=\"app.css\">\n\
         <link rel=\"alternate\" type=\"application/atom+xml\" href=\"feed.xml\" \
         title=\"Changes of benchmarks\">\n\
         </head>\n<body>\n<div id=\"app\"><p class=\"loading\">Loading…</p></div>\n\
         <noscript>This page draws its charts with JavaScript; the results themselves are in \
         <a href=\"results/\">results/</a>.</noscript>\n\
         <script src=\"app.js\"></script>\n<script src=\"index.js\"></script>\n</body>\n</html>\n"
    )
}
