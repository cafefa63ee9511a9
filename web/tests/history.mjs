// Made-up histories for the tests of the page: a git repository and asv's result files.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A generator of numbers between zero and one that always says the same. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

const environment = {
  ...process.env,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  TZ: "UTC",
};

/** Commits on `main`, oldest first: `{ subject, author, date }`; returns their hashes. */
export function makeRepository(folder, commits) {
  mkdirSync(folder, { recursive: true });
  const git = (args, input) => execFileSync("git", args, { cwd: folder, input, env: environment }).toString();
  git(["init", "--quiet", "--initial-branch=main"]);
  const lines = [];
  for (const { subject, author, date } of commits) {
    const who = author.replace(/[<>\n]/g, "");
    lines.push("commit refs/heads/main", `author ${who} <a@example.org> ${date} +0000`, `committer ${who} <a@example.org> ${date} +0000`);
    lines.push(`data ${Buffer.byteLength(subject)}`, subject, "");
  }
  git(["fast-import", "--quiet"], `${lines.join("\n")}\n`);
  git(["reset", "--quiet", "--hard"]);
  return git(["rev-list", "--reverse", "main"]).trim().split("\n");
}

const COLUMNS = ["result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_number", "stats_repeat", "samples", "profile"];

/** The machine's file of one commit, as asv writes it. */
export function resultFile({ hash, date, machine, environmentName, params, results, facts }) {
  return JSON.stringify({
    commit_hash: hash,
    env_name: environmentName,
    date: date * 1000,
    params: { arch: "x86_64", cpu: "Some CPU", machine, num_cpu: "8", os: "Linux 6.1", ram: "33GB", python: "3.12", ...params },
    python: "3.12",
    requirements: {},
    env_vars: {},
    result_columns: COLUMNS,
    results,
    durations: {},
    ...(facts ? { lcmbench: { format: 1, lcmbench: "0.1.0", head: hash, dirty: false, worker: {}, environment: {}, host: {}, benchmarks: {}, ...facts } } : {}),
    version: 2,
  }).replaceAll('"@NaN@"', "NaN");
}

export function writeProject(folder, { results, machines, benchmarks, toml, project = "savings", commitUrl = "https://example.org/commit/" }) {
  const write = (path, text) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("asv.conf.json", JSON.stringify({ version: 1, project, project_url: "https://example.org/", repo: ".", branches: ["main"], benchmark_dir: "benchmarks", results_dir: "results", html_dir: "html", env_dir: "env", show_commit_url: commitUrl }));
  write("lcmbench.toml", toml);
  for (const machine of machines) {
    const facts = { arch: "x86_64", cpu: "Some CPU", machine, num_cpu: "8", os: "Linux 6.1", ram: "33GB", version: 1 };
    write(`results/${machine}/machine.json`, JSON.stringify(facts));
  }
  for (const [path, text] of Object.entries(results)) write(`results/${path}`, text);
  const index = { version: 2 };
  for (const [name, record] of Object.entries(benchmarks)) {
    index[name] = { name, code: "", version: "1", number: 0, params: [], param_names: [], type: "time", unit: "seconds", ...record };
  }
  write("results/benchmarks.json", JSON.stringify(index));
}

const DAY = 86_400;
const START = 1_735_689_600;

const AUTHORS = ["Ada Lovelace", "Grace Hopper", "Emmy Noether", "Maryam Mirzakhani"];
const SUBJECTS = ["Interpolate in place", "Cache the transition matrix", "Read the grid once", "Use float32 on the device", "Tidy the solver", "Update jaxlib", "Simulate in batches", "Fix an index at the border", "Document the model", "Vectorise the Bellman operator"];

