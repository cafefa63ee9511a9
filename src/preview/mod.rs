//! A folder of pages, served to browsers on this machine, and told of its changes.

mod answer;
mod server;
mod watch;

pub use server::{Pages, Server};
pub use watch::Fingerprint;
