//! Benchmarks and parameters as types, and their selection by regular expression.
