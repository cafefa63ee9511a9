// The comparison in the browser against `lcmbench compare` itself: the same rows, reasons and sentences.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, cpSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import vm from "node:vm";
import { build } from "esbuild";
import { makeRepository, publish, random, resultFile, small, writeProject } from "./history.mjs";

const binary = process.env.LCMBENCH;
const folder = mkdtempSync(join(tmpdir(), "lcmbench-rule-"));
after(() => rmSync(folder, { recursive: true, force: true }));

let rule;

before(async () => {
  const entry = join(folder, "rule.ts");
  const source = new URL("../src", import.meta.url).pathname;
  writeFileSync(
    entry,
    `export * from "${source}/rule/compare"; export * from "${source}/rule/words"; export { acceptance, subjects } from "${source}/compare"; export { Scale, percent, ratio, coverage } from "${source}/units"; export { runOf } from "${source}/run";`,
  );
  const outfile = join(folder, "rule.mjs");
  await build({ entryPoints: [entry], bundle: true, format: "esm", outfile, logLevel: "error", loader: { ".css": "empty" } });
  rule = await import(outfile);
});

/** The data files of a site by their keys. */
function dataOf(site) {
  const data = new Map();
  const context = vm.createContext({ lcmbench: (key, value) => data.set(key, value) });
  const read = (path) => vm.runInContext(readFileSync(join(site, path), "utf8"), context);
  read("index.js");
  read("commits.js");
  for (const line of readdirSync(join(site, "runs"))) {
    for (const file of readdirSync(join(site, "runs", line))) read(`runs/${line}/${file}`);
  }
  return data;
}

/** What the program says, on the very results that the site shows. */
function program(project, site, machine, base, head) {
  const place = join(folder, "beside");
  mkdirSync(place, { recursive: true });
  const settings = JSON.parse(readFileSync(join(project, "asv.conf.json"), "utf8"));
  writeFileSync(join(place, "asv.conf.json"), JSON.stringify({ ...settings, repo: project, results_dir: join(site, "results") }));
  cpSync(join(project, "lcmbench.toml"), join(place, "lcmbench.toml"));
  const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), GIT_CONFIG_NOSYSTEM: "1" };
  const text = execFileSync(binary, ["compare", base, head, "--machine", machine, "--format", "json"], { cwd: place, env, stdio: ["ignore", "pipe", "pipe"] });
  return JSON.parse(text.toString());
}

/** What the page says. */
function page(data, on, base, head) {
  const index = data.get("index");
  const line = index.lines[on];
  const commits = data.get("commits");
  let at = 0;
  const measured = commits.lines[on].measured.map((step) => (at += step));
  const runAt = (where) => {
    const stored = data.get(`runs/${line.id}/${commits.hashes[where].slice(0, 12)}`);
    return stored && rule.runOf(stored);
  };
  const position = (hash) => commits.hashes.indexOf(hash);
  const first = runAt(position(base));
  const history = measured
    .filter((where) => where < position(base) && where !== position(head))
    .slice(-80)
    .map(runAt)
    .filter((run) => run && rule.belongs(run, first))
    .slice(-rule.MOST_HISTORY);
  const inSuite = (name) => index.benchmarks.some((one) => one.name === name && !one.gone);
  return rule.compare(first, runAt(position(head)), history, rule.subjects(index), inSuite);
}

const number = (value) => (typeof value === "string" ? Number(value.replace("Infinity", "Infinity")) : value);

function close(found, expected, what) {
  if (expected === null || expected === undefined) return assert.equal(found, null, what);
  const [a, b] = [number(found), number(expected)];
  assert.ok(a === b || Math.abs(a - b) <= Math.abs(b) * 1e-9, `${what}: ${found} instead of ${expected}`);
}

