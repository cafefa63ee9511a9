// One benchmark over its whole history, with the other statistics of its group beneath.

import uPlot from "uplot";
import {
  factsAt,
  loadCommits,
  loadMeta,
  loadRun,
  loadSeries,
  type Benchmark,
  type Commits,
  type Index,
  type Meta,
  type Run,
  type Series,
} from "./data";
import { chart, type Chart, type Mark, type Range } from "./chart";
import { add, downloads, h, replace, s, type Child } from "./dom";
import { colour, dash, onScheme, token } from "./palette";
import { benchmarkName, betterWords, changeItem, changeRatio, chips, chosenLine, commitLine, grouped, lineChips, params, stateLink } from "./parts";
import { changed, href, note, type Route } from "./route";
import { positionOf } from "./rule/sides";
import { Scale, counted, day, minute, short, signedPercent } from "./units";

/** Of more combinations only so many are shown at first. */
const MOST_SHOWN = 8;

const REASONS: Record<string, string> = { f: "failed", s: "skipped", o: "no number", n: "not run" };

interface Loaded {
  meta: Meta;
  commits: Commits;
  series: Series[];
}

export function detailView(main: HTMLElement, route: Route, index: Index): () => void {
  const benchmark = index.benchmarks.find((one) => one.id === route.id || one.name === route.id);
  if (!benchmark) {
    replace(main, h("p", { class: "empty" }, "There is no such benchmark. ", h("a", { href: href("overview") }, "Overview")));
    return () => {};
  }
  const on = chosenLine(index, route);
  const ends: (() => void)[] = [];
  let ended = false;
  replace(
    main,
    h("p", { class: "crumbs" }, h("a", { href: href("overview") }, "Overview"), " / ", index.groups[benchmark.group] ?? ""),
    h("h1", {}, benchmarkName(index, benchmark)),
    h("p", { class: "muted name" }, h("code", {}, benchmark.name), ` · ${betterWords(benchmark)}`, benchmark.gone && " · no longer in the suite"),
    benchmark.explanation && h("p", {}, benchmark.explanation),
    lineChips(index, route, on),
    h("p", { class: "loading" }, "Loading…"),
  );
  const group: Chart[] = [];
  load(index, benchmark, on).then(
    (loaded) => {
      if (ended) return;
      main.querySelector(".loading")?.remove();
      ends.push(fill(main, route, index, benchmark, on, loaded, group));
      ends.push(siblings(main, route, index, benchmark, on, group));
    },
    (error: Error) => {
      if (!ended) replace(main.querySelector(".loading")!, error.message);
    },
  );
  return () => {
    ended = true;
    for (const end of ends) end();
  };
}

async function load(index: Index, benchmark: Benchmark, on: number): Promise<Loaded> {
  const [meta, commits, series] = await Promise.all([loadMeta(benchmark), loadCommits(), loadSeries(index, benchmark, on)]);
  return { meta, commits, series };
}

function rangeOf(route: Route): Range | null {
  const [from, to] = [route.state.get("from"), route.state.get("to")];
  return from !== undefined && to !== undefined ? { from: Number(from), to: Number(to) } : null;
}

function axisOf(route: Route): "date" | "commit" {
  return route.state.get("x") === "commit" ? "commit" : "date";
}

/** Which combinations are shown: those that the address names, else the first few. */
function shownOf(route: Route, series: Series[]): Set<number> {
  const named = route.state.get("show");
  if (named !== undefined && named !== "") return new Set(named.split(".").map(Number));
  return new Set(series.slice(0, MOST_SHOWN).map((one) => one.combination));
}

/** Whether the small ones of these could not be told from zero on one linear scale. */
function isWide(series: Series[]): boolean {
  const tops = series.map((one) => Math.max(...one.points.map((point) => point.value))).filter((top) => Number.isFinite(top));
  return tops.length > 1 && Math.min(...tops) > 0 && Math.max(...tops) / Math.min(...tops) > 10;
}

