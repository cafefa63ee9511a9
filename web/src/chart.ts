// One chart: series over commits with their intervals, gaps with reasons, and marks.

import uPlot from "uplot";
import type { Benchmark, Commit, Series } from "./data";
import { h } from "./dom";
import { colour, dash, onScheme, token } from "./palette";
import { Scale, counted, day, short } from "./units";

export interface Mark {
  /** Position of the commit. */
  at: number;
  kind: "slower" | "faster" | "version" | "border" | "pin";
  text: string;
}

export interface Range {
  /** Positions of the first and the last commit that are shown. */
  from: number;
  to: number;
}

export interface ChartInput {
  benchmark: Benchmark;
  series: Series[];
  names: string[];
  /** Positions of the commits that this line measured, in order. */
  measured: number[];
  commits: Commit[];
  axis: "date" | "commit";
  log: boolean;
  height: number;
  marks: Mark[];
  range: Range | null;
  onRange(range: Range | null): void;
  onHover(at: number | null): void;
  onPin(at: number): void;
  /** Lines of text about a point, for the box beside it. */
  describe(series: number, at: number): { head: string; lines: string[] };
  onLog?(): void;
  /** More about a point, which takes a moment. */
  more?(series: number, at: number): Promise<Node | null>;
}

/** So long the pointer rests on a point before more is asked for, in milliseconds. */
const REST = 180;

export interface Chart {
  element: HTMLElement;
  setRange(range: Range | null): void;
  setHover(at: number | null): void;
  destroy(): void;
}

/** With more series than this their intervals would hide each other. */
const MOST_BANDS = 4;

const GAP_SIGNS: Record<string, string> = { f: "×", s: "○", o: "◇", n: "–" };

/** Dates without a country: year, month, day, hour. */
const DATES: uPlot.Axis.Values = [
  [31_536_000, "{YYYY}", null, null, null, null, null, null, 1],
  [2_419_200, "{MMM}", "\n{YYYY}", null, null, null, null, null, 1],
  [86_400, "{D} {MMM}", "\n{YYYY}", null, null, null, null, null, 1],
  [3_600, "{HH}:{mm}", "\n{D} {MMM}", null, null, null, null, null, 1],
  [1, "{HH}:{mm}:{ss}", "\n{D} {MMM}", null, null, null, null, null, 1],
];

