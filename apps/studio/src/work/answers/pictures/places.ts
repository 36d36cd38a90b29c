import { Matrix, type NumericColumn, type Table } from "argmax/data";
import { placeOf, standardised } from "../../projection.js";
import type { Answer, Ask, Places, Projection } from "../../protocol.js";
import type { Context } from "../context.js";
import { someRows } from "../model-answers.js";
import { median, mostFrequent } from "./grid.js";

/** Principal components are those of at most this many rows, evenly spaced. */
const ROWS_OF_COMPONENTS = 20_000;

/** Where rows are drawn, and how far each is from the plane of the picture. */
export async function places(
  { roles, axes, plane, row }: Ask<"places">,
  { held, move }: Context<"places">,
): Promise<Answer<"places">> {
  const table = held.table(roles.table);
  const found =
    plane === "projection"
      ? await projected(table, roles.features)
      : { projection: null, far: farFromSlice(table, roles.features, axes, row) };
  move?.([found.far.buffer as ArrayBuffer]);
  return found;
}

const numbersOf = (table: Table, features: readonly string[]): [string, NumericColumn][] =>
  features.flatMap((name): [string, NumericColumn][] => {
    const column = table.column(name);
    return column.kind === "numeric" ? [[name, column]] : [];
  });

/** The plane of the first two principal components of the columns of numbers, each scaled to unit variance. */
export async function projected(table: Table, features: readonly string[]): Promise<Places> {
  // Constant columns have no place in it.
  const numbers = numbersOf(table, features)
    .map(([name, { values }]) => ({ name, values, ...moments(values) }))
    .filter(({ scale }) => scale > 0);
  if (numbers.length < 2)
    throw new Error("A projection needs two columns of numbers that are not constant: use a slice.");
  const { PCA } = await import("argmax/decomposition");
  const d = numbers.length;
  const some = someRows(table.rows, ROWS_OF_COMPONENTS);
  const z = Matrix.zeros(some.length, d);
  for (const [k, { values, mean, scale }] of numbers.entries())
    for (const [e, i] of some.entries()) z.data[e * d + k] = standardised(values[i]!, mean, scale);
  const { components, explainedVarianceRatio } = new PCA({ nComponents: 2 }).fit(z);
  const projection: Projection = {
    columns: numbers.map(({ name }) => name),
    origin: numbers.map(({ mean }) => mean),
    scale: numbers.map(({ scale }) => scale),
    first: [...components.data.subarray(0, d)],
    second: [...components.data.subarray(d, 2 * d)],
    shares: [explainedVarianceRatio[0]!, explainedVarianceRatio[1]!],
  };
  const x = new Float64Array(table.rows);
  const y = new Float64Array(table.rows);
  const far = new Float32Array(table.rows);
  const row = new Float64Array(d);
  for (let i = 0; i < table.rows; i++) {
    for (let k = 0; k < d; k++) row[k] = numbers[k]!.values[i]!;
    const place = placeOf(projection, row);
    [x[i], y[i], far[i]] = [place.x, place.y, place.far];
  }
  return { projection: { ...projection, x, y }, far };
}

/**
 * Root mean square over the features that a slice keeps fixed of how far each row is from them: numbers in deviations, another category
 * is 1.
 */
export function farFromSlice(
  table: Table,
  features: readonly string[],
  axes: readonly [string, string],
  row: number | null,
): Float32Array {
  const sums = new Float32Array(table.rows);
  const others = features.filter((name) => !axes.includes(name));
  let counted = 0;
  for (const name of others) {
    const column = table.column(name);
    if (column.kind === "numeric") {
      const { mean, scale } = moments(column.values);
      if (!(scale > 0)) continue;
      const at = row === null ? median(column.values) : column.values[row]!;
      for (let i = 0; i < sums.length; i++)
        sums[i]! += (standardised(column.values[i]!, mean, scale) - standardised(at, mean, scale)) ** 2;
    } else if (column.kind === "categorical") {
      const at = row === null ? mostFrequent(column.codes) : column.codes[row]!;
      for (let i = 0; i < sums.length; i++) if (column.codes[i] !== at) sums[i]! += 1;
    } else continue;
    counted++;
  }
  return sums.map((sum) => Math.sqrt(sum / Math.max(1, counted)));
}

function moments(values: Float64Array): { readonly mean: number; readonly scale: number } {
  let [n, mean, squares] = [0, 0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    n++;
    const delta = value - mean;
    mean += delta / n;
    squares += delta * (value - mean);
  }
  const scale = Math.sqrt(squares / Math.max(1, n));
  // Rounding of a constant is not variance.
  return { mean, scale: scale > 1e-12 * Math.abs(mean) ? scale : 0 };
}
