// The sentence and the order of a comparison, as in the comment on a pull request.

import { counted, percent, ratio } from "../units";
import { VERDICTS, type Comparison, type Row, type Verdict } from "./model";

const MOST_NAMES = 3;
const KINDS = ["time", "memory", "gpu-memory", "compile", "count", "track"];

const PREDICATES: Record<Verdict, [string, string]> = {
  slower: ["got slower", "got slower"],
  faster: ["got faster", "got faster"],
  same: ["stayed the same", "stayed the same"],
  inconclusive: ["is inconclusive", "are inconclusive"],
  "not-comparable": ["is not comparable", "are not comparable"],
  "not-measured": ["was not measured", "were not measured"],
  "not-needed": ["was not needed", "were not needed"],
  failed: ["failed", "failed"],
  skipped: ["was skipped", "were skipped"],
  new: ["is new", "are new"],
  gone: ["is gone", "are gone"],
};

export const verdictWords = (verdict: Verdict) => verdict.replace("-", " ");

const predicate = (verdict: Verdict, count: number) => PREDICATES[verdict][count === 1 ? 0 : 1];

const isValue = (row: Row) => row.head.state === "number" || row.head.state === "other";

/** `name`, or `name(p1, p2)`. */
export function displayName(row: Row): string {
  return row.params.length === 0 ? row.subject.name : `${row.subject.name}(${row.params.map(([, value]) => value).join(", ")})`;
}

export function sentence(comparison: Comparison, name: (row: Row) => string, accepted = 0): string {
  const { rows } = comparison;
  const noun = new Set(rows.map((row) => row.subject.name)).size === rows.length ? "benchmark" : "result";
  const plural = (count: number) => (count === 1 ? noun : `${noun}s`);
  const count = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict).length;
  const present = VERDICTS.map((verdict) => [verdict, count(verdict)] as const).filter(([, many]) => many > 0);
  if (!rows.some(isValue)) {
    if (rows.length === 0) return "Nothing was measured: no benchmark has a result on HEAD, so nothing can be said about its speed.";
    const counts = present.map(([verdict, many]) => `${many} ${predicate(verdict, many)}`).join(", ");
    return `Nothing was measured: of ${rows.length} ${plural(rows.length)}, ${counts}, so nothing can be said about the speed of HEAD.`;
  }
  const clauses = present.map(([verdict, many], i) => {
    const of = i === 0 ? ` of ${rows.length} ${plural(rows.length)}` : "";
    const names = ["slower", "faster", "failed"].includes(verdict) ? `: ${namesOf(rows, verdict, name)}` : "";
    return `${many}${of} ${predicate(verdict, many)}${names}`;
  });
  const alerts = rows.filter((row) => row.alert).length;
  if (alerts > 0) clauses.push(`${counted(alerts, "ratio is", "ratios are")} beyond ${alerts === 1 ? "its" : "their"} limit`);
  if (accepted > 0) clauses.push(counted(accepted, "regression is accepted", "regressions are accepted"));
  clauses.push(resolution(rows));
  const judged = count("slower") + count("faster") + count("same") > 0;
  return `${judged ? "" : "No verdict: "}${clauses.join("; ")}.`;
}

function namesOf(rows: Row[], verdict: Verdict, name: (row: Row) => string): string {
  const effect = (row: Row) => (row.ratio === null ? 0 : Math.abs(Math.log(row.ratio)));
  const found = rows.filter((row) => row.verdict === verdict).sort((a, b) => effect(b) - effect(a));
  const listed = found.slice(0, MOST_NAMES).map((row) => (row.ratio === null ? name(row) : `${name(row)} (${ratio(row.ratio)})`));
  if (found.length > MOST_NAMES) return `${listed.join(", ")} and ${found.length - MOST_NAMES} more`;
  const last = listed.pop() ?? "";
  return listed.length > 0 ? `${listed.join(", ")} and ${last}` : last;
}

function resolution(rows: Row[]): string {
  const all = rows.flatMap((row) => (row.confidence && Number.isFinite(row.confidence.resolution) ? [row.confidence.resolution] : [])).sort((a, b) => a - b);
  if (all.length === 0) return "how small a change could have been seen is unknown, for want of statistics";
  const middle = percent((all[(all.length - 1) >> 1]! + all[all.length >> 1]!) / 2);
  const [smallest, largest] = [percent(all[0]!), percent(all[all.length - 1]!)];
  let clause = `could have seen ${middle}`;
  if (smallest !== largest) clause += ` (the median of ${smallest} to ${largest})`;
  if (all.length < rows.length) clause += ` in ${all.length} of ${rows.length}`;
  const weak = rows.filter((row) => row.confidence?.weak).length;
  if (weak > 0) clause += ` (${weak === rows.length ? "weak: " : "some of it weak: "}too little history or too few processes)`;
  return clause;
}

export interface Group {
  label: string;
  params: [string, string][];
  lines: { statistic: string; row: Row }[];
}

/** The rows in groups of one label and one set of parameters, in the order of the comment. */
export function groups(rows: Row[]): Group[] {
  const place = (configured: number) => (configured < 0 ? Infinity : configured);
  const appearances = new Map<string, number>();
  const found = new Map<string, { group: [number, number]; rows: Row[] }>();
  for (const row of rows) {
    const label = row.subject.group;
    if (!appearances.has(label)) appearances.set(label, appearances.size);
    const group: [number, number] = [place(row.subject.places[0]), appearances.get(label)!];
    const key = JSON.stringify([label, row.params]);
    const known = found.get(key);
    if (known) known.rows.push(row);
    else found.set(key, { group, rows: [row] });
  }
  const names: string[] = [];
  const keyed = [...found.values()].map((one) => {
    const own = JSON.stringify(one.rows[0]!.params.map(([name]) => name));
    if (!names.includes(own)) names.push(own);
    return { ...one, names: names.indexOf(own), position: Math.min(...one.rows.map((row) => row.combination)) };
  });
  keyed.sort((a, b) => compareNumbers([...a.group, a.names, a.position], [...b.group, b.names, b.position]));
  return keyed.map(({ rows: members }) => {
    const order = (row: Row) => {
      const timed = row.subject.kind === "time";
      const first = timed && (row.subject.name.split(".").pop() ?? "").includes("execution_time");
      return [first ? 0 : timed ? 1 : 2, place(row.subject.places[1]), KINDS.indexOf(row.subject.kind)];
    };
    members.sort((a, b) => compareNumbers(order(a), order(b)) || (a.subject.name < b.subject.name ? -1 : 1));
    return {
      label: members[0]!.subject.group,
      params: members[0]!.params,
      lines: members.map((row) => ({ statistic: row.subject.statistic, row })),
    };
  });
}

function compareNumbers(one: number[], other: number[]): number {
  for (let i = 0; i < one.length; i++) {
    if (one[i] !== other[i]) return one[i]! < other[i]! ? -1 : 1;
  }
  return 0;
}
