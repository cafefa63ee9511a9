//! What a request is answered: files of one folder and nothing else.

use std::path::{Component, Path, PathBuf};

use fs_err as fs;
use sha2::{Digest as _, Sha256};

/// A request, as far as it matters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request<'a> {
    pub(super) method: &'a str,
    /// Still percent-encoded, without the query.
    pub(super) path: &'a str,
    pub(super) host: Option<&'a str>,
    pub(super) if_none_match: Option<&'a str>,
}

/// What is sent back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) tag: Option<String>,
    pub(super) location: Option<String>,
    pub(super) body: Vec<u8>,
}

/// Where the scripts are that tell a page of changes; no file of a dashboard begins so.
pub(super) const OWN: &str = "/-/";

/// Put at the end of pages; it is of the same origin, as the page's own policy wants.
const RELOADER: &str = "<script src=\"/-/reload.js\" async></script>\n";

/// Answers a request for a file below `root`.
pub(super) fn answer(root: &Path, port: u16, request: Request<'_>) -> Answer {
    if !is_local(request.host, port) {
        // A page elsewhere whose name was made to mean this machine gets nothing.
        return said(
            403,
            "this preview answers only to the address that it printed",
        );
    }
    if !matches!(request.method, "GET" | "HEAD") {
        return said(405, "only GET and HEAD are known here");
    }
    let Some(relative) = relative(request.path) else {
        return said(404, "there is no such file");
    };
    let mut path = root.join(&relative);
    if path.is_dir() {
        if !request.path.ends_with('/') {
            let mut answer = said(308, "it is a folder");
            // Never `//host/...`, which would lead elsewhere.
            answer.location = Some(format!("/{}/", request.path.trim_start_matches('/')));
            return answer;
        }
        path.push("index.html");
    }
    let inside = fs::canonicalize(root)
        .ok()
        .zip(fs::canonicalize(&path).ok())
        .is_some_and(|(root, path)| path.starts_with(root) && path.is_file());
    let Some(mut body) = inside.then(|| fs::read(&path).ok()).flatten() else {
        return said(404, "there is no such file");
    };
    let kind = kind_of(&path);
    if kind.starts_with("text/html") {
        body = with_reloader(body);
    }
    let tag = tag_of(&body);
    let known = request.if_none_match.is_some_and(|tags| {
        tags.split(',').any(|known| {
            matches!(known.trim().trim_start_matches("W/"), "*")
                || known.trim().trim_start_matches("W/") == tag
        })
    });
    Answer {
        status: if known { 304 } else { 200 },
        kind,
        tag: Some(tag),
        location: None,
        body: if known { Vec::new() } else { body },
    }
}

/// A short text.
pub(super) fn said(status: u16, text: &str) -> Answer {
    Answer {
        status,
        kind: "text/plain; charset=utf-8",
        tag: None,
        location: None,
        body: format!("{text}\n").into_bytes(),
    }
}

/// Whether a browser was given the address of this machine itself.
fn is_local(host: Option<&str>, port: u16) -> bool {
    host.is_some_and(|host| {
        ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .any(|name| host == format!("{name}:{port}") || (port == 80 && host == *name))
    })
}

/// The path of a request below the folder; `None` if it leads elsewhere or is none.
fn relative(path: &str) -> Option<PathBuf> {
    let decoded = decoded(path.strip_prefix('/')?)?;
    if decoded.contains(['\0', '\\']) {
        return None;
    }
    let relative = Path::new(&decoded);
    let plain = relative.components().all(|component| match component {
        Component::Normal(name) => !name.as_encoded_bytes().starts_with(b"."),
        _ => false,
    });
    plain.then(|| relative.to_owned())
}

/// Undoes percent-encoding.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok()?;
        digits
            .bytes()
            .all(|digit| digit.is_ascii_hexdigit())
            .then_some(())?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

