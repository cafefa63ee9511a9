//! From what the pairs came to to a comparison and an exit code.

use crate::commands::Exit;
use crate::commands::comparing::accept;
use crate::commands::measure::Place;
use crate::compare::{self, History, Input};
use crate::config::Settings;
use crate::continuous::{Ended, with_verdicts};
use crate::report::{Comparison, Verdict};
use crate::results::BenchmarkIndex;
use crate::run::Outcome;
use crate::suite::Benchmark;

use super::flow::Request;
use super::prepare::Ready;
use super::saving::Known;
use super::sides::Sides;

pub(super) fn conclude(
    place: &Place,
    sides: &Sides,
    [base, head]: [&Ready; 2],
    ended: &Ended,
    settings: &Settings,
    request: &Request<'_>,
    known: &Known,
) -> Comparison {
    let set = |ready: &Ready, outcome: &Outcome, at: usize| {
        let mut set = place.result_set(
            &ready.settings,
            &ready.session,
            &ready.tree,
            &request.attributes,
            outcome,
        );
        if let Some(provenance) = &mut set.provenance {
            known.add_to(provenance);
            provenance.gpu.clone_from(&known.records[at]);
        }
        set
    };
    let (base_set, head_set) = (set(base, &ended.base, 0), set(head, &ended.head, 1));
    let index = BenchmarkIndex {
        benchmarks: head
            .session
            .benchmarks
            .iter()
            .map(|one| (one.name().to_owned(), one.record.clone()))
            .collect(),
    };
    let [base_name, head_name] = [0, 1].map(|at| sides.trees[at].name.as_deref());
    let comparison = compare::compare(
        &Input {
            base: Some(&base_set),
            head: &head_set,
            base_name,
            head_name,
            index: &index,
            history: &History::default(),
            limits: &settings.limits,
        },
        &compare::Options {
            same_session: true,
            force: true,
            ..compare::Options::default()
        },
    );
    let mut comparison = with_verdicts(comparison, &ended.tracks, &index);
    accept(&mut comparison, settings);
    // What was said about the history does not matter here.
    comparison.remarks.clear();
    let has = |name: &str| base.session.benchmarks.iter().any(|one| one.name() == name);
    let only_head: Vec<&str> = head
        .session
        .benchmarks
        .iter()
        .map(Benchmark::name)
        .filter(|name| !has(name))
        .collect();
    if !only_head.is_empty() {
        let names = only_head.join(", ");
        comparison.remarks.push(format!(
            "only HEAD has these, so they were not measured: {names}"
        ));
    }
    comparison.remarks.push(
        "base and head were measured alternately in one sitting: at most 1 % of benchmarks that did \
         not change are called changed at any time, and at most 5 % of all that are called changed are \
         not"
            .to_owned(),
    );
    if ended.waits.are_usual() {
        comparison.remarks.push(format!(
            "the host was busy: in {} of {} pairs a process waited longer for a processor than it ran; that \
             is usual here, so that it made no pair void",
            ended.waits.long, ended.waits.pairs
        ));
    }
    if ended.budget_spent {
        comparison
            .remarks
            .push("the time was used up before everything was settled".to_owned());
    }
    comparison
}

pub(super) fn done(ended: &Ended) -> usize {
    ended.tracks.iter().filter(|track| track.pairs > 0).count()
}

pub(super) fn exit(ended: &Ended, comparison: &Comparison) -> Exit {
    let failed = comparison
        .rows
        .iter()
        .any(|row| row.verdict == Verdict::Failed);
    // Where every pair was disturbed there is a verdict, but nothing was measured.
    let exit = if failed || comparison.rows.is_empty() || done(ended) == 0 {
        Exit::Failed
    } else {
        Exit::Done
    };
    match ended.interrupted {
        Some(signal) => exit.worse(Exit::Interrupted(signal)),
        None => exit,
    }
}
