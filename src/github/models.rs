//! What is read of GitHub's answers; everything else in them is ignored.

use serde::Deserialize;

/// A comment on a pull request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Comment {
    pub id: u64,
    #[serde(default)]
    pub body: Option<String>,
    /// `None` for authors who are gone.
    #[serde(default)]
    pub user: Option<User>,
    #[serde(default)]
    pub html_url: String,
    #[serde(default)]
    pub created_at: String,
    /// `OWNER`, `MEMBER`, `COLLABORATOR`, `CONTRIBUTOR`, `NONE`, ...
    #[serde(default)]
    pub author_association: String,
}

impl Comment {
    pub fn text(&self) -> &str {
        self.body.as_deref().unwrap_or_default()
    }

    pub fn login(&self) -> &str {
        self.user.as_ref().map_or("", |user| &user.login)
    }

    /// Whether `login` wrote it. A name that ends in `[bot]` cannot be registered by people.
    pub fn is_by(&self, login: &str) -> bool {
        !login.is_empty() && self.login().eq_ignore_ascii_case(login)
    }
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct User {
    pub login: String,
}

/// A pull request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Pull {
    pub number: u64,
    #[serde(default)]
    pub html_url: String,
    #[serde(default)]
    pub title: String,
    pub head: PullSide,
    pub base: PullSide,
}

impl Pull {
    /// Whether its branch is in another repository; one whose repository is gone counts as such.
    pub fn is_from_fork(&self) -> bool {
        let name = |side: &PullSide| side.repo.as_ref().map(|repo| repo.full_name.clone());
        name(&self.head).is_none() || name(&self.head) != name(&self.base)
    }
}

/// Head or base of a pull request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PullSide {
    pub sha: String,
    pub r#ref: String,
    #[serde(default)]
    pub repo: Option<Repo>,
}

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Repo {
    pub full_name: String,
}

/// A status of a commit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CommitStatus {
    pub state: String,
    pub context: String,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub created_at: String,
}

/// Two commits compared.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Compared {
    pub merge_base_commit: CommitName,
    /// Commits of the second that the first lacks.
    pub ahead_by: u64,
    /// At most 300 of the files that differ.
    #[serde(default)]
    pub files: Option<Vec<ChangedFile>>,
}

/// A commit by its hash.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CommitName {
    pub sha: String,
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ChangedFile {
    pub filename: String,
    #[serde(default)]
    pub previous_filename: Option<String>,
}

/// What somebody may do in a repository.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Permission {
    pub(super) permission: String,
}
