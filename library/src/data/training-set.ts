import type { FitOptions, MatrixLike } from "../core/contract.js";
import {
  classWeights,
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
  const design = readMatrix(where, x, rules);
  const { classes, codes, counts } = encodeLabels(where, y, design.rows);
  requireTwoClasses(where, classes);
  const given = readWeights(where, options.sampleWeight, design.rows);
  if (classWeight === null) return { x: design, classes, codes, weights: given };
  const weighted = given ? sumByClass(codes, given, classes.length) : counts;
  const perClass = classWeights(where, classWeight, classes, weighted);
  const weights = Float64Array.from(codes, (k, i) => perClass[k]! * (given ? given[i]! : 1));
  return { x: design, classes, codes, weights };
}

/** Everything a regressor checks before it learns. */
export function regressionSet(
  where: string,
  x: MatrixLike,
  y: NumberArray,
  options: FitOptions,
  rules: InputRules,
): RegressionSet {
  const design = readMatrix(where, x, rules);
  return {
    x: design,
    y: readTargets(where, y, design.rows),
    weights: readWeights(where, options.sampleWeight, design.rows),
  };
}

function sumByClass(codes: Int32Array, weights: Float64Array, classes: number): Float64Array {
  const sums = new Float64Array(classes);
  for (let i = 0; i < codes.length; i++) sums[codes[i]!]! += weights[i]!;
  return sums;
}
