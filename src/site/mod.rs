//! The dashboard: a folder of plain files that a browser shows without a server.
//!
//! [`draw`] turns a history into files. They are of two sorts: what belongs to the page (drawn by
//! `web/`, embedded when the program was built), and data as scripts, so that they load from a disk
//! too. Data files are small and of one thing each: a file changes only if its data does
//! (`docs/dashboard.md`).

mod asv;
mod badge;
mod benchmark;
mod block;
mod build;
mod catalogue;
mod change;
mod commits;
mod draw;
mod error;
mod feed;
mod folder;
mod index;
mod memory;
mod names;
mod number;
mod overview;
mod page;
mod run;
mod script;
mod shortened;
mod sparkline;
#[cfg(test)]
mod testing;

pub use asv::Revisions;
pub use build::{Built, build};
pub use draw::{Project, draw};
pub use error::SiteError;
pub use folder::{Drawn, Folder};
pub use page::has_page;

/// One file of the dashboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Below the dashboard's folder, with `/`.
    pub path: String,
    pub text: String,
}
