// The front page: what changed lately, then every benchmark with its history in small.

import { loadOverview, type Benchmark, type Index, type OverviewRow } from "./data";
import { downloads, h, replace } from "./dom";
import {
  benchmarkName,
  changeItem,
  grouped,
  chips,
  chosenLine,
  commitLine,
  lineChips,
  lineName,
  sparkline,
  verdictMark,
} from "./parts";
import { href, note, type Route } from "./route";
import { Scale, counted } from "./units";

const KINDS: Record<string, string> = {
  time: "time",
  memory: "memory",
  "gpu-memory": "GPU memory",
  compile: "compile",
  count: "count",
  track: "other",
};

/** More suites than this are left to the search. */
const MOST_SUITES = 12;

export function overviewView(main: HTMLElement, route: Route, index: Index): () => void {
  if (index.lines.length === 0) {
    replace(main, h("p", { class: "empty" }, "No results yet. Measure with lcmbench run on the main branch, then publish."));
    return () => {};
  }
  const on = chosenLine(index, route);
  const line = index.lines[on]!;
  const list = h("div", { class: "table" }, h("p", { class: "loading" }, "Loading…"));
  const search = h("input", {
    type: "search",
    placeholder: "Search benchmarks ( / )",
    "aria-label": "Search benchmarks",
    value: route.state.get("q") ?? "",
  });
  const count = h("span", { class: "muted", "aria-live": "polite" });
  let rows: { row: OverviewRow; benchmark: Benchmark; text: string; element: HTMLElement }[] = [];
  let bodies: { element: HTMLElement; rows: HTMLElement[] }[] = [];
  const kinds = new Set((route.state.get("kind") ?? "").split(",").filter(Boolean));
  const suite = route.state.get("suite") ?? "";
  const onlyChanged = route.state.get("changed") === "1";
  const lately = index.commits - index.lately;

  const matches = (benchmark: Benchmark, row: OverviewRow, words: string[], text: string) =>
    (kinds.size === 0 || kinds.has(benchmark.kind)) &&
    (suite === "" || suiteOf(benchmark) === suite) &&
    (!onlyChanged || (row.change !== null && row.change[0] >= lately)) &&
    words.every((word) => text.includes(word));

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, benchmark, text, element } of rows) {
      const fits = matches(benchmark, row, words, text);
      element.hidden = !fits;
      if (fits) shown += 1;
    }
    for (const body of bodies) body.element.hidden = body.rows.every((row) => row.hidden);
    count.textContent = shown === rows.length ? counted(shown, "benchmark") : `${shown} of ${counted(rows.length, "benchmark")}`;
  };
  search.addEventListener("input", () => {
    note(route, { q: search.value });
    filter();
  });

  loadOverview(line).then(
    (overview) => {
      const table = h("table", { class: "overview" });
      table.append(
        h(
          "thead",
          {},
          h("tr", {}, h("th", { scope: "col" }, "Benchmark"), h("th", { scope: "col", class: "number" }, "Newest"), h("th", { scope: "col" }, "Last change"), h("th", { scope: "col" }, "History")),
        ),
      );
      let group = -1;
      let body: { element: HTMLElement; rows: HTMLElement[] } | undefined;
      for (const row of overview.rows) {
        const benchmark = index.benchmarks[row.benchmark];
        if (!benchmark) continue;
        if (benchmark.group !== group || !body) {
          group = benchmark.group;
          body = { element: h("tbody", {}), rows: [] };
          body.element.append(h("tr", { class: "group" }, h("th", { colspan: 4, scope: "rowgroup" }, index.groups[group] ?? "")));
          bodies.push(body);
          table.append(body.element);
        }
        const element = overviewRow(index, benchmark, row, line.at, lately, line.id);
        body.element.append(element);
        body.rows.push(element);
        const text = `${benchmark.name} ${benchmarkName(index, benchmark)} ${benchmark.kind} ${benchmark.unit}`.toLowerCase();
        rows.push({ row, benchmark, text, element });
      }
      replace(list, table);
      filter();
    },
    (error: Error) => replace(list, h("p", { class: "empty" }, error.message)),
  );

  const present = [...new Set(index.benchmarks.map((benchmark) => benchmark.kind))];
  const suites = [...new Set(index.benchmarks.map(suiteOf))];
  const toggled = (kind: string) => {
    const next = new Set(kinds);
    if (!next.delete(kind)) next.add(kind);
    return [...next].join(",") || null;
  };
  replace(
    main,
    lead(index, on),
    h(
      "section",
      { class: "filters", "aria-label": "Choose benchmarks" },
      h("div", { class: "searchbar" }, search, count, downloads("benchmarks", () => table(index, rows.filter((row) => !row.element.hidden)))),
      lineChips(index, route, on),
      present.length > 1 &&
        chips(route, "Metric", present.map((kind) => ({ text: KINDS[kind] ?? kind, on: kinds.has(kind), to: { kind: toggled(kind) } }))),
      suites.length > 1 &&
        suites.length <= MOST_SUITES &&
        chips(route, "Suite", suites.map((name) => ({ text: name, on: suite === name, to: { suite: suite === name ? null : name } }))),
      chips(route, "Show", [{ text: "changed lately", on: onlyChanged, to: { changed: onlyChanged ? null : "1" } }]),
    ),
    list,
    index.remarks.length > 0 && h("ul", { class: "remarks muted" }, index.remarks.map((remark) => h("li", {}, remark))),
  );
  return () => {
    rows = [];
    bodies = [];
  };
}

