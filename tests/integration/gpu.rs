//! GPUs, as a stand-in for NVIDIA's management library plays them.

mod command;
mod queue;
mod standin;
mod telemetry;
