import type { FittedModel, Samples } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { option, readOptions } from "../core/params/options.js";
import { integer, real, type TableOf } from "../core/params/params.js";
import type { Matrix } from "../data/matrix.js";
import type { Column } from "../data/table/column.js";
import { readColumn } from "../data/table/column.js";
import { steps } from "./feature-grid.js";
import type { AnyColumn, FeatureKey, InspectedRows, NamesOption } from "./inspected-rows.js";
import { chosenEntries, entryOf, featureIndex, featureNamesOption, inspectRows } from "./inspected-rows.js";
import type { ExplainedOutput } from "./outputs.js";
import { type AnyModel, outputsOf } from "./outputs.js";

export interface DecisionBoundaryOptions extends NamesOption {
  /** The two features of the plane, numbers both; the first two columns by default. */
  readonly features?: readonly [FeatureKey, FeatureKey] | undefined;
  /** Points per side of the grid. */
  readonly resolution?: number | undefined;
  /** How far the grid goes beyond the smallest and the largest value, as a proportion of their distance. */
  readonly margin?: number | undefined;
}

export const decisionBoundaryOptions = {
  features: option<readonly [FeatureKey, FeatureKey]>(
    "union",
    "The two features of the plane; the first two columns by default.",
    "two columns, by number or name",
    (value) => isArrayLike(value) && value.length === 2,
  ),
  resolution: integer({ atLeast: 2, default: 80, doc: "Points per side of the grid." }),
  margin: real({
    atLeast: 0,
    default: 0.05,
    doc: "How far the grid goes beyond the data, as a proportion of its width.",
  }),
  featureNames: featureNamesOption,
} satisfies TableOf<DecisionBoundaryOptions>;

/** A model's outputs on a grid in the plane of two features. */
export interface DecisionBoundary {
  readonly features: readonly [string, string];
  /** Values of the first and of the second feature, ascending. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly output: ExplainedOutput;
  readonly outputNames: readonly Label[];
  /** One row per point, one column per output; point (a, b) of x and y is row b · x.length + a. */
  readonly values: Matrix;
  /** The classes of a classifier, and the number of the predicted one per point. */
  readonly classes: readonly Label[] | undefined;
  readonly predicted: Int32Array | undefined;
}

/** What a model computes in the plane of two features; all others have their median or most frequent value. */
export function decisionBoundary(
  model: FittedModel,
  x: Samples,
  options: DecisionBoundaryOptions = {},
): DecisionBoundary {
  const where = "decisionBoundary";
  const settings = readOptions(where, decisionBoundaryOptions, options);
  const rows = inspectRows(where, model, x, options.featureNames);
  if (rows.cols < 2) throw new ParameterError(where, "X", "of two columns or more", "one");
  const outputs = outputsOf(where, model);
  const [first, second] = (settings.features ?? [0, 1]).map((key) =>
    featureIndex(where, "features", key, rows.names),
  ) as [number, number];
  if (first === second) {
    throw new ParameterError(where, "features", "two different columns", show(settings.features));
  }
  const xs = axis(where, rows, first, settings);
  const ys = axis(where, rows, second, settings);
  const points = gridRows(where, rows, [first, second], xs, ys);
  const { classes, predict } = model as AnyModel;
  const labels = classes && predict ? (predict.call(model, points.x) as ArrayLike<Label>) : undefined;
  return {
    features: [rows.names[first]!, rows.names[second]!],
    x: xs,
    y: ys,
    output: outputs.output,
    outputNames: outputs.names,
    values: outputs.evaluate(points.x),
    classes,
    predicted: labels && Int32Array.from(labels, (label) => classes!.indexOf(label)),
  };
}

function axis(
  where: string,
  rows: InspectedRows,
  j: number,
  { resolution, margin }: { resolution: number; margin: number },
): Float64Array {
  const column = rows.column(j);
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < column.length; i++) {
    const value = entryOf(column, i);
    if (value === null || Number.isNaN(value)) continue;
    if (typeof value !== "number") {
      throw new DataError(where, `column ${show(rows.names[j])}`, "numbers", show(value));
    }
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const edge = high > low ? margin * (high - low) : 0.5;
  return Float64Array.from(steps(low - edge, high + edge, resolution));
}

/** The grid's points as rows, the first feature fastest. */
function gridRows(
  where: string,
  rows: InspectedRows,
  [first, second]: readonly [number, number],
  xs: Float64Array,
  ys: Float64Array,
): InspectedRows {
  const count = xs.length * ys.length;
  let out = rows.chosen(new Int32Array(count));
  for (let j = 0; j < rows.cols; j++) {
    const column = rows.column(j);
    if (j !== first && j !== second) {
      out = out.withColumn(j, chosenEntries(column, new Int32Array(count).fill(middle(column))));
      continue;
    }
    const values = Float64Array.from({ length: count }, (_, e) =>
      j === first ? xs[e % xs.length]! : ys[Math.floor(e / xs.length)]!,
    );
    const own = ArrayBuffer.isView(column) ? values : (readColumn(where, rows.names[j]!, values) as Column);
    out = out.withColumn(j, own);
  }
  return out;
}

/** The row of the median entry, or of the most frequent one if they are not numbers. */
function middle(column: AnyColumn): number {
  const entries = Array.from({ length: column.length }, (_, i) => entryOf(column, i));
  const present = [...entries.keys()].filter((i) => entries[i] !== null && !Number.isNaN(entries[i]));
  if (present.length === 0) return 0;
  if (typeof entries[present[0]!] === "number") {
    present.sort((a, b) => (entries[a] as number) - (entries[b] as number));
    return present[(present.length - 1) >> 1]!;
  }
  const counts = new Map<unknown, number>();
  for (const i of present) counts.set(String(entries[i]), (counts.get(String(entries[i])) ?? 0) + 1);
  return present.reduce((best, i) =>
    counts.get(String(entries[i]))! > counts.get(String(entries[best]))! ? i : best,
  );
}
