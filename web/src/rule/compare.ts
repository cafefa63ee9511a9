// Two runs to rows with verdicts: `lcmbench compare`, in the browser. A test holds this to the
// program's own outcome, case by case.

import { changeOf, exact, isBeyond, noiseOf, priorOf, statistical, withoutStatistics, FEWEST_POINTS, type Change, type Decision, type Noise } from "./decide";
import { fingerprints, type Fingerprint } from "./fingerprint";
import type { Cell, Comparison, Row, Run, RunRow, Subject } from "./model";
import { cellAt, combinationAt, pointsOf, positionOf } from "./sides";

export const MOST_HISTORY = 60;

interface Pair {
  combination: number;
  params: string[];
  base: Cell;
  head: Cell;
}

interface Draft {
  subject: Subject;
  obstacle: string | null;
  flags: string[];
  pairs: (Pair & { change: Change | null })[];
}

/** Whether a run counts as history of the base: clean, and with the same way of setting up. */
export function belongs(run: Run, base: Run): boolean {
  const scope = (of: Run) => {
    const value = of.facts?.worker["setup_scope"];
    return typeof value === "string" && value !== "auto" ? value : "";
  };
  const wanted = scope(base);
  const own = scope(run);
  return !run.facts?.dirty && (wanted === "" || own === "" || own === wanted);
}

/** `history` are the runs before the base that belong to it, oldest first. */
export function compare(base: Run, head: Run, history: Run[], subjectOf: (name: string) => Subject, inSuite: (name: string) => boolean): Comparison {
  const facts = fingerprints(base, head);
  const drafts = Object.keys(head.results)
    .sort(byBytes)
    .map((name) => draft(name, base, head, history, facts.of(name), subjectOf(name)));
  const priors = new Map<string, number | null>();
  const prior = (kind: string): number | null => {
    if (history.length === 0) return null;
    if (!priors.has(kind)) priors.set(kind, priorOf([...noisesOf(drafts, kind), ...noisesOfBase(base, head, history, kind, subjectOf)]));
    return priors.get(kind) ?? null;
  };
  const rows = drafts.flatMap((one) =>
    one.pairs.map((pair): Row => {
      const decision = decide(one, pair, prior);
      const { subject } = one;
      return {
        subject,
        combination: pair.combination,
        params: pair.params.map((value, i) => [subject.params[i] ?? `param${i + 1}`, value]),
        base: pair.base,
        head: pair.head,
        ratio: decision.ratio,
        floor: decision.floor,
        verdict: decision.verdict,
        reason: decision.reason,
        confidence: decision.confidence,
        alert: isAlert(subject, pair, decision),
        flags: one.flags,
      };
    }),
  );
  return {
    rows,
    absent: Object.keys(base.results)
      .filter((name) => !(name in head.results))
      .sort(byBytes)
      .map((name) => ({ name, gone: !inSuite(name) })),
    differences: facts.last.differences,
    remarks: remarks(base, head, rows, history, facts.last),
  };
}

