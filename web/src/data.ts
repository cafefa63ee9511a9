// The data files, loaded as scripts: that works from a disk too, where fetch does not.

import { runOf, type Run, type StoredRun } from "./run";

export interface Commit {
  hash: string;
  date: number;
  subject: string;
  author: string;
}

export interface Benchmark {
  id: string;
  name: string;
  group: number;
  statistic: string;
  explanation?: string;
  kind: string;
  unit: string;
  higher?: boolean;
  alert: number;
  effect: number;
  params?: string[];
  combinations: number;
  gone?: boolean;
  places: [number, number];
}

export interface Line {
  id: string;
  machine: string;
  environment: string;
  measured: number;
  at: number;
  newest: Commit | null;
  numbers: number;
  failed: number;
  skipped: number;
}

export interface Change {
  benchmark: number;
  combination: number;
  line: number;
  verdict: "slower" | "faster";
  before: number;
  after: number;
  at: number;
  commits: Commit[];
  count: number;
  likely: Commit;
  versions: [string, string] | null;
  params: string[];
  accepted?: string;
}

/** A declaration that a regression is wanted. */
export interface Accepted {
  benchmarks: number[];
  params: string[] | null;
  /** Relative change that is still accepted. */
  up_to: number;
  reason: string;
  /** The last day on which it counts. */
  expires: string;
}

export interface Index {
  format: number;
  version: string;
  project: string;
  project_url: string;
  commit_url: string;
  branch: string;
  commits: number;
  stretch: number;
  lately: number;
  groups: string[];
  benchmarks: Benchmark[];
  lines: Line[];
  changes: Change[];
  accepted: Accepted[];
  changes_count: number;
  remarks: string[];
}

export interface OverviewRow {
  benchmark: number;
  at: number;
  low: number | null;
  high: number | null;
  numbers: number;
  failed: number;
  skipped: number;
  /** Position, after over before, and whether it is worse. */
  change: [number, number | null, "slower" | "faster"] | null;
  paths: string[];
  shown: number[];
}

export interface Overview {
  rows: OverviewRow[];
}

export interface Border {
  at: number;
  what: string;
  before: string;
  after: string;
}

interface RawCommits {
  hashes: string[];
  dates: number[];
  subjects: string[];
  authors: { names: string[]; of: number[] };
  skipped: number[];
  lines: { measured: number[]; facts: Record<string, string>; borders: Border[] }[];
}

export interface LineHistory {
  /** Positions of the measured commits, in order. */
  measured: number[];
  facts: Record<string, string>;
  borders: Border[];
}

export interface Commits {
  all: Commit[];
  /** Commits of the branch that nobody measured, before each of these. */
  skipped: number[];
  lines: LineHistory[];
}

export interface Meta {
  name: string;
  combinations: string[][];
  lines: { line: number; stretches: number[]; versions: [number, string][] }[];
  changes: Change[];
}

type RawBlock = [
  number,
  (number | null)[],
  number[] | 0,
  (number | null)[] | 0,
  (number | null)[] | 0,
  [number, string][],
][];

export interface Point {
  /** Position among the measured commits of all lines. */
  at: number;
  value: number;
  low: number | null;
  high: number | null;
}

export interface Series {
  combination: number;
  points: Point[];
  /** Position and what happened: `f` failed, `s` skipped, `o` other. */
  gaps: [number, string][];
}

export type { Json, Run, RunRow } from "./run";

export const FORMAT = 2;

const loaded = new Map<string, unknown>();
const waiting = new Map<string, Promise<unknown>>();

/** What the scripts call. */
export function receive(key: string, data: unknown): void {
  loaded.set(key, data);
}

export class Missing extends Error {
  constructor(readonly key: string) {
    super(`${key}.js cannot be loaded`);
  }
}

function load<T>(key: string): Promise<T> {
  if (loaded.has(key)) return Promise.resolve(loaded.get(key) as T);
  const known = waiting.get(key);
  if (known) return known as Promise<T>;
  const promise = new Promise<T>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${key}.js`;
    script.onload = () => {
      script.remove();
      waiting.delete(key);
      if (loaded.has(key)) resolve(loaded.get(key) as T);
      else reject(new Missing(key));
    };
    script.onerror = () => {
      script.remove();
      waiting.delete(key);
      reject(new Missing(key));
    };
    document.head.append(script);
  });
  waiting.set(key, promise);
  return promise;
}

export const loadIndex = () => load<Index>("index");
export const loadChanges = () => load<Change[]>("changes");
export const loadOverview = (line: Line) => load<Overview>(`overview/${line.id}`);
export const loadMeta = (benchmark: Benchmark) => load<Meta>(`data/${benchmark.id}/meta`);

export const runKey = (line: Line, hash: string) => `runs/${line.id}/${hash.slice(0, 12)}`;
export const loadRun = async (line: Line, hash: string): Promise<Run> => runOf(await load<StoredRun>(runKey(line, hash)));

/** Forgets runs, of which a comparison reads many. */
export function forget(key: string): void {
  loaded.delete(key);
}

let commits: Commits | undefined;

export async function loadCommits(): Promise<Commits> {
  if (commits) return commits;
  const raw = await load<RawCommits>("commits");
  const all = raw.hashes.map((hash, at) => ({
    hash,
    date: raw.dates[at] ?? 0,
    subject: raw.subjects[at] ?? "",
    author: raw.authors.names[raw.authors.of[at] ?? 0] ?? "",
  }));
  const lines = raw.lines.map((line) => {
    let at = 0;
    return { ...line, measured: line.measured.map((step) => (at += step)) };
  });
  commits = { all, skipped: raw.skipped, lines };
  return commits;
}

/** The facts of a line at a position: the newest ones, taken back border by border. */
export function factsAt(line: LineHistory, at: number): Record<string, string> {
  const facts = { ...line.facts };
  for (let i = line.borders.length - 1; i >= 0; i--) {
    const border = line.borders[i]!;
    if (border.at > at) facts[border.what] = border.before;
  }
  return facts;
}

/** All series of a benchmark on one line. */
export async function loadSeries(
  index: Index,
  benchmark: Benchmark,
  line: number,
): Promise<Series[]> {
  const [meta, commits] = await Promise.all([loadMeta(benchmark), loadCommits()]);
  const of = meta.lines.find((known) => known.line === line);
  const where = index.lines[line];
  if (!of || !where) return [];
  const measured = commits.lines[line]?.measured ?? [];
  const blocks = await Promise.all(
    of.stretches.map((stretch) => load<RawBlock>(`data/${benchmark.id}/${where.id}.${stretch}`)),
  );
  const series = new Map<number, Series>();
  blocks.forEach((block, which) => {
    const start = of.stretches[which]! * index.stretch;
    const end = start + index.stretch;
    const all = measured.filter((at) => at >= start && at < end);
    for (const [combination, values, positions, lows, highs, gaps] of block) {
      let one = series.get(combination);
      if (!one) series.set(combination, (one = { combination, points: [], gaps: [] }));
      values.forEach((value, i) => {
        const at = positions === 0 ? all[i] : positions[i]! + start;
        if (value === null || at === undefined) return;
        one.points.push({
          at,
          value,
          low: lows === 0 ? null : (lows[i] ?? null),
          high: highs === 0 ? null : (highs[i] ?? null),
        });
      });
      for (const [at, why] of gaps) one.gaps.push([at + start, why]);
    }
  });
  return [...series.values()].sort((a, b) => a.combination - b.combination);
}
