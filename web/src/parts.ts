// Pieces that several views show.

import type { Benchmark, Change, Commit, Index, Line } from "./data";
import { h, outside, s, type Child, type Props } from "./dom";
import { changed, go, href, type Route } from "./route";
import { Scale, day, percent, short } from "./units";

/** Width and height of the small pictures, as the program drew them. */
const WIDTH = 132;
const HEIGHT = 28;

export function lineName(line: Line): string {
  return `${line.machine} · ${line.environment}`;
}

/** The line that the address names, else the one that was measured last. */
export function chosenLine(index: Index, route: Route): number {
  const wanted = route.state.get("on");
  const named = index.lines.findIndex((line) => line.id === wanted);
  if (named >= 0) return named;
  let best = 0;
  index.lines.forEach((line, i) => {
    const known = index.lines[best]!;
    if (line.at > known.at || (line.at === known.at && line.measured > known.measured)) best = i;
  });
  return best;
}

/** A choice among machines and environments; nothing where there is one alone. */
export function lineChips(index: Index, route: Route, chosen: number): Child {
  if (index.lines.length < 2) {
    const only = index.lines[0];
    return only ? h("span", { class: "muted on" }, lineName(only)) : null;
  }
  return chips(
    route,
    "Machine",
    index.lines.map((line, i) => ({
      text: lineName(line),
      on: i === chosen,
      to: { on: line.id, pin: null, from: null, to: null },
    })),
  );
}

export interface Chip {
  text: string;
  on: boolean;
  /** What of the address it changes. */
  to: Record<string, string | null>;
}

/** A link that changes some of the address as it is when it is followed. */
export function stateLink(route: Route, patch: Record<string, string | null>, props: Props, ...children: Child[]): HTMLElement {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(changed(route, patch));
  };
  return h("a", { ...props, href: changed(route, patch), onclick: follow }, ...children);
}

export function chips(route: Route, label: string, all: Chip[]): HTMLElement {
  return h(
    "div",
    { class: "chips", role: "group", "aria-label": label },
    h("span", { class: "chips-label" }, label),
    all.map((chip) =>
      stateLink(route, chip.to, { class: "chip", "aria-pressed": String(chip.on), role: "button" }, chip.text),
    ),
  );
}

export function commitLink(index: Index, commit: { hash: string }): HTMLElement {
  const text = short(commit.hash);
  if (!index.commit_url) return h("code", { title: commit.hash }, text);
  return h("code", {}, outside(index.commit_url + commit.hash, text, { title: commit.hash }));
}

export function commitLine(index: Index, commit: Commit): Child[] {
  return [
    commitLink(index, commit),
    " ",
    h("span", { class: "subject", title: commit.subject }, commit.subject),
    h("span", { class: "muted" }, ` ${commit.author}, ${day(commit.date)}`),
  ];
}

export function betterWords(benchmark: Benchmark): string {
  return benchmark.higher ? "higher is better" : "lower is better";
}

export function params(benchmark: Benchmark, values: string[]): string {
  return values
    .map((value, i) => `${benchmark.params?.[i] ?? `param${i + 1}`}=${value}`)
    .join(", ");
}

export function benchmarkName(index: Index, benchmark: Benchmark): string {
  return `${index.groups[benchmark.group] ?? benchmark.name} — ${benchmark.statistic}`;
}

/** ▲ or ▼ with the word, so that nothing depends on colour. */
export function verdictMark(verdict: "slower" | "faster", ratio: number | null): HTMLElement {
  const arrow = ratio === null || ratio >= 1 ? "▲" : "▼";
  const by = ratio === null ? "" : ` ${percent(Math.abs(ratio - 1))}`;
  return h("span", { class: `verdict ${verdict}` }, `${arrow}${by} ${verdict === "slower" ? "worse" : "better"}`);
}

export function changeRatio(change: Change): number | null {
  return change.before > 0 && change.after >= 0 ? change.after / change.before : null;
}

/** A level of a whole number without the dust of its computation. */
export function level(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) <= Math.abs(value) * 1e-9 ? whole : value;
}

/** Changes of the combinations of one benchmark at one commit, which are shown as one. */
export function grouped(changes: Change[]): Change[][] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const key = [change.benchmark, change.line, change.at, change.verdict, change.accepted ?? ""].join("|");
    const known = groups.get(key);
    if (known) known.push(change);
    else groups.set(key, [change]);
  }
  return [...groups.values()];
}

/** One change, or one of several combinations, with everything that is known of it. */
export function changeItem(index: Index, all: Change[]): HTMLElement | null {
  const change = all[0]!;
  const benchmark = index.benchmarks[change.benchmark];
  const line = index.lines[change.line];
  if (!benchmark || !line) return null;
  const levels = (one: Change) => {
    const scale = Scale.fitting(benchmark.unit, [one.before, one.after]);
    return `${scale.show(level(one.before))} → ${scale.show(level(one.after))}`;
  };
  const address = (one: Change) =>
    href("benchmark", benchmark.id, {
      on: index.lines.length > 1 ? line.id : null,
      pin: String(one.at),
      show: all.length === 1 && one.params.length > 0 ? String(one.combination) : null,
    });
  const notes: string[] = [];
  if (change.accepted !== undefined) notes.push(`accepted: ${change.accepted}`);
  if (change.versions) notes.push("the benchmark itself changed");
  const where = index.lines.length > 1 && h("span", { class: "muted" }, ` · ${lineName(line)}`);
  const several = all.length > 1;
  return h(
    "li",
    { class: `change ${change.accepted === undefined ? "" : "accepted"}` },
    h("div", {}, verdictMark(change.verdict, changeRatio(change)), several && h("span", { class: "note" }, " at most")),
    h(
      "div",
      { class: "what" },
      h(
        "a",
        { href: address(change), "data-row": true },
        benchmarkName(index, benchmark),
        !several && change.params.length > 0 && h("span", { class: "params" }, ` ${params(benchmark, change.params)}`),
      ),
      several
        ? h(
            "details",
            { class: "range" },
            h("summary", {}, `${all.length} of ${benchmark.combinations} combinations`),
            h("ul", {}, all.map((one) => h("li", {}, verdictMark(one.verdict, changeRatio(one)), ` ${params(benchmark, one.params)} `, h("span", { class: "levels" }, levels(one))))),
          )
        : h("span", { class: "levels" }, ` ${levels(change)}`),
      h(
        "div",
        { class: "by" },
        change.count > 1
          ? [rangeOf(index, change), h("span", { class: "muted" }, ", likely "), commitLine(index, change.likely)]
          : commitLine(index, change.likely),
        where,
      ),
      notes.length > 0 && h("div", { class: "note" }, notes.join(" · ")),
    ),
  );
}

/** The commits one of which did it, where some in between were not measured. */
function rangeOf(index: Index, change: Change): HTMLElement {
  const more = change.count - change.commits.length;
  return h(
    "details",
    { class: "range" },
    h("summary", {}, `one of ${change.count} commits`),
    h(
      "ol",
      {},
      change.commits.map((commit) => h("li", {}, commitLine(index, commit))),
      more > 0 && h("li", { class: "muted" }, `and ${more} more`),
    ),
  );
}

/** A small picture of the whole history. */
export function sparkline(paths: string[], colours: number[], label: string): SVGElement {
  return s(
    "svg",
    { class: "spark", viewBox: `-2 0 ${WIDTH + 4} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img", "aria-label": label, preserveAspectRatio: "none" },
    paths.map((path, i) => s("path", { d: path, class: `c${(colours[i] ?? 0) % 8}` })),
  );
}
