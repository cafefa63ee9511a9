//! What people and machines read: labels, units, the terminal table, Markdown and JSON. Pure
//! functions of typed rows.

mod row;

pub use row::{
    Absence, AbsentBenchmark, Alert, Cell, Comparison, Confidence, Difference, Estimator, Mark,
    MetricKind, Row, Side, Strength, Verdict,
};
