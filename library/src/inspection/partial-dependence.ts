import type { FittedModel, MatrixLike, Samples } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { option, readOptions } from "../core/params/options.js";
import { flag, integer, type TableOf } from "../core/params/params.js";
import { Matrix } from "../data/matrix.js";
import type { Cell } from "../data/table/column.js";
import { featureGrid } from "./feature-grid.js";
import type { FeatureKey, InspectedRows, NamesOption } from "./inspected-rows.js";
import { constantColumn, featureIndex, featureNamesOption, inspectRows } from "./inspected-rows.js";
import type { ExplainedOutput } from "./outputs.js";
import { outputsOf } from "./outputs.js";

export interface PartialDependenceOptions extends NamesOption {
  /** Values per feature, where more occur. */
  readonly gridResolution?: number | undefined;
  /** Quantiles of the feature between which values are tried. */
  readonly percentiles?: readonly [number, number] | undefined;
  /** The values to try instead: one list per feature. */
  readonly grid?: readonly (readonly Cell[])[] | undefined;
  /** Also keep the curve of every row (individual conditional expectation). */
  readonly individual?: boolean | undefined;
}

const isProportion = (value: unknown) => typeof value === "number" && value >= 0 && value <= 1;

export const partialDependenceOptions = {
  gridResolution: integer({ atLeast: 2, default: 100, doc: "Values per feature, where more occur." }),
  percentiles: option<readonly [number, number]>(
    "numbers",
    "Quantiles of the feature between which values are tried.",
    "two numbers from 0 to 1, ascending",
    (value) => Array.isArray(value) && value.length === 2 && value.every(isProportion) && value[0] < value[1],
  ),
  grid: option<readonly (readonly Cell[])[]>(
    "union",
    "The values to try instead: one list per feature.",
    "a list of values per feature",
    (value) => Array.isArray(value) && value.every((list) => isArrayLike(list) && list.length > 0),
  ),
  individual: flag({ default: false, doc: "Also keep the curve of every row." }),
  featureNames: featureNamesOption,
} satisfies TableOf<PartialDependenceOptions>;

/** The mean output of a model as a function of one or two features. */
export interface PartialDependence {
  /** Names of the features. */
  readonly features: readonly string[];
  /** The values of each feature. */
  readonly grid: readonly (readonly Cell[])[];
  readonly output: ExplainedOutput;
  /** Classes, names of targets, or "prediction". */
  readonly outputNames: readonly Label[];
  /** One row per output. Of two features, point (a, b) is in column a · (values of the second) + b. */
  readonly average: Matrix;
  /** Per output: one row per row of X, one column per point. Undefined unless `individual`. */
  readonly individual: readonly Matrix[] | undefined;
}

/**
 * How the output depends on one feature or on two: the mean over the rows of X with the feature set to each value in turn [Friedman 2001].
 * Features that depend on each other are set to combinations that never occur; look at `individual` curves and at `explain` too.
 * Parity: scikit-learn's partial_dependence by brute force. Here both of two classes have a curve.
 */
export function partialDependence(
  model: FittedModel,
  x: Samples,
  features: FeatureKey | readonly FeatureKey[],
  options: PartialDependenceOptions = {},
): PartialDependence {
  const where = "partialDependence";
  const settings = readOptions(where, partialDependenceOptions, options);
  const rows = inspectRows(where, model, x, options.featureNames);
  const outputs = outputsOf(where, model);
  const chosen = readFeatures(where, features, rows.names);
  const { percentiles = [0.05, 0.95] } = settings;
  const grid = chosen.map((j) =>
    featureGrid(
      where,
      rows.names[j]!,
      rows.column(j),
      settings.gridResolution,
      percentiles as [number, number],
    ),
  );
  const own = readGrid(where, settings.grid, grid);
  const points =
    own.length === 1 ? own[0]!.map((v) => [v]) : own[0]!.flatMap((a) => own[1]!.map((b) => [a, b]));
  const K = outputs.names.length;
  const average = Matrix.zeros(K, points.length);
  const individual = settings.individual
    ? outputs.names.map(() => Matrix.zeros(rows.rows, points.length))
    : undefined;
  for (const [p, values] of points.entries()) {
    const { data } = outputs.evaluate(replaced(where, rows, chosen, values));
    for (let e = 0; e < data.length; e++) {
      average.data[(e % K) * points.length + p]! += data[e]!;
      if (individual) individual[e % K]!.data[Math.floor(e / K) * points.length + p] = data[e]!;
    }
  }
  for (let e = 0; e < average.data.length; e++) average.data[e]! /= rows.rows;
  const names = chosen.map((j) => rows.names[j]!);
  return {
    features: names,
    grid: own,
    output: outputs.output,
    outputNames: outputs.names,
    average,
    individual,
  };
}

/** X with constant columns. */
export function replaced(
  where: string,
  rows: InspectedRows,
  chosen: readonly number[],
  values: readonly Cell[],
): MatrixLike {
  const changed = chosen.reduce(
    (own, j, f) => own.withColumn(j, constantColumn(where, rows.names[j]!, rows.column(j), values[f]!)),
    rows,
  );
  return changed.x;
}

function readFeatures(
  where: string,
  given: FeatureKey | readonly FeatureKey[],
  names: readonly string[],
): readonly number[] {
  const list = Array.isArray(given) ? (given as readonly FeatureKey[]) : [given as FeatureKey];
  const chosen = list.map((key) => featureIndex(where, "features", key, names));
  if ((chosen.length === 1 || chosen.length === 2) && new Set(chosen).size === chosen.length) return chosen;
  throw new ParameterError(where, "features", "one column, or two different ones", show(given));
}

function readGrid(
  where: string,
  given: readonly (readonly Cell[])[] | undefined,
  found: readonly (readonly Cell[])[],
): readonly (readonly Cell[])[] {
  if (given === undefined) return found;
  if (given.length === found.length) return given.map((list) => Array.from(list));
  const expected = `one list of values per feature (${found.length})`;
  throw new ParameterError(where, "grid", expected, `${given.length}`);
}
