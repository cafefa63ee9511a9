//! Tests of whole comparisons.

mod build;
mod disturbed;
mod marks;
mod past;
mod rows;
mod simulation;
mod statistics;
