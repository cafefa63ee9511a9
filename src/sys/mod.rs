//! The operating system: processes, files, signals, the environment and the printer. The only room
//! with `unsafe`.

pub mod cuda;
pub mod env;
pub mod files;
pub mod poll;
pub mod printer;
pub mod process;
pub mod seclusion;
pub mod signals;
pub mod stream;
pub mod workflow_command;
