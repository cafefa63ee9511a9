//! Remotes, as far as their addresses and a branch's upstream tell.

use super::Repository;

/// Where a branch is pushed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstream {
    /// Address of the remote.
    pub url: String,
    /// Short name of the branch there.
    pub branch: String,
}

impl Repository {
    /// The address of a remote, if there is such a one.
    pub fn remote_url(&self, name: &str) -> Option<String> {
        let remote = self.inner.find_remote(name).ok()?;
        remote.url().ok().map(str::to_owned)
    }

    /// The upstream of a local branch, if it has one that is elsewhere. `pushRemote` goes first: that
    /// is where a fork's branch is.
    pub fn upstream_of(&self, branch: &str) -> Option<Upstream> {
        let config = self.inner.config().ok()?;
        let text = |key: &str| config.get_string(&format!("branch.{branch}.{key}")).ok();
        let remote = text("pushRemote").or_else(|| text("remote"))?;
        let merge = text("merge")?;
        // A remote may also be given by its address; `.` is this repository itself.
        let is_address = remote.contains(['/', ':']);
        let url = self
            .remote_url(&remote)
            .or_else(|| is_address.then_some(remote))?;
        Some(Upstream {
            url,
            branch: merge.strip_prefix("refs/heads/")?.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Playground;
    use super::*;

    #[test]
    fn the_upstream_is_the_remote_that_is_pushed_to() {
        let play = Playground::new();
        play.commit("one", &[("a", "1")]);
        let origin = "https://github.com/owner/project.git";
        play.git(&["remote", "add", "origin", origin]);
        play.git(&["remote", "add", "fork", "git@github.com:me/project.git"]);
        play.git(&["config", "branch.main.remote", "origin"]);
        play.git(&["config", "branch.main.merge", "refs/heads/topic/x"]);
        let expected = |url: &str| {
            Some(Upstream {
                url: url.to_owned(),
                branch: "topic/x".to_owned(),
            })
        };
        assert_eq!(play.open().upstream_of("main"), expected(origin));
        play.git(&["config", "branch.main.pushRemote", "fork"]);
        assert_eq!(
            play.open().upstream_of("main"),
            expected("git@github.com:me/project.git")
        );
        play.git(&["config", "branch.main.pushRemote", "."]);
        assert_eq!(play.open().upstream_of("main"), None);
        assert_eq!(play.open().upstream_of("other"), None);
        assert_eq!(play.open().remote_url("origin").as_deref(), Some(origin));
        assert_eq!(play.open().remote_url("nobody"), None);
    }
}
