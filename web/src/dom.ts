// Elements without markup: what comes from data is only ever text.

export type Child = Node | string | number | null | undefined | false | Child[];

type Handler = (event: never) => void;
export type Props = Record<string, string | number | boolean | null | undefined | Handler>;

function fill(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) fill(parent, child);
    else parent.append(typeof child === "number" ? String(child) : child);
  }
}

function apply(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as unknown as EventListener);
    } else if (name === "value" && element instanceof HTMLInputElement) {
      element.value = String(value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, props);
  fill(element, children);
  return element;
}

export function s(tag: string, props: Props = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag) as SVGElement;
  apply(element, props);
  fill(element, children);
  return element;
}

/** A link to elsewhere, if the address is one of the web. */
export function outside(address: string, text: string, props: Props = {}): HTMLElement {
  if (!/^https?:\/\//i.test(address)) return h("span", props, text);
  return h("a", { ...props, href: address, rel: "noopener noreferrer" }, text);
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  fill(element, children);
}

export function add(element: Element, ...children: Child[]): void {
  fill(element, children);
}

/** Gives the user a file. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A table as CSV; a text that a spreadsheet would take for a formula is quoted. */
export function csv(rows: (string | number | null)[][]): string {
  const cell = (value: string | number | null) => {
    if (value === null) return "";
    if (typeof value === "number") return String(value);
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/** Buttons that save what is shown. */
export function downloads(name: string, table: () => (string | number | null)[][]): HTMLElement {
  const json = () => {
    const [heads, ...rows] = table();
    const named = rows.map((row) =>
      Object.fromEntries((heads ?? []).map((head, i) => [String(head), row[i] ?? null])),
    );
    download(`${name}.json`, "application/json", JSON.stringify(named, null, 1) + "\n");
  };
  return h(
    "span",
    { class: "downloads" },
    h("button", { type: "button", onclick: json }, "JSON"),
    h(
      "button",
      { type: "button", onclick: () => download(`${name}.csv`, "text/csv", csv(table())) },
      "CSV",
    ),
  );
}
