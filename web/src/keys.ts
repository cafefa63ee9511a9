// Keyboard: what works everywhere, and the list of it.

import { h } from "./dom";
import { go, href } from "./route";

const KEYS: [string, string][] = [
  ["/", "Search"],
  ["g then o, c, d", "Overview, changes, compare"],
  ["↑ ↓ or k j", "Row by row; Enter opens"],
  ["← →", "On a chart: commit by commit; Enter keeps one"],
  ["+ − 0", "On a chart: zoom in, out, everything"],
  ["l", "On a chart: logarithmic or not"],
  ["Esc", "Back to the overview"],
  ["?", "This list"],
];

export function help(): void {
  const close = () => dialog.remove();
  const dialog = h(
    "dialog",
    { class: "help", onclose: close },
    h("h2", {}, "Keyboard"),
    h("dl", {}, KEYS.map(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])),
    h("button", { type: "button", onclick: () => dialog.close() }, "Close"),
  );
  document.body.append(dialog);
  dialog.showModal();
}

let waitsForPlace = false;

addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  const types = target.matches("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (types) {
    if (event.key === "Escape") target.blur();
    return;
  }
  if (waitsForPlace) {
    waitsForPlace = false;
    const place = { o: "overview", c: "changes", d: "compare" }[event.key];
    if (place) return go(href(place));
  }
  switch (event.key) {
    case "/": {
      const search = document.querySelector<HTMLInputElement>("input[type=search]");
      if (search) {
        event.preventDefault();
        search.focus();
        search.select();
      } else {
        go(href("overview"));
      }
      break;
    }
    case "?":
      help();
      break;
    case "g":
      waitsForPlace = true;
      break;
    case "Escape":
      if (!location.hash.replace(/^#\/?/, "").startsWith("?")) go(href("overview"));
      break;
    case "j":
    case "k":
    case "ArrowDown":
    case "ArrowUp": {
      const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")].filter((row) => row.offsetParent);
      if (rows.length === 0 || (target.closest(".plot") && event.key.startsWith("Arrow"))) return;
      const at = rows.indexOf(document.activeElement as HTMLElement);
      const down = event.key === "j" || event.key === "ArrowDown";
      if (at < 0 && event.key.startsWith("Arrow")) return;
      const next = rows[Math.min(Math.max(at + (down ? 1 : -1), 0), rows.length - 1)];
      next?.focus();
      next?.scrollIntoView({ block: "nearest" });
      event.preventDefault();
      break;
    }
  }
});