/** The history that most tests look at. `hostile` are texts that try to run. */
export function small(folder, { count = 120, hostile = null } = {}) {
  const next = random(7);
  const noise = (size) => 1 + size * (next() + next() + next() - 1.5);
  const evil = (text, place) => (hostile ? hostile(place) : text);
  const commits = Array.from({ length: count }, (_, i) => ({
    subject: evil(SUBJECTS[i % SUBJECTS.length] + (i === 70 ? ": a subject that goes on and on, as subjects do when nobody stops them, far beyond what fits into any box" : ""), `subject ${i}`),
    author: evil(AUTHORS[i % AUTHORS.length], `author ${i}`),
    date: START + i * DAY * 2 + Math.floor(next() * 40_000),
  }));
  const hashes = makeRepository(folder, commits);
  const solve = "bench_model.Solve.track_execution_time";
  const memory = "bench_model.Solve.track_gpu_peak";
  const compile = "bench_model.Solve.track_compilation_time";
  const simulate = "bench_model.Simulate.time_simulate";
  const peak = "bench_model.Simulate.peakmem_simulate";
  const iterations = "bench_model.Simulate.track_iterations";
  const throughput = "bench_paths.Throughput.track_rate";
  const flaky = evil("bench_paths.time_flaky", "bench_paths.time_evil");
  const points = ["10", "100", "1000"];
  const kinds = [evil("'linear'", "kind"), "'cubic'"];
  const benchmarks = {
    [solve]: { type: "track", unit: "seconds", params: [points, kinds], param_names: ["n_points", evil("kind", "param name")] },
    [memory]: { type: "track", unit: "bytes", params: [points, kinds], param_names: ["n_points", "kind"] },
    [compile]: { type: "track", unit: "seconds" },
    [simulate]: { type: "time", unit: "seconds" },
    [peak]: { type: "peakmemory", unit: "bytes" },
    [iterations]: { type: "track", unit: "iterations" },
    [throughput]: { type: "track", unit: evil("agents / s", "unit") },
    [flaky]: { type: "time", unit: "seconds" },
  };
  const results = {};
  const machines = ["gpu-box", "laptop"];
  commits.forEach(({ date }, i) => {
    for (const machine of machines) {
      if (machine === "laptop" && i % 3 !== 0) continue;
      if (i === 33 || i === 34) continue;
      const speed = machine === "laptop" ? 4 : 1;
      const started = date * 1000 + 60_000;
      const row = (values, params = [], stats = null, version = "1") => [values, params, version, started, 1.5, ...(stats ?? [])];
      const timed = (level, size) => {
        const samples = Array.from({ length: 12 }, () => level * noise(size) * (1 + 0.02 * next()));
        const sorted = [...samples].sort((a, b) => a - b);
        const middle = (sorted[5] + sorted[6]) / 2;
        return row([middle], [], [[sorted[1]], [sorted[10]], [sorted[3]], [sorted[8]], [4], [12], [samples]], i < 40 ? "1" : "2");
      };
      const slower = i >= count - 8 ? 1.18 : i >= 60 ? 1.08 : 1;
      const grid = points.flatMap((n) => kinds.map((_, k) => 0.0004 * Number(n) ** 0.9 * (1 + 0.6 * k) * speed * slower * noise(0.012)));
      const failing = i % 17 === 5;
      const of = {
        [solve]: row(i === 50 ? grid.map((value, k) => (k === 4 ? null : value)) : grid, [points, kinds]),
        [memory]: row(points.flatMap((n) => kinds.map((_, k) => Math.round(2e8 + 3e5 * Number(n) * (1 + k) * (i >= 90 ? 0.8 : 1)))), [points, kinds]),
        [compile]: row([(6.5 - (i >= 30 ? 2 : 0)) * speed * noise(0.02)]),
        [simulate]: timed(0.0123 * speed * (i >= 75 ? 0.83 : 1), 0.01),
        [peak]: row([Math.round(1.4e8 * noise(0.001))]),
        [iterations]: row([i >= count - 6 ? 47 : 41]),
        [throughput]: row([(2e6 / speed) * (i >= 100 ? 0.9 : 1) * noise(0.015)]),
        [flaky]: failing ? row(null) : i % 17 === 9 ? row(["@NaN@"]) : timed(3.1e-7 * speed, 0.03),
      };
      if (i % 11 === 3) delete of[throughput];
      const facts = {
        environment: { python: "3.12.4", driver: i < 55 ? "550.54" : "570.12", gpu: evil("H200", "gpu"), packages: { jax: "0.4.30", jaxlib: i < 80 ? "0.4.30" : "0.4.35", numpy: "2.1.0" } },
        benchmarks: {
          [simulate]: { process_sizes: [[2, 2, 2, 2, 2, 2]] },
          ...(failing ? { [flaky]: { failures: [{ kind: "exception", message: evil("ValueError: the grid is empty", "failure"), details: evil("Traceback (most recent call last):\n  File \"bench_paths.py\", line 12", "details") }] } } : {}),
        },
      };
      results[`${machine}/${hashes[i].slice(0, 8)}-env.json`] = resultFile({ hash: hashes[i], date, machine, environmentName: "env", params: {}, results: of, facts });
    }
  });
  const toml = `
[[labels.benchmark]]
match = "Solve"
label = ${JSON.stringify(evil("Solve the model", "label"))}

[[labels.benchmark]]
match = "Simulate"
label = "Simulate agents"

[[labels.statistic]]
match = "track_gpu_peak"
label = "peak GPU memory"
explanation = ${JSON.stringify(evil("The most that one cold run holds on the device.", "explanation"))}

[[accept]]
benchmark = "bench_model.Simulate.track_iterations"
up-to = 20
reason = ${JSON.stringify(evil("a finer policy takes more of them", "accepted"))}
expires = 2030-12-31

[[better]]
unit = ${JSON.stringify(evil("agents / s", "unit"))}
direction = "higher"
`;
  writeProject(folder, { results, machines, benchmarks, toml, project: evil("savings", "project") });
  return { hashes, commits, names: { solve, memory, compile, simulate, peak, iterations, throughput, flaky } };
}

