// The verdict of one row (`src/compare/decide.rs` and `evidence.rs`).

import { coverage, percent } from "../units";
import type { Cell, Confidence, Measured, Subject, Verdict } from "./model";
import { isPositive, logByProcess, type Point } from "./sides";
import { median, neighbourScale, robustSd, shiftInterval, smallestP, studentQuantile } from "./statistics";

export const FEWEST_POINTS = 10;
const LEVEL = 0.99;
const THRESHOLD = 0.002;
const FEWEST_BENCHMARKS = 3;
const MOST_FREEDOM = 30;
const PRIOR_FACTOR = 1.5;

export interface Decision {
  verdict: Verdict;
  reason: string;
  ratio: number | null;
  floor: boolean;
  confidence: Confidence | null;
}

export interface Noise {
  scale: number | null;
  points: number;
}

/** The change of one row, before it is known how much noise to expect. */
export interface Change {
  floor: boolean;
  size: number;
  within: number;
  noise: Noise;
}

interface Interval {
  low: number;
  high: number;
  level: number;
  basis: string;
  weak: boolean;
  points: number;
}

const plain = (verdict: Verdict, reason: string, ratio: number | null = null): Decision => ({
  verdict,
  reason,
  ratio,
  floor: false,
  confidence: null,
});

export const noiseOf = (series: number[]): Noise => ({
  scale: series.length >= 3 ? neighbourScale(series) : null,
  points: series.length,
});

const own = (noise: Noise): number | null => (noise.points >= FEWEST_POINTS ? noise.scale : null);

/** The noise to expect of a benchmark that has no history of its own. */
export function priorOf(noises: Noise[]): number | null {
  const of = (scales: (number | null)[]) => {
    const known = scales.filter((scale): scale is number => scale !== null);
    return known.length < FEWEST_BENCHMARKS ? null : median(known);
  };
  const typical = of(noises.map(own)) ?? of(noises.map((noise) => noise.scale));
  return typical === null ? null : PRIOR_FACTOR * typical;
}

export function changeOf(base: Measured, head: Measured, history: Point[], higher: boolean): Change | null {
  if (!isPositive(base.value) || !isPositive(head.value)) return null;
  const varianceOf = (values: number[] | null) => {
    const sd = values === null ? null : robustSd(values);
    return sd === null ? 0 : (sd * sd) / values!.length;
  };
  const floors = !higher && history.every((point) => !Number.isNaN(point.floor)) ? [logByProcess(base, true), logByProcess(head, true)] : [null, null];
  const [baseFloors, headFloors] = floors as [number[] | null, number[] | null];
  if (baseFloors && headFloors) {
    return {
      floor: true,
      size: median(headFloors)! - median(baseFloors)!,
      within: varianceOf(baseFloors) + varianceOf(headFloors),
      noise: noiseOf(history.map((point) => point.floor)),
    };
  }
  return {
    floor: false,
    size: Math.log(head.value) - Math.log(base.value),
    within: varianceOf(logByProcess(base, false)) + varianceOf(logByProcess(head, false)),
    noise: noiseOf(history.map((point) => point.median)),
  };
}

const thresholds = new Map<number, number>();

function threshold(points: number): number {
  let known = thresholds.get(points);
  if (known === undefined) {
    const freedom = Math.min(Math.max(points - 2, 1), MOST_FREEDOM);
    thresholds.set(points, (known = studentQuantile(0.5 + LEVEL / 2, freedom)));
  }
  return known;
}

