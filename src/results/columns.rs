//! The columns of a row of a result file.

/// asv's columns, in the order in which it writes them.
pub(super) const STANDARD: [(&str, Column); 13] = [
    ("result", Column::Result),
    ("params", Column::Params),
    ("version", Column::Version),
    ("started_at", Column::StartedAt),
    ("duration", Column::Duration),
    ("stats_ci_99_a", Column::Stats(Statistic::Ci99A)),
    ("stats_ci_99_b", Column::Stats(Statistic::Ci99B)),
    ("stats_q_25", Column::Stats(Statistic::Q25)),
    ("stats_q_75", Column::Stats(Statistic::Q75)),
    ("stats_number", Column::Stats(Statistic::Number)),
    ("stats_repeat", Column::Stats(Statistic::Repeat)),
    ("samples", Column::Samples),
    ("profile", Column::Profile),
];

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Result,
    Params,
    Version,
    StartedAt,
    Duration,
    Stats(Statistic),
    Samples,
    Profile,
    /// Unknown; kept as it is.
    Other,
}

/// The statistics that asv stores, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Statistic {
    Ci99A,
    Ci99B,
    Q25,
    Q75,
    Number,
    Repeat,
}

impl Column {
    /// The column of this name.
    pub(super) fn named(name: &str) -> Self {
        STANDARD
            .iter()
            .find(|(known, _)| *known == name)
            .map_or(Self::Other, |(_, column)| *column)
    }
}

/// The names of the standard columns.
pub(super) fn standard_names() -> Vec<String> {
    STANDARD
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .collect()
}
