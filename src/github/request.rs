//! What goes to GitHub and what comes back, as plain values.

use std::collections::BTreeMap;

use serde_json::Value;

use super::TransportError;

/// The verbs that are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Patch,
    Delete,
}

impl Method {
    /// Whether sending it twice is the same as sending it once.
    pub fn is_repeatable(self) -> bool {
        self != Self::Post
    }

    /// Whether it changes something: GitHub wants pauses between those.
    pub fn is_write(self) -> bool {
        self != Self::Get
    }
}

/// One request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub method: Method,
    /// Path and query below the API's address, beginning with `/`.
    pub path: String,
    pub body: Option<Value>,
    /// The tag of the version that is known already.
    pub known: Option<String>,
    /// What it is for, for messages: "read the comments".
    pub purpose: &'static str,
    /// The line below `permissions:` of a workflow that allows it: `pull-requests: write`.
    pub permission: &'static str,
}

impl Request {
    pub fn get(path: String, purpose: &'static str, permission: &'static str) -> Self {
        Self {
            method: Method::Get,
            path,
            body: None,
            known: None,
            purpose,
            permission,
        }
    }

    /// A request that changes something.
    pub fn write(
        method: Method,
        path: String,
        body: Option<Value>,
        purpose: &'static str,
        permission: &'static str,
    ) -> Self {
        Self {
            method,
            path,
            body,
            known: None,
            purpose,
            permission,
        }
    }
}

/// The answer to a request, whatever its status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    /// By name in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// The path and query of the next page, from the header `Link`.
    pub fn next_page(&self) -> Option<&str> {
        let link = self.header("link")?;
        link.split(',').find_map(|part| {
            let (target, parameters) = part.trim().strip_prefix('<')?.split_once('>')?;
            let is_next = parameters
                .split(';')
                .any(|parameter| parameter.trim() == "rel=\"next\"");
            is_next.then_some(target)
        })
    }
}

/// Carries requests to GitHub.
pub trait Transport {
    /// An error means that no answer came; whether the request had an effect is then unknown.
    fn send(&self, request: &Request) -> Result<Response, TransportError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_link(link: &str) -> Response {
        Response {
            headers: [("link".to_owned(), link.to_owned())].into(),
            ..Response::default()
        }
    }

    #[test]
    fn the_next_page_is_the_one_that_the_link_names_next() {
        let link = "<https://api.github.com/x?page=1>; rel=\"prev\", \
                    <https://api.github.com/x?page=3>; rel=\"next\", \
                    <https://api.github.com/x?page=9>; rel=\"last\"";
        assert_eq!(
            with_link(link).next_page(),
            Some("https://api.github.com/x?page=3")
        );
        assert_eq!(
            with_link("<https://a/x?page=1>; rel=\"last\"").next_page(),
            None
        );
        assert_eq!(with_link("nonsense").next_page(), None);
        assert_eq!(Response::default().next_page(), None);
    }
}
