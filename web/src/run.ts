// One result file, as it is stored, to what the page shows and compares. What `src/results` reads in the
// program is read here in the same way; files on the site are in the form in which the program writes.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type Members = { [key: string]: Json };

export interface RunRow {
  /** A number; null where it failed, NaN where it was skipped, a list of one for anything else. */
  values: (number | null | [Json])[];
  params?: string[][];
  version?: string;
  stamped?: boolean;
  /** Low, high, lower and upper quartile, calls per sample, samples. */
  stats?: (Statistics | null)[];
  samples?: (number[] | null)[];
  processes?: number[][];
  failures?: ({ message: string; details?: string } | null)[];
  flags?: string[];
}

export type Statistics = [number, number, number, number, number, number];

/** What is known of how a run measured. */
export interface Facts {
  environment: Members;
  worker: Members;
  host: Members;
  gpu: Members;
}

export interface Run {
  /** Digest of the result file. */
  source: string;
  commit: string;
  machine: string;
  environment: string;
  params: Members;
  variables: Members;
  /** Of the last run that wrote the file; absent in files that asv wrote. */
  facts?: Facts & { dirty: boolean };
  /** Earlier runs that some of the rows are of, with what differs. */
  earlier: { benchmarks: string[]; facts: Partial<Facts> }[];
  results: { [name: string]: RunRow };
}

/** What a script in `runs/` holds. */
export interface StoredRun {
  source: string;
  machine: string;
  file: Members;
}

const PARTS = ["environment", "worker", "host", "gpu"] as const;

const isObject = (value: Json | undefined): value is Members => value !== null && typeof value === "object" && !Array.isArray(value);
const members = (value: Json | undefined): Members => (isObject(value) ? value : {});
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]);
const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");

export function runOf(stored: StoredRun): Run {
  const { file } = stored;
  const known = isObject(file["lcmbench"]) ? file["lcmbench"] : null;
  const stamps = members(known?.["versions"]);
  const benchmarks = members(known?.["benchmarks"]);
  const columns = list(file["result_columns"]).map(text);
  // Entries, since an assignment to `__proto__` makes no member.
  const results: Run["results"] = Object.fromEntries(
    Object.entries(members(file["results"])).map(([name, row]) => {
      const cells = new Map(columns.map((column, i) => [column, list(row)[i] ?? null]));
      return [name, rowOf(cells, members(benchmarks[name]), name in stamps)];
    }),
  );
  return {
    source: stored.source,
    commit: text(file["commit_hash"]),
    machine: stored.machine,
    environment: text(file["env_name"]),
    params: members(file["params"]),
    variables: members(file["env_vars"]),
    ...(known ? { facts: { dirty: known["dirty"] === true, ...factsOf(known) } } : {}),
    earlier: list(known?.["earlier_runs"]).map((run) => ({
      benchmarks: list(members(run)["benchmarks"]).map(text),
      facts: Object.fromEntries(PARTS.filter((part) => isObject(members(run)[part])).map((part) => [part, members(members(run)[part])])),
    })),
    results,
  };
}

function factsOf(known: Members): Facts {
  return { environment: members(known["environment"]), worker: members(known["worker"]), host: members(known["host"]), gpu: members(known["gpu"]) };
}

function rowOf(cells: Map<string, Json>, facts: Members, stamped: boolean): RunRow {
  const params = list(cells.get("params")).map((axis) => list(axis).map((value) => (typeof value === "string" ? value : JSON.stringify(value))));
  const count = params.reduce((product, axis) => product * axis.length, 1);
  const column = (name: string) => list(cells.get(name));
  const each = <T>(one: (index: number) => T | null): (T | null)[] | undefined => {
    const all = Array.from({ length: count }, (_, index) => one(index));
    return all.some((entry) => entry !== null) ? all : undefined;
  };
  const stored = column("result");
  const row: RunRow = { values: Array.from({ length: count }, (_, index) => valueOf(stored[index] ?? null)) };
  const set = <K extends keyof RunRow>(key: K, value: RunRow[K] | undefined) => {
    if (value !== undefined) row[key] = value;
  };
  set("params", params.length > 0 ? params : undefined);
  set("version", typeof cells.get("version") === "string" ? text(cells.get("version")) : undefined);
  set("stamped", stamped || undefined);
  const statistics = ["stats_ci_99_a", "stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_number", "stats_repeat"].map(column);
  set("stats", each((index) => statisticsAt(statistics, index)));
  set("samples", samplesOf(column("samples"), count, each));
  if (facts["process_sizes"]) set("processes", list(facts["process_sizes"]).map((sizes) => list(sizes).map(Number)));
  if (facts["flags"]) set("flags", list(facts["flags"]).map(text));
  if (facts["failures"]) set("failures", list(facts["failures"]).map((entry) => failureOf(entry)));
  return row;
}

function valueOf(value: Json): number | null | [Json] {
  return value === null || typeof value === "number" ? value : [value];
}

function statisticsAt(columns: Json[][], index: number): Statistics | null {
  const known = columns.map((column) => column[index]).map((value) => (typeof value === "number" ? value : null));
  if (known.every((value) => value === null)) return null;
  const [low, high, first, third, number, repeat] = known;
  return [low ?? -Infinity, high ?? Infinity, first ?? NaN, third ?? NaN, number ?? 1, repeat ?? 1];
}

function samplesOf(stored: Json[], count: number, each: <T>(one: (index: number) => T | null) => (T | null)[] | undefined) {
  const numbers = (entry: Json) => list(entry).filter((value): value is number => typeof value === "number");
  // Old files hold the samples of an unparameterised benchmark without the outer list.
  const flat = count === 1 && stored.length > 1 && stored.every((entry) => entry === null || typeof entry === "number");
  const lists = flat ? [stored] : stored;
  return each((index) => (Array.isArray(lists[index]) ? numbers(lists[index] as Json) : null));
}

/** More characters of a failure's last lines are left out. */
const MOST_DETAILS = 1500;

function failureOf(entry: Json): { message: string; details?: string } | null {
  if (!isObject(entry)) return null;
  const details = text(entry["details"]).slice(-MOST_DETAILS);
  return { message: text(entry["message"]), ...(details === "" ? {} : { details }) };
}

/** Which of the earlier runs a row is of; -1 for the last run. */
export const runOfRow = (run: Run, name: string): number => run.earlier.findIndex((earlier) => earlier.benchmarks.includes(name));

/** The facts as the run at this place left them; undefined in files that asv wrote. */
export function factsAtRun(run: Run, place: number): Facts | undefined {
  return run.facts && { ...run.facts, ...(place < 0 ? {} : run.earlier[place]?.facts) };
}
