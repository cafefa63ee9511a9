//! Limits and directions of one benchmark, looked up in the settings.

use crate::config::{Better, Limits};
use crate::report::matches_benchmark;

use super::kind::Metric;

/// The alert ratio of a benchmark: the first pattern that matches it, else its kind's, else the
/// default.
pub fn alert_limit(limits: &Limits, benchmark: &str, metric: &Metric) -> f64 {
    first_match(&limits.alert_by_benchmark, benchmark)
        .or_else(|| limits.alert_by_kind.get(metric.kind.key()).copied())
        .unwrap_or(limits.alert)
}

/// The smallest relative change of a benchmark that is called slower or faster.
pub fn minimum_effect(limits: &Limits, benchmark: &str) -> f64 {
    first_match(&limits.minimum_effect_by_benchmark, benchmark).unwrap_or(limits.minimum_effect)
}

/// Which direction is an improvement: the first pattern that matches, else the unit's, else lower.
pub fn better_of(limits: &Limits, benchmark: &str, metric: &Metric) -> Better {
    first_match(&limits.better_by_benchmark, benchmark)
        .or_else(|| limits.better_by_unit.get(&metric.unit).copied())
        .unwrap_or_default()
}

fn first_match<T: Copy>(patterns: &[(String, T)], benchmark: &str) -> Option<T> {
    patterns
        .iter()
        .find(|(pattern, _)| matches_benchmark(pattern, benchmark))
        .map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::MetricKind;

    fn limits() -> Limits {
        Limits {
            alert: 1.1,
            alert_by_kind: [("memory".to_owned(), 1.02)].into(),
            alert_by_benchmark: vec![("Solve".to_owned(), 1.5), ("*.track_x".to_owned(), 1.7)],
            minimum_effect: 0.02,
            minimum_effect_by_benchmark: vec![("m.Solve.time_a".to_owned(), 0.005)],
            better_by_benchmark: vec![("m.Solve.track_loss".to_owned(), Better::Lower)],
            better_by_unit: [("particles / second".to_owned(), Better::Higher)].into(),
        }
    }

    fn metric(kind: MetricKind, unit: &str) -> Metric {
        Metric {
            kind,
            unit: unit.to_owned(),
        }
    }

    #[test]
    fn the_benchmark_wins_over_its_kind_and_the_default() {
        let limits = limits();
        let time = metric(MetricKind::Time, "seconds");
        let memory = metric(MetricKind::Memory, "bytes");
        assert!((alert_limit(&limits, "m.Solve.time_a", &time) - 1.5).abs() < 1e-12);
        assert!((alert_limit(&limits, "m.Other.track_x", &time) - 1.7).abs() < 1e-12);
        assert!((alert_limit(&limits, "m.Other.peakmem_x", &memory) - 1.02).abs() < 1e-12);
        assert!((alert_limit(&limits, "m.Other.time_x", &time) - 1.1).abs() < 1e-12);
        assert!((minimum_effect(&limits, "m.Solve.time_a") - 0.005).abs() < 1e-12);
        assert!((minimum_effect(&limits, "m.Solve.time_b") - 0.02).abs() < 1e-12);
    }

    #[test]
    fn direction_comes_from_benchmark_then_unit() {
        let limits = limits();
        let rate = metric(MetricKind::Track, "particles / second");
        assert_eq!(better_of(&limits, "m.T.track_rate", &rate), Better::Higher);
        assert_eq!(
            better_of(&limits, "m.Solve.track_loss", &rate),
            Better::Lower
        );
        let other = metric(MetricKind::Track, "unit");
        assert_eq!(better_of(&limits, "m.T.track_rate", &other), Better::Lower);
    }
}
