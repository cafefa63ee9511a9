//! The server: a thread with a runtime of its own, on the loopback interface alone.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderName, Request as HttpRequest, StatusCode, header};
use tokio::sync::{oneshot, watch};

use super::answer::{Answer, OWN, Request, answer, said};

/// A page that waits for changes is answered after so long at the latest, and asks again.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// Asks for changes once the page is there, so that loading it does not wait. Only scripts are allowed
/// to ask by the page's policy.
const RELOAD: &str = "addEventListener('load', () => {
  const ask = () => {
    const script = document.createElement('script');
    script.src = '/-/wait.js?after=VERSION&now=' + Date.now();
    script.onload = () => { script.remove(); ask(); };
    script.onerror = () => { script.remove(); setTimeout(ask, 2000); };
    document.head.append(script);
  };
  setTimeout(ask, 0);
});
";

/// The folder that is served. While it is changed, requests wait.
#[derive(Debug)]
pub struct Pages {
    root: PathBuf,
    changing: RwLock<()>,
    version: watch::Sender<u64>,
}

impl Pages {
    /// The pages in this folder.
    pub fn new(root: &Path) -> Arc<Self> {
        Arc::new(Self {
            root: root.to_owned(),
            changing: RwLock::new(()),
            version: watch::Sender::new(0),
        })
    }

    /// Changes the folder while nobody reads it; then every page that is open loads itself again.
    pub fn change<T>(&self, work: impl FnOnce(&Path) -> T) -> T {
        let done = {
            let _alone = self
                .changing
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            work(&self.root)
        };
        self.version.send_modify(|version| *version += 1);
        done
    }
}

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves the pages on this port of the loopback interface, or on a free one for 0.
    pub fn start(pages: Arc<Pages>, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (stop, stopped) = oneshot::channel();
        let shared = Shared {
            pages,
            port: address.port(),
        };
        let router = Router::new().fallback(respond).with_state(shared);
        let serve = async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::select! {
                // Open connections are cut: they may wait for changes.
                ended = axum::serve(listener, router).into_future() => ended,
                _ = stopped => Ok(()),
            }
        };
        let thread = std::thread::Builder::new()
            .name("preview".to_owned())
            .spawn(move || {
                // A broken listener ends the server; whoever asks sees that.
                runtime.block_on(serve).ok();
            })?;
        Ok(Self {
            address,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.send(()).ok();
        }
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

#[derive(Debug, Clone)]
struct Shared {
    pages: Arc<Pages>,
    port: u16,
}

async fn respond(State(shared): State<Shared>, request: HttpRequest<Body>) -> Response {
    let (request, _) = request.into_parts();
    let head_only = request.method == http::Method::HEAD;
    let text = |name: HeaderName| request.headers.get(name)?.to_str().ok();
    let asked = Request {
        method: request.method.as_str(),
        path: request.uri.path(),
        host: text(header::HOST),
        if_none_match: text(header::IF_NONE_MATCH),
    };
    let answered = {
        let _unchanged = shared
            .pages
            .changing
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        answer(&shared.pages.root, shared.port, asked)
    };
    let refused = matches!(answered.status, 403 | 405);
    let answered = match asked.path.strip_prefix(OWN) {
        Some(name) if !refused => own(name, request.uri.query(), &shared.pages).await,
        _ => answered,
    };
    response(answered, head_only)
}

/// The scripts that tell a page of changes.
async fn own(name: &str, query: Option<&str>, pages: &Pages) -> Answer {
    let script = |text: String| Answer {
        kind: "text/javascript; charset=utf-8",
        body: text.into_bytes(),
        ..said(200, "")
    };
    let mut version = pages.version.subscribe();
    match name {
        "reload.js" => {
            let now = version.borrow().to_string();
            script(RELOAD.replace("VERSION", &now))
        }
        "wait.js" => {
            let after: Option<u64> = query
                .into_iter()
                .flat_map(|query| query.split('&'))
                .find_map(|part| part.strip_prefix("after=")?.parse().ok());
            let newer = version.wait_for(|version| after.is_some_and(|after| *version != after));
            let changed = tokio::time::timeout(LONGEST_WAIT, newer).await;
            let changed = changed.is_ok_and(|changed| changed.is_ok());
            script(if changed { "location.reload();\n" } else { "" }.to_owned())
        }
        _ => said(404, "there is no such file"),
    }
}

fn response(answer: Answer, head_only: bool) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = http::Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, answer.kind)
        .header(header::CONTENT_LENGTH, answer.body.len())
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::CACHE_CONTROL, "no-cache");
    if answer.status == 304 {
        response = response_without_length(response);
    }
    if answer.status == 405 {
        response = response.header(header::ALLOW, "GET, HEAD");
    }
    if let Some(tag) = answer.tag {
        response = response.header(header::ETAG, tag);
    }
    if let Some(location) = answer.location {
        response = response.header(header::LOCATION, location);
    }
    let body = if head_only {
        Body::empty()
    } else {
        Body::from(answer.body)
    };
    response.body(body).unwrap_or_default()
}