export function chart(input: ChartInput): Chart {
  const { benchmark, series, measured, commits } = input;
  // The order along the axis: dates may run backwards, and axes may not.
  const order = [...measured];
  if (input.axis === "date") {
    order.sort((a, b) => (commits[a]?.date ?? 0) - (commits[b]?.date ?? 0) || a - b);
  }
  const xs: number[] = [];
  order.forEach((at, i) => {
    const x = input.axis === "date" ? (commits[at]?.date ?? 0) : at;
    xs.push(i > 0 ? Math.max(x, xs[i - 1]! + (input.axis === "date" ? 1 : 0)) : x);
  });
  const place = new Map(order.map((at, i) => [at, i]));
  const columns: (number | null)[][] = [];
  const lows: (number | null)[][] = [];
  const highs: (number | null)[][] = [];
  const gaps: Map<number, string>[] = [];
  const positive = series.every((one) => one.points.every((point) => point.value > 0));
  const log = input.log && positive;
  for (const one of series) {
    const empty = () => new Array<number | null>(order.length).fill(null);
    const [values, low, high] = [empty(), empty(), empty()];
    for (const point of one.points) {
      const i = place.get(point.at);
      if (i === undefined) continue;
      values[i] = point.value;
      low[i] = point.low !== null && (!log || point.low > 0) ? point.low : null;
      high[i] = point.high;
    }
    const why = new Map<number, string>();
    for (const [at, reason] of one.gaps) {
      const i = place.get(at);
      if (i !== undefined && values[i] === null) why.set(i, reason);
    }
    const known = values.map((value, i) => (value !== null ? i : -1)).filter((i) => i >= 0);
    const [first, last] = [known[0] ?? 0, known[known.length - 1] ?? -1];
    for (let i = first; i < last; i++) if (values[i] === null && !why.has(i)) why.set(i, "n");
    columns.push(values);
    lows.push(low);
    highs.push(high);
    gaps.push(why);
  }
  const numbers = columns.flat().filter((value): value is number => value !== null);
  const largest = numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const smallest = numbers.reduce((least, value) => Math.min(least, Math.abs(value)), Infinity);
  // Over many powers of ten each tick takes the unit that fits it.
  const wide = log && largest / smallest > 1e4;
  const scale = Scale.fitting(benchmark.unit, [largest]);
  const bands = series.length <= MOST_BANDS;

  const box = h("div", { class: "tip", hidden: true });
  const plot = h("div", {
    class: "plot",
    tabindex: 0,
    role: "group",
    "aria-label": `Chart of ${benchmark.name}: ${counted(series.length, "series", "series")} over ${counted(order.length, "commit")}. Arrow keys go from commit to commit, Enter keeps one.`,
  });
  const live = h("div", { class: "sr", "aria-live": "polite" });
  const element = h("div", { class: "chart" }, plot, live);
  let u: uPlot | null = null;
  let quiet = false;

  const xOf = (at: number): number | null => {
    const i = place.get(at);
    if (i !== undefined) return xs[i]!;
    if (input.axis === "commit") return at;
    return commits[at]?.date ?? null;
  };
  const indexNear = (x: number) => {
    let best = 0;
    for (let i = 1; i < xs.length; i++) if (Math.abs(xs[i]! - x) < Math.abs(xs[best]! - x)) best = i;
    return best;
  };
  const pad = (low: number, high: number): [number, number] => {
    const span = high - low || (input.axis === "date" ? 86400 : 1);
    return [low - span * 0.015, high + span * 0.015];
  };
  const full = (): [number, number] => pad(xs[0] ?? 0, xs[xs.length - 1] ?? 1);
  const toScale = (range: Range | null): [number, number] => {
    if (!range) return full();
    const [low, high] = [xOf(range.from), xOf(range.to)];
    return low === null || high === null ? full() : pad(Math.min(low, high), Math.max(low, high));
  };
  const valueRange = (_: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax => {
    if (low === null || high === null) return [0, 1];
    if (bands) [low, high] = withIntervals(low, high);
    if (log) {
      const space = Math.max(Math.log(high / low) * 0.08, 0.02);
      return [low * Math.exp(-space), high * Math.exp(space)];
    }
    // A level without noise stays in the middle, and noise is not blown up to fill the chart.
    const least = Math.max(Math.abs(low), Math.abs(high)) * 0.05;
    const span = Math.max(high - low, least, Number.MIN_VALUE);
    const middle = (low + high) / 2;
    const bottom = middle - span * 0.58;
    return [low >= 0 && bottom < 0 ? 0 : bottom, middle + span * 0.58];
  };

  /** Room for the intervals, but not so much that they press the line flat. */
  const withIntervals = (low: number, high: number): [number, number] => {
    const [from, to] = toScale(range);
    let [bottom, top] = [low, high];
    xs.forEach((x, i) => {
      if (x < from || x > to) return;
      for (const one of lows) bottom = Math.min(bottom, one[i] ?? bottom);
      for (const one of highs) top = Math.max(top, one[i] ?? top);
    });
    const most = Math.max((high - low) * 1.5, Math.abs(high) * 0.1);
    return [Math.max(bottom, log ? low * 0.7 : low - most), Math.min(top, high + most)];
  };

  const under = (plotted: uPlot) => {
    const { ctx, bbox } = plotted;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    if (bands) {
      columns.forEach((values, one) => {
        ctx.fillStyle = colour(series[one]!.combination);
        ctx.globalAlpha = 0.16;
        let run: number[] = [];
        const close = () => {
          if (run.length > 0) {
            ctx.beginPath();
            for (const i of run) ctx.lineTo(plotted.valToPos(xs[i]!, "x", true), plotted.valToPos(highs[one]![i]!, "y", true));
            for (const i of [...run].reverse()) ctx.lineTo(plotted.valToPos(xs[i]!, "x", true), plotted.valToPos(lows[one]![i]!, "y", true));
            if (run.length === 1) {
              const x = plotted.valToPos(xs[run[0]!]!, "x", true);
              const top = plotted.valToPos(highs[one]![run[0]!]!, "y", true);
              ctx.rect(x - 3, top, 6, plotted.valToPos(lows[one]![run[0]!]!, "y", true) - top);
            }
            ctx.fill();
          }
          run = [];
        };
        for (let i = 0; i < values.length; i++) {
          if (values[i] !== null && lows[one]![i] !== null && highs[one]![i] !== null) run.push(i);
          else close();
        }
        close();
      });
    }
    ctx.restore();
  };

  const over = (plotted: uPlot) => {
    const { ctx, bbox } = plotted;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top - 14 * ratio, bbox.width, bbox.height + 14 * ratio);
    ctx.clip();
    for (const mark of input.marks) {
      const x = xOf(mark.at);
      if (x === null) continue;
      const px = plotted.valToPos(x, "x", true);
      if (px < bbox.left || px > bbox.left + bbox.width) continue;
      const ink = token(mark.kind === "slower" ? "worse" : mark.kind === "faster" ? "better" : mark.kind === "pin" ? "ink" : "quiet");
      ctx.strokeStyle = ctx.fillStyle = ink;
      ctx.lineWidth = ratio;
      ctx.setLineDash(mark.kind === "version" ? [6 * ratio, 4 * ratio] : mark.kind === "border" ? [2 * ratio, 3 * ratio] : []);
      ctx.globalAlpha = mark.kind === "pin" ? 0.9 : 0.65;
      ctx.beginPath();
      ctx.moveTo(px, bbox.top);
      ctx.lineTo(px, bbox.top + bbox.height);
      ctx.stroke();
      ctx.globalAlpha = 1;
      ctx.setLineDash([]);
      ctx.font = `${11 * ratio}px system-ui, sans-serif`;
      ctx.textAlign = "center";
      const sign = { slower: "▲", faster: "▼", version: "v", border: "e", pin: "●" }[mark.kind];
      ctx.fillText(sign, px, bbox.top - 3 * ratio);
    }
    // Why there is no number, on the lower edge.
    ctx.font = `${11 * ratio}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    gaps.forEach((why, one) => {
      ctx.fillStyle = colour(series[one]!.combination);
      for (const [i, reason] of why) {
        const px = plotted.valToPos(xs[i]!, "x", true);
        if (px < bbox.left || px > bbox.left + bbox.width) continue;
        const row = (one % 3) * 9 * ratio;
        ctx.fillText(GAP_SIGNS[reason] ?? "?", px, bbox.top + bbox.height - 4 * ratio - row);
      }
    });
    ctx.restore();
  };

  let rest = 0;
  let about = "";
  const hideBox = () => {
    box.hidden = true;
    about = "";
    clearTimeout(rest);
  };
  const showBox = (plotted: uPlot, i: number) => {
    // The series whose point is nearest to the pointer.
    const top = plotted.cursor.top ?? 0;
    let best = -1;
    let distance = Infinity;
    columns.forEach((values, one) => {
      const value = values[i];
      if (value === null || value === undefined) return;
      const away = Math.abs(plotted.valToPos(value, "y") - top);
      if (away < distance) [best, distance] = [one, away];
    });
    if (best < 0) best = gaps.findIndex((why) => why.has(i));
    if (best < 0) best = 0;
    const at = order[i]!;
    if (about === `${best}/${at}`) return;
    about = `${best}/${at}`;
    clearTimeout(rest);
    const key = about;
    rest = window.setTimeout(() => {
      input.more?.(best, at).then((node) => {
        if (node && about === key && !box.hidden) {
          box.append(node);
          position();
        }
      }, () => {});
    }, REST);
    const { head, lines } = input.describe(best, at);
    const dot = h("span", { class: "dot" });
    dot.style.background = colour(series[best]?.combination ?? 0);
    box.replaceChildren(h("div", { class: "tip-head" }, dot, head), ...lines.map((line) => h("div", { class: "tip-line" }, line)));
    box.hidden = false;
    const left = plotted.valToPos(xs[i]!, "x");
    const width = plotted.over.clientWidth;
    const flips = left > width / 2;
    box.style.left = flips ? "auto" : `${left + 14}px`;
    box.style.right = flips ? `${width - left + 14}px` : "auto";
    const position = () => {
      box.style.top = `${Math.min(Math.max(top - 20, 0), Math.max(plotted.over.clientHeight - box.offsetHeight, 0))}px`;
    };
    position();
  };

  const make = () => {
    u?.destroy();
    const width = Math.max(element.clientWidth || 600, 260);
    const font = "12px system-ui, sans-serif";
    const tick = (value: number | null) => {
      if (value === null) return "";
      return wide ? Scale.fitting(benchmark.unit, [value]).show(value) : scale.digits(value);
    };
    const axis: uPlot.Axis = { stroke: token("muted"), grid: { stroke: token("grid"), width: 1 }, ticks: { show: false }, font };
    const options: uPlot.Options = {
      width,
      height: input.height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      padding: [18, 12, 0, 0],
      legend: { show: false },
      cursor: {
        drag: { x: true, y: false, setScale: false },
        points: { size: 8 },
        bind: { dblclick: () => () => { input.onRange(null); return null; } },
      },
      scales: {
        x: { time: input.axis === "date", range: (_, low, high) => [low, high] },
        y: { distr: log ? 3 : 1, range: valueRange },
      },
      axes: [
        input.axis === "date"
          ? { ...axis, space: 70, values: DATES }
          : {
              ...axis,
              incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000],
              values: (_, ticks) => ticks.map((at) => (commits[at] ? short(commits[at]!.hash).slice(0, 7) : "")),
              space: 80,
            },
        {
          ...axis,
          size: 64,
          values: (_, ticks) => ticks.map(tick),
          ...(wide || scale.suffix === "" ? {} : { label: scale.suffix, labelSize: 18, labelFont: font }),
        },
      ],
      series: [
        {},
        ...series.map(
          (one, i): uPlot.Series => ({
            label: input.names[i] ?? "",
            stroke: colour(one.combination),
            width: 1.75,
            dash: dash(one.combination),
            points: {
              size: 5,
              fill: colour(one.combination),
              stroke: colour(one.combination),
              dash: [],
              // All of a few points; of many only those that a line would not show.
              show: true,
              filter: (plotted: uPlot, which: number) => {
                const [low, high] = [plotted.scales["x"]!.min ?? 0, plotted.scales["x"]!.max ?? 0];
                const shown: number[] = [];
                for (let k = 0; k < xs.length; k++) if (xs[k]! >= low && xs[k]! <= high) shown.push(k);
                const values = columns[which - 1]!;
                if (shown.length * series.length <= Math.max(width / 5, 60)) return shown.filter((k) => values[k] !== null);
                return shown.filter((k) => values[k] !== null && (values[k - 1] ?? null) === null && (values[k + 1] ?? null) === null);
              },
            },
          }),
        ),
      ],
      hooks: {
        drawAxes: [under],
        draw: [over],
        setCursor: [
          (plotted) => {
            const i = plotted.cursor.idx;
            const inside = (plotted.cursor.left ?? -1) >= 0 && i !== null && i !== undefined;
            if (!inside) {
              hideBox();
              if (!quiet) input.onHover(null);
              return;
            }
            if (quiet) hideBox();
            else {
              showBox(plotted, i);
              input.onHover(order[i]!);
            }
          },
        ],
        setSelect: [
          (plotted) => {
            const { left, width: chosen } = plotted.select;
            if (chosen < 6) return;
            const from = indexNear(plotted.posToVal(left, "x"));
            const to = indexNear(plotted.posToVal(left + chosen, "x"));
            plotted.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            if (to > from) input.onRange({ from: order[from]!, to: order[to]! });
          },
        ],
      },
    };
    u = new uPlot(options, [xs, ...columns] as uPlot.AlignedData, plot);
    u.over.append(box);
    setRange(range);
    let pressed = 0;
    u.over.addEventListener("mousedown", (event) => (pressed = event.clientX));
    u.over.addEventListener("click", (event) => {
      const i = u?.cursor.idx;
      if (Math.abs(event.clientX - pressed) < 5 && i !== null && i !== undefined) input.onPin(order[i]!);
    });
  };

  let range = input.range;
  const setRange = (next: Range | null) => {
    range = next;
    const [min, max] = toScale(next);
    u?.setScale("x", { min, max });
  };
  const shownIndices = () => {
    const [low, high] = toScale(range);
    return xs.map((x, i) => (x >= low && x <= high ? i : -1)).filter((i) => i >= 0);
  };
  const zoom = (factor: number) => {
    const shown = shownIndices();
    const centre = u?.cursor.idx ?? shown[Math.floor(shown.length / 2)] ?? 0;
    const span = Math.max(Math.round((shown.length * factor) / 2), 2);
    const [from, to] = [Math.max(centre - span, 0), Math.min(centre + span, order.length - 1)];
    const all = from === 0 && to === order.length - 1;
    input.onRange(all ? null : { from: order[from]!, to: order[to]! });
  };
  plot.addEventListener("keydown", (event) => {
    if (!u || event.ctrlKey || event.metaKey || event.altKey) return;
    const shown = shownIndices();
    const now = u.cursor.idx ?? null;
    const step = (by: number) => {
      const at = now === null || !shown.includes(now) ? (by > 0 ? -1 : shown.length) : shown.indexOf(now);
      const i = shown[Math.min(Math.max(at + by, 0), shown.length - 1)];
      if (i === undefined) return;
      const value = columns.map((values) => values[i]).find((known) => known !== null && known !== undefined);
      u!.setCursor({ left: u!.valToPos(xs[i]!, "x"), top: value === undefined || value === null ? 10 : u!.valToPos(value, "y") });
      const { head, lines } = input.describe(columns.findIndex((values) => values[i] !== null), order[i]!);
      live.textContent = [head, ...lines].join(". ");
    };
    switch (event.key) {
      case "ArrowLeft":
        step(-1);
        break;
      case "ArrowRight":
        step(1);
        break;
      case "Home":
        step(-Infinity);
        break;
      case "End":
        step(Infinity);
        break;
      case "Enter":
        if (now !== null) input.onPin(order[now]!);
        break;
      case "+":
      case "=":
        zoom(0.5);
        break;
      case "-":
        zoom(2);
        break;
      case "0":
        input.onRange(null);
        break;
      case "l":
        input.onLog?.();
        break;
      default:
        return;
    }
    event.preventDefault();
  });
  plot.addEventListener("blur", hideBox);

  const resize = new ResizeObserver(() => {
    if (!u) make();
    else if (Math.abs(u.width - element.clientWidth) > 1 && element.clientWidth > 0) {
      u.setSize({ width: Math.max(element.clientWidth, 260), height: input.height });
    }
  });
  resize.observe(element);
  const off = onScheme(make);
  return {
    element,
    setRange,
    setHover(at) {
      if (!u) return;
      quiet = true;
      const x = at === null ? null : xOf(at);
      u.setCursor(x === null ? { left: -10, top: -10 } : { left: u.valToPos(x, "x"), top: -10 });
      quiet = false;
    },
    destroy() {
      resize.disconnect();
      off();
      u?.destroy();
    },
  };
}

export function commitText(commit: Commit | undefined): string {
  return commit ? `${short(commit.hash)} ${commit.subject}` : "unknown commit";
}

export function byText(commit: Commit | undefined): string {
  return commit ? `${commit.author}, ${day(commit.date)}` : "";
}
