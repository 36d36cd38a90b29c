import type { FitOptions, MatrixLike } from "../core/contract.js";
import { ArgmaxError, type ErrorDetails, ShapeError } from "../core/errors.js";
import { readWeights } from "../core/labels.js";
import type { Json, StateReader } from "../core/state/state.js";
import { featureNamesOf, inOrderOfFit, isTable } from "./feature-names-in.js";
import { type InputRules, readMatrix } from "./input.js";
import { Matrix } from "./matrix.js";
import { presentRows, type RegressionSet, readFit, select } from "./training-set.js";

/** Rows with several targets. */
export interface TargetsSet extends RegressionSet<readonly Float64Array[]> {
  /** Names of the targets, if Y was a table. */
  readonly targetNames?: readonly string[] | undefined;
}

/** The columns of Y, checked: finite numbers and, if `rows` is given, one row per row of X. */
export function readTargetColumns(
  where: string,
  y: MatrixLike,
  rows: number | undefined,
  subject = "Y",
): Float64Array[] {
  const { data, rows: n, cols } = readY(where, y, subject);
  if (rows !== undefined && n !== rows) {
    throw new ShapeError(where, subject, `as long as X has rows (${rows})`, `${n} rows`);
  }
  if (cols === 1) return [data.slice()];
  return Array.from({ length: cols }, (_, t) => {
    const column = new Float64Array(n);
    for (let i = 0, at = t; i < n; i++, at += cols) column[i] = data[at]!;
    return column;
  });
}

/** Reads Y like X; the errors name Y. */
function readY(where: string, y: MatrixLike, subject: string): Matrix {
  try {
    return readMatrix(where, y, { sparse: false });
  } catch (error) {
    if (!(error instanceof ArgmaxError)) throw error;
    const named = (text: string) => text.replace(/\bX\b/, subject);
    const Same = error.constructor as new (details: ErrorDetails) => ArgmaxError;
    throw new Same({ ...error, subject: named(error.subject), advice: named(error.advice) });
  }
}

/** Everything a regressor of several targets checks before it learns. */
export function targetsSet(
  where: string,
  x: MatrixLike,
  y: MatrixLike,
  options: FitOptions,
  rules: InputRules,
): TargetsSet {
  const { all, featureNamesIn } = readFit(where, x, options, rules);
  const targetNames = featureNamesOf(y);
  const targets = readTargetColumns(where, y, all.rows);
  const weights = readWeights(where, options.sampleWeight, all.rows);
  const kept = presentRows(weights);
  if (kept === undefined) return { x: all, y: targets, weights, featureNamesIn, targetNames };
  return {
    x: all.selectRows(kept),
    y: targets.map((target) => select(target, kept)),
    weights: select(weights!, kept),
    kept,
    featureNamesIn,
    targetNames,
  };
}

/** Y with the targets of a fit to a table in the order of that table; Y without names stays as it is. */
export function targetsInOrder<Y extends MatrixLike>(
  where: string,
  y: Y,
  targetNames: readonly string[] | undefined,
): Y {
  return targetNames === undefined || !isTable(y) ? y : (inOrderOfFit(where, y, targetNames, "Y") as Y);
}

/** Lists per target as a matrix, one column each. */
export function columnsToMatrix(columns: readonly Float64Array[]): Matrix {
  const out = Matrix.zeros(columns[0]!.length, columns.length);
  for (const [t, column] of columns.entries()) {
    for (let i = 0; i < column.length; i++) out.data[i * columns.length + t] = column[i]!;
  }
  return out;
}

/** What a saved model stores of its targets: nothing where they had no names. */
export const targetNamesJson = (names: readonly string[] | undefined): Readonly<Record<string, Json>> =>
  names === undefined ? {} : { targetNames: [...names] };

/** The names that `targetNamesJson` stored, one per target and all distinct; undefined if there are none. */
export function readTargetNames(reader: StateReader, targets: number): readonly string[] | undefined {
  if (!Object.hasOwn(reader.state.values, "targetNames")) return undefined;
  const isNames = (value: unknown): value is readonly string[] =>
    Array.isArray(value) &&
    value.length === targets &&
    value.every((name) => typeof name === "string") &&
    new Set(value).size === targets;
  return Object.freeze([...reader.value("targetNames", "a distinct name for each target", isNames)]);
}