function marksOf(on: number, loaded: Loaded, shown: Set<number>, pin: number | null): Mark[] {
  const { meta, commits } = loaded;
  const marks: Mark[] = [];
  for (const border of commits.lines[on]?.borders ?? []) {
    marks.push({ at: border.at, kind: "border", text: `${border.what}: ${border.before} → ${border.after}` });
  }
  const versions = meta.lines.find((line) => line.line === on)?.versions ?? [];
  for (const [at, version] of versions.slice(1)) {
    marks.push({ at, kind: "version", text: `the benchmark itself changed (version ${version.slice(0, 8)})` });
  }
  for (const change of meta.changes) {
    if (change.line === on && shown.has(change.combination)) marks.push({ at: change.at, kind: change.verdict, text: "" });
  }
  if (pin !== null) marks.push({ at: pin, kind: "pin", text: "" });
  return marks;
}

function fill(
  main: HTMLElement,
  route: Route,
  index: Index,
  benchmark: Benchmark,
  on: number,
  loaded: Loaded,
  group: Chart[],
): () => void {
  const { meta, commits, series } = loaded;
  const measured = commits.lines[on]?.measured ?? [];
  const shown = shownOf(route, series);
  const by = route.state.get("by");
  const pin = route.state.has("pin") ? Number(route.state.get("pin")) : null;
  const name = (combination: number) => params(benchmark, meta.combinations[combination] ?? []) || benchmark.statistic;
  const visible = series.filter((one) => shown.has(one.combination));
  const hasPositive = visible.every((one) => one.points.every((point) => point.value > 0));
  const log = route.state.has("log") ? route.state.get("log") === "1" : hasPositive && isWide(visible);
  const paramNames = (meta.combinations[0] ?? []).map((_, i) => benchmark.params?.[i] ?? `param${i + 1}`);
  const chosenParam = by === undefined ? -1 : paramNames.indexOf(by);

  const onLog = () => (location.hash = changed(route, { log: log ? "0" : "1" }));
  const setRange = (range: Range | null) => {
    note(route, { from: range ? String(range.from) : null, to: range ? String(range.to) : null });
    for (const each of group) each.setRange(range);
    reset.hidden = range === null;
  };
  const reset = h("button", { type: "button", hidden: rangeOf(route) === null, onclick: () => setRange(null) }, "Reset zoom");

  const point = (one: Series | undefined, at: number) => one?.points.find((known) => known.at === at);
  const describe = (i: number, at: number) => {
    const one = visible[i];
    const commit = commits.all[at];
    const found = point(one, at);
    const scale = Scale.fitting(benchmark.unit, found ? [found.value] : []);
    const reason = one?.gaps.find(([where]) => where === at)?.[1] ?? "n";
    const value = found ? scale.show(found.value) : (REASONS[reason] ?? "not run");
    const interval = found && found.low !== null && found.high !== null ? `99 % interval ${scale.digits(found.low)} to ${scale.show(found.high)}` : null;
    const facts = commits.lines[on] ? factsAt(commits.lines[on]!, at) : {};
    const around = ["driver", "jaxlib"].filter((key) => facts[key] !== undefined).map((key) => `${key} ${facts[key]}`);
    return {
      head: `${series.length > 1 && one ? `${name(one.combination)}: ` : ""}${value}`,
      lines: [
        interval,
        commit && `${short(commit.hash)} ${commit.subject}`,
        commit && `${commit.author}, ${minute(commit.date)}`,
        around.join(", ") || null,
      ].filter((line): line is string => Boolean(line)),
    };
  };

  const area = h("div", { class: "main-chart" });
  const ends: (() => void)[] = [];
  if (chosenParam >= 0) {
    const at = pin ?? measured[measured.length - 1] ?? 0;
    const drawn = paramChart(benchmark, meta, visible, chosenParam, paramNames, at, measured, commits, log);
    area.append(drawn.element);
    ends.push(drawn.destroy);
  } else if (visible.length === 0 || visible.every((one) => one.points.length === 0 && one.gaps.length === 0)) {
    area.append(h("p", { class: "empty" }, series.length === 0 ? "Not measured on this machine." : "Nothing is chosen below."));
  } else {
    const drawn = chart({
      benchmark,
      series: visible,
      names: visible.map((one) => name(one.combination)),
      measured,
      commits: commits.all,
      axis: axisOf(route),
      log,
      height: 360,
      marks: marksOf(on, loaded, shown, pin),
      range: rangeOf(route),
      onRange: setRange,
      onHover: (at) => group.slice(1).forEach((each) => each.setHover(at)),
      onPin: (at) => (location.hash = changed(route, { pin: String(at) })),
      describe,
      onLog,
      more: async (i, at) => {
        const one = visible[i];
        const commit = commits.all[at];
        if (!one || !commit) return null;
        const row = (await loadRun(index.lines[on]!, commit.hash)).results[benchmark.name];
        const where = row ? positionOf(row, meta.combinations[one.combination] ?? []) : -1;
        const samples = row?.samples?.[where];
        const failure = row?.failures?.[where];
        if (failure) return h("div", { class: "tip-line" }, failure.message);
        return samples && samples.length > 1 ? rounds(samples, row?.processes?.[where] ?? [], benchmark.unit) : null;
      },
    });
    group[0] = drawn;
    area.append(drawn.element);
    ends.push(() => drawn.destroy());
  }

  const axis = axisOf(route);
  const axes = [
    { text: "date", on: chosenParam < 0 && axis === "date", to: { x: null, by: null } },
    { text: "commit", on: chosenParam < 0 && axis === "commit", to: { x: "commit", by: null } },
    ...(series.length > 1 ? paramNames.map((param) => ({ text: param, on: by === param, to: { by: param } })) : []),
  ];
  const table = () => {
    const rows: (string | number | null)[][] = [["commit", "date", "subject", "params", "value", "low", "high", "unit", "state"]];
    const range = rangeOf(route);
    for (const one of visible) {
      const points = new Map(one.points.map((known) => [known.at, known]));
      const gaps = new Map(one.gaps);
      for (const at of measured) {
        if (range && (at < range.from || at > range.to)) continue;
        const commit = commits.all[at];
        const found = points.get(at);
        rows.push([
          commit?.hash ?? "",
          commit ? day(commit.date) : "",
          commit?.subject ?? "",
          params(benchmark, meta.combinations[one.combination] ?? []),
          found?.value ?? null,
          found?.low ?? null,
          found?.high ?? null,
          benchmark.unit,
          found ? "measured" : (REASONS[gaps.get(at) ?? "n"] ?? ""),
        ]);
      }
    }
    return rows;
  };
  const changes = meta.changes.filter((change) => change.line === on);
  const surroundings = marksOf(on, loaded, new Set(), null).filter((mark) => mark.text !== "");
  add(
    main,
    h(
      "div",
      { class: "controls" },
      chips(route, "Axis", axes),
      chips(route, "Scale", [{ text: "logarithmic", on: log && hasPositive, to: { log: log ? "0" : "1" } }]),
      reset,
      downloads(benchmark.id, table),
    ),
    area,
    h(
      "p",
      { class: "legend muted" },
      "▲▼ lasting change · v the benchmark changed · e machine or environment changed · × failed · ○ skipped · – not run. Drag to zoom, click a point to keep it.",
    ),
    series.length > 1 && legend(route, benchmark, meta, series, shown),
    pin !== null && pinned(index, route, benchmark, on, loaded, visible, pin),
    changes.length > 0 && h("section", {}, h("h2", {}, "Changes"), h("ul", { class: "changes" }, grouped(changes).map((change) => changeItem(index, change)))),
    surroundings.length > 0 &&
      h(
        "section",
        {},
        h("h2", {}, "Surroundings"),
        h("ul", { class: "borders" }, surroundings.map((mark) => h("li", {}, mark.text, " from ", commits.all[mark.at] ? commitLine(index, commits.all[mark.at]!) : ""))),
      ),
  );
  return () => ends.forEach((end) => end());
}