function same(found, expected, what, index) {
  const accepted = found.rows.filter((row) => rule.acceptance(index, row, 1_735_689_600)).length;
  assert.equal(rule.sentence(found, rule.displayName, accepted), expected.sentence, what);
  assert.deepEqual(found.remarks, expected.remarks, what);
  assert.deepEqual(found.differences, expected.differences, what);
  assert.deepEqual(found.absent.map((one) => [one.name, one.gone ? "gone" : "not-run"]), expected.absent.map((one) => [one.benchmark, one.absence]), what);
  assert.equal(found.rows.length, expected.rows.length, what);
  found.rows.forEach((row, i) => {
    const wanted = expected.rows[i];
    const which = `${what}: ${wanted.benchmark} ${JSON.stringify(wanted.params)}`;
    assert.equal(row.subject.name, wanted.benchmark, which);
    assert.equal(row.combination, wanted.combination, which);
    assert.deepEqual(row.params, wanted.params.map((one) => [one.name, one.value]), which);
    assert.equal(row.subject.kind, wanted.metric, which);
    assert.equal(row.verdict, wanted.verdict, `${which}: ${row.reason} / ${wanted.reason}`);
    assert.equal(row.reason, wanted.reason, which);
    close(row.ratio, wanted.ratio, which);
    assert.equal(row.floor ? "floor" : "median", wanted.estimator, which);
    assert.equal(row.alert, wanted.alert !== null, which);
    assert.equal(row.confidence === null, wanted.confidence === null, which);
    if (row.confidence) {
      for (const key of ["low", "high", "level", "resolution"]) close(row.confidence[key], wanted.confidence[key], `${which} ${key}`);
      assert.equal(row.confidence.weak ? "weak" : "firm", wanted.confidence.strength, which);
      assert.equal(row.confidence.history, wanted.confidence.history, which);
    }
    assert.deepEqual(row.flags, wanted.flags, which);
  });
}

const skip = binary ? false : "LCMBENCH names no binary";

test("a comparison in the browser is the program's", { skip }, () => {
  const project = join(folder, "small");
  const site = join(folder, "site");
  const { hashes } = small(project);
  publish(binary, project, site);
  const data = dataOf(site);
  const on = (machine) => data.get("index").lines.findIndex((line) => line.machine === machine);
  // Without, with little and with much history; over a step, a failure, other drivers; backwards.
  const pairs = [[0, 1], [1, 2], [3, 5], [7, 9], [12, 22], [29, 30], [38, 41], [54, 55], [74, 76], [90, 91], [110, 119], [118, 119], [119, 60]];
  let verdicts = new Set();
  for (const [base, head] of pairs) {
    const expected = program(project, site, "gpu-box", hashes[base], hashes[head]);
    same(page(data, on("gpu-box"), hashes[base], hashes[head]), expected, `${base} to ${head}`, data.get("index"));
    for (const row of expected.rows) verdicts.add(row.verdict);
  }
  for (const [base, head] of [[0, 3], [30, 60], [114, 117]]) {
    same(page(data, on("laptop"), hashes[base], hashes[head]), program(project, site, "laptop", hashes[base], hashes[head]), `laptop ${base} to ${head}`, data.get("index"));
  }
  for (const verdict of ["slower", "faster", "same", "inconclusive", "failed", "skipped", "not-comparable", "new"]) {
    assert.ok(verdicts.has(verdict), `no pair is ${verdict}`);
  }
});