/// A 304 has no length: it would be that of a body that is not sent.
fn response_without_length(mut response: http::response::Builder) -> http::response::Builder {
    if let Some(headers) = response.headers_mut() {
        headers.remove(header::CONTENT_LENGTH);
    }
    response
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::thread;

    use fs_err as fs;

    use super::*;

    fn served() -> (tempfile::TempDir, Arc<Pages>, Server) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("index.html"), "<body>one</body>").unwrap();
        let pages = Pages::new(folder.path());
        let server = Server::start(Arc::clone(&pages), 0).unwrap();
        (folder, pages, server)
    }

    /// The whole answer to one request.
    fn ask(server: &Server, line: &str, headers: &str) -> String {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_mins(1)))
            .unwrap();
        let port = server.address().port();
        write!(
            stream,
            "{line} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n{headers}\r\n"
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn pages_come_with_a_tag_and_not_twice() {
        let (_folder, _pages, server) = served();
        assert!(server.address().ip().is_loopback());
        let page = ask(&server, "GET /", "");
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page}");
        assert!(
            page.contains("\r\ncontent-type: text/html; charset=utf-8\r\n"),
            "{page}"
        );
        assert!(page.contains("<body>one<script"), "{page}");
        let tag = page
            .lines()
            .find_map(|line| line.strip_prefix("etag: "))
            .unwrap();
        let again = ask(&server, "GET /", &format!("If-None-Match: {tag}\r\n"));
        assert!(again.starts_with("HTTP/1.1 304 "), "{again}");
        assert!(
            !again.contains("one") && !again.contains("content-length"),
            "{again}"
        );
        let head = ask(&server, "HEAD /", "");
        let length = |text: &str| {
            let line = text.lines().find(|line| line.starts_with("content-length"));
            line.map(str::to_owned)
        };
        assert_eq!(length(&head), length(&page));
        assert!(head.ends_with("\r\n\r\n"), "{head}");
        let posted = ask(&server, "POST /", "Content-Length: 0\r\n");
        assert!(
            posted.starts_with("HTTP/1.1 405 ") && posted.contains("allow: GET, HEAD"),
            "{posted}"
        );
        assert!(ask(&server, "GET /../x", "").starts_with("HTTP/1.1 404 "));
    }

    #[test]
    fn a_page_that_waits_is_told_of_a_change() {
        let (folder, pages, server) = served();
        assert!(ask(&server, "GET /-/reload.js", "").contains("after=0&"));
        thread::scope(|scope| {
            let waiting = scope.spawn(|| ask(&server, "GET /-/wait.js?after=0&now=1", ""));
            pages.change(|root| fs::write(root.join("index.html"), "<body>two</body>").unwrap());
            assert!(waiting.join().unwrap().contains("location.reload()"));
        });
        assert!(ask(&server, "GET /", "").contains("two"));
        // One that missed the change is told at once.
        assert!(ask(&server, "GET /-/wait.js?after=0", "").contains("location.reload()"));
        drop(folder);
    }

    #[test]
    fn it_ends_at_once_although_somebody_waits() {
        let (_folder, _pages, server) = served();
        let mut stream = TcpStream::connect(server.address()).unwrap();
        let port = server.address().port();
        write!(
            stream,
            "GET /-/wait.js?after=0 HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"
        )
        .unwrap();
        let address = server.address();
        drop(server);
        let mut rest = Vec::new();
        // Closed, in whatever way.
        stream.read_to_end(&mut rest).ok();
        assert!(TcpStream::connect(address).is_err());
    }

    #[test]
    fn a_port_that_is_taken_is_an_error() {
        let (_folder, pages, server) = served();
        let error = Server::start(pages, server.address().port()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
    }
}
