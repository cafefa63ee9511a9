//! A stateful stand-in for GitHub's API: what is written is there when it is read, pages and limits
//! are GitHub's, and faults are put in where a test wants them. Every answer is made from a minimal
//! instance of GitHub's own schema (`tests/fixtures/github`).

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde_json::Value;

use super::answers::{Answer, handle};

/// The token of a workflow, which writes as `github-actions[bot]` and may not ask who it is.
pub(crate) const ACTIONS_TOKEN: &str = "ghs_of_the_workflow";

/// The token of a developer, who writes as `dev`.
pub(crate) const DEV_TOKEN: &str = "ghp_of_dev";

/// The repository that is there.
pub(crate) const REPOSITORY: &str = "owner/project";

/// What GitHub knows.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) pulls: Vec<Pull>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) statuses: Vec<Status>,
    /// Bodies of the check runs that were created.
    pub(crate) check_runs: Vec<Value>,
    /// Permission by login; everybody else has `read`.
    pub(crate) permissions: BTreeMap<String, String>,
    /// Commits in order; ancestry of the compare API.
    pub(crate) commits: Vec<String>,
    /// Commits of branches.
    pub(crate) branches: BTreeMap<String, String>,
    /// Files that differ between any two commits.
    pub(crate) changed_files: Vec<String>,
    /// Labels of pull requests.
    pub(crate) labels: Vec<(u64, String)>,
    pub(crate) is_private: bool,
    /// Scopes of the developer's token where it is a classic one.
    pub(crate) scopes: Option<&'static str>,
    /// A ruleset of the main branch requires the status, from this app or from anybody.
    pub(crate) ruleset: Option<Source>,
    /// The same by the older branch protection.
    pub(crate) protection: Option<Source>,
    /// The branch does not show its protection.
    pub(crate) hides_protection: bool,
    /// What the tokens may not do: `pull-requests: write`, ...
    pub(crate) withheld: Vec<&'static str>,
    pub(crate) faults: Vec<Fault>,
    /// `GET /path` of every request, in order.
    pub(crate) requests: Vec<String>,
    pub(crate) next_id: u64,
    /// The address that pages name, where another server stands before this one.
    pub(crate) public: Option<String>,
}

/// Whose status satisfies a rule.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    Anybody,
    App(i64),
}

impl Source {
    /// The number of the app, as rules name it.
    pub(super) fn app(self) -> Option<i64> {
        match self {
            Self::Anybody => None,
            Self::App(app) => Some(app),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Pull {
    pub(crate) number: u64,
    pub(crate) head_sha: String,
    pub(crate) head_ref: String,
    /// `None` when the fork was deleted.
    pub(crate) head_repository: Option<String>,
    pub(crate) base_sha: String,
}

#[derive(Debug, Clone)]
pub(crate) struct Comment {
    pub(crate) id: u64,
    pub(crate) pull: u64,
    pub(crate) login: String,
    pub(crate) association: &'static str,
    pub(crate) body: String,
}

#[derive(Debug, Clone)]
pub(crate) struct Status {
    pub(crate) sha: String,
    pub(crate) state: String,
    pub(crate) context: String,
    pub(crate) description: String,
    pub(crate) target_url: Option<String>,
    pub(crate) created_at: String,
    pub(crate) login: String,
}

/// Something that goes wrong at the next request whose `METHOD /path` holds `at`.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) at: &'static str,
    /// So many of those requests are left alone before.
    pub(crate) after: usize,
    pub(crate) what: What,
}

pub(crate) enum What {
    /// This is answered, and nothing is done.
    Answer(Answer),
    /// It is done, and the answer never comes.
    LoseAnswer,
    /// Nothing is done, and the connection stays open for longer than a test waits.
    NeverAnswer,
    /// Somebody else was quicker: the state changes before the request is carried out.
    Meanwhile(Box<dyn FnOnce(&mut State) + Send>),
}

impl std::fmt::Debug for What {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Answer(_) => "Answer",
            Self::LoseAnswer => "LoseAnswer",
            Self::NeverAnswer => "NeverAnswer",
            Self::Meanwhile(_) => "Meanwhile",
        })
    }
}

impl State {
    pub(crate) fn comment(&mut self, pull: u64, login: &str, body: &str) -> u64 {
        self.next_id += 1;
        self.comments.push(Comment {
            id: self.next_id,
            pull,
            login: login.to_owned(),
            association: "NONE",
            body: body.to_owned(),
        });
        self.next_id
    }

    /// Requests whose line begins like this.
    pub(crate) fn count(&self, start: &str) -> usize {
        self.requests
            .iter()
            .filter(|line| line.starts_with(start))
            .count()
    }
}

