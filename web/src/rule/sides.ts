// What a run holds about one combination of parameters.

import { median } from "./statistics";
import type { Cell, Measured, Run, RunRow } from "./model";

export const FEWEST_PROCESSES = 6;

/** How many combinations the axes have: one without any. */
const combinations = (axes: string[][]) => axes.reduce((count, axis) => count * axis.length, 1);

/** The parameter strings of a combination, the last axis fastest. */
export function combinationAt(row: RunRow, index: number): string[] {
  const axes = row.params ?? [];
  const values: string[] = [];
  let rest = index;
  for (let i = axes.length - 1; i >= 0; i--) {
    const axis = axes[i]!;
    values.unshift(axis[rest % axis.length] ?? "");
    rest = Math.floor(rest / axis.length);
  }
  return values;
}

/** Where the combination of these strings stands; -1 if there is none. */
export function positionOf(row: RunRow, values: string[]): number {
  const axes = row.params ?? [];
  if (axes.length !== values.length) return -1;
  let at = 0;
  for (let i = 0; i < axes.length; i++) {
    const where = axes[i]!.indexOf(values[i]!);
    if (where < 0) return -1;
    at = at * axes[i]!.length + where;
  }
  return at < combinations(axes) ? at : -1;
}

export function cellAt(row: RunRow | undefined, index: number): Cell {
  if (!row || index < 0 || index >= row.values.length) return { state: "missing" };
  const value = row.values[index]!;
  const reason = row.failures?.[index]?.message ?? null;
  if (value === null) return { state: "failed", reason };
  if (Array.isArray(value)) return { state: "other", value: value[0] };
  if (Number.isNaN(value)) return { state: "skipped", reason };
  const samples = row.samples?.[index] ?? null;
  return {
    state: "number",
    value,
    stats: row.stats?.[index] ?? null,
    samples: samples && samples.length > 0 ? samples : null,
    sizes: row.processes?.[index] ?? [],
  };
}

export const isPositive = (value: number) => value > 0 && Number.isFinite(value);

/** The logarithm of each process's summary; null without positive samples of six processes. */
export function logByProcess(side: Measured, floor: boolean): number[] | null {
  const { samples, sizes } = side;
  if (!samples || sizes.length < FEWEST_PROCESSES) return null;
  if (sizes.reduce((sum, size) => sum + size, 0) !== samples.length) return null;
  const summaries: number[] = [];
  let at = 0;
  for (const size of sizes) {
    if (size === 0) continue;
    const process = samples.slice(at, at + size);
    at += size;
    const summary = floor ? Math.min(...process) : median(process)!;
    if (!isPositive(summary)) return null;
    summaries.push(Math.log(summary));
  }
  return summaries.length >= FEWEST_PROCESSES ? summaries : null;
}

/** A point of the history of one series, as logarithms; the floor is NaN where there is none. */
export interface Point {
  median: number;
  floor: number;
}

/** The points of one series in these runs, oldest first. */
export function pointsOf(runs: Run[], name: string, params: string[], version: string | undefined): Point[] {
  const points: Point[] = [];
  for (const run of runs) {
    const row = run.results[name];
    if (!row) continue;
    if (version !== undefined && row.version !== undefined && row.version !== version) continue;
    const cell = cellAt(row, params.length === 0 && !row.params ? 0 : positionOf(row, params));
    if (cell.state !== "number" || !isPositive(cell.value)) continue;
    const floors = logByProcess(cell, true);
    points.push({ median: Math.log(cell.value), floor: floors ? median(floors)! : NaN });
  }
  return points;
}
