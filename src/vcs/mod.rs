//! Git: libgit2 for reading, the `git` executable for what depends on the user's configuration.