/** The combinations, each a switch. */
function legend(route: Route, benchmark: Benchmark, meta: Meta, series: Series[], shown: Set<number>): HTMLElement {
  const all = series.map((one) => one.combination);
  const link = (next: number[]) => ({ show: next.length === 0 ? "none" : next.join(".") });
  const search = h("input", { type: "search", placeholder: "Search parameters", "aria-label": "Search parameters" });
  const items = series.map((one) => {
    const on = shown.has(one.combination);
    const next = on ? all.filter((each) => shown.has(each) && each !== one.combination) : all.filter((each) => shown.has(each) || each === one.combination);
    const text = params(benchmark, meta.combinations[one.combination] ?? []);
    const last = one.points[one.points.length - 1];
    const swatch = s("line", { x1: 0, y1: 5, x2: 22, y2: 5, class: `c${one.combination % 8}`, "stroke-dasharray": dash(one.combination).join(" ") || null });
    return {
      text: text.toLowerCase(),
      element: h(
        "li",
        {},
        stateLink(
          route,
          link(next),
          { role: "button", "aria-pressed": String(on), class: "series" },
          s("svg", { width: 22, height: 10, "aria-hidden": "true" }, swatch),
          h("span", {}, text),
          h("span", { class: "muted" }, last ? Scale.fitting(benchmark.unit, [last.value]).show(last.value) : ""),
        ),
        stateLink(route, link([one.combination]), { class: "only" }, "only"),
      ),
    };
  });
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) item.element.hidden = !words.every((word) => item.text.includes(word));
  });
  return h(
    "section",
    { class: "combinations", "aria-label": "Parameters" },
    h(
      "p",
      {},
      `${all.filter((each) => shown.has(each)).length} of ${counted(all.length, "combination")} `,
      stateLink(route, link(all), {}, "all"),
      " ",
      stateLink(route, link([]), {}, "none"),
      all.length > MOST_SHOWN && [" ", search],
    ),
    h("ul", {}, items.map((item) => item.element)),
  );
}

