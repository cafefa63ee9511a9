// What a comparison is made of: the rows of `lcmbench compare`, and what they come from.

import type { Json, RunRow, Run } from "../data";

export type Verdict =
  | "slower"
  | "faster"
  | "same"
  | "inconclusive"
  | "not-comparable"
  | "failed"
  | "skipped"
  | "not-measured"
  | "not-needed"
  | "new"
  | "gone";

/** In the order in which they are counted. */
export const VERDICTS: Verdict[] = [
  "slower",
  "faster",
  "same",
  "inconclusive",
  "not-comparable",
  "failed",
  "skipped",
  "not-measured",
  "not-needed",
  "new",
  "gone",
];

export type Cell =
  | { state: "missing" }
  | { state: "failed" | "skipped"; reason: string | null }
  | { state: "other"; value: Json }
  | ({ state: "number" } & Measured);

export interface Measured {
  value: number;
  /** Low, high, lower and upper quartile, calls per sample, samples. */
  stats: [number, number, number, number, number, number] | null;
  samples: number[] | null;
  sizes: number[];
}

/** What is known of a benchmark apart from its values. */
export interface Subject {
  name: string;
  kind: string;
  unit: string;
  higher: boolean;
  alert: number;
  effect: number;
  params: string[];
  group: string;
  statistic: string;
  explanation: string | null;
  places: [number, number];
}

export interface Confidence {
  low: number;
  high: number;
  level: number;
  resolution: number;
  weak: boolean;
  history: number;
}

export interface Row {
  subject: Subject;
  combination: number;
  params: [string, string][];
  base: Cell;
  head: Cell;
  ratio: number | null;
  floor: boolean;
  verdict: Verdict;
  reason: string;
  confidence: Confidence | null;
  alert: boolean;
  flags: string[];
}

export interface Difference {
  what: string;
  base: string;
  head: string;
}

export interface Comparison {
  rows: Row[];
  /** Benchmarks that only the base has; whether the suite still has them. */
  absent: { name: string; gone: boolean }[];
  differences: Difference[];
  remarks: string[];
}

export type { Json, Run, RunRow };
