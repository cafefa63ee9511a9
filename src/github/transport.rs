//! The way to GitHub: octocrab on a runtime of one thread, which nothing else uses.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::header::{ACCEPT, IF_NONE_MATCH};
use octocrab::Octocrab;
use octocrab::service::middleware::retry::RetryConfig;
use tokio::runtime::Runtime;

use crate::sys::signals::Signals;

use super::credentials::PUBLIC_API;
use super::{ApiError, Credentials, Method, Request, Response, Transport, TransportError};

/// How often is looked whether this program was told to stop, while an answer is waited for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long something is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// A connection that takes longer is none.
    pub connect: Duration,
    /// An answer that takes longer will not come.
    pub answer: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(20),
            answer: Duration::from_mins(1),
        }
    }
}

/// Sends requests through octocrab, which neither repeats nor caches any.
pub struct OctocrabTransport {
    runtime: Runtime,
    client: Octocrab,
    api_url: String,
    patience: Patience,
    signals: Option<Arc<Signals>>,
}

impl OctocrabTransport {
    pub fn new(credentials: &Credentials) -> Result<Self, ApiError> {
        Self::with(credentials, Patience::default(), None)
    }

    /// One that gives up earlier or later, and at once when a signal says so.
    pub fn with(
        credentials: &Credentials,
        patience: Patience,
        signals: Option<Arc<Signals>>,
    ) -> Result<Self, ApiError> {
        let failed = |message: String| ApiError::Client { message };
        unusable(credentials).map_or(Ok(()), |message| Err(failed(message)))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| failed(error.to_string()))?;
        let api_url = credentials.api_url.trim_end_matches('/').to_owned();
        let guard = runtime.enter();
        let builder = Octocrab::builder()
            .add_retry_config(RetryConfig::None)
            .set_connect_timeout(Some(patience.connect))
            .set_read_timeout(Some(patience.answer))
            .personal_token(credentials.token.clone())
            .base_uri(api_url.as_str())
            .map_err(|error| failed(format!("{api_url}: {}", chain(&error))))?;
        let client = builder.build().map_err(|error| failed(chain(&error)))?;
        drop(guard);
        Ok(Self {
            runtime,
            client,
            api_url,
            patience,
            signals,
        })
    }

    /// The exchange, until it is done, the patience is over or this program is told to stop.
    async fn bounded(&self, request: &Request) -> Result<Response, String> {
        let until = Instant::now() + self.patience.answer;
        let mut exchange = pin!(self.exchange(request));
        loop {
            if let Some(signal) = self.signals.as_ref().and_then(|signals| signals.received()) {
                return Err(format!("stopped by signal {signal}"));
            }
            match tokio::time::timeout(LOOK_EVERY, exchange.as_mut()).await {
                Ok(Ok(response)) => return Ok(response),
                Ok(Err(error)) => return Err(format!("{} ({})", chain(&error), self.api_url)),
                Err(_) if Instant::now() >= until => {
                    return Err(format!(
                        "no answer from {} within {} seconds",
                        self.api_url,
                        self.patience.answer.as_secs()
                    ));
                }
                Err(_) => {}
            }
        }
    }

    async fn exchange(&self, request: &Request) -> Result<Response, octocrab::Error> {
        let method = match request.method {
            Method::Get => http::Method::GET,
            Method::Post => http::Method::POST,
            Method::Patch => http::Method::PATCH,
            Method::Delete => http::Method::DELETE,
        };
        // The next page is named by its whole address; below ours it is a path again.
        let path = request
            .path
            .strip_prefix(&self.api_url)
            .unwrap_or(&request.path);
        let mut builder = http::Request::builder()
            .method(method)
            .uri(path)
            .header(ACCEPT, "application/vnd.github+json");
        if let Some(known) = &request.known {
            builder = builder.header(IF_NONE_MATCH, known);
        }
        let built = self.client.build_request(builder, request.body.as_ref())?;
        let answer = self.client.execute(built).await?;
        let status = answer.status().as_u16();
        let headers = answer
            .headers()
            .iter()
            .filter_map(|(name, value)| {
                Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
            })
            .collect();
        let body = self.client.body_to_string(answer).await?;
        Ok(Response {
            status,
            headers,
            body,
        })
    }
}

impl Transport for OctocrabTransport {
    fn send(&self, request: &Request) -> Result<Response, TransportError> {
        let answer = self.runtime.block_on(self.bounded(request));
        answer.map_err(|message| TransportError { message })
    }
}

impl std::fmt::Debug for OctocrabTransport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("OctocrabTransport")
            .field("api_url", &self.api_url)
            .finish_non_exhaustive()
    }
}

/// What is wrong with the address or the token. octocrab would panic over it at the first request.
fn unusable(credentials: &Credentials) -> Option<String> {
    let url = &credentials.api_url;
    let is_address = url.parse().is_ok_and(|uri: http::Uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some()
    });
    if !is_address {
        return Some(format!(
            "GITHUB_API_URL is `{url}`, which is no address such as {PUBLIC_API}"
        ));
    }
    // The token itself is never printed.
    http::HeaderValue::from_str(&credentials.token)
        .is_err()
        .then(|| {
            format!(
                "the token of {} has a character that no token has, such as a line break",
                credentials.source
            )
        })
}

/// The causes of an error on one line, each once: octocrab's own words hold a backtrace.
fn chain(error: &dyn std::error::Error) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default().trim().to_owned();
        if !line.is_empty() && !words.contains(&line) {
            words.push(line);
        }
        next = error.source();
    }
    words.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(api_url: &str, token: &str) -> String {
        let credentials = Credentials {
            token: token.to_owned(),
            source: "GH_TOKEN",
            api_url: api_url.to_owned(),
        };
        OctocrabTransport::new(&credentials)
            .map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn what_is_no_address_is_refused_by_name_and_not_by_a_panic() {
        for wrong in [
            "git.example.org",
            "mailto:x",
            "ftp://a",
            "https://",
            "http://a b",
            "/api",
            "",
        ] {
            let error = refusal(wrong, "token");
            assert!(
                error.contains(&format!("GITHUB_API_URL is `{wrong}`")),
                "{error}"
            );
        }
        for right in [
            PUBLIC_API,
            "http://127.0.0.1:8080",
            "https://git.example.org/api/v3/",
        ] {
            assert_eq!(refusal(right, "token"), "");
        }
    }

    #[test]
    fn a_token_with_a_line_break_is_refused_without_showing_it() {
        let error = refusal(PUBLIC_API, "secret\nsecret");
        assert!(
            error.contains("the token of GH_TOKEN has a character"),
            "{error}"
        );
        assert!(!error.contains("secret"), "{error}");
    }
}
