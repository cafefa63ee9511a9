//! One integration binary: each file is a topic.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot prepare its folders or its programs fails"
)]

mod action;
mod asv_oracle;
mod bad_input;
mod change_points;
mod changes_command;
mod common;
mod compare_command;
mod compare_oracle;
mod compile_caches;
mod config;
mod continuous;
mod demo;
mod doctor;
mod github;
mod gpu;
mod harness;
mod history_oracle;
mod init;
mod interruption;
mod machine;
mod main_command;
mod pair;
mod paths;
mod preview_command;
mod profile_command;
mod publish_command;
mod publish_for_asv;
mod results_oracle;
mod run_command;
mod show_command;
mod stats_oracle;
mod stored;
