// The whole state of the page is in its address, behind the `#`: that works from a disk, too.

export interface Route {
  /** `overview`, `benchmark`, `changes`, `compare`. */
  view: string;
  id: string;
  state: Map<string, string>;
}

export function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view = "", id = ""] = path.split("/");
  const state = new Map<string, string>();
  for (const [key, value] of new URLSearchParams(query)) state.set(key, value);
  return { view: view || "overview", id: decode(id), state };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function href(view: string, id = "", state: Record<string, string | null> = {}): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) {
    if (value !== null && value !== "") query.set(key, value);
  }
  const path = view === "overview" ? "" : id ? `${view}/${encodeURIComponent(id)}` : view;
  const text = query.toString();
  return `#/${path}${text ? `?${text}` : ""}`;
}

/** The address with some of its state changed; null takes a key out. */
export function changed(route: Route, patch: Record<string, string | null>): string {
  const state: Record<string, string | null> = Object.fromEntries(route.state);
  return href(route.view, route.id, { ...state, ...patch });
}

/** Changes the address without a new entry in the history and without drawing anew. */
export function note(route: Route, patch: Record<string, string | null>): void {
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === "") route.state.delete(key);
    else route.state.set(key, value);
  }
  history.replaceState(null, "", href(route.view, route.id, Object.fromEntries(route.state)));
}

export function go(address: string): void {
  location.hash = address;
}
