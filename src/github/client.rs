//! Requests with retries, limits and pauses (serial, one at a time).

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::time::Duration;

use jiff::Timestamp;
use serde::de::DeserializeOwned;

use super::retry::{Meaning, Waits, meaning, message, refusal};
use super::{ApiError, Clock, Method, Request, Response, Transport};

/// All waits of one command together.
const BUDGET: Duration = Duration::from_mins(10);

/// GitHub wants at least this between two requests that change something.
const BETWEEN_WRITES: Duration = Duration::from_secs(1);

/// As many pages as this are read; more is a mistake of somebody's.
const MOST_PAGES: usize = 200;

/// Talks to GitHub's API.
///
/// A request that got no answer, or one of a broken server, is repeated after growing pauses, unless
/// it is a POST: whether that had its effect must be looked at first ([`ApiError::Unknown`]). A
/// request that a limit refused was not carried out, so it is repeated, POST or not.
pub struct Client<'a> {
    transport: Box<dyn Transport + 'a>,
    clock: Box<dyn Clock + 'a>,
    budget: Duration,
    waited: Cell<Duration>,
    last_write: Cell<Option<Timestamp>>,
    requests: Cell<usize>,
    /// Answers by path, with their tags: an answer that has not changed costs nothing of the limit.
    cache: RefCell<HashMap<String, Response>>,
}

impl<'a> Client<'a> {
    pub fn new(transport: impl Transport + 'a, clock: impl Clock + 'a) -> Self {
        Self {
            transport: Box::new(transport),
            clock: Box::new(clock),
            budget: BUDGET,
            waited: Cell::new(Duration::ZERO),
            last_write: Cell::new(None),
            requests: Cell::new(0),
            cache: RefCell::new(HashMap::new()),
        }
    }

    /// One whose waits all together take no longer than this, instead of ten minutes.
    #[must_use]
    pub fn with_budget(self, budget: Duration) -> Self {
        Self { budget, ..self }
    }

    /// Requests sent so far, repetitions included.
    pub fn requests(&self) -> usize {
        self.requests.get()
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Waits before something is tried again; an error when the budget of all waits is used up.
    pub(super) fn wait(&self, wait: Duration, purpose: &'static str) -> Result<(), ApiError> {
        if !self.is_within_budget(wait) {
            let until = self.clock.now().checked_add(wait);
            return Err(ApiError::RateLimited {
                purpose,
                until: until.unwrap_or(Timestamp::MAX),
            });
        }
        self.waited.set(self.waited.get() + wait);
        self.clock.sleep(wait);
        Ok(())
    }

    fn is_within_budget(&self, wait: Duration) -> bool {
        self.waited.get() + wait <= self.budget
    }

    /// Sends a request until it has a final answer. Only good answers are returned.
    pub(super) fn send(&self, request: &Request) -> Result<Response, ApiError> {
        let mut waits = Waits::new();
        loop {
            self.pause_between_writes(request.method);
            self.requests.set(self.requests.get() + 1);
            let answer = self.transport.send(request);
            if request.method.is_write() {
                self.last_write.set(Some(self.clock.now()));
            }
            let purpose = request.purpose;
            let broken = match &answer {
                Err(error) => error.message.clone(),
                Ok(response) => match meaning(response, self.clock.now()) {
                    Meaning::Good => return answer_or(answer, purpose),
                    Meaning::Refused => return Err(refusal(request, response)),
                    Meaning::Limited(until) => {
                        let now = self.clock.now();
                        let Some(wait) = waits.after_limit(until, now) else {
                            let until = until.unwrap_or(now);
                            return Err(ApiError::RateLimited { purpose, until });
                        };
                        self.wait(wait, purpose)?;
                        continue;
                    }
                    Meaning::Broken => {
                        format!("status {} {}", response.status, message(response))
                    }
                },
            };
            if !request.method.is_repeatable() {
                return Err(ApiError::Unknown {
                    purpose,
                    message: broken,
                });
            }
            // Not for longer than all waits may take; then the server is called broken, not its limit.
            match waits.after_broken() {
                Some(wait) if self.is_within_budget(wait) => self.wait(wait, purpose)?,
                _ => {
                    return Err(ApiError::Unreachable {
                        purpose,
                        message: broken,
                    });
                }
            }
        }
    }

    /// A GET; an answer that has not changed since the last time is taken from memory.
    pub(super) fn get(&self, request: &Request) -> Result<Response, ApiError> {
        let known = self.cache.borrow().get(&request.path).cloned();
        let request = Request {
            known: known
                .as_ref()
                .and_then(|response| response.header("etag"))
                .map(str::to_owned),
            ..request.clone()
        };
        let response = self.send(&request)?;
        if let (304, Some(known)) = (response.status, known) {
            return Ok(known);
        }
        if response.header("etag").is_some() {
            let path = request.path;
            self.cache.borrow_mut().insert(path, response.clone());
        }
        Ok(response)
    }

    /// A GET whose answer is one thing.
    pub(super) fn read<T: DeserializeOwned>(&self, request: &Request) -> Result<T, ApiError> {
        parsed(&self.get(request)?, request.purpose)
    }

    /// A GET of a list: all pages.
    pub(super) fn read_all<T: DeserializeOwned>(
        &self,
        request: &Request,
    ) -> Result<Vec<T>, ApiError> {
        let mut all = Vec::new();
        let mut request = request.clone();
        for _ in 0..MOST_PAGES {
            let response = self.get(&request)?;
            let page: Vec<T> = parsed(&response, request.purpose)?;
            all.extend(page);
            match response.next_page() {
                Some(next) => next.clone_into(&mut request.path),
                None => return Ok(all),
            }
        }
        Err(ApiError::Malformed {
            purpose: request.purpose,
            message: format!("there are more than {MOST_PAGES} pages"),
        })
    }

    fn pause_between_writes(&self, method: Method) {
        let Some(last) = self.last_write.get().filter(|_| method.is_write()) else {
            return;
        };
        let since = Duration::try_from(self.clock.now().duration_since(last)).unwrap_or_default();
        if since < BETWEEN_WRITES {
            self.clock.sleep(BETWEEN_WRITES.saturating_sub(since));
        }
    }
}

impl std::fmt::Debug for Client<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Client")
            .field("requests", &self.requests)
            .finish_non_exhaustive()
    }
}

fn answer_or(
    answer: Result<Response, super::TransportError>,
    purpose: &'static str,
) -> Result<Response, ApiError> {
    answer.map_err(|error| ApiError::Unreachable {
        purpose,
        message: error.message,
    })
}

/// The JSON of an answer.
pub(super) fn parsed<T: DeserializeOwned>(
    response: &Response,
    purpose: &'static str,
) -> Result<T, ApiError> {
    serde_json::from_str(&response.body).map_err(|error| ApiError::Malformed {
        purpose,
        message: error.to_string(),
    })
}

#[cfg(test)]
mod tests;