/** One commit, looked at closely. */
function pinned(
  index: Index,
  route: Route,
  benchmark: Benchmark,
  on: number,
  loaded: Loaded,
  visible: Series[],
  at: number,
): HTMLElement {
  const { meta, commits } = loaded;
  const line = index.lines[on]!;
  const commit = commits.all[at];
  if (!commit) return h("section", { class: "pinned" }, "There is no such commit.");
  const measured = commits.lines[on]?.measured ?? [];
  const before = [...measured].reverse().find((one) => one < at);
  const newest = measured[measured.length - 1];
  const facts = commits.lines[on] ? factsAt(commits.lines[on]!, at) : {};
  const hashOf = (where: number | undefined) => (where === undefined ? null : short(commits.all[where]?.hash ?? ""));
  const compare = (base: number | undefined, head: number | undefined) =>
    href("compare", "", { on: line.id, base: hashOf(base), head: hashOf(head), q: index.groups[benchmark.group] ?? null });
  const rows = visible.map((one) => {
    const found = one.points.find((known) => known.at === at);
    const earlier = before === undefined ? undefined : one.points.find((known) => known.at === before);
    const scale = Scale.fitting(benchmark.unit, found ? [found.value] : []);
    const gap = one.gaps.find(([where]) => where === at)?.[1] ?? "n";
    const step = found && earlier && earlier.value > 0 ? signedPercent(found.value / earlier.value - 1) : "";
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, params(benchmark, meta.combinations[one.combination] ?? []) || benchmark.statistic),
      h("td", { class: "number" }, found ? scale.show(found.value) : (REASONS[gap] ?? "")),
      h("td", { class: "number muted" }, found && found.low !== null && found.high !== null ? `${scale.digits(found.low)} – ${scale.show(found.high)}` : ""),
      h("td", { class: "number" }, step),
      h("td", { class: "rounds", "data-combination": one.combination }),
    );
  });
  const body = h("tbody", {}, rows);
  const extra = h("div", { class: "extra" });
  loadRun(line, commit.hash).then(
    (run) => {
      closer(run, benchmark, meta, body, extra);
    },
    () => replace(extra, h("p", { class: "muted" }, "This commit was not measured here.")),
  );
  const skipped = commits.skipped[at] ?? 0;
  return h(
    "section",
    { class: "pinned", "aria-label": "The kept commit" },
    stateLink(route, { pin: null }, { class: "close", "aria-label": "Close" }, "×"),
    h("p", {}, commitLine(index, commit)),
    h(
      "p",
      { class: "muted" },
      minute(commit.date),
      Object.entries(facts).map(([key, value]) => ` · ${key} ${value}`),
      skipped > 0 && ` · ${counted(skipped, "commit")} before it not measured`,
    ),
    h("table", { class: "values" }, h("thead", {}, h("tr", {}, ["", "value", "99 % interval", "to the one before", "rounds"].map((head) => h("th", { scope: "col" }, head)))), body),
    h(
      "p",
      { class: "actions" },
      before !== undefined && h("a", { class: "button", href: compare(before, at) }, "Compare with the one before"),
      newest !== undefined && newest !== at && h("a", { class: "button", href: compare(at, newest) }, "Compare with the newest"),
    ),
    extra,
    reproduce(benchmark, meta, visible, commit.hash),
  );
}

