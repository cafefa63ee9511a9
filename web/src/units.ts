// Numbers for people, digit for digit as in the reports of the command line.

const TIMES: [string, number][] = [
  ["s", 1],
  ["ms", 1e-3],
  ["µs", 1e-6],
  ["ns", 1e-9],
];

const BYTES: [string, number][] = [
  ["PB", 1e15],
  ["TB", 1e12],
  ["GB", 1e9],
  ["MB", 1e6],
  ["kB", 1e3],
  ["B", 1],
];

const SIGNIFICANT = 3;
const MOST_DECIMALS = 6;
const MOST_DIGITS = 9;

/** Digits before the decimal point: 3 for 123, 0 for 0.5, -1 for 0.05; 0 for zero. */
function magnitude(value: number): number {
  if (value === 0 || !Number.isFinite(value)) return 0;
  return Number(Math.abs(value).toExponential(17).split("e")[1]) + 1;
}

/** Rounds like the command line does: the exact value of the float, halves to the even digit. */
function fixed(value: number, decimals: number): string {
  const text = value.toFixed(Math.min(decimals, 100));
  return Object.is(value, -0) ? `-${text}` : text;
}

function scientific(value: number, decimals: number): string {
  return value.toExponential(decimals).replace("e+", "e");
}

function significant(value: number, digits: number): string {
  const before = magnitude(value);
  let decimals = digits - before;
  if (before > MOST_DIGITS || decimals > MOST_DECIMALS) return scientific(value, digits - 1);
  decimals = Math.max(decimals, 0);
  const shown = fixed(value, decimals);
  if (magnitude(Number(shown)) > before && decimals > 0) return fixed(value, decimals - 1);
  return shown;
}

function withoutTrailingZeros(text: string): string {
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}

/** The unit in which values that are seen together are shown. */
export class Scale {
  private constructor(
    readonly divisor: number,
    readonly suffix: string,
    private readonly converts: boolean,
  ) {}

  /** The largest unit that the largest value fills. */
  static fitting(unit: string, values: Iterable<number>): Scale {
    let largest = 0;
    for (const value of values) {
      if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
    }
    switch (unit.trim().toLowerCase()) {
      case "s":
      case "sec":
      case "second":
      case "seconds":
        return Scale.among(TIMES, largest, "s");
      case "b":
      case "byte":
      case "bytes":
        return Scale.among(BYTES, largest, "B");
      case "unit":
      case "":
        return new Scale(1, "", false);
      default:
        return new Scale(1, unit.trim(), false);
    }
  }

  private static among(units: [string, number][], largest: number, ofZero: string): Scale {
    const chosen =
      largest === 0
        ? units.find(([suffix]) => suffix === ofZero)
        : (units.find(([, divisor]) => largest / divisor >= 0.9995) ?? units[units.length - 1]);
    const [suffix, divisor] = chosen ?? [ofZero, 1];
    return new Scale(divisor, suffix, true);
  }

  private counts(): boolean {
    return !this.converts || this.suffix === "B";
  }

  show(value: number): string {
    return this.withSuffix(this.digits(value));
  }

  /** A stored number: a whole count keeps all its digits. */
  digits(value: number): string {
    if (Number.isNaN(value)) return "n/a";
    if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
    const scaled = value / this.divisor;
    if (Number.isInteger(scaled) && this.counts() && Math.abs(scaled) < 1e15) {
      return fixed(scaled, 0);
    }
    return scaled === 0 ? "0" : significant(scaled, SIGNIFICANT);
  }

  withSuffix(digits: string): string {
    return this.suffix === "" || digits === "n/a" ? digits : `${digits} ${this.suffix}`;
  }
}

/** A ratio: two decimals, fewer when it is large, `n/a` where there is none. */
export function ratio(value: number | null): string {
  if (value === null || Number.isNaN(value)) return "n/a";
  if (!Number.isFinite(value)) return "inf";
  if (value === 0) return "0.00";
  if (Math.abs(value) < 0.01) return scientific(value, 1);
  if (Math.abs(value) < 1000) return fixed(value, 2);
  return significant(value, SIGNIFICANT);
}

/** A share as a percentage: `1.8 %`, `12 %`, `0.05 %`. */
export function percent(share: number): string {
  if (!Number.isFinite(share)) return "n/a";
  const value = share * 100;
  let shown: string;
  if (Math.abs(value) >= 10) shown = significant(roundAway(value), 6);
  else if (Math.abs(value) >= 0.095 || value === 0) shown = fixed(value, 1);
  else shown = significant(value, 1);
  return `${shown.includes("e") ? shown : withoutTrailingZeros(shown)} %`;
}

function roundAway(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

/** The coverage of an interval, never rounded up to certainty. */
export function coverage(level: number): string {
  if (level < 0.995) return percent(level);
  const tenths = Math.min(Math.max(Math.floor(level * 1000 + 1e-9), 0), 999) / 10;
  return `${withoutTrailingZeros(fixed(tenths, 1))} %`;
}

/** `+12 %`, `-3 %`. */
export function signedPercent(share: number): string {
  return `${share > 0 ? "+" : ""}${percent(share)}`;
}

const two = (value: number) => String(value).padStart(2, "0");

/** A day in UTC, as in the reports. */
export function day(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return "?";
  return `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

export function minute(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return "?";
  return `${day(seconds)} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())} UTC`;
}

export const short = (hash: string) => hash.slice(0, 8);

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
