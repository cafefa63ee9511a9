//! Real asv as the oracle: both tools on the same suites, with one machine file for both.

mod both;
mod reading;
mod same;
mod suites;
