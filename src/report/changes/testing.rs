//! Reports for the tests of this folder.

use crate::report::{MetricKind, Verdict};

use super::{ChangedCommit, ChangesReport, LevelChange, SurroundingChange};

fn commit(digit: char, day: i64, subject: &str) -> ChangedCommit {
    ChangedCommit {
        hash: digit.to_string().repeat(40),
        date: 1_704_067_200_000 + day * 86_400_000,
        subject: subject.to_owned(),
    }
}

/// Nothing was found.
pub(super) fn empty() -> ChangesReport {
    ChangesReport {
        branch: "main".to_owned(),
        commits: 20,
        series: 3,
        values: 60,
        ..ChangesReport::default()
    }
}

/// Two changes on two machines, and a border.
pub(super) fn report() -> ChangesReport {
    let slower = LevelChange {
        benchmark: "bench.Solve.time_it".to_owned(),
        params: vec!["10".to_owned(), "'<script>|'".to_owned()],
        machine: "gpu-01".to_owned(),
        environment: "cuda12".to_owned(),
        kind: MetricKind::Time,
        unit: "seconds".to_owned(),
        before: 0.1,
        after: 0.125,
        verdict: Verdict::Slower,
        p: 1e-5,
        first: commit('b', 9, "Start"),
        last: commit('c', 12, "Rewrite"),
        count: 3,
        likely: commit('c', 12, "Rewrite @everyone | now"),
        versions: None,
    };
    let faster = LevelChange {
        benchmark: "bench.track_calls".to_owned(),
        params: Vec::new(),
        machine: "gpu-02".to_owned(),
        unit: "calls".to_owned(),
        kind: MetricKind::Count,
        before: 7.0,
        after: 5.0,
        verdict: Verdict::Faster,
        first: commit('a', 4, "Fewer calls"),
        last: commit('a', 4, "Fewer calls"),
        count: 1,
        likely: commit('a', 4, "Fewer calls"),
        versions: Some(("1".to_owned(), "2".to_owned())),
        ..slower.clone()
    };
    ChangesReport {
        changes: vec![slower, faster],
        borders: vec![SurroundingChange {
            machine: "gpu-01".to_owned(),
            environment: "cuda12".to_owned(),
            what: "driver".to_owned(),
            before: "550".to_owned(),
            after: "560".to_owned(),
            commit: commit('d', 15, "Later"),
        }],
        ..empty()
    }
}