fn kind_of(path: &Path) -> &'static str {
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("xml") => "application/atom+xml",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("txt" | "csv" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn with_reloader(mut page: Vec<u8>) -> Vec<u8> {
    const END: &[u8] = b"</body>";
    let at = page
        .windows(END.len())
        .rposition(|window| window == END)
        .unwrap_or(page.len());
    page.splice(at..at, RELOADER.bytes());
    page
}

fn tag_of(body: &[u8]) -> String {
    use std::fmt::Write;
    let mut tag = "\"".to_owned();
    for byte in &Sha256::digest(body)[..12] {
        // Writing into a text cannot fail.
        write!(tag, "{byte:02x}").ok();
    }
    tag + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("site");
        fs::create_dir_all(root.join("data/a b")).unwrap();
        fs::write(folder.path().join("secret"), "s").unwrap();
        fs::write(root.join("index.html"), "<body>x</body>").unwrap();
        fs::write(root.join("app.js"), "1").unwrap();
        fs::write(root.join("data/a b/\u{e9}%.json"), "{}").unwrap();
        fs::write(root.join(".hidden"), "h").unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret"), root.join("link")).unwrap();
        folder
    }

    fn get(folder: &tempfile::TempDir, path: &str) -> Answer {
        let request = Request {
            method: "GET",
            path,
            host: Some("127.0.0.1:8000"),
            if_none_match: None,
        };
        answer(&folder.path().join("site"), 8000, request)
    }

    #[test]
    fn files_are_served_with_their_kind_and_a_tag() {
        let site = site();
        let page = get(&site, "/");
        assert_eq!((page.status, page.kind), (200, "text/html; charset=utf-8"));
        let text = String::from_utf8(page.body).unwrap();
        assert_eq!(text, format!("<body>x{RELOADER}</body>"));
        let script = get(&site, "/app.js");
        assert_eq!(script.body, b"1");
        assert_eq!(
            get(&site, "/data/a%20b/%C3%A9%25.json").kind,
            "application/json"
        );
        let moved = get(&site, "/data");
        assert_eq!(
            (moved.status, moved.location.as_deref()),
            (308, Some("/data/"))
        );
        assert_eq!(get(&site, "/data/").status, 404);
        let known = |tags: &str| {
            let request = Request {
                method: "GET",
                path: "/app.js",
                host: Some("localhost:8000"),
                if_none_match: Some(tags),
            };
            let answer = answer(&site.path().join("site"), 8000, request);
            (answer.status, answer.body.len())
        };
        let tag = script.tag.unwrap();
        assert_eq!(known(&tag), (304, 0));
        assert_eq!(known(&format!("\"x\", W/{tag}")), (304, 0));
        assert_eq!(known("\"x\""), (200, 1));
    }

    #[test]
    fn nothing_else_is_served() {
        let site = site();
        for path in [
            "/../secret",
            "/%2e%2e/secret",
            "/data/../../secret",
            "/..%2fsecret",
            "//etc/passwd",
            "/%2Fetc/passwd",
            "/link",
            "/.hidden",
            "/data/..%5c..%5csecret",
            "/a%00b",
            "/%",
            "/%zz",
            "/%ff",
            "",
            "app.js",
            "/-/x",
            "/data//a",
            "/./app.js",
        ] {
            let status = get(&site, path).status;
            assert!(status == 404, "{path}: {status}");
        }
        assert_eq!(get(&site, "//data").location, None);
    }

    #[test]
    fn others_and_other_methods_are_refused() {
        let site = site();
        let status = |method, host| {
            let request = Request {
                method,
                path: "/",
                host,
                if_none_match: None,
            };
            answer(&site.path().join("site"), 8000, request).status
        };
        assert_eq!(status("GET", Some("[::1]:8000")), 200);
        assert_eq!(status("HEAD", Some("localhost:8000")), 200);
        for host in [
            None,
            Some("evil.example"),
            Some("127.0.0.1"),
            Some("127.0.0.1:80"),
        ] {
            assert_eq!(status("GET", host), 403, "{host:?}");
        }
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"] {
            assert_eq!(status(method, Some("localhost:8000")), 405, "{method}");
        }
    }
}
