//! The `lcmbench` binary: hands the process's arguments and environment to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    lcmbench::commands::main(std::env::args_os())
}
