// Any two measured commits, with the table of the comment on a pull request.

import { forget, loadCommits, loadRun, runKey, type Accepted, type Commits, type Index, type Line, type Run } from "./data";
import { downloads, h, replace, type Child } from "./dom";
import { chosenLine, commitLine, lineChips, stateLink } from "./parts";
import { changed, go, href, note, type Route } from "./route";
import { MOST_HISTORY, belongs, compare } from "./rule/compare";
import { compact } from "./rule/fingerprint";
import type { Cell, Comparison, Row, Subject } from "./rule/model";
import { displayName, groups, sentence, verdictWords } from "./rule/words";
import { Scale, counted, coverage, day, percent, ratio, short } from "./units";

/** Runs that are read beyond those that count, where some do not. */
const MOST_READ = 80;

export function compareView(main: HTMLElement, route: Route, index: Index): () => void {
  let ended = false;
  const on = chosenLine(index, route);
  const line = index.lines[on];
  const out = h("div", { "aria-live": "polite" }, h("p", { class: "loading" }, "Loading…"));
  const sides = h("div", { class: "sides" });
  replace(main, h("h1", {}, "Compare two commits"), line && lineChips(index, route, on), sides, out);
  if (!line) {
    replace(out, h("p", { class: "empty" }, "No results yet."));
    return () => {};
  }
  const show = async () => {
    const commits = await loadCommits();
    const measured = commits.lines[on]?.measured ?? [];
    if (ended) return;
    const find = (text: string | undefined) => measured.find((at) => text && text.length >= 4 && commits.all[at]?.hash.startsWith(text));
    const head = find(route.state.get("head")) ?? measured[measured.length - 1];
    const base = find(route.state.get("base")) ?? [...measured].reverse().find((at) => at < (head ?? 0));
    replace(sides, chooser(route, commits, measured, base, head));
    if (base === undefined || head === undefined) {
      replace(out, h("p", { class: "empty" }, "Two measured commits are needed."));
      return;
    }
    const found = await runs(line, commits, measured, base, head);
    if (ended) return;
    const comparison = compare(found.base, found.head, found.history, subjects(index), (name) => index.benchmarks.some((one) => one.name === name && !one.gone));
    replace(out, result(route, index, comparison, commits, base, head));
  };
  show().catch((error: Error) => {
    if (!ended) replace(out, h("p", { class: "empty" }, `These cannot be compared: ${error.message}`));
  });
  return () => {
    ended = true;
  };
}

/** Two lists of commits and what changes both. */
function chooser(route: Route, commits: Commits, measured: number[], base: number | undefined, head: number | undefined): Child {
  const list = (label: string, key: "base" | "head", chosen: number | undefined) => {
    const select = h(
      "select",
      {
        name: key,
        onchange: () => go(changed(route, { base: hash(commits, base), head: hash(commits, head), [key]: select.value })),
      },
      [...measured].reverse().map((at) => {
        const commit = commits.all[at]!;
        return h("option", { value: short(commit.hash), selected: at === chosen }, `${short(commit.hash)}  ${day(commit.date)}  ${commit.subject.slice(0, 90)}`);
      }),
    );
    return h("label", {}, label, select);
  };
  const swap = () => go(changed(route, { base: hash(commits, head), head: hash(commits, base) }));
  return [list("before", "base", base), h("button", { type: "button", onclick: swap, title: "Swap both" }, "⇄ swap"), list("after", "head", head)];
}

const hash = (commits: Commits, at: number | undefined) => (at === undefined ? null : short(commits.all[at]?.hash ?? ""));

/** Both runs, and as much of the history before the base as the rule uses. */
async function runs(line: Line, commits: Commits, measured: number[], base: number, head: number): Promise<{ base: Run; head: Run; history: Run[] }> {
  const hashOf = (at: number) => commits.all[at]?.hash ?? "";
  const [first, second] = await Promise.all([loadRun(line, hashOf(base)), loadRun(line, hashOf(head))]);
  const before = measured.filter((at) => at < base && at !== head).slice(-MOST_READ);
  const read = await Promise.all(before.map((at) => loadRun(line, hashOf(at)).catch(() => null)));
  const history = read.filter((run): run is Run => run !== null && belongs(run, first)).slice(-MOST_HISTORY);
  for (const at of before) forget(runKey(line, hashOf(at)));
  return { base: first, head: second, history };
}

/** What the rule asks about a benchmark. */
export function subjects(index: Index): (name: string) => Subject {
  const known = new Map(index.benchmarks.map((one) => [one.name, one]));
  return (name) => {
    const one = known.get(name);
    return {
      name,
      kind: one?.kind ?? "track",
      unit: one?.unit ?? "unit",
      higher: one?.higher ?? false,
      alert: one?.alert ?? 1.1,
      effect: one?.effect ?? 0.02,
      params: one?.params ?? [],
      group: one ? (index.groups[one.group] ?? "") : name,
      statistic: one?.statistic ?? name,
      explanation: one?.explanation ?? null,
      places: one?.places ?? [-1, -1],
    };
  };
}