/** What only the result file knows: single rounds, reasons, the environment. */
function closer(run: Run, benchmark: Benchmark, meta: Meta, body: HTMLElement, extra: HTMLElement): void {
  const row = run.results[benchmark.name];
  const notes: Child[] = [];
  if (row) {
    for (const cell of body.querySelectorAll<HTMLElement>("td.rounds")) {
      const values = meta.combinations[Number(cell.dataset["combination"])] ?? [];
      const at = positionOf(row, values);
      const samples = row.samples?.[at];
      if (samples && samples.length > 1) cell.append(rounds(samples, row.processes?.[at] ?? [], benchmark.unit));
      const stats = row.stats?.[at];
      if (stats) cell.append(h("span", { class: "muted" }, ` ${stats[5]} × ${counted(stats[4], "call")}`));
      const failure = row.failures?.[at];
      if (failure) {
        notes.push(
          h(
            "details",
            {},
            h("summary", {}, `${params(benchmark, values) || benchmark.statistic}: ${failure.message}`),
            failure.details && h("pre", {}, failure.details),
          ),
        );
      }
    }
    if (row.flags?.length) notes.push(h("p", { class: "muted" }, `Remarks of the record: ${row.flags.join(", ")}`));
  }
  if (run.facts?.dirty) notes.push(h("p", {}, "Measured with uncommitted changes."));
  const environment = run.facts?.environment ?? {};
  const packages = environment["packages"];
  const lines = Object.entries({
    ...run.params,
    ...Object.fromEntries(Object.entries(environment).filter(([key]) => key !== "packages")),
    ...(packages !== null && typeof packages === "object" && !Array.isArray(packages) ? packages : {}),
  }).filter(([, value]) => value !== null && value !== "" && typeof value !== "object");
  if (lines.length > 0) {
    notes.push(
      h(
        "details",
        {},
        h("summary", {}, "Machine and environment"),
        h("dl", { class: "facts" }, lines.map(([key, value]) => [h("dt", {}, key), h("dd", {}, String(value))])),
      ),
    );
  }
  replace(extra, notes);
}

/** Single samples as dots, one row a process where that is known. */
function rounds(samples: number[], sizes: number[], unit: string): SVGElement {
  const [low, high] = [Math.min(...samples), Math.max(...samples)];
  const scale = Scale.fitting(unit, [high]);
  const x = (value: number) => 4 + ((value - low) / (high - low || 1)) * 112;
  const known = sizes.reduce((sum, size) => sum + size, 0) === samples.length ? sizes : [samples.length];
  const rows = Math.min(known.length, 8);
  const height = 8 + rows * 4;
  const dots: SVGElement[] = [];
  let at = 0;
  known.forEach((size, process) => {
    for (const value of samples.slice(at, at + size)) {
      dots.push(s("circle", { cx: x(value).toFixed(1), cy: 6 + (process % rows) * 4, r: 2 }));
    }
    at += size;
  });
  return s(
    "svg",
    { class: "dots", width: 120, height, role: "img", "aria-label": `${samples.length} rounds from ${scale.show(low)} to ${scale.show(high)}` },
    s("title", {}, `${samples.length} rounds from ${scale.show(low)} to ${scale.show(high)}`),
    dots,
  );
}

/** The command that measures this again. */
function reproduce(benchmark: Benchmark, meta: Meta, visible: Series[], hash: string): HTMLElement {
  const only = visible.length === 1 && meta.combinations.length > 1 ? meta.combinations[visible[0]!.combination] : undefined;
  const full = only ? `${benchmark.name}(${only.join(", ")})` : benchmark.name;
  const pattern = `^${full.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}${only ? "$" : "(\\(|$)"}`;
  const quoted = `'${pattern.replaceAll("'", "'\\''")}'`;
  const command = `git checkout ${hash} && lcmbench run --bench ${quoted}`;
  const code = h("code", {}, command);
  const copy = h("button", { type: "button" }, "Copy");
  copy.addEventListener("click", () => {
    const done = () => {
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = "Copy"), 1500);
    };
    navigator.clipboard?.writeText(command).then(done, () => getSelection()?.selectAllChildren(code));
  });
  return h("div", { class: "reproduce" }, h("span", { class: "muted" }, "Measure it again "), code, copy);
}

