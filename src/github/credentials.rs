//! The token and the address that it is for.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use crate::sys::env::Environment;
use crate::sys::process::{ExitStatus, Program, run};

/// The address of the public GitHub.
pub const PUBLIC_API: &str = "https://api.github.com";

/// Variables that may hold a token, the first that is set counts.
const VARIABLES: [&str; 3] = ["LCMBENCH_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"];

/// `gh` answers at once or waits for something that will not come.
const PATIENCE: Duration = Duration::from_secs(10);

/// A token and where it is valid. Printing it shows no token.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    pub token: String,
    /// Who said it: a variable, or `gh auth token`.
    pub source: &'static str,
    /// Without a slash at the end.
    pub api_url: String,
}

/// There is no token.
#[derive(Debug, thiserror::Error)]
#[error(
    "there is no token for GitHub: set LCMBENCH_TOKEN, GH_TOKEN or GITHUB_TOKEN (in a workflow \
     `GITHUB_TOKEN: ${{{{ github.token }}}}` below `env:`), or log in with `gh auth login`"
)]
pub struct NoToken;

impl Credentials {
    /// The token of the variables, else the one that `gh` keeps.
    pub fn find(environment: &Environment) -> Result<Self, NoToken> {
        let api_url = api_url(environment);
        let of_variable = VARIABLES
            .into_iter()
            .find_map(|name| {
                environment
                    .get(name)
                    .map(|token| (token.trim().to_owned(), name))
            })
            .filter(|(token, _)| !token.is_empty());
        let (token, source) = match of_variable {
            Some(found) => found,
            None => (
                of_gh(environment, &api_url).ok_or(NoToken)?,
                "gh auth token",
            ),
        };
        Ok(Self {
            token,
            source,
            api_url,
        })
    }

    /// Whether this is the token of an app's installation; the one of a workflow is.
    pub fn is_of_an_app(&self) -> bool {
        self.token.starts_with("ghs_")
    }
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Credentials")
            .field("source", &self.source)
            .field("api_url", &self.api_url)
            .finish_non_exhaustive()
    }
}

/// Where the API is: `GITHUB_API_URL`, else the public GitHub.
pub fn api_url(environment: &Environment) -> String {
    environment
        .get("GITHUB_API_URL")
        .unwrap_or(PUBLIC_API)
        .trim_end_matches('/')
        .to_owned()
}

/// The host whose token is wanted: that of the API without its `api.`.
fn host(api_url: &str) -> &str {
    let rest = api_url.split_once("://").map_or(api_url, |(_, rest)| rest);
    let host = rest.split('/').next().unwrap_or(rest);
    host.strip_prefix("api.").unwrap_or(host)
}

fn of_gh(environment: &Environment, api_url: &str) -> Option<String> {
    let arguments: Vec<OsString> = ["auth", "token", "--hostname", host(api_url)]
        .map(OsString::from)
        .to_vec();
    let program = Program {
        name: &OsString::from("gh"),
        arguments: &arguments,
        environment,
        directory: None,
        inherited: &[],
        death_signal: None,
        kept_bytes: 4096,
    };
    let finished = run(&program, Some(Instant::now() + PATIENCE), None).ok()?;
    let worked = finished
        .exit
        .is_some_and(|exit| exit.status == ExitStatus::from_raw(0));
    let token = finished.stdout.trim().to_owned();
    (worked && finished.cut.is_none() && !token.is_empty()).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_counts() {
        let all: Environment = [
            ("GITHUB_TOKEN", "three"),
            ("GH_TOKEN", "two"),
            ("LCMBENCH_TOKEN", "one"),
        ]
        .into_iter()
        .collect();
        let found = Credentials::find(&all).unwrap();
        assert_eq!(
            (found.token.as_str(), found.source),
            ("one", "LCMBENCH_TOKEN")
        );
        assert_eq!(found.api_url, PUBLIC_API);
        let enterprise: Environment = [
            ("GITHUB_TOKEN", "ghs_x\n"),
            ("LCMBENCH_TOKEN", ""),
            ("GITHUB_API_URL", "https://git.example.org/api/v3/"),
        ]
        .into_iter()
        .collect();
        let found = Credentials::find(&enterprise).unwrap();
        assert_eq!(found.source, "GITHUB_TOKEN");
        assert!(found.is_of_an_app());
        assert_eq!(found.api_url, "https://git.example.org/api/v3");
    }

    #[test]
    fn without_a_token_the_error_says_where_to_put_one_and_nothing_prints_one() {
        let empty: Environment = [("PATH", "/nowhere")].into_iter().collect();
        let error = Credentials::find(&empty).unwrap_err().to_string();
        assert!(error.contains("${{ github.token }}"), "{error}");
        let environment: Environment = [("GH_TOKEN", "secret")].into_iter().collect();
        let shown = format!("{:?}", Credentials::find(&environment).unwrap());
        assert!(!shown.contains("secret"), "{shown}");
    }

    #[test]
    fn gh_is_asked_for_the_host_behind_the_api() {
        assert_eq!(host("https://api.github.com"), "github.com");
        assert_eq!(host("https://git.example.org/api/v3"), "git.example.org");
    }
}
