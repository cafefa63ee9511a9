// All lasting changes of the history.

import { loadChanges, loadCommits, type Change, type Index } from "./data";
import { downloads, h, replace } from "./dom";
import { benchmarkName, changeItem, changeRatio, chips, commitLine, grouped, lineName, params } from "./parts";
import { note, type Route } from "./route";
import { counted, day } from "./units";

/** So many are shown at once. */
const PAGE = 100;

export function changesView(main: HTMLElement, route: Route, index: Index): () => void {
  let all: Change[] = [];
  let most = PAGE;
  const wanted = route.state.get("verdict") ?? "";
  const search = h("input", {
    type: "search",
    placeholder: "Search changes ( / )",
    "aria-label": "Search changes",
    value: route.state.get("q") ?? "",
  });
  const list = h("ul", { class: "changes" }, h("li", { class: "loading" }, "Loading…"));
  const more = h("button", { type: "button", hidden: true }, "Show more");
  const count = h("span", { class: "muted", "aria-live": "polite" });
  const borders = h("section", { class: "borders" });
  const selected = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return all.filter((change) => {
      const benchmark = index.benchmarks[change.benchmark];
      const line = index.lines[change.line];
      if (!benchmark || !line || (wanted !== "" && change.verdict !== wanted)) return false;
      const text = [
        benchmark.name,
        benchmarkName(index, benchmark),
        change.params.join(" "),
        change.likely.hash,
        change.likely.subject,
        change.likely.author,
        lineName(line),
        change.accepted ?? "",
      ]
        .join(" ")
        .toLowerCase();
      return words.every((word) => text.includes(word));
    });
  };
  const draw = () => {
    const found = selected();
    const shown = grouped(found);
    replace(list, shown.slice(0, most).map((change) => changeItem(index, change)));
    if (shown.length === 0) replace(list, h("li", { class: "empty" }, "No such change."));
    more.hidden = shown.length <= most;
    count.textContent = counted(found.length, "change");
  };
  search.addEventListener("input", () => {
    note(route, { q: search.value });
    most = PAGE;
    draw();
  });
  more.addEventListener("click", () => {
    most += PAGE;
    draw();
  });
  loadChanges().then((changes) => {
    all = changes;
    draw();
  }, (error: Error) => replace(list, h("li", { class: "empty" }, error.message)));
  loadCommits().then((commits) => {
    const found = commits.lines.flatMap((line, i) => line.borders.map((border) => ({ border, line: index.lines[i] })));
    if (found.length === 0) return;
    found.sort((a, b) => b.border.at - a.border.at);
    replace(
      borders,
      h("h2", {}, "Changes of machines and environments"),
      h("p", { class: "muted" }, "Nothing is compared across these, so none of them counts as a change of a benchmark."),
      h(
        "ul",
        {},
        found.map(({ border, line }) => {
          const commit = commits.all[border.at];
          return h(
            "li",
            {},
            h("strong", {}, border.what),
            ` ${border.before} → ${border.after} `,
            line && h("span", { class: "muted" }, `on ${lineName(line)} from `),
            commit && commitLine(index, commit),
          );
        }),
      ),
    );
  }, () => {});
  const table = () => [
    ["benchmark", "params", "machine", "environment", "verdict", "before", "after", "ratio", "commit", "date", "commits", "subject", "accepted"],
    ...selected().map((change) => {
      const benchmark = index.benchmarks[change.benchmark]!;
      const line = index.lines[change.line]!;
      return [
        benchmark.name,
        params(benchmark, change.params),
        line.machine,
        line.environment,
        change.verdict,
        change.before,
        change.after,
        changeRatio(change),
        change.likely.hash,
        day(change.likely.date),
        change.count,
        change.likely.subject,
        change.accepted ?? null,
      ];
    }),
  ];
  const chip = (text: string, verdict: string) => ({ text, on: wanted === verdict, to: { verdict: wanted === verdict ? null : verdict } });
  replace(
    main,
    h("h1", {}, "Changes"),
    h("p", { class: "muted" }, `Where the results of ${index.branch} changed for good. A change shows once five measured commits have the new level.`),
    h("div", { class: "filters" }, h("div", { class: "searchbar" }, search, count, downloads("changes", table)), chips(route, "Show", [chip("worse", "slower"), chip("better", "faster")])),
    list,
    more,
    borders,
  );
  return () => {
    all = [];
  };
}
