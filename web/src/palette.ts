// Colours that stay with their series, and that eyes of all kinds tell apart; light and dark.

const LIGHT = ["#0072b2", "#b8860b", "#00795c", "#b3467f", "#c2500a", "#3a7ca8", "#6b5b95", "#5a5a5a"];
const DARK = ["#56b4e9", "#e6b422", "#3ecf9a", "#e391c0", "#ff8c42", "#8fc7e8", "#b6a6e0", "#b0b0b0"];
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let printing = false;

// Charts are drawn anew for paper, which is white.
const print = (on: boolean) => () => {
  if (!dark.matches && !printing) return;
  printing = on;
  document.documentElement.toggleAttribute("data-printing", on);
  for (const listener of listeners) listener();
};
addEventListener("beforeprint", print(true));
addEventListener("afterprint", print(false));
dark.addEventListener("change", () => {
  for (const listener of listeners) listener();
});

export function colour(series: number): string {
  const all = dark.matches && !printing ? DARK : LIGHT;
  return all[series % all.length]!;
}

/** After eight series the colours come again, with another dash. */
export function dash(series: number): number[] {
  return DASHES[Math.floor(series / LIGHT.length) % DASHES.length]!;
}

export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function onScheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