/** As large as a first view must bear: benchmarks without parameters on one machine. */
export function large(folder, { count = 1500, many = 300 } = {}) {
  const next = random(11);
  const commits = Array.from({ length: count }, (_, i) => ({
    subject: `${SUBJECTS[i % SUBJECTS.length]} (${i})`,
    author: `${AUTHORS[i % AUTHORS.length]} ${i % 40}`,
    date: START - count * DAY + i * DAY,
  }));
  const hashes = makeRepository(folder, commits);
  const names = Array.from({ length: many }, (_, k) => `bench_${k % 12}.Class${Math.floor(k / 6)}.${k % 3 === 2 ? "peakmem" : "time"}_method_${k}`);
  const levels = names.map(() => 10 ** (-6 + 5 * next()));
  const steps = names.map(() => (next() < 0.4 ? Math.floor(next() * count) : count + 1));
  const results = {};
  commits.forEach(({ date }, i) => {
    const of = {};
    names.forEach((name, k) => {
      const value = levels[k] * (i >= steps[k] ? 1.15 : 1) * (1 + 0.02 * (next() + next() - 1));
      of[name] = [[name.includes("peakmem") ? Math.round(value * 1e9) : value], [], "1", date * 1000, 1, [value * 0.99], [value * 1.01], [value * 0.995], [value * 1.005], [1], [10]];
    });
    results[`box/${hashes[i].slice(0, 8)}-env.json`] = resultFile({ hash: hashes[i], date, machine: "box", environmentName: "env", params: {}, results: of });
  });
  const benchmarks = Object.fromEntries(names.map((name) => [name, name.includes("peakmem") ? { type: "peakmemory", unit: "bytes" } : {}]));
  writeProject(folder, { results, machines: ["box"], benchmarks, toml: "", project: "large" });
  return { hashes, names };
}

/** Publishes the project into a folder. */
export function publish(binary, folder, output) {
  return execFileSync(binary, ["publish", "--output", output], { cwd: folder, env: { ...environment, HOME: folder }, stdio: ["ignore", "pipe", "pipe"] }).toString();
}