/** A parameter along the axis: the kept commit, or the newest. */
function paramChart(
  benchmark: Benchmark,
  meta: Meta,
  visible: Series[],
  which: number,
  paramNames: string[],
  at: number,
  measured: number[],
  commits: Commits,
  log: boolean,
): { element: HTMLElement; destroy: () => void } {
  const newest = measured[measured.length - 1] ?? at;
  const states = at === newest ? [newest] : [newest, at];
  const values = [...new Set(visible.map((one) => meta.combinations[one.combination]?.[which] ?? ""))];
  const numeric = values.every((value) => value.trim() !== "" && Number.isFinite(Number(value)));
  if (numeric) values.sort((a, b) => Number(a) - Number(b));
  const xs = values.map((value, i) => (numeric ? Number(value) : i));
  const groups = new Map<string, Series[]>();
  for (const one of visible) {
    const rest = (meta.combinations[one.combination] ?? []).filter((_, i) => i !== which).join(", ");
    groups.set(rest, [...(groups.get(rest) ?? []), one]);
  }
  const lines: { label: string; values: (number | null)[]; colour: number; old: boolean }[] = [];
  [...groups].forEach(([rest, members], i) => {
    for (const state of states) {
      const found = values.map((value) => {
        const one = members.find((each) => meta.combinations[each.combination]?.[which] === value);
        return one?.points.find((point) => point.at === state)?.value ?? null;
      });
      const commit = commits.all[state];
      lines.push({ label: `${rest}${states.length > 1 || rest === "" ? ` ${commit ? short(commit.hash) : ""}` : ""}`.trim(), values: found, colour: i, old: state !== newest });
    }
  });
  const numbers = lines.flatMap((line) => line.values).filter((value): value is number => value !== null);
  const logs = log && numbers.every((value) => value > 0);
  const scale = Scale.fitting(benchmark.unit, numbers);
  const element = h("div", { class: "chart" });
  const note = h("p", { class: "muted" }, `${paramNames[which] ?? ""} along the axis, at ${states.map((state) => `${short(commits.all[state]?.hash ?? "")} (${commits.all[state] ? day(commits.all[state]!.date) : ""})`).join(" and ")}.`);
  const list = h(
    "ul",
    { class: "param-lines" },
    lines.map((line) =>
      h(
        "li",
        {},
        s("svg", { width: 22, height: 10, "aria-hidden": "true" }, s("line", { x1: 0, y1: 5, x2: 22, y2: 5, class: `c${line.colour % 8}`, "stroke-dasharray": line.old ? "5 3" : null })),
        ` ${line.label}`,
      ),
    ),
  );
  let u: uPlot | null = null;
  const make = () => {
    u?.destroy();
    const axis: uPlot.Axis = { stroke: token("muted"), grid: { stroke: token("grid"), width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
    const wide = numeric && xs.length > 2 && xs[0]! > 0 && xs[xs.length - 1]! / xs[0]! >= 50;
    u = new uPlot(
      {
        width: Math.max(element.clientWidth || 600, 260),
        height: 360,
        legend: { show: false },
        padding: [18, 24, 0, 0],
        cursor: { drag: { x: false, y: false } },
        scales: {
          x: { time: false, distr: wide ? 3 : 1, ...(numeric ? {} : { range: [-0.5, Math.max(xs.length - 0.5, 0.5)] as [number, number] }) },
          y: { distr: logs ? 3 : 1 },
        },
        axes: [
          numeric
            ? { ...axis, splits: () => xs, filter: (_, ticks) => ticks, values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : String(Number(tick.toPrecision(6))))) }
            : { ...axis, splits: () => xs, values: () => values.map((value) => (value.length > 16 ? `${value.slice(0, 15)}…` : value)) },
          { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : scale.digits(tick))), ...(scale.suffix ? { label: scale.suffix, labelSize: 18, labelFont: axis.font! } : {}) },
        ],
        series: [
          {},
          ...lines.map((line): uPlot.Series => ({ stroke: colour(line.colour), width: 1.75, dash: line.old ? [5, 3] : [], spanGaps: true, points: { show: true, size: 6, fill: colour(line.colour) } })),
        ],
      },
      [xs, ...lines.map((line) => line.values)] as uPlot.AlignedData,
      element,
    );
  };
  const resize = new ResizeObserver(() => {
    if (!u) make();
    else if (element.clientWidth > 0 && Math.abs(u.width - element.clientWidth) > 1) u.setSize({ width: element.clientWidth, height: 360 });
  });
  resize.observe(element);
  const off = onScheme(make);
  return {
    element: h("div", {}, note, element, list),
    destroy() {
      resize.disconnect();
      off();
      u?.destroy();
    },
  };
}