/** The module of a benchmark. */
function suiteOf(benchmark: Benchmark): string {
  return benchmark.name.split(".")[0] ?? benchmark.name;
}

function lead(index: Index, on: number): HTMLElement {
  const since = index.commits - index.lately;
  const recent = index.changes.filter((change) => change.at >= since);
  const open = recent.filter((change) => change.accepted === undefined);
  const benchmarks = (verdict: string) =>
    new Set(open.filter((change) => change.verdict === verdict).map((change) => change.benchmark)).size;
  const all = new Set(open.map((change) => change.benchmark)).size;
  const [worse, better] = [benchmarks("slower"), benchmarks("faster")];
  const where = `the last ${counted(Math.min(index.lately, index.commits), "measured commit")}`;
  const parts = [worse > 0 && `${worse} became worse`, better > 0 && `${better} became better`].filter(Boolean);
  const sentence =
    all === 0 ? `No benchmark changed for good in ${where}.` : `${counted(all, "benchmark")} changed in ${where}: ${parts.join(", ")}.`;
  const found = grouped(recent.length > 0 ? recent : index.changes);
  const shown = found.slice(0, recent.length > 0 ? 8 : 3);
  const listed = shown.reduce((sum, each) => sum + each.length, 0);
  const line = index.lines[on];
  return h(
    "section",
    { class: "lead" },
    h("h1", {}, sentence),
    shown.length > 0 && recent.length === 0 && h("p", { class: "muted" }, "Before that:"),
    shown.length > 0 && h("ul", { class: "changes" }, shown.map((change) => changeItem(index, change))),
    index.changes_count > listed &&
      h("p", {}, h("a", { href: href("changes") }, `All ${counted(index.changes_count, "change")} of this history`)),
    h(
      "div",
      { class: "runs" },
      index.lines.map((each) =>
        h(
          "p",
          { class: each === line ? "" : "muted" },
          h("strong", {}, lineName(each)),
          ": newest run ",
          each.newest ? commitLine(index, each.newest) : "none",
          ",",
          h(
            "span",
            { class: each.failed > 0 ? "health bad" : "health" },
            ` ${counted(each.numbers, "result")}`,
            each.failed > 0 && `, ${each.failed} failed`,
            each.skipped > 0 && `, ${each.skipped} skipped`,
          ),
          h("span", { class: "muted" }, `, ${counted(each.measured, "commit")} measured`),
        ),
      ),
    ),
  );
}

function overviewRow(
  index: Index,
  benchmark: Benchmark,
  row: OverviewRow,
  newest: number,
  lately: number,
  line: string,
): HTMLElement {
  const scale = Scale.fitting(benchmark.unit, [row.high ?? 0]);
  const value =
    row.low === null || row.high === null
      ? row.failed > 0
        ? "failed"
        : "skipped"
      : row.low === row.high
        ? scale.show(row.high)
        : `${scale.digits(row.low)} – ${scale.show(row.high)}`;
  const notes: string[] = [];
  if (row.numbers > 0 && row.failed > 0) notes.push(`${row.failed} failed`);
  if (row.at < newest) notes.push(benchmark.gone ? "no longer in the suite" : `not run for ${counted(newest - row.at, "commit")}`);
  const name = h(
    "a",
    { href: href("benchmark", benchmark.id, { on: index.lines.length > 1 ? line : null }), title: benchmark.name },
    benchmark.statistic,
  );
  const recent = row.change !== null && row.change[0] >= lately;
  const open = (event: Event) => {
    if ((event.target as Element).closest("a")) return;
    name.click();
  };
  return h(
    "tr",
    { onclick: open, class: row.at < newest ? "old" : "" },
    h(
      "th",
      { scope: "row" },
      name,
      benchmark.combinations > 1 && h("span", { class: "muted" }, ` × ${benchmark.combinations}`),
    ),
    h("td", { class: "number" }, value, notes.length > 0 && h("span", { class: "note" }, notes.join(", "))),
    h(
      "td",
      { class: recent ? "recent" : "" },
      row.change && [verdictMark(row.change[2], row.change[1]), h("span", { class: "muted" }, ` ${ago(index.commits - 1 - row.change[0])}`)],
    ),
    h("td", {}, sparkline(row.paths, row.shown, `History of ${benchmark.name}`)),
  );
}

function ago(commits: number): string {
  return commits === 0 ? "at the newest commit" : `${counted(commits, "commit")} ago`;
}

function table(index: Index, rows: { row: OverviewRow; benchmark: Benchmark }[]): (string | number | null)[][] {
  return [
    ["benchmark", "group", "statistic", "kind", "unit", "lowest", "highest", "numbers", "failed", "skipped", "change", "ratio"],
    ...rows.map(({ row, benchmark }) => [
      benchmark.name,
      index.groups[benchmark.group] ?? "",
      benchmark.statistic,
      benchmark.kind,
      benchmark.unit,
      row.low,
      row.high,
      row.numbers,
      row.failed,
      row.skipped,
      row.change?.[2] ?? null,
      row.change?.[1] ?? null,
    ]),
  ];
}

