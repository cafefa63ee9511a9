//! Whether a branch requires a status, by a ruleset or by the older branch protection.

use serde::Deserialize;

use super::endpoints::{Remote, encode};
use super::{ApiError, Request};

/// The number of GitHub Actions among the apps of the public GitHub.
pub const ACTIONS_APP: i64 = 15_368;

/// A status that must be a success before anything is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Required {
    /// The app whose status counts; `None` where anybody's does.
    pub app: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct Rule {
    r#type: String,
    #[serde(default)]
    parameters: Option<RuleParameters>,
}

#[derive(Debug, Deserialize)]
struct RuleParameters {
    #[serde(default)]
    required_status_checks: Vec<RuleCheck>,
}

#[derive(Debug, Deserialize)]
struct RuleCheck {
    context: String,
    #[serde(default)]
    integration_id: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct Branch {
    protected: bool,
    #[serde(default)]
    protection: Option<Protection>,
}

#[derive(Debug, Deserialize)]
struct Protection {
    #[serde(default)]
    required_status_checks: Option<Checks>,
}

#[derive(Debug, Deserialize)]
struct Checks {
    #[serde(default)]
    contexts: Vec<String>,
    #[serde(default)]
    checks: Vec<ProtectionCheck>,
}

#[derive(Debug, Deserialize)]
struct ProtectionCheck {
    context: String,
    #[serde(default)]
    app_id: Option<i64>,
}

impl Checks {
    fn required(&self, context: &str) -> Option<Required> {
        let of_check = self
            .checks
            .iter()
            .find(|check| check.context.eq_ignore_ascii_case(context))
            .map(|check| Required::by(check.app_id));
        let is_named = |name: &String| name.eq_ignore_ascii_case(context);
        of_check.or_else(|| {
            self.contexts
                .iter()
                .any(is_named)
                .then(|| Required::by(None))
        })
    }
}

impl Required {
    /// GitHub writes -1 for any app, too.
    fn by(app: Option<i64>) -> Self {
        Self {
            app: app.filter(|app| *app > 0),
        }
    }
}

impl Remote<'_> {
    /// Whether a ruleset requires the status on a branch. Whoever may read the repository may ask.
    pub fn required_by_ruleset(
        self,
        branch: &str,
        context: &str,
    ) -> Result<Option<Required>, ApiError> {
        let path = self.path(&format!("rules/branches/{}?per_page=100", encode(branch)));
        let request = Request::get(path, "read the rules of the branch", "metadata: read");
        let rules: Vec<Rule> = self.client.read_all(&request)?;
        let mut found: Option<Required> = None;
        let checks = rules
            .into_iter()
            .filter(|rule| rule.r#type == "required_status_checks")
            .filter_map(|rule| rule.parameters)
            .flat_map(|parameters| parameters.required_status_checks);
        for check in checks.filter(|check| check.context.eq_ignore_ascii_case(context)) {
            let this = Required::by(check.integration_id);
            // All rules apply, so one that names an app decides.
            found = Some(match found {
                Some(other) if other.app.is_some() => other,
                _ => this,
            });
        }
        Ok(found)
    }

    /// Whether the branch protection of before rulesets requires the status. Its summary stands in the
    /// branch; where it does not, only administrators are told.
    pub fn required_by_protection(
        self,
        branch: &str,
        context: &str,
    ) -> Result<Option<Required>, ApiError> {
        let branch = encode(branch);
        let path = self.path(&format!("branches/{branch}"));
        let request = Request::get(path, "read the branch", "contents: read");
        let summary: Branch = self.client.read(&request)?;
        if !summary.protected {
            return Ok(None);
        }
        let checks = summary
            .protection
            .and_then(|protection| protection.required_status_checks);
        if let Some(checks) = checks {
            return Ok(checks.required(context));
        }
        let path = self.path(&format!(
            "branches/{branch}/protection/required_status_checks"
        ));
        let request = Request::get(path, "read the branch protection", "administration: read");
        match self.client.read::<Checks>(&request) {
            Ok(checks) => Ok(checks.required(context)),
            // Protected by a ruleset alone, or without required statuses.
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_context_without_an_app_is_anybody_s() {
        let checks: Checks = serde_json::from_str(
            r#"{"contexts": ["ci", "Benchmark-Check"], "checks": [{"context": "ci", "app_id": 15368}]}"#,
        )
        .unwrap();
        let app = |context: &str| checks.required(context).map(|required| required.app);
        assert_eq!(app("benchmark-check"), Some(None));
        assert_eq!(app("ci"), Some(Some(ACTIONS_APP)));
        assert_eq!(app("docs"), None);
        assert_eq!(Required::by(Some(-1)).app, None);
    }
}