/** Names in the order of their bytes, as the program sorts them. */
function byBytes(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = a[i]!.codePointAt(0)! - b[i]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function draft(name: string, base: Run, head: Run, history: Run[], facts: Fingerprint, subject: Subject): Draft {
  const [before, after] = [base.results[name], head.results[name]!];
  const flags = [...new Set([...(before?.flags ?? []), ...(after.flags ?? [])])];
  let obstacle: string | null = facts.all ?? (subject.kind === "time" ? facts.timed : null);
  if (before?.version !== undefined && after.version !== undefined && before.version !== after.version) {
    obstacle = "the benchmark itself changed: its versions differ";
  }
  const version = after.version ?? before?.version;
  const pairs = pairsOf(before, after).map((pair) => {
    const change =
      obstacle === null && pair.base.state === "number" && pair.head.state === "number"
        ? changeOf(pair.base, pair.head, pointsOf(history, name, pair.params, version), subject.higher)
        : null;
    return { ...pair, change };
  });
  return { subject, obstacle, flags, pairs };
}

/** HEAD's combinations in their order, then those that only the base has. */
function pairsOf(before: RunRow | undefined, after: RunRow): Pair[] {
  const taken = new Set<number>();
  const pairs = after.values.map((_, index): Pair => {
    const params = combinationAt(after, index);
    const where = before ? (params.length === 0 && !before.params ? 0 : positionOf(before, params)) : -1;
    if (where >= 0) taken.add(where);
    return { combination: index, params, base: cellAt(before, where), head: cellAt(after, index) };
  });
  const same = before && JSON.stringify(before.params ?? []) === JSON.stringify(after.params ?? []);
  if (before && !same) {
    before.values.forEach((_, index) => {
      if (taken.has(index)) return;
      pairs.push({ combination: pairs.length, params: combinationAt(before, index), base: cellAt(before, index), head: { state: "missing" } });
    });
  }
  return pairs;
}

function decide(one: Draft, pair: Pair & { change: Change | null }, prior: (kind: string) => number | null): Decision {
  const { base, head, change } = pair;
  const early = withoutStatistics(base, head, one.obstacle);
  if (early) return early;
  if (base.state !== "number" || head.state !== "number") throw new Error("two numbers were left");
  if (one.subject.kind === "count") return exact(one.subject, base, head);
  const needs = change !== null && (change.noise.points < FEWEST_POINTS || change.noise.scale === null);
  return statistical(one.subject, change, needs ? prior(one.subject.kind) : null, base, head);
}

function isAlert(subject: Subject, pair: Pair, decision: Decision): boolean {
  const { base, head } = pair;
  if (base.state !== "number" || head.state !== "number" || decision.verdict === "not-comparable") return false;
  if (decision.floor && decision.ratio !== null) return isBeyond(1, decision.ratio, subject.alert, false);
  return isBeyond(base.value, head.value, subject.alert, subject.higher);
}

function noisesOf(drafts: Draft[], kind: string): Noise[] {
  return drafts
    .filter((one) => one.subject.kind === kind)
    .flatMap((one) => one.pairs)
    .flatMap((pair) => (pair.change ? [pair.change.noise] : []));
}

/** The machine's other benchmarks: those that the base has and HEAD did not run. */
function noisesOfBase(base: Run, head: Run, history: Run[], kind: string, subjectOf: (name: string) => Subject): Noise[] {
  const noises: Noise[] = [];
  for (const [name, row] of Object.entries(base.results)) {
    if (name in head.results || subjectOf(name).kind !== kind) continue;
    row.values.forEach((value, index) => {
      if (typeof value !== "number" || Number.isNaN(value)) return;
      const points = pointsOf(history, name, combinationAt(row, index), row.version);
      noises.push(noiseOf(points.map((point) => point.median)));
    });
  }
  return noises;
}

function remarks(base: Run, head: Run, rows: Row[], history: Run[], facts: Fingerprint): string[] {
  const said: string[] = [];
  if (base.facts?.dirty) said.push("The base was measured with uncommitted changes.");
  if (head.facts?.dirty) said.push("HEAD was measured with uncommitted changes.");
  for (const obstacle of [facts.all, facts.timed]) if (obstacle !== null) said.push(`Not comparable: ${obstacle}.`);
  const unknown = Object.entries(head.results).filter(([name, row]) => {
    const earlier = base.results[name];
    return earlier && ((earlier.stamped && earlier.version === undefined) || (row.stamped && row.version === undefined));
  }).length;
  if (unknown > 0) {
    said.push(
      `Versions of ${unknown === 1 ? "1 benchmark" : `${unknown} benchmarks`} could not be compared: the results were normalised, and it is not known whether the benchmark itself changed.`,
    );
  }
  const weak = rows.filter((row) => row.confidence?.weak).length;
  const without = rows.filter((row) => row.verdict === "inconclusive" && row.confidence === null).length;
  if (weak > 0 || without > 0) {
    const count = history.length;
    const earlier =
      count === 0
        ? "There are no earlier results of this machine and environment before the base"
        : count === 1
          ? "There is one earlier result of this machine and environment before the base"
          : `There are ${count} earlier results of this machine and environment before the base`;
    said.push(
      `${earlier}; from ${FEWEST_POINTS} points of a benchmark on its verdict is firm. Of ${rows.length} rows ${weak} rest on weak evidence and ${without} on none.`,
    );
  }
  return said;
}
