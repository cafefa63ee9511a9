//! A way to GitHub that answers from a script, and a clock that nobody waits for.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use jiff::Timestamp;

use super::{Clock, Request, Response, Transport, TransportError};

/// Answers in order; every request is kept.
#[derive(Debug, Clone, Default)]
pub(super) struct Script {
    answers: Rc<RefCell<Vec<Result<Response, String>>>>,
    pub(super) requests: Rc<RefCell<Vec<Request>>>,
}

impl Script {
    pub(super) fn new(answers: Vec<Result<Response, String>>) -> Self {
        let mut answers = answers;
        answers.reverse();
        Self {
            answers: Rc::new(RefCell::new(answers)),
            requests: Rc::default(),
        }
    }

    /// `GET /path` of every request, in order.
    pub(super) fn sent(&self) -> Vec<String> {
        let requests = self.requests.borrow();
        requests
            .iter()
            .map(|request| format!("{:?} {}", request.method, request.path))
            .collect()
    }
}

impl Transport for Script {
    fn send(&self, request: &Request) -> Result<Response, TransportError> {
        self.requests.borrow_mut().push(request.clone());
        let answer = self.answers.borrow_mut().pop();
        answer
            .unwrap_or_else(|| panic!("no answer is left for {request:?}"))
            .map_err(|message| TransportError { message })
    }
}

/// A clock that moves only when somebody waits.
#[derive(Debug, Clone, Default)]
pub(super) struct ManualClock {
    passed: Rc<Cell<Duration>>,
}

impl ManualClock {
    /// Seconds that were waited.
    pub(super) fn waited(&self) -> u64 {
        self.passed.get().as_secs()
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_second(1_000_000)
            .unwrap()
            .checked_add(self.passed.get())
            .unwrap()
    }

    fn sleep(&self, duration: Duration) {
        self.passed.set(self.passed.get() + duration);
    }
}

/// An answer of this status.
pub(super) fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Response {
    Response {
        status,
        headers: headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        body: body.to_owned(),
    }
}