test("odd values, axes and versions are compared alike", { skip }, () => {
  const project = join(folder, "odd");
  const site = join(folder, "odd-site");
  const next = random(3);
  const hashes = makeRepository(project, Array.from({ length: 6 }, (_, i) => ({ subject: `c${i}`, author: "Ada", date: 1_735_689_600 + i * 1000 })));
  const results = {};
  hashes.forEach((hash, i) => {
    const samples = (level, count) => Array.from({ length: count }, () => level * (1 + 0.1 * next()));
    const of = {
      "b.track_zero": [[i % 2 ? 0 : 1], [], "1"],
      "b.track_negative": [[-1 - (i % 3)], [], "1"],
      "b.track_infinite": [[i === 3 ? "@inf@" : 2], [], "1"],
      "b.track_text": [[{ a: i < 2 ? "x" : "y" }], [], "1"],
      "b.track_count": [[10 + (i > 3 ? 1 : 0)], [], "1"],
      "b.track_equal": [[0.25], [], "1"],
      "b.time_versioned": [[1 + i], [], i < 3 ? "1" : "2"],
      "b.time_samples": [[1 + 0.3 * i], [], "1", 0, 1, [0.9], [1.1 + 0.3 * i], [1], [1.1], [1], [8], [samples(1 + 0.3 * i, 8)]],
      "b.time_interval": [[1 + i * 0.5], [], "1", 0, 1, [0.95 + i * 0.5], [1.05 + i * 0.5], [1], [1], [1], [5]],
      "b.time_grid": [i < 3 ? [1, 2, 3] : [2.5, 3.5, null], [i < 3 ? ["1", "2", "3"] : ["2", "3", "4"]], "1"],
      "b.time_tiny": [[1e-9 * (1 + i)], [], "1"],
    };
    if (i === 5) delete of["b.track_equal"];
    // Settings of host and GPU, partly unknown; rows that an earlier run of the same commit measured.
    const host = { before: { governors: i < 2 ? ["powersave"] : ["performance", "powersave"], turbo: i % 2 === 0, smt: null, cpus_allowed: 8, cgroup_quota: i < 4 ? 2.5 : "@one@", on_mains: true, address_layout: i === 1 ? "fixed" : "random", load: i }, after: { turbo: false } };
    const gpu = i === 0 ? {} : { devices: [{ before: { power_limit_mw: 350_000 + 1000 * i, persistence: "on", compute_mode: i < 3 ? "default" : "exclusive", ecc: null, clocks: { graphics: i } } }] };
    const earlier = [
      { benchmarks: ["b.time_samples", "b.track_gone"], worker: { setup_scope: "call", launch: "fork" }, environment: { python: "3.12", driver: "1" } },
      { benchmarks: ["b.time_interval"], host: { before: { governors: ["powersave"] } }, environment: { python: "3.12", driver: "0" } },
    ];
    const facts = { host, gpu, ...(i === 3 || i === 4 ? { earlier_runs: i === 3 ? earlier : earlier.slice(1) } : {}), dirty: i === 4, environment: { python: "3.12", driver: i === 5 ? "2" : "1", packages: { numpy: `2.${i}` } }, worker: { setup_scope: i === 2 ? "call" : "process", launch: i % 2 ? "fork" : "spawn" } };
    results[`box/${hash.slice(0, 8)}-env.json`] = resultFile({ hash, date: 1_735_689_600, machine: "box", environmentName: "env", params: {}, results: of, facts }).replaceAll('"@inf@"', "Infinity").replaceAll('"@one@"', "1.0");
  });
  const track = (unit) => ({ type: "track", unit });
  const benchmarks = { "b.track_zero": track("unit"), "b.track_negative": track("unit"), "b.track_infinite": track("unit"), "b.track_text": track("unit"), "b.track_count": track("calls"), "b.track_equal": track("unit"), "b.time_versioned": {}, "b.time_samples": {}, "b.time_interval": {}, "b.time_grid": { params: [["2", "3", "4"]], param_names: ["n"] }, "b.time_tiny": {} };
  writeProject(project, { results, machines: ["box"], benchmarks, toml: "[normalise]\nversions = false\n\n[alert]\nbenchmark = []\n".replace("\n[alert]\nbenchmark = []\n", "") });
  publish(binary, project, site);
  const data = dataOf(site);
  const [differences, obstacles] = [new Set(), new Set()];
  for (let base = 0; base < 6; base++) {
    for (let head = 0; head < 6; head++) {
      if (base === head) continue;
      const expected = program(project, site, "box", hashes[base], hashes[head]);
      for (const one of expected.differences) differences.add(one.what);
      for (const one of expected.rows) if (one.verdict === "not-comparable") obstacles.add(one.reason);
      same(page(data, 0, hashes[base], hashes[head]), expected, `${base} to ${head}`, data.get("index"));
    }
  }
  for (const what of ["host.governors", "host.turbo", "host.cgroup_quota", "host.address_layout", "gpu.power_limit_mw", "gpu.compute_mode"]) {
    assert.ok(differences.has(what), `${what} differs nowhere`);
  }
  // Rows of an earlier run are judged by what that run knew.
  assert.ok([...obstacles].some((reason) => reason.includes("driver is 0")), [...obstacles].join("; "));
});
