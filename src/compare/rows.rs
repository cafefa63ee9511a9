//! The comparison of two sets of results.

use std::borrow::Cow;

use crate::config::{Better, Limits};
use crate::report::{Alert, Comparison, Estimator, MetricKind, Row, Side, Verdict};
use crate::results::{BenchmarkIndex, ResultSet};

use super::absent::absent;
use super::asv_rule::{Rule, is_beyond};
use super::decide::{Decision, exact, statistical, without_statistics};
use super::entry::machine_of;
use super::evidence::{Change, Judge};
use super::fingerprint::{Fingerprint, Fingerprints};
use super::history::History;
use super::measured::Stored;
use super::pairs::{Both, Pair};
use super::priors::Priors;
use super::reason::{NO_BASELINE, VERSIONS};
use super::remarks::remarks;
use super::subject::Subject;

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// `None` when there is no baseline: every row then has its head side alone.
    pub base: Option<&'a ResultSet>,
    pub head: &'a ResultSet,
    /// What the user or git calls the commits.
    pub base_name: Option<&'a str>,
    pub head_name: Option<&'a str>,
    /// HEAD's benchmarks; one that it lacks is known by its name and by what the files hold.
    pub index: &'a BenchmarkIndex,
    /// Results before the base, on the same machine and in the same environment.
    pub history: &'a History,
    pub limits: &'a Limits,
}

/// How it is compared.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// asv's factor, which decides about the marks.
    pub factor: f64,
    /// Whether statistics have a say in the marks (`--no-stats` of asv).
    pub use_stats: bool,
    /// Compare although the machines or the choices of how to time differ.
    pub force: bool,
    /// Base and head were measured alternately in one sitting.
    pub same_session: bool,
    /// Whether a benchmark (`name`, or `name(p1, p2)`) was selected; `None` when all were.
    pub selected: Option<&'a dyn Fn(&str) -> bool>,
    /// Whether HEAD's suite has a benchmark; `None` to ask the index. (The file `benchmarks.json`
    /// keeps benchmarks that left the suite.)
    pub in_suite: Option<&'a dyn Fn(&str) -> bool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            factor: 1.1,
            use_stats: true,
            force: false,
            same_session: false,
            selected: None,
            in_suite: None,
        }
    }
}

/// Compares HEAD with the base: a row for each combination of parameters of each benchmark that
/// HEAD ran, sorted by name and position. One that failed or was skipped on HEAD was run.
pub fn compare(input: &Input, options: &Options) -> Comparison {
    let fingerprints = match input.base {
        Some(base) => Fingerprints::of(base, input.head),
        None => Fingerprints::default(),
    };
    let drafts = drafts(input, options, &fingerprints);
    let mut priors = Priors::new(input, &drafts);
    let mut judge = Judge::new(options.same_session);
    let mut rows = Vec::with_capacity(drafts.iter().map(|draft| draft.pairs.len()).sum());
    for draft in &drafts {
        for (pair, change) in &draft.pairs {
            let decision = draft.decide(pair, change.as_ref(), &mut priors, &mut judge);
            rows.push(draft.row(pair, decision, options));
        }
    }
    Comparison {
        base: input.base.map(|base| side(base, input.base_name)),
        head: side(input.head, input.head_name),
        remarks: remarks(
            input.base,
            input.head,
            &rows,
            input.history,
            &fingerprints.last,
            options.force,
        ),
        rows,
        absent: input.base.map_or_else(Vec::new, |base| {
            absent(base, input.head, input.index, options)
        }),
        // Declarations are another step: `accept`.
        accepted: Vec::new(),
        differences: fingerprints.last.differences,
    }
}

fn side(set: &ResultSet, name: Option<&str>) -> Side {
    Side {
        commit: set.commit_hash.clone(),
        name: name.map(str::to_owned),
        machine: machine_of(set).to_owned(),
        environment: set.env_name.clone(),
    }
}

/// One benchmark with its pairs and the change of each, before anything is decided.
pub(super) struct Draft<'a> {
    pub(super) subject: Subject,
    flags: Vec<String>,
    /// Why its times do not count.
    disturbed: Option<String>,
    /// Why nothing of this benchmark is comparable.
    obstacle: Option<Cow<'a, str>>,
    has_base: bool,
    pub(super) pairs: Vec<(Pair<'a>, Option<Change>)>,
}

