//! What goes wrong outside lcmbench, and what it makes of it.

mod benchmarks;
mod configuration;
mod folders;
mod machine_files;
mod pythons;
mod repositories;
mod slips;
mod suites;

pub(crate) use folders::with_own_mounts;
