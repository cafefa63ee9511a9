//! The way to GitHub: octocrab on a runtime of one thread, which nothing else uses.

use std::time::Duration;

use http::header::{ACCEPT, IF_NONE_MATCH};
use octocrab::Octocrab;
use octocrab::service::middleware::retry::RetryConfig;
use tokio::runtime::Runtime;

use super::{ApiError, Credentials, Method, Request, Response, Transport, TransportError};

/// A connection that takes longer is none.
const CONNECT: Duration = Duration::from_secs(20);

/// An answer that takes longer will not come.
const ANSWER: Duration = Duration::from_mins(1);

/// Sends requests through octocrab, which neither repeats nor caches any.
pub struct OctocrabTransport {
    runtime: Runtime,
    client: Octocrab,
    api_url: String,
}

impl OctocrabTransport {
    pub fn new(credentials: &Credentials) -> Result<Self, ApiError> {
        let failed = |message: String| ApiError::Client { message };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| failed(error.to_string()))?;
        let api_url = credentials.api_url.trim_end_matches('/').to_owned();
        let guard = runtime.enter();
        let builder = Octocrab::builder()
            .add_retry_config(RetryConfig::None)
            .set_connect_timeout(Some(CONNECT))
            .set_read_timeout(Some(ANSWER))
            .personal_token(credentials.token.clone())
            .base_uri(api_url.as_str())
            .map_err(|error| failed(format!("{api_url}: {}", chain(&error))))?;
        let client = builder.build().map_err(|error| failed(chain(&error)))?;
        drop(guard);
        Ok(Self {
            runtime,
            client,
            api_url,
        })
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
        let bounded = async { tokio::time::timeout(ANSWER, self.exchange(request)).await };
        let failed = |message: String| TransportError { message };
        match self.runtime.block_on(bounded) {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(failed(format!("{} ({})", chain(&error), self.api_url))),
            Err(_) => Err(failed(format!(
                "no answer from {} within {} seconds",
                self.api_url,
                ANSWER.as_secs()
            ))),
        }
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