function result(route: Route, index: Index, comparison: Comparison, commits: Commits, base: number, head: number): Child {
  const rows = comparison.rows.filter((row) => row.head.state !== "missing");
  const all = groups(rows);
  const name = (row: Row) => `${row.subject.group}${row.params.length > 0 ? ` (${named(row.params)})` : ""} — ${row.subject.statistic}`;
  const search = h("input", { type: "search", placeholder: "Search benchmarks ( / )", "aria-label": "Search benchmarks", value: route.state.get("q") ?? "" });
  const only = route.state.get("changed") === "1";
  const body = h("tbody", {});
  const drawn: { text: string; row: Row; elements: HTMLElement[] }[] = [];
  const limits = [...new Set(rows.filter((row) => row.alert).map((row) => ratio(row.subject.alert)))];
  for (const group of all) {
    group.lines.forEach(({ statistic, row }, i) => {
      const scale = Scale.fitting(row.subject.unit, numbers(row));
      const heading = group.params.length > 0 ? `${group.label} (${named(group.params)})` : group.label;
      const reason = h("tr", { class: "reason", hidden: true }, h("td", { colspan: 7 }, explain(row)));
      const toggle = h(
        "button",
        {
          type: "button",
          class: `quiet word ${row.verdict}`,
          "aria-expanded": "false",
          onclick: () => {
            reason.hidden = !reason.hidden;
            toggle.setAttribute("aria-expanded", String(!reason.hidden));
          },
        },
        verdictWords(row.verdict),
      );
      const id = index.benchmarks.find((one) => one.name === row.subject.name)?.id;
      const element = h(
        "tr",
        { class: i === 0 ? "first" : "" },
        h("th", { scope: "row", class: i === 0 ? "" : "again" }, i === 0 ? heading : h("span", { class: "sr" }, heading)),
        h("td", { class: "statistic" }, id ? h("a", { href: href("benchmark", id, { on: route.state.get("on") ?? null, pin: String(head) }), "data-row": true }, statistic) : statistic, row.subject.higher && " (higher is better)"),
        h("td", { class: "number side" }, cell(row.base, scale)),
        h("td", { class: "number side" }, cell(row.head, scale)),
        h("td", { class: "number" }, row.verdict === "slower" ? h("strong", {}, shownRatio(row)) : shownRatio(row)),
        h("td", {}, row.alert && `⚠️${limits.length > 1 ? ` ${ratio(row.subject.alert)}` : ""}`),
        h("td", { class: "verdict-cell" }, toggle),
      );
      body.append(element, reason);
      drawn.push({ text: `${row.subject.name} ${heading} ${statistic} ${row.verdict}`.toLowerCase(), row, elements: [element, reason] });
    });
  }
  const count = h("span", { class: "muted", "aria-live": "polite" });
  const fits = (text: string, row: Row) => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return words.every((word) => text.includes(word)) && (!only || row.verdict === "slower" || row.verdict === "faster" || row.alert);
  };
  const filter = () => {
    let shown = 0;
    for (const { text, row, elements } of drawn) {
      const fit = fits(text, row);
      elements[0]!.hidden = !fit;
      if (!fit) elements[1]!.hidden = true;
      if (fit) shown += 1;
    }
    count.textContent = shown === drawn.length ? counted(shown, "row") : `${shown} of ${counted(drawn.length, "row")}`;
  };
  search.addEventListener("input", () => {
    note(route, { q: search.value });
    filter();
  });
  filter();
  const table = () => [
    ["benchmark", "params", "group", "statistic", "unit", "before", "after", "ratio", "verdict", "low", "high", "resolution", "alert", "reason"],
    ...drawn
      .filter(({ text, row }) => fits(text, row))
      .map(({ row }) => [
        row.subject.name,
        named(row.params),
        row.subject.group,
        row.subject.statistic,
        row.subject.unit,
        row.base.state === "number" ? row.base.value : row.base.state,
        row.head.state === "number" ? row.head.value : row.head.state,
        row.ratio,
        row.verdict,
        row.confidence?.low ?? null,
        row.confidence?.high ?? null,
        row.confidence?.resolution ?? null,
        row.alert ? row.subject.alert : null,
        row.reason,
      ]),
  ];
  const explanations = [...new Map(rows.filter((row) => row.subject.explanation).map((row) => [row.subject.statistic, row.subject.explanation!]))];
  const signs = [
    limits.length === 1 && `⚠️ — the ratio is beyond its limit of ${limits[0]}`,
    limits.length > 1 && "⚠️ — the ratio is beyond the limit next to it",
    rows.some((row) => row.floor && row.ratio !== null) && "† — from the fastest samples of each process, so not exactly the ratio of the medians shown",
  ].filter((sign): sign is string => Boolean(sign));
  const gone = [
    ...comparison.absent.map((one) => `${one.name}${one.gone ? " (gone from the suite)" : " (not run)"}`),
    ...comparison.rows.filter((row) => row.head.state === "missing").map((row) => `${displayName(row)} (gone from the suite)`),
  ];
  const lines = [commits.all[base], commits.all[head]];
  const accepted = rows.flatMap((row) => {
    const one = acceptance(index, row, commits.all[head]?.date ?? 0);
    return one ? [{ row, one }] : [];
  });
  return [
    h("p", { class: "sentence" }, sentence(comparison, name, accepted.length)),
    h("p", { class: "muted" }, "before: ", lines[0] && commitLine(index, lines[0])),
    h("p", { class: "muted" }, "after: ", lines[1] && commitLine(index, lines[1])),
    h(
      "div",
      { class: "searchbar" },
      search,
      count,
      stateLink(route, { changed: only ? null : "1", base: hash(commits, base), head: hash(commits, head) }, { class: "chip", role: "button", "aria-pressed": String(only) }, "changed only"),
      downloads("comparison", table),
    ),
    h(
      "div",
      { class: "wide" },
      h(
        "table",
        { class: "compare" },
        h(
          "thead",
          {},
          h("tr", {}, [["Benchmark", ""], ["Statistic", ""], ["before", "number"], ["after", "number"], ["Ratio", "number"], ["Alert", ""], ["Verdict", ""]].map(([text, kind]) => h("th", { scope: "col", class: kind }, text))),
        ),
        body,
      ),
    ),
    (explanations.length > 0 || signs.length > 0) &&
      h("ul", { class: "muted" }, explanations.map(([statistic, text]) => h("li", {}, h("strong", {}, statistic), ` — ${text}`)), signs.map((sign) => h("li", {}, sign))),
    accepted.length > 0 &&
      h(
        "section",
        { class: "accepted-rows" },
        h("h2", {}, "Accepted"),
        h("ul", {}, accepted.map(({ row, one }) => h("li", {}, h("strong", {}, name(row)), ` ${shownRatio(row)}: ${one.reason} `, h("span", { class: "muted" }, `(up to ${percent(one.up_to)}, until ${one.expires})`)))),
      ),
    gone.length > 0 &&
      h("details", {}, h("summary", {}, `${counted(gone.length, "benchmark")} with a result before ${gone.length === 1 ? "has" : "have"} none after`), h("ul", {}, gone.map((text) => h("li", {}, text)))),
    comparison.differences.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, `${counted(comparison.differences.length, "difference")} of machine or environment between both sides`),
        h("ul", {}, comparison.differences.map(({ what, base: one, head: other }) => h("li", {}, h("strong", {}, what), ` ${one} → ${other}`))),
      ),
    comparison.remarks.length > 0 && h("ul", { class: "remarks muted" }, comparison.remarks.map((remark) => h("li", {}, remark))),
    h("p", { class: "muted" }, "On the command line: ", h("code", {}, `lcmbench compare ${hash(commits, base)} ${hash(commits, head)}`)),
  ];
}

