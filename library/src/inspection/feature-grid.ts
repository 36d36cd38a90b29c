import { DataError, show } from "../core/errors.js";
import type { Cell } from "../data/table/column.js";
import { type AnyColumn, entryOf } from "./inspected-rows.js";

/**
 * Values at which a feature is tried: all that occur, if they are fewer than `resolution` or no numbers; else `resolution` values at equal
 * steps between two quantiles. Parity: the grid of scikit-learn's partial_dependence.
 */
export function featureGrid(
  where: string,
  name: string,
  column: AnyColumn,
  resolution: number,
  percentiles: readonly [number, number],
): readonly Cell[] {
  const seen = new Set<Cell>();
  for (let i = 0; i < column.length; i++) {
    const entry = entryOf(column, i);
    if (entry !== null && !Number.isNaN(entry)) seen.add(entry);
  }
  if (seen.size === 0) throw new DataError(where, `column ${show(name)}`, "some value", "none");
  const values = [...seen];
  if (!values.every((value) => typeof value === "number")) {
    return values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }
  const distinct = (values as number[]).sort((a, b) => a - b);
  if (distinct.length < resolution) return distinct;
  const all = Float64Array.from({ length: column.length }, (_, i) => entryOf(column, i) as number)
    .filter((value) => !Number.isNaN(value) && value !== null)
    .sort();
  const [low, high] = [quantile(all, percentiles[0]), quantile(all, percentiles[1])];
  return low < high ? steps(low, high, resolution) : distinct;
}

/** Equal steps from low to high, both included. */
export function steps(low: number, high: number, count: number): number[] {
  const last = count - 1;
  return Array.from({ length: count }, (_, s) => (s === last ? high : low + (s * (high - low)) / last));
}

/** The quantile of scipy's mquantiles: approximately unbiased whatever the distribution [Cunnane 1978]. */
function quantile(sorted: Float64Array, p: number): number {
  const n = sorted.length;
  const position = n * p + 0.4 + 0.2 * p;
  const k = Math.floor(Math.min(Math.max(position, 1), n - 1));
  const part = Math.min(Math.max(position - k, 0), 1);
  return (1 - part) * sorted[k - 1]! + part * sorted[Math.min(k, n - 1)]!;
}
