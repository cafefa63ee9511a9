// What differs between machines and environments, and what of it makes results incomparable
// (`src/compare/fingerprint.rs`).

import type { Difference, Json, Run } from "./model";

const BORDERS = ["machine", "arch", "cpu", "num_cpu", "gpu", "gpus", "driver", "jaxlib"];
const TIMING = ["setup_scope", "device_sync"];
const WORKER = ["launch", "share_setup", "asv_runner", "cpu_affinity", "compile_cache"];
const GROUPS = ["packages", "variables"];
const NONE = "none";

export interface Fingerprint {
  differences: Difference[];
  /** Why no row is comparable. */
  all: string | null;
  /** Why no timed row is comparable. */
  timed: string | null;
}

type Facts = Map<string, string>;
type Members = { [key: string]: Json };

export function fingerprint(base: Run, head: Run): Fingerprint {
  const differences: Difference[] = [];
  const add = (before: Facts, after: Facts, missingCounts: boolean) => {
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [one, other] = [before.get(name), after.get(name)];
      const differ = one !== undefined && other !== undefined ? !sameFact(name, one, other) : missingCounts;
      if (differ && !differences.some((known) => known.what === name)) {
        differences.push({ what: name, base: one ?? NONE, head: other ?? NONE });
      }
    }
  };
  const dimensions = (run: Run) => flattened(run.params).set("environment", run.environment);
  const [before, after] = [dimensions(base), dimensions(head)];
  const both = base.facts && head.facts ? [base.facts, head.facts] as const : null;
  if (both?.every((facts) => "python" in facts.environment)) {
    before.delete("python");
    after.delete("python");
  }
  add(before, after, true);
  add(flattened(base.variables), flattened(head.variables), true);
  if (both) {
    const [one, other] = both;
    const known = both.every((facts) => Object.keys(facts.environment).length > 0);
    if (known) {
      add(flattened(one.environment, GROUPS), flattened(other.environment, GROUPS), true);
      for (const group of GROUPS) add(members(one.environment, group), members(other.environment, group), true);
    }
    add(choices(one.worker), choices(other.worker), false);
  }
  const describe = (names: string[]) => {
    const found = differences
      .filter(({ what, base, head }) => names.includes(what) && base !== NONE && head !== NONE)
      .map(({ what, base, head }) => `${what} is ${base} on the base and ${head} on HEAD`);
    return found.length > 0 ? found.join(", ") : null;
  };
  return { differences, all: describe(BORDERS), timed: describe(TIMING) };
}

function members(environment: Members, group: string): Facts {
  const value = environment[group];
  return value !== null && typeof value === "object" && !Array.isArray(value) ? flattened(value) : new Map();
}

function choices(worker: Members): Facts {
  return new Map([...flattened(worker)].filter(([what]) => TIMING.includes(what) || WORKER.includes(what)));
}

function flattened(object: Members, without: string[] = []): Facts {
  const facts: Facts = new Map();
  for (const [name, value] of Object.entries(object)) {
    if (without.includes(name) || value === null || value === undefined || value === "") continue;
    if (typeof value === "string") facts.set(name, value);
    else if (typeof value === "object" && !Array.isArray(value)) {
      for (const [member, text] of flattened(value)) facts.set(`${name}.${member}`, text);
    } else facts.set(name, compact(value));
  }
  return facts;
}

/** JSON as Python writes it on one line. */
export function compact(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(compact).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${compact(each)}`).join(", ")}}`;
  }
  return JSON.stringify(value);
}

function sameFact(name: string, base: string, head: string): boolean {
  if (base === head) return true;
  if (TIMING.includes(name) && (base === "auto" || head === "auto")) return true;
  if (name !== "ram") return false;
  const [one, other] = [bytes(base), bytes(head)];
  return one !== null && other !== null && Math.abs(one - other) <= 1e9;
}

const UNITS: Record<string, number> = {
  b: 1, byte: 1, bytes: 1, k: 1e3, kb: 1e3, kib: 1024, m: 1e6, mb: 1e6, mib: 1024 ** 2, g: 1e9, gb: 1e9, gib: 1024 ** 3, t: 1e12, tb: 1e12, tib: 1024 ** 4,
};

function bytes(text: string): number | null {
  const match = /^([0-9.]+)\s*(.*)$/.exec(text.trim());
  if (!match) return null;
  const number = Number(match[1]);
  const unit = match[2]!.trim().toLowerCase();
  if (Number.isNaN(number)) return null;
  const factor = unit !== "" ? UNITS[unit] : number >= 1e8 ? 1 : number >= 1e5 ? 1024 : number >= 1e3 ? 1e6 : 1e9;
  return factor === undefined ? null : Math.round(number * factor);
}
