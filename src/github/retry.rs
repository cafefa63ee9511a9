//! What an answer asks for, and how long to wait before the next try.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use jiff::Timestamp;

use super::{ApiError, Request, Response};

/// Waits after a limit that names no time begin with this.
const SECONDARY_LIMIT: Duration = Duration::from_mins(1);

/// Tries after the first that got no answer or one of a broken server.
const TRIES: usize = 5;

/// What an answer means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    Good,
    /// The server is broken at the moment; whether it did something is unknown.
    Broken,
    /// Not done, because of a limit; wait until this time, or as long as seems right.
    Limited(Option<Timestamp>),
    /// No, for good.
    Refused,
}

/// Reads status and headers; for 403 the headers go first, since both limits and missing
/// permissions answer so.
pub(super) fn meaning(response: &Response, now: Timestamp) -> Meaning {
    match response.status {
        200..=299 | 304 => Meaning::Good,
        403 | 429 => limit(response, now),
        500..=599 => Meaning::Broken,
        _ => Meaning::Refused,
    }
}

fn limit(response: &Response, now: Timestamp) -> Meaning {
    if let Some(seconds) = number(response, "retry-after") {
        let until = now.checked_add(Duration::from_secs(seconds.unsigned_abs()));
        return Meaning::Limited(until.ok());
    }
    if number(response, "x-ratelimit-remaining") == Some(0) {
        let reset = number(response, "x-ratelimit-reset");
        return Meaning::Limited(reset.and_then(|second| Timestamp::from_second(second).ok()));
    }
    let says_so = message(response)
        .to_ascii_lowercase()
        .contains("rate limit");
    if response.status == 429 || says_so {
        Meaning::Limited(None)
    } else {
        Meaning::Refused
    }
}

fn number(response: &Response, header: &str) -> Option<i64> {
    response.header(header)?.trim().parse().ok()
}

/// The waits of one request: after broken answers, and after limits without a time.
#[derive(Debug)]
pub(super) struct Waits {
    broken: ExponentialBackoff,
    limited: ExponentialBackoff,
}

impl Waits {
    pub(super) fn new() -> Self {
        let growing = |first: Duration, times: usize| {
            ExponentialBuilder::new()
                .with_factor(2.0)
                .with_min_delay(first)
                .with_max_delay(first * 16)
                .with_max_times(times)
                .with_jitter()
                .build()
        };
        Self {
            broken: growing(Duration::from_secs(1), TRIES),
            limited: growing(SECONDARY_LIMIT, TRIES),
        }
    }

    /// The wait after a broken answer; `None` after the last try.
    pub(super) fn after_broken(&mut self) -> Option<Duration> {
        self.broken.next()
    }

    /// The wait after a limit. A second is added, since clocks differ.
    pub(super) fn after_limit(
        &mut self,
        until: Option<Timestamp>,
        now: Timestamp,
    ) -> Option<Duration> {
        let growing = self.limited.next()?;
        match until {
            None => Some(growing),
            Some(until) => {
                let wait = Duration::try_from(until.duration_since(now)).unwrap_or_default();
                Some(wait + Duration::from_secs(1))
            }
        }
    }
}

/// GitHub's own words for what is wrong.
pub(super) fn message(response: &Response) -> String {
    let Ok(body) = serde_json::from_str::<serde_json::Value>(&response.body) else {
        return response.body.chars().take(200).collect();
    };
    let mut parts: Vec<String> = body["message"]
        .as_str()
        .map(str::to_owned)
        .into_iter()
        .collect();
    for error in body["errors"].as_array().into_iter().flatten() {
        let words = error.as_str().or_else(|| error["message"].as_str());
        match words {
            Some(words) => parts.push(words.to_owned()),
            None => parts.push(error.to_string()),
        }
    }
    let text = parts.join(": ");
    text.chars().take(500).collect()
}

/// The error of an answer that is no.
pub(super) fn refusal(request: &Request, response: &Response) -> ApiError {
    let message = message(response);
    let purpose = request.purpose;
    match response.status {
        401 => ApiError::Unauthorized { message },
        403 => ApiError::MissingScope {
            purpose,
            permission: request.permission,
            message,
        },
        404 | 410 => ApiError::NotFound {
            purpose,
            path: request.path.clone(),
            permission: request.permission,
        },
        status => ApiError::Refused {
            purpose,
            status,
            message,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::github::testing::answer;

    fn now() -> Timestamp {
        Timestamp::from_second(1_000_000).unwrap()
    }

    #[test]
    fn limits_are_told_from_missing_permissions_by_their_headers() {
        let at = |second| Meaning::Limited(Some(Timestamp::from_second(second).unwrap()));
        let cases = [
            (answer(200, &[], ""), Meaning::Good),
            (answer(304, &[], ""), Meaning::Good),
            (answer(502, &[], ""), Meaning::Broken),
            (answer(422, &[], ""), Meaning::Refused),
            (answer(403, &[("retry-after", "30")], ""), at(1_000_030)),
            (
                answer(
                    403,
                    &[
                        ("x-ratelimit-remaining", "0"),
                        ("x-ratelimit-reset", "1000100"),
                    ],
                    "",
                ),
                at(1_000_100),
            ),
            (answer(429, &[], ""), Meaning::Limited(None)),
            (
                answer(
                    403,
                    &[],
                    r#"{"message": "You have exceeded a secondary rate limit"}"#,
                ),
                Meaning::Limited(None),
            ),
            (
                answer(
                    403,
                    &[],
                    r#"{"message": "Resource not accessible by integration"}"#,
                ),
                Meaning::Refused,
            ),
        ];
        for (response, expected) in cases {
            assert_eq!(meaning(&response, now()), expected, "{response:?}");
        }
    }

    #[test]
    fn waits_grow_and_end() {
        let mut waits = Waits::new();
        let broken: Vec<u64> = std::iter::from_fn(|| waits.after_broken())
            .map(|wait| wait.as_secs())
            .collect();
        assert_eq!(broken.len(), 5);
        for (wait, least) in broken.iter().zip([1, 2, 4, 8, 16]) {
            assert!(*wait >= least && *wait <= 2 * least + 1, "{broken:?}");
        }
        let first = waits.after_limit(None, now()).unwrap();
        assert!(first >= Duration::from_mins(1), "{first:?}");
        let until = Timestamp::from_second(1_000_010).unwrap();
        assert_eq!(
            waits.after_limit(Some(until), now()),
            Some(Duration::from_secs(11))
        );
        let past = Timestamp::from_second(999_000).unwrap();
        assert_eq!(
            waits.after_limit(Some(past), now()),
            Some(Duration::from_secs(1))
        );
    }

    #[test]
    fn the_words_of_a_refusal_hold_all_that_github_says() {
        let body = r#"{"message": "Validation Failed", "errors": [
            {"resource": "IssueComment", "code": "custom", "field": "body", "message": "body is too long"},
            "odd", {"code": "missing"}]}"#;
        let said = message(&answer(422, &[], body));
        assert_eq!(
            said,
            "Validation Failed: body is too long: odd: {\"code\":\"missing\"}"
        );
        assert_eq!(message(&answer(502, &[], "<html>")), "<html>");
    }
}
