// The dashboard. Data comes from scripts beside the page (data.ts), state from its address (route.ts).

import { FORMAT, loadIndex, receive, type Index } from "./data";
import { h, outside, replace } from "./dom";
import { href, parse, type Route } from "./route";
import { changesView } from "./changes";
import { compareView } from "./compare";
import { detailView } from "./detail";
import { overviewView } from "./overview";
import { help } from "./keys";
import "./app.css";
import "uplot/dist/uPlot.min.css";

Object.assign(window, { lcmbench: receive });

/** What a view is given: it fills `main` and returns what ends it. */
export type View = (main: HTMLElement, route: Route, index: Index) => (() => void) | void;

const VIEWS: Record<string, View> = {
  overview: overviewView,
  benchmark: detailView,
  changes: changesView,
  compare: compareView,
};

let end: (() => void) | void;
let shown = "";

function draw(index: Index, main: HTMLElement, links: HTMLElement): void {
  const route = parse(location.hash);
  const page = `${route.view}/${route.id}`;
  end?.();
  main.replaceChildren();
  for (const link of links.querySelectorAll("a")) {
    const here = parse(link.hash).view === route.view;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const view = VIEWS[route.view];
  if (view) end = view(main, route, index);
  else main.append(h("p", { class: "empty" }, "There is no such page. ", h("a", { href: href("overview") }, "Overview")));
  // Another page begins at its top; a change of state stays where it is.
  if (shown !== "" && shown !== page) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
  shown = page;
}

function start(index: Index): void {
  const app = document.getElementById("app")!;
  if (index.format !== FORMAT) {
    replace(app, h("p", { class: "empty" }, "This page and its data are of different versions of lcmbench. Publish again."));
    return;
  }
  const name = index.project || "Benchmarks";
  document.title = index.project ? `${index.project} benchmarks` : "Benchmarks";
  const main = h("main", { tabindex: -1 });
  const links = h(
    "nav",
    { "aria-label": "Pages" },
    h("a", { href: href("overview") }, "Overview"),
    h("a", { href: href("changes") }, "Changes"),
    h("a", { href: href("compare") }, "Compare"),
  );
  replace(
    app,
    h("a", { class: "skip", href: "#", onclick: (event: Event) => { event.preventDefault(); main.focus(); } }, "To the content"),
    h(
      "header",
      { class: "top" },
      h("div", { class: "brand" }, index.project_url ? outside(index.project_url, name) : name, h("span", { class: "muted" }, " benchmarks")),
      links,
      h("button", { type: "button", class: "quiet", title: "Keyboard (?)", "aria-label": "Keyboard help", onclick: () => help() }, "?"),
    ),
    main,
    h(
      "footer",
      {},
      h("span", {}, `Branch ${index.branch}, drawn by lcmbench ${index.version}`),
      h("a", { href: "feed.xml" }, "Feed of changes"),
      h("a", { href: "badge.svg" }, "Badge"),
    ),
  );
  const redraw = () => draw(index, main, links);
  addEventListener("hashchange", redraw);
  redraw();
  document.documentElement.dataset["ready"] = "yes";
}

loadIndexWhenThere();

function loadIndexWhenThere(): void {
  // `index.js` is a script of the page itself and runs right after this one.
  const begin = () => {
    loadIndex().then(start, () => {
      replace(document.getElementById("app")!, h("p", { class: "empty" }, "index.js is missing beside this page."));
    });
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", begin);
  else begin();
}