/** The other statistics of the group, in small, over the same range. */
function siblings(main: HTMLElement, route: Route, index: Index, benchmark: Benchmark, on: number, group: Chart[]): () => void {
  const others = index.benchmarks.filter((one) => one.group === benchmark.group && one !== benchmark);
  if (others.length === 0) return () => {};
  const ends: (() => void)[] = [];
  let ended = false;
  const section = h("section", { class: "siblings" }, h("h2", {}, `More of ${index.groups[benchmark.group] ?? ""}`));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watcher.unobserve(entry.target);
      const one = others[Number((entry.target as HTMLElement).dataset["at"])]!;
      const hole = entry.target.querySelector(".hole")!;
      load(index, one, on).then(
        ({ meta, commits, series }) => {
          if (ended) return;
          const few = series.slice(0, MOST_SHOWN);
          if (few.length === 0) return replace(hole, h("p", { class: "muted" }, "Not measured on this machine."));
          const name = (combination: number) => params(one, meta.combinations[combination] ?? []);
          const drawn = chart({
            benchmark: one,
            series: few,
            names: few.map((each) => name(each.combination)),
            measured: commits.lines[on]?.measured ?? [],
            commits: commits.all,
            axis: axisOf(route),
            log: isWide(few),
            height: 190,
            marks: meta.changes
              .filter((change) => change.line === on)
              .map((change) => ({ at: change.at, kind: change.verdict, text: `${changeRatio(change) ?? ""}` })),
            range: rangeOf(route),
            onRange(range) {
              note(route, { from: range ? String(range.from) : null, to: range ? String(range.to) : null });
              for (const each of group) each?.setRange(range);
              const reset = main.querySelector<HTMLElement>(".controls > button");
              if (reset) reset.hidden = range === null;
            },
            onHover: (at) => group.forEach((each) => each !== drawn && each?.setHover(at)),
            onPin: (at) => (location.hash = href("benchmark", one.id, { on: route.state.get("on") ?? null, pin: String(at) })),
            describe(i, at) {
              const each = few[i];
              const commit = commits.all[at];
              const found = each?.points.find((point) => point.at === at);
              const scale = Scale.fitting(one.unit, found ? [found.value] : []);
              const label = each ? name(each.combination) : "";
              return {
                head: `${label ? `${label}: ` : ""}${found ? scale.show(found.value) : "no number"}`,
                lines: commit ? [`${short(commit.hash)} ${commit.subject}`] : [],
              };
            },
          });
          group.push(drawn);
          ends.push(() => drawn.destroy());
          replace(hole, drawn.element);
        },
        (error: Error) => replace(hole, h("p", { class: "muted" }, error.message)),
      );
    }
  }, { rootMargin: "200px" });
  others.forEach((one, i) => {
    const element = h(
      "div",
      { class: "sibling", "data-at": i },
      h("h3", {}, h("a", { href: href("benchmark", one.id, { on: route.state.get("on") ?? null, x: route.state.get("x") ?? null }) }, one.statistic), h("span", { class: "muted" }, ` ${betterWords(one)}`)),
      h("div", { class: "hole" }),
    );
    section.append(element);
    watcher.observe(element);
  });
  main.append(section);
  return () => {
    ended = true;
    watcher.disconnect();
    for (const end of ends) end();
  };
}
