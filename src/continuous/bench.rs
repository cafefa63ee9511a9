//! Runs the pairs: both sides back to back, in the order of the coin, all benchmarks in turn.

use std::path::Path;

use crate::machine::HostFacts;
use crate::run::{Attributes, Clock, Finding, Noticed, OneSide, Plan, Stopped, Taken};
use crate::stats::Coin;
use crate::worker::Executor;

use super::journal::{Header, Journal, JournalError, Kept};
use super::schedule::{Stage, wants_more};
use super::sitting::{Ended, Notice, Options};
use super::target::{Facts, Target, targets};
use super::track::{Side, Track};
use super::validity::{Circumstances, gpu_disturbance, void_reason};
use super::waits::Waits;

/// The measurement.
pub struct Bench<'a> {
    targets: Vec<Target<'a>>,
    tracks: Vec<Track>,
    base: OneSide<'a>,
    head: OneSide<'a>,
    clock: &'a dyn Clock,
    options: Options,
    coin: Coin,
    journal: Journal,
    broken: Option<JournalError>,
    budget_spent: bool,
    waits: Waits,
}

impl<'a> Bench<'a> {
    /// Everything that `plan` holds, on two sides. `facts` says kind, limits and direction of a benchmark.
    pub fn new(
        plan: &'a Plan,
        executors: [&'a mut dyn Executor; 2],
        attributes: &'a Attributes,
        clock: &'a dyn Clock,
        options: Options,
        facts: Facts<'_>,
    ) -> Self {
        let (targets, tracks) = targets(plan, options.estimator, facts);
        let [base, head] = executors;
        Self {
            targets,
            tracks,
            base: OneSide::new(base, plan, attributes, options.sampling),
            head: OneSide::new(head, plan, attributes, options.sampling),
            clock,
            coin: Coin::new(options.seed),
            options,
            journal: Journal::nowhere(),
            broken: None,
            budget_spent: false,
            waits: Waits::default(),
        }
    }

    /// Keeps every pair in a new file.
    pub fn begin(&mut self, path: &Path, identity: &str) -> Result<(), JournalError> {
        let header = Header {
            seed: self.options.seed.cast_signed(),
            identity: identity.to_owned(),
        };
        self.journal = Journal::begin(path, &header)?;
        Ok(())
    }

    /// Goes on with the pairs of a file: they are taken in as if they had just been measured. Returns how
    /// many.
    pub fn resume(&mut self, path: &Path, identity: &str) -> Result<usize, JournalError> {
        let (journal, seed, kept) = Journal::resume(path, identity)?;
        self.coin = Coin::new(seed.cast_unsigned());
        for pair in &kept {
            if let Some(at) = self
                .targets
                .iter()
                .position(|target| target.name == pair.target)
            {
                self.take_in(at, pair);
            }
        }
        self.journal = journal;
        Ok(kept.len())
    }

    /// The recorded seed.
    pub fn seed(&self) -> u64 {
        self.coin.seed()
    }

    /// Measures until everything is settled, the budget is spent, or a signal arrives.
    pub fn run(mut self, tell: &mut dyn FnMut(Notice<'_>)) -> (Ended, Option<JournalError>) {
        let mut stages = vec![Stage::First, Stage::Candidates];
        if self.options.limits.budget.is_some() {
            stages.push(Stage::Open);
        }
        let mut interrupted = None;
        'stages: for stage in stages {
            let mut told = false;
            loop {
                let open: Vec<usize> = (0..self.targets.len())
                    .filter(|at| self.wants_more(*at, stage))
                    .collect();
                if open.is_empty() {
                    break;
                }
                if !told {
                    tell(Notice::Stage(stage, open.len()));
                    told = true;
                }
                // One pair of each, so that slow drift hits all alike.
                for at in open {
                    if self.is_spent(at) {
                        self.budget_spent = true;
                        tell(Notice::BudgetSpent);
                        break 'stages;
                    }
                    if let Err(Stopped(signal)) = self.pair(at, tell) {
                        interrupted = Some(signal);
                        break 'stages;
                    }
                }
            }
        }
        let ended = Ended {
            base: self.base.outcome(interrupted),
            head: self.head.outcome(interrupted),
            tracks: self.tracks,
            interrupted,
            budget_spent: self.budget_spent,
            waits: self.waits,
        };
        (ended, self.broken)
    }

    fn wants_more(&self, at: usize, stage: Stage) -> bool {
        let all = self.tracks.len();
        let tracks = self.targets[at]
            .tracks
            .iter()
            .map(|track| &self.tracks[*track]);
        let limits = &self.options.limits;
        tracks
            .into_iter()
            .any(|track| wants_more(track, stage, limits, all))
    }

    /// Whether the next pair of a target no longer fits into the budget.
    fn is_spent(&self, at: usize) -> bool {
        self.options
            .limits
            .budget
            .is_some_and(|budget| self.clock.elapsed() + self.targets[at].last > budget)
    }

    fn pair(&mut self, at: usize, tell: &mut dyn FnMut(Notice<'_>)) -> Result<(), Stopped> {
        if !self.targets[at].warm && self.warm_up(at, tell)? {
            return Ok(());
        }
        let target = &self.targets[at];
        let pair = target.tosses;
        tell(Notice::Pair {
            name: &target.name,
            pair: pair + 1,
        });
        let began = self.clock.elapsed();
        let before = HostFacts::now();
        let (base, head) = self.both(at, pair)?;
        let void = void_reason(&Circumstances {
            host: [&before, &HostFacts::now()],
            sides: [noticed(&base).collect(), noticed(&head).collect()],
            usual_delay: self.waits.usual(),
        });
        self.waits.note(noticed(&base).chain(noticed(&head)));
        self.targets[at].last = self.clock.elapsed().saturating_sub(began);
        if let Some(reason) = &void {
            tell(Notice::Void {
                name: &self.targets[at].name,
                reason,
            });
        }
        let kept = Kept {
            target: self.targets[at].name.clone(),
            pair,
            void,
            base,
            head,
        };
        if self.broken.is_none() {
            self.broken = self.journal.keep(&kept).err();
        }
        self.take_in(at, &kept);
        Ok(())
    }

    /// Runs both sides once: files come into the cache, code and programs are compiled, and the number of
    /// calls is settled, the same for both. A failure is a finding and ends the target; returns whether
    /// there was one.
    fn warm_up(&mut self, at: usize, tell: &mut dyn FnMut(Notice<'_>)) -> Result<bool, Stopped> {
        let began = self.clock.elapsed();
        let (base, head) = self.both(at, usize::MAX)?;
        self.waits.note(noticed(&base).chain(noticed(&head)));
        self.targets[at].warm = true;
        self.targets[at].last = self.clock.elapsed().saturating_sub(began);
        for (side, findings) in [(Side::Base, &base), (Side::Head, &head)] {
            for finding in findings {
                match &finding.taken {
                    Taken::Samples(_, number) => {
                        let numbers = &mut self.targets[at].numbers;
                        let known = numbers.entry(finding.benchmark.clone()).or_insert(*number);
                        *known = (*known).max(*number);
                    }
                    Taken::Failed(failure) => tell(Notice::Failed {
                        name: &finding.benchmark,
                        side,
                        reason: &failure.message,
                    }),
                    _ => {}
                }
            }
        }
        let ends =
            |finding: &Finding| matches!(finding.taken, Taken::Failed(_) | Taken::Skipped(_));
        let nobody_left = base
            .iter()
            .zip(&head)
            .all(|(base, head)| ends(base) || ends(head));
        // What failed while the GPU was disturbed may work when it is not.
        let disturbed = gpu_disturbance([noticed(&base), noticed(&head)]).is_some();
        if nobody_left && !disturbed {
            let kept = Kept {
                target: self.targets[at].name.clone(),
                pair: 0,
                void: None,
                base,
                head,
            };
            if self.broken.is_none() {
                self.broken = self.journal.keep(&kept).err();
            }
            self.take_in(at, &kept);
        }
        Ok(nobody_left && !disturbed)
    }

    /// One process of each side, in the order of the coin.
    fn both(&mut self, at: usize, pair: usize) -> Result<(Vec<Finding>, Vec<Finding>), Stopped> {
        let target = &self.targets[at];
        let hash_seed = self.coin.hash_seed(&target.name, pair).to_string();
        for side in [&mut self.base, &mut self.head] {
            side.set_variable("PYTHONHASHSEED", &hash_seed);
        }
        let take = |side: &mut OneSide<'a>| {
            side.take(
                target.group,
                target.unit,
                &target.members,
                target.combination,
                &target.numbers,
            )
        };
        if self.coin.head_first(&target.name, pair) {
            let head = take(&mut self.head)?;
            Ok((take(&mut self.base)?, head))
        } else {
            let base = take(&mut self.base)?;
            Ok((base, take(&mut self.head)?))
        }
    }

    fn take_in(&mut self, at: usize, kept: &Kept) {
        let target = &mut self.targets[at];
        target.tosses = target.tosses.max(kept.pair.saturating_add(1));
        let now = self.clock.unix_millis();
        for number in &target.tracks {
            let track = &mut self.tracks[*number];
            let of = |side: &[Finding]| {
                let found = side
                    .iter()
                    .find(|finding| finding.benchmark == track.benchmark);
                found.cloned()
            };
            let (Some(base), Some(head)) = (of(&kept.base), of(&kept.head)) else {
                continue;
            };
            if track.ended {
                continue;
            }
            if let Some(reason) = &kept.void {
                track.voids += 1;
                track.void_reason = Some(reason.clone());
                continue;
            }
            for finding in [&base, &head] {
                if let Taken::Samples(_, calls) = finding.taken {
                    let numbers = &mut target.numbers;
                    numbers.entry(finding.benchmark.clone()).or_insert(calls);
                }
            }
            self.base.enter(target.combination, &base, now);
            self.head.enter(target.combination, &head, now);
            track.push(&base, &head);
        }
    }
}

/// What was noticed around the processes of one side.
fn noticed(findings: &[Finding]) -> impl Iterator<Item = &Noticed> {
    findings.iter().map(|finding| &finding.noticed)
}