fn drafts<'a>(
    input: &Input<'a>,
    options: &Options,
    fingerprints: &'a Fingerprints,
) -> Vec<Draft<'a>> {
    let mut names: Vec<&String> = input.head.results.keys().collect();
    names.sort_unstable();
    let mut points = Vec::new();
    let mut drafts = Vec::with_capacity(names.len());
    for name in names {
        let Some(both) = Both::new(name, input.base, input.head) else {
            continue;
        };
        let subject = Subject::new(name, input.index, input.limits);
        let fingerprint = fingerprints.of_benchmark(name);
        let obstacle = obstacle(both, &subject, fingerprint, options.force);
        let pairs = both
            .pairs()
            .into_iter()
            .map(|pair| {
                let change = match (&pair.base, &pair.head) {
                    (Stored::Number(base), Stored::Number(head)) if obstacle.is_none() => {
                        input.history.series(pair.key, &mut points);
                        Change::of(base, head, &points, subject.better)
                    }
                    _ => None,
                };
                (pair, change)
            })
            .collect();
        let disturbed = both.disturbance();
        drafts.push(Draft {
            disturbed: disturbed.filter(|_| subject.is_timed() && !options.force),
            subject,
            flags: both.flags(),
            obstacle,
            has_base: input.base.is_some(),
            pairs,
        });
    }
    drafts
}

fn obstacle<'a>(
    both: Both,
    subject: &Subject,
    fingerprint: &'a Fingerprint,
    force: bool,
) -> Option<Cow<'a, str>> {
    if both.versions_differ() {
        return Some(VERSIONS.into());
    }
    if force {
        return None;
    }
    let timed = fingerprint.timed.as_deref().filter(|_| subject.is_timed());
    let of_all = fingerprint.all.as_deref().or(timed);
    of_all
        .map(Cow::from)
        .or_else(|| Some(both.modes_differ()?.into()))
}

impl Draft<'_> {
    fn decide(
        &self,
        pair: &Pair,
        change: Option<&Change>,
        priors: &mut Priors,
        judge: &mut Judge,
    ) -> Decision {
        if !self.has_base && pair.head.is_value() {
            return Decision::plain(Verdict::NotComparable, NO_BASELINE);
        }
        if let Some(decision) = without_statistics(&pair.base, &pair.head, self.obstacle.as_deref())
        {
            return decision;
        }
        let (Stored::Number(base), Stored::Number(head)) = (&pair.base, &pair.head) else {
            return Decision::plain(Verdict::NotComparable, super::reason::NO_NUMBERS);
        };
        if self.subject.metric.kind == MetricKind::Count {
            return exact(&self.subject, base, head);
        }
        let needs_prior = change.is_some_and(|change| change.noise.own().is_none());
        let prior = if needs_prior {
            priors.of(self.subject.metric.kind)
        } else {
            None
        };
        let decision = statistical(&self.subject, change, prior, base, head, judge);
        match &self.disturbed {
            Some(reason) => decision.disturbed(reason),
            None => decision,
        }
    }

    fn row(&self, pair: &Pair, decision: Decision, options: &Options) -> Row {
        let subject = &self.subject;
        let rule = Rule {
            factor: options.factor,
            use_stats: options.use_stats,
            better: subject.better,
            incomparable: self.obstacle.is_some()
                && ![&pair.base, &pair.head]
                    .iter()
                    .any(|side| matches!(side, Stored::Missing)),
        };
        let (mark, uncertain) = rule.mark(&pair.base, &pair.head);
        Row {
            benchmark: subject.name.clone(),
            combination: pair.combination,
            params: pair
                .params
                .iter()
                .enumerate()
                .map(|(position, value)| (subject.param_name(position), (*value).to_owned()))
                .collect(),
            kind: subject.metric.kind,
            unit: subject.metric.unit.clone(),
            better: subject.better,
            base: pair.base.cell(),
            head: pair.head.cell(),
            alert: alert(subject, pair, &decision),
            ratio: decision.ratio,
            estimator: decision.estimator,
            verdict: decision.verdict,
            reason: decision.reason,
            confidence: decision.confidence,
            mark,
            uncertain,
            flags: self.flags.clone(),
        }
    }
}

/// Whether the change is beyond the limit in the worse direction, by the ratio that is shown; by the
/// values where they have no ratio.
fn alert(subject: &Subject, pair: &Pair, decision: &Decision) -> Option<Alert> {
    let limit = subject.alert_limit;
    let (Stored::Number(base), Stored::Number(head)) = (&pair.base, &pair.head) else {
        return None;
    };
    if decision.verdict == Verdict::NotComparable {
        return None;
    }
    let beyond = match (decision.estimator, decision.ratio) {
        (Estimator::Floor, Some(ratio)) => is_beyond(1.0, ratio, limit, Better::Lower),
        _ => is_beyond(base.value, head.value, limit, subject.better),
    };
    beyond.then_some(Alert { limit })
}
