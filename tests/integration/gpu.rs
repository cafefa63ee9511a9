//! GPUs, as a stand-in for NVIDIA's management library plays them.

mod check_script;
mod command;
mod continuous;
mod gpu_mem;
mod pair;
mod probe;
mod queue;
mod standin;
mod telemetry;