function intervalOf(change: Change, prior: number | null, base: Measured, head: Measured): Interval | null {
  const { points, scale } = change.noise;
  const byHistory = (noise: number, count: number, basis: string, weak: boolean): Interval => {
    const half = threshold(count) * Math.sqrt(2 * (noise * noise + change.within));
    return { low: change.size - half, high: change.size + half, level: LEVEL, basis, weak, points };
  };
  const mine = own(change.noise);
  if (mine !== null) return byHistory(mine, points, `by the noise of ${points} earlier commits`, false);
  if (prior !== null) {
    const start = points === 0 ? "weak: no history" : `weak: ${points} earlier ${points === 1 ? "commit" : "commits"}`;
    return byHistory(Math.max(prior, scale ?? 0), FEWEST_POINTS, `${start}, by the noise of this machine's other benchmarks`, true);
  }
  const [baseRuns, headRuns] = [logByProcess(base, change.floor), logByProcess(head, change.floor)];
  if (baseRuns && headRuns) {
    const shift = shiftInterval(baseRuns, headRuns, 1 - LEVEL);
    if (shift) return { ...shift, level: LEVEL, basis: "weak: too little history, by the spread between processes", weak: true, points: 0 };
  }
  const logs = (samples: number[] | null) => (samples && samples.every(isPositive) ? samples.map(Math.log) : null);
  const [baseLogs, headLogs] = [logs(base.samples), logs(head.samples)];
  if (baseLogs && headLogs && smallestP(baseLogs.length, headLogs.length) < THRESHOLD) {
    const shift = shiftInterval(baseLogs, headLogs, THRESHOLD);
    if (shift) return { ...shift, level: 1 - THRESHOLD, basis: "weak: too little history, by the samples alone", weak: true, points: 0 };
  }
  if (!base.stats || !head.stats || base.stats[5] === 1 || head.stats[5] === 1) return null;
  const bounds = [Math.max(base.stats[0], 0), base.stats[1], Math.max(head.stats[0], 0), head.stats[1]].map(Math.log);
  const [baseLow, baseHigh, headLow, headHigh] = bounds as [number, number, number, number];
  const [low, high] = [headLow - baseHigh, headHigh - baseLow];
  if (Number.isNaN(low) || Number.isNaN(high)) return null;
  return { low, high, level: LEVEL, basis: "weak: too little history, by the intervals of both medians", weak: true, points: 0 };
}

const ratioOf = (base: Measured, head: Measured): number | null => {
  const ratio = head.value / base.value;
  return Number.isFinite(ratio) ? ratio : null;
};

const worseOrBetter = (increased: boolean, subject: Subject): Verdict => (increased !== subject.higher ? "slower" : "faster");

function direction(change: number): string {
  const relative = Math.expm1(change);
  if (change === 0) return "no change";
  return change > 0 ? `${percent(relative)} higher` : `${percent(-relative)} lower`;
}

function signed(change: number): string {
  const relative = Math.expm1(change);
  if (relative === Infinity) return "without end";
  return `${relative > 0 ? "+" : ""}${percent(relative)}`;
}

/** The decision where statistics have no say; null for two comparable numbers. */
export function withoutStatistics(base: Cell, head: Cell, obstacle: string | null): Decision | null {
  if (head.state === "failed") {
    const start = base.state === "failed" ? "failed on both sides" : "failed";
    return plain("failed", head.reason === null ? start : `${start}: ${head.reason}`);
  }
  if (head.state === "skipped") return plain("skipped", head.reason === null ? "skipped by the suite" : `skipped: ${head.reason}`);
  if (head.state === "missing") return plain("gone", "no longer in the suite with these parameters");
  if (base.state === "missing") return plain("new", "no result on the base");
  if (base.state === "failed") return plain("new", "failed on the base and works now");
  if (base.state === "skipped") return plain("new", "skipped on the base");
  const numbers = base.state === "number" && head.state === "number";
  if (obstacle !== null) return plain("not-comparable", obstacle, numbers ? ratioOf(base, head) : null);
  if (numbers) return null;
  if (base.state === "other" && head.state === "other" && JSON.stringify(base.value) === JSON.stringify(head.value)) {
    return plain("same", "equal values");
  }
  return plain("not-comparable", "the values differ and are no numbers");
}