/** The declaration that a regression is wanted, if it counted on the day of HEAD. */
export function acceptance(index: Index, row: Row, date: number): Accepted | undefined {
  if (row.ratio === null || !(row.verdict === "slower" || row.alert)) return undefined;
  const worsening = row.subject.higher ? 1 - row.ratio : row.ratio - 1;
  const at = index.benchmarks.findIndex((one) => one.name === row.subject.name);
  return index.accepted.find(
    (one) =>
      one.benchmarks.includes(at) &&
      (one.params === null || (one.params.length === row.params.length && one.params.every((value, i) => value === "*" || value === row.params[i]?.[1]))) &&
      worsening <= one.up_to + 1e-9 &&
      day(date) <= one.expires,
  );
}

const named = (params: [string, string][]) => params.map(([key, value]) => `${key}=${value}`).join(", ");

const numbers = (row: Row) => [row.base, row.head].flatMap((side) => (side.state === "number" ? [side.value] : []));

function cell(side: Cell, scale: Scale): string {
  switch (side.state) {
    case "number":
      return scale.show(side.value);
    case "other":
      return compact(side.value).slice(0, 60);
    case "missing":
      return "–";
    default:
      return side.state;
  }
}

function shownRatio(row: Row): string {
  return `${ratio(row.ratio)}${row.floor && row.ratio !== null ? "†" : ""}`;
}

function explain(row: Row): string {
  const { confidence } = row;
  const interval = confidence
    ? `Interval of the ratio ${ratio(confidence.low)} to ${ratio(confidence.high)} (${coverage(confidence.level)}${confidence.weak ? ", weak" : ""}), could have seen ${percent(confidence.resolution)}. `
    : "";
  return `${interval}${[row.reason, ...row.flags].filter(Boolean).join("; ")}`;
}