/// A server that runs until it is dropped.
#[derive(Debug)]
pub(crate) struct Fake {
    address: String,
    state: Arc<Mutex<State>>,
    stop: Arc<AtomicBool>,
}

impl Fake {
    /// A repository without pull requests.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().unwrap().to_string();
        let state = Arc::new(Mutex::new(State {
            next_id: 1000,
            ..State::default()
        }));
        let stop = Arc::new(AtomicBool::new(false));
        let fake = Self {
            address: address.clone(),
            state: Arc::clone(&state),
            stop: Arc::clone(&stop),
        };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let (state, address) = (Arc::clone(&state), address.clone());
                std::thread::spawn(move || serve(&stream, &state, &address));
            }
        });
        fake
    }

    /// Its address, for `GITHUB_API_URL`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub(crate) fn fault(&self, at: &'static str, what: What) {
        self.fault_after(0, at, what);
    }

    pub(crate) fn fault_after(&self, after: usize, at: &'static str, what: What) {
        self.state().faults.push(Fault { at, after, what });
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // The thread that waits for connections wakes up and ends.
        TcpStream::connect(&self.address).ok();
    }
}

/// What was asked for.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: BTreeMap<String, String>,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Value,
    pub(super) address: String,
    pub(super) is_proxied: bool,
}

fn serve(stream: &TcpStream, state: &Mutex<State>, address: &str) {
    let Some(mut asked) = read(stream, address) else {
        return;
    };
    let mut state = state.lock().unwrap();
    if let Some(public) = &state.public {
        asked.address.clone_from(public);
        asked.is_proxied = true;
    }
    state
        .requests
        .push(format!("{} {}", asked.method, asked.path));
    let answer = match next_fault(&mut state, &asked) {
        Some(What::Answer(answer)) => Some(answer),
        Some(What::LoseAnswer) => {
            drop(handle(&mut state, &asked));
            None
        }
        Some(What::NeverAnswer) => {
            drop(state);
            std::thread::sleep(Duration::from_mins(5));
            return;
        }
        Some(What::Meanwhile(change)) => {
            change(&mut state);
            Some(handle(&mut state, &asked))
        }
        None => Some(handle(&mut state, &asked)),
    };
    drop(state);
    if let Some(answer) = answer {
        write(stream, &answer, &asked);
    }
}

fn next_fault(state: &mut State, asked: &Asked) -> Option<What> {
    let line = format!("{} {}", asked.method, asked.path);
    let at = state
        .faults
        .iter()
        .position(|fault| line.contains(fault.at))?;
    let fault = &mut state.faults[at];
    if fault.after > 0 {
        fault.after -= 1;
        return None;
    }
    Some(state.faults.remove(at).what)
}

fn read(mut stream: &TcpStream, address: &str) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim().split_once(':') {
            Some((name, value)) => {
                headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
            }
            None => break,
        }
    }
    if headers.contains_key("expect") {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").ok()?;
    }
    let length = headers
        .get("content-length")
        .and_then(|length| length.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let query = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), decoded(value)))
        .collect();
    Some(Asked {
        method,
        path: path.to_owned(),
        query,
        headers,
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
        address: address.to_owned(),
        is_proxied: false,
    })
}

/// Undoes the escapes of a query.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next(), rest.next()].map(|digit| digit.map_or('0', char::from));
            let digits: String = digits.into_iter().collect();
            bytes.push(u8::from_str_radix(&digits, 16).unwrap_or(b'?'));
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn write(mut stream: &TcpStream, answer: &Answer, asked: &Asked) {
    let body = match &answer.body {
        Value::Null => String::new(),
        body => body.to_string(),
    };
    let tag = format!(
        "\"{:x}\"",
        body.len() * 31 + body.bytes().map(usize::from).sum::<usize>()
    );
    let unchanged = answer.status == 200 && asked.headers.get("if-none-match") == Some(&tag);
    let (status, body) = if unchanged {
        (304, String::new())
    } else {
        (answer.status, body)
    };
    let mut head = format!(
        "HTTP/1.1 {status} Reason\r\nContent-Type: application/json; charset=utf-8\r\n\
         Content-Length: {}\r\nConnection: close\r\n",
        body.len()
    );
    // GitHub's description knows 304 of a few addresses only, so Prism gets no tags.
    if answer.status == 200 && !asked.is_proxied {
        head = format!("{head}ETag: {tag}\r\n");
    }
    for (name, value) in &answer.headers {
        head = format!("{head}{name}: {value}\r\n");
    }
    stream
        .write_all(format!("{head}\r\n{body}").as_bytes())
        .ok();
}