/** The decision on two counts, which are exact. */
export function exact(subject: Subject, base: Measured, head: Measured): Decision {
  const ratio = ratioOf(base, head);
  const smallest = Math.log1p(Math.max(subject.effect, 0));
  const certain = (size: number): Confidence => ({
    low: Math.exp(size),
    high: Math.exp(size),
    level: 1,
    resolution: Math.expm1(smallest),
    weak: false,
    history: 0,
  });
  if (base.value === head.value) return { ...plain("same", "equal values", ratio), confidence: certain(0) };
  if (!isPositive(base.value) || !isPositive(head.value)) {
    return plain(worseOrBetter(head.value > base.value, subject), `exactly ${base.value} before and ${head.value} now`, ratio);
  }
  const change = Math.log(head.value / base.value);
  const verdict = Math.abs(change) >= smallest ? worseOrBetter(change > 0, subject) : "same";
  return { ...plain(verdict, `exactly ${direction(change)}`, ratio), confidence: certain(change) };
}

/** The decision on two numbers that are no counts. */
export function statistical(subject: Subject, change: Change | null, prior: number | null, base: Measured, head: Measured): Decision {
  const decision = byInterval(subject, change, prior, base, head);
  const timed = subject.kind === "time" || subject.kind === "compile";
  if (base.value === head.value && (!timed || !isPositive(base.value))) return { ...decision, verdict: "same", reason: "equal values" };
  return decision;
}

function byInterval(subject: Subject, change: Change | null, prior: number | null, base: Measured, head: Measured): Decision {
  if (!change) {
    const values = [base.value, head.value];
    const what = values.some((value) => Math.abs(value) === Infinity) ? "infinite" : values.includes(0) ? "zero" : "negative";
    return plain("inconclusive", `one value is ${what}, so the change has no ratio and no interval`, ratioOf(base, head));
  }
  const ratio = change.floor ? Math.exp(change.size) : ratioOf(base, head);
  const interval = intervalOf(change, prior, base, head);
  if (!interval) {
    const reason = `${direction(change.size)}, one run against one run: too little history, and no samples, to say how much is noise`;
    return { ...plain("inconclusive", reason, ratio), floor: change.floor };
  }
  const smallest = Math.log1p(Math.max(subject.effect, 0));
  const excludes = interval.low > 0 || interval.high < 0;
  let verdict: Verdict = "inconclusive";
  if (excludes && Math.abs(change.size) >= smallest) verdict = worseOrBetter(change.size > 0, subject);
  else if (interval.low >= -smallest && interval.high <= smallest) verdict = "same";
  const by = direction(change.size);
  const from = `${coverage(interval.level)} interval ${signed(interval.low)} to ${signed(interval.high)}`;
  const effect = percent(subject.effect);
  let reason: string;
  if (verdict === "slower" || verdict === "faster") reason = `${by}, ${from} (${interval.basis})`;
  else if (verdict === "same") reason = `${by}, ${from}, within ${effect} either way (${interval.basis})`;
  else if (excludes) reason = `${by}, less than the smallest effect of ${effect}, and perhaps more: ${from} (${interval.basis})`;
  else reason = `${by}, ${from}: too wide for a verdict (${interval.basis})`;
  const reach = Math.max(interval.high - change.size, change.size - interval.low);
  return {
    verdict,
    reason,
    ratio,
    floor: change.floor,
    confidence: {
      low: Math.exp(interval.low),
      high: Math.exp(interval.high),
      level: interval.level,
      resolution: Math.expm1(Math.max(reach, smallest)),
      weak: interval.weak,
      history: interval.points,
    },
  };
}

/** Whether the change is beyond the limit in the worse direction. */
export function isBeyond(better: number, worse: number, factor: number, higher: boolean): boolean {
  const [small, large] = higher ? [worse, better] : [better, worse];
  if (small > 0 || large > 0) return small < large / factor;
  return large > small + Math.abs(small) * (factor - 1);
}
