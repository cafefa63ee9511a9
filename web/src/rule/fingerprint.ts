// What differs between machines and environments, and what of it makes results incomparable
// (`src/compare/fingerprint.rs`).

import { factsAtRun, runOfRow, type Facts as RunFacts, type Members } from "../run";
import type { Difference, Json, Run } from "./model";

const BORDERS = ["machine", "arch", "cpu", "num_cpu", "gpu", "gpus", "driver", "jaxlib"];
const TIMING = ["setup_scope", "device_sync"];
const WORKER = ["launch", "share_setup", "asv_runner", "cpu_affinity", "compile_cache"];
const HOST = ["governors", "turbo", "smt", "cpus_allowed", "cgroup_quota", "on_mains", "address_layout"];
const SETTINGS = ["power_limit_mw", "persistence", "compute_mode", "ecc"];
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

/** What differs for each benchmark: rows of one file may be of several runs. */
export interface Fingerprints {
  /** Of the last run of either side. */
  last: Fingerprint;
  of: (name: string) => Fingerprint;
}

export function fingerprints(base: Run, head: Run): Fingerprints {
  const known = new Map<string, Fingerprint>();
  const between = (before: number, after: number) => {
    const key = `${before} ${after}`;
    let found = known.get(key);
    if (!found) known.set(key, (found = fingerprint(base, head, factsAtRun(base, before), factsAtRun(head, after))));
    return found;
  };
  return { last: between(-1, -1), of: (name) => between(runOfRow(base, name), runOfRow(head, name)) };
}

function fingerprint(base: Run, head: Run, baseFacts: RunFacts | undefined, headFacts: RunFacts | undefined): Fingerprint {
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
  const both = baseFacts && headFacts ? [baseFacts, headFacts] as const : null;
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
    add(hostSettings(one.host), hostSettings(other.host), false);
    add(deviceSettings(one.gpu), deviceSettings(other.gpu), false);
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

/** The settings of the host when the run began, as `host.governors`. */
function hostSettings(host: Members): Facts {
  return named("host", host["before"], HOST);
}

/** The settings of the first GPU when the run began, as `gpu.power_limit_mw`. */
function deviceSettings(gpu: Members): Facts {
  const devices = gpu["devices"];
  const first = Array.isArray(devices) ? devices[0] : null;
  return named("gpu", first !== null && typeof first === "object" && !Array.isArray(first) ? first["before"] : null, SETTINGS);
}

function named(group: string, facts: Json | undefined, wanted: string[]): Facts {
  if (facts === null || typeof facts !== "object" || Array.isArray(facts)) return new Map();
  return new Map([...flattened(facts)].filter(([name]) => wanted.includes(name)).map(([name, text]) => [`${group}.${name}`, name === "cgroup_quota" ? asFloat(text) : text]));
}

/** A whole number that is stored as a float has lost its `.0` on the way. */
const asFloat = (text: string) => (/^-?\d+$/.test(text) ? `${text}.0` : text);

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
