import { readFileSync } from "node:fs";
import * as argmax from "argmax";
import type { Job, Measurement } from "../workload.js";
import { timeAsyncFits, timeFits } from "./measure.js";

/** What surrounds a fit: reading a file, searching for parameters, saving. */

const exported = argmax as unknown as Record<string, unknown>;
type Any = Readonly<Record<string, unknown>>;

/** The sum of all numbers that are there. */
export function csv(job: Job): Omit<Measurement, "version"> {
  const bytes = readFileSync(job.data.csv!);
  const { result: table, ...times } = timeFits(() => argmax.parseCsv(bytes), job);
  let checksum = 0;
  for (const name of table.columnNames) {
    const column = table.column(name);
    if (column.kind === "numeric")
      for (const value of column.values) checksum += Number.isNaN(value) ? 0 : value;
  }
  return { ...times, checksum };
}

/** The distributions of a space are written as [name, from, to]. */
function spaceOf(space: Any): Any {
  const entries = Object.entries(space).map(([key, range]) => {
    const [name, from, to] = range as [string, number, number];
    const isDistribution = ["uniform", "logUniform", "integers"].includes(name);
    return [
      key,
      isDistribution ? (exported[name] as (from: number, to: number) => unknown)(from, to) : range,
    ];
  });
  return Object.fromEntries(entries) as Any;
}

/** A search in workers. Its score is negated: lower is better in the table. */
export async function tune(
  job: Job,
  X: argmax.Matrix,
  y: ArrayLike<number>,
): Promise<Omit<Measurement, "version">> {
  const { estimator, params, space, ...rest } = job.params as {
    estimator: string;
    params: Any;
    space?: Any;
  } & Any;
  const inner = new (exported[estimator] as new (params: Any) => unknown)(params);
  const Search = exported[job.call] as new (params: object) => argmax.GridSearch;
  const search = new Search({ estimator: inner, ...(space && { space: spaceOf(space) }), ...rest });
  interface Found {
    readonly bestScore: number;
  }
  const run = argmax.background(search as never) as unknown as {
    fit(x: unknown, y: unknown): Promise<Found>;
  };
  const { result, ...times } = await timeAsyncFits(() => run.fit(X, y), job);
  return { ...times, checksum: -result.bestScore };
}

/** Columns by name: the first `numbers` as they are, with a gap in every 97th row, the others as strings. */
export function mixedColumns(X: argmax.Matrix, numbers: number): [string, Float64Array | string[]][] {
  return Array.from({ length: X.cols }, (_, j): [string, Float64Array | string[]] => {
    const column = X.column(j);
    if (j >= numbers) return [`c${j}`, Array.from(column, (code) => `value ${code}`)];
    return [`n${j}`, column.map((value, i) => (i % 97 === j ? Number.NaN : value))];
  });
}

/** All models on the folds of a mixed table, in workers. The checksum is the best mean accuracy, negated. */
export async function compared(
  job: Job,
  X: argmax.Matrix,
  y: ArrayLike<number>,
): Promise<Omit<Measurement, "version">> {
  const { numbers } = job.params as { numbers: number };
  const table = argmax.Table.fromColumns(new Map(mixedColumns(X, numbers)));
  const { result, ...times } = await timeAsyncFits(() => argmax.compare(table, y as Int32Array), job);
  return { ...times, checksum: -result.best.mean };
}

/** The checksum is the sum of the loaded model's predictions. */
export function reload(job: Job, X: argmax.Matrix, y: ArrayLike<number>): Omit<Measurement, "version"> {
  const Class = exported[job.call] as new (
    params: object,
  ) => {
    fit(x: argmax.Matrix, y: ArrayLike<number>): argmax.FittedModel;
  };
  const model = new Class(job.params).fit(X, y);
  const { result, ...times } = timeFits(() => argmax.loadModel(argmax.saveModel(model)), job);
  const predictions = result.predict!(X) as ArrayLike<number>;
  return { ...times, checksum: Array.from(predictions).reduce((sum, value) => sum + value, 0) };
}
