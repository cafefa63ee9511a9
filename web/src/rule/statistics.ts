// The mathematics of `lcmbench compare` (src/stats), number for number.

const NORMAL_CONSISTENCY = 1.482602218505602;
const NORMAL_90 = 1.6448536269514727;
const LEVEL_POINTS = 5;
const FEWEST_LEVEL_POINTS = 3;
const EXACT_LIMIT = 20;
const MOST_SAMPLES = 1000;

const ascending = (values: readonly number[]) => [...values].sort((a, b) => a - b);

export function median(values: readonly number[]): number | null {
  const sorted = ascending(values);
  const half = sorted.length >> 1;
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1 ? sorted[half]! : 0.5 * sorted[half - 1]! + 0.5 * sorted[half]!;
}

/** The standard deviation by the median absolute deviation. */
export function robustSd(values: readonly number[]): number | null {
  const centre = median(values);
  if (centre === null) return null;
  return NORMAL_CONSISTENCY * median(values.map((value) => Math.abs(value - centre)))!;
}

function quantile(sorted: number[], q: number): number {
  const position = (sorted.length - 1) * q;
  const lower = Math.floor(position);
  const weight = position - lower;
  return (1 - weight) * sorted[lower]! + weight * sorted[Math.min(lower + 1, sorted.length - 1)]!;
}

/** The noise of one point of a series whose level may have jumped now and then. */
export function neighbourScale(series: readonly number[]): number | null {
  if (series.length < 3) return null;
  const sizes = ascending(series.slice(1).map((value, i) => Math.abs(value - series[i]!)));
  const limit = 4 * NORMAL_CONSISTENCY * quantile(sizes, 0.5);
  for (let i = 0; i + 1 < series.length; i++) {
    const size = Math.abs(series[i + 1]! - series[i]!);
    if (size > limit && isLasting(series, i, size)) sizes.splice(sizes.indexOf(size), 1);
  }
  const typical = NORMAL_CONSISTENCY * quantile(sizes, 0.5);
  const tail = quantile(sizes, 0.9) / NORMAL_90;
  return Math.max(typical, tail) / Math.SQRT2;
}

function isLasting(series: readonly number[], before: number, size: number): boolean {
  const left = series.slice(Math.max(before + 1 - LEVEL_POINTS, 0), before + 1);
  const right = series.slice(before + 1, before + 1 + LEVEL_POINTS);
  if (Math.min(left.length, right.length) < FEWEST_LEVEL_POINTS) return false;
  return Math.abs(median(right)! - median(left)!) > size / 2;
}

export function erfc(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x < 0) return 2 - erfc(-x);
  if (x < 2) {
    let [term, sum, n] = [x, x, 0];
    while (term > sum * 1e-17) {
      n += 1;
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  let tail = x;
  for (let k = 120; k >= 1; k--) tail = x + k / 2 / tail;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / tail;
}

function lnGamma(x: number): number {
  let shift = 0;
  let z = x;
  while (z < 10) {
    shift += Math.log(z);
    z += 1;
  }
  const inverse = 1 / (z * z);
  const series =
    (1 / 12 +
      inverse *
        (-1 / 360 +
          inverse * (1 / 1260 + inverse * (-1 / 1680 + inverse * (1 / 1188 - (inverse * 691) / 360360))))) /
    z;
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(a, b, x)) / a;
  return 1 - (front * betaFraction(b, a, 1 - x)) / b;
}

function betaFraction(a: number, b: number, x: number): number {
  const away = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let numerator = 1;
  let inverse = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = inverse;
  for (let term = 1; term < 500; term++) {
    const twice = a + 2 * term;
    const even = (term * (b - term) * x) / ((twice - 1) * twice);
    const odd = (-(a + term) * (a + b + term) * x) / (twice * (twice + 1));
    for (const coefficient of [even, odd]) {
      inverse = 1 / away(1 + coefficient * inverse);
      numerator = away(1 + coefficient / numerator);
      result *= inverse * numerator;
    }
    if (Math.abs(inverse * numerator - 1) < 1e-16) break;
  }
  return result;
}

/** The t with P(T <= t) = p, for p above one half. */
export function studentQuantile(p: number, df: number): number {
  const tail = 1 - p;
  const upper = (t: number) => 0.5 * incompleteBeta(0.5 * df, 0.5, df / (df + t * t));
  let [low, high] = [0, 1];
  while (upper(high) > tail && high < 1e300) [low, high] = [high, high * 2];
  for (let i = 0; i < 200; i++) {
    const middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    if (upper(middle) > tail) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

/** The smallest two-sided p that samples of these sizes can give. */
export function smallestP(m: number, n: number): number {
  let combinations = 1;
  for (let k = 1; k <= Math.min(m, n); k++) combinations *= (m + n + 1 - k) / k;
  return 1 / combinations;
}

/** In how many orders U takes each value from 0 to m n. */
function counts(m: number, n: number): number[] {
  let all = [1];
  for (let k = 1; k <= m; k++) {
    // Times (1 - x^(n + k)) / (1 - x^k).
    const next = new Array<number>(n * k + 1).fill(0);
    for (let u = 0; u <= n * k; u++) {
      const own = all[u] ?? 0;
      const shifted = all[u - n - k] ?? 0;
      next[u] = own - shifted + (next[u - k] ?? 0);
    }
    all = next;
  }
  return all;
}

function criticalU(m: number, n: number, alpha: number, z: number): number | null {
  if (Math.max(m, n) > EXACT_LIMIT) {
    const bound = (m * n) / 2 - z * Math.sqrt((m * n * (m + n + 1)) / 12);
    for (let u = Math.floor((m * n) / 2) - 1; u >= 0; u--) if (u < bound) return u;
    return null;
  }
  const all = counts(m, n);
  const total = all.reduce((sum, count) => sum + count, 0);
  let below = 0;
  let critical: number | null = null;
  for (let u = 0; u < all.length; u++) {
    below += all[u]!;
    if ((2 * below) / total >= alpha) break;
    critical = u;
  }
  return critical;
}

function normalQuantile(alpha: number): number {
  let [low, high] = [0, 40];
  for (let i = 0; i < 100; i++) {
    const middle = 0.5 * (low + high);
    if (erfc(middle / Math.SQRT2) > alpha) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

function thinned(samples: readonly number[]): number[] {
  if (samples.length <= MOST_SAMPLES) return [...samples];
  const sorted = ascending(samples);
  const step = sorted.length / MOST_SAMPLES;
  return Array.from({ length: MOST_SAMPLES }, (_, i) => sorted[Math.min(Math.trunc((i + 0.5) * step), sorted.length - 1)]!);
}

/** All shifts that the Mann-Whitney test does not reject. */
export function shiftInterval(
  first: readonly number[],
  second: readonly number[],
  alpha: number,
): { low: number; high: number } | null {
  const [one, other] = [thinned(first), thinned(second)];
  if (one.length === 0 || other.length === 0) return null;
  const critical = criticalU(one.length, other.length, alpha, normalQuantile(alpha));
  if (critical === null) return null;
  const differences = new Float64Array(one.length * other.length);
  let at = 0;
  for (const x of one) for (const y of other) differences[at++] = y - x;
  differences.sort();
  return { low: differences[critical]!, high: differences[differences.length - 1 - critical]! };
}
