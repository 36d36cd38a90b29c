import type { FitOptions, MatrixLike } from "../core/contract.js";
import {
  classWeights,
  type EncodedLabels,
  encodeLabels,
  type Label,
  type Labels,
  type NumberArray,
  readTargets,
  readWeights,
  requireTwoClasses,
} from "../core/labels.js";
import type { ClassWeight } from "../core/params.js";
import { type Design, type InputRules, readMatrix } from "./input.js";

export interface ClassificationSet<L extends Label> {
  readonly x: Design;
  readonly classes: readonly L[];
  /** Class index of every row. */
  readonly codes: Int32Array;
  /** Row weights × class weights; undefined when all are 1. */
  readonly weights: Float64Array | undefined;
}

export interface RegressionSet {
  readonly x: Design;
  readonly y: Float64Array;
  readonly weights: Float64Array | undefined;
}

/** Everything a classifier checks before it learns. */
export function classificationSet<L extends Label>(
  where: string,
  x: MatrixLike,
  y: Labels<L>,
  options: FitOptions,
  rules: InputRules,
  classWeight: ClassWeight,
): ClassificationSet<L> {
  const all = readMatrix(where, x, rules);
  const labels = encodeLabels(where, y, all.rows);
  const allWeights = readWeights(where, options.sampleWeight, all.rows);
  const present = presentRows(allWeights);
  const design = present ? all.selectRows(present) : all;
  const given = present ? select(allWeights!, present) : allWeights;
  const { classes, codes, counts } = present ? presentClasses(labels, present) : labels;
  requireTwoClasses(where, classes);
  if (classWeight === null) return { x: design, classes, codes, weights: given };
  const weighted = given ? sumByClass(codes, given, classes.length) : counts;
  const perClass = classWeights(where, classWeight, classes, weighted);
  const weights = new Float64Array(codes.length);
  for (let i = 0; i < codes.length; i++) weights[i] = perClass[codes[i]!]! * (given ? given[i]! : 1);
  const weighing = presentRows(weights);
  if (weighing === undefined) return { x: design, classes, codes, weights };
  // A class of weight 0 is gone like its rows.
  const left = presentClasses({ classes, codes, counts }, weighing);
  requireTwoClasses(where, left.classes);
  return { ...left, x: design.selectRows(weighing), weights: select(weights, weighing) };
}

/** Everything a regressor checks before it learns. */
export function regressionSet(
  where: string,
  x: MatrixLike,
  y: NumberArray,
  options: FitOptions,
  rules: InputRules,
): RegressionSet {
  const all = readMatrix(where, x, rules);
  const targets = readTargets(where, y, all.rows);
  const weights = readWeights(where, options.sampleWeight, all.rows);
  const present = presentRows(weights);
  if (present === undefined) return { x: all, y: targets, weights };
  return { x: all.selectRows(present), y: select(targets, present), weights: select(weights!, present) };
}

/** A row of weight 0 is gone, and a class with it if it was the last: nothing after this door ever sees them. */
function presentRows(weights: Float64Array | undefined): Int32Array | undefined {
  if (weights === undefined || !weights.includes(0)) return undefined;
  return Int32Array.from(weights.keys()).filter((i) => weights[i]! > 0);
}

const select = (list: Float64Array, rows: Int32Array): Float64Array =>
  Float64Array.from(rows, (i) => list[i]!);

function presentClasses<L extends Label>(all: EncodedLabels<L>, rows: Int32Array): EncodedLabels<L> {
  const counts = new Float64Array(all.classes.length);
  for (const i of rows) counts[all.codes[i]!]!++;
  const rank = new Int32Array(counts.length);
  let found = 0;
  for (let k = 0; k < counts.length; k++) rank[k] = counts[k]! > 0 ? found++ : -1;
  return {
    classes: Object.freeze(all.classes.filter((_, k) => counts[k]! > 0)),
    codes: rows.map((i) => rank[all.codes[i]!]!),
    counts: counts.filter((count) => count > 0),
  };
}

function sumByClass(codes: Int32Array, weights: Float64Array, classes: number): Float64Array {
  const sums = new Float64Array(classes);
  for (let i = 0; i < codes.length; i++) sums[codes[i]!]! += weights[i]!;
  return sums;
}

/** +1 for rows of class k, −1 for all others. A plain loop: `Float64Array.from` with a function is twelve times slower. */
export function signsOf(codes: Int32Array, k: number): Float64Array {
  const signs = new Float64Array(codes.length);
  for (let i = 0; i < codes.length; i++) signs[i] = codes[i] === k ? 1 : -1;
  return signs;
}
