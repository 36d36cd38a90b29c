import { type ColumnLike, isColumn, listOf } from "./column-like.js";
import { DataError, ShapeError, show } from "./errors.js";
import { isArrayLike } from "./numbers/typed-arrays.js";
import type { ClassWeight } from "./params/params.js";

/** What a class may be called. Predictions give back the very same values. */
export type Label = string | number | boolean;
/** Labels as callers hold them: a plain array, a typed array of numbers, or a column of a table. */
export type Labels<L extends Label> = ArrayLike<L> | ColumnLike<L>;

/** Targets of a regression, weights of rows. */
export type NumberArray = ArrayLike<number> | ColumnLike<number>;

export interface EncodedLabels<L extends Label> {
  /** Distinct labels: numbers ascending, strings by code unit, false before true. */
  readonly classes: readonly L[];
  /** Class index of every row. */
  readonly codes: Int32Array;
  /** Rows of each class. */
  readonly counts: Float64Array;
}

/** Checks that something is a list at all. */
export function checkList(where: string, subject: string, list: unknown): asserts list is ArrayLike<unknown> {
  if (isArrayLike(list)) return;
  throw new DataError(where, subject, "an array or a typed array", show(list));
}

/** Checks that y is a list with one entry per row. */
export function checkLength(where: string, subject: string, y: unknown, rows: number): void {
  if (!isColumn(y)) checkList(where, subject, y);
  if (y.length !== rows) {
    throw new ShapeError(where, subject, `as long as X has rows (${rows})`, `${y.length} entries`);
  }
}

/** Finds the classes and codes every row. */
export function encodeLabels<L extends Label>(
  where: string,
  given: Labels<L>,
  rows: number,
): EncodedLabels<L> {
  checkLength(where, "y", given, rows);
  const y = listOf(given);
  const seen = new Map<L, number>();
  const codes = new Int32Array(rows);
  // Most labels are one of the first two: comparing is much faster than looking up.
  let first: L | undefined;
  let second: L | undefined;
  for (let i = 0; i < rows; i++) {
    const label = y[i]!;
    if (label === first && label !== undefined) codes[i] = 0;
    else if (label === second && label !== undefined) codes[i] = 1;
    else {
      let code = seen.get(label);
      if (code === undefined) {
        checkLabel(where, label, i);
        code = seen.size;
        seen.set(label, code);
        if (code === 0) first = label;
        else if (code === 1) second = label;
      }
      codes[i] = code;
    }
  }
  const found = [...seen.keys()];
  const kinds = new Set(found.map((label) => typeof label));
  if (kinds.size > 1) {
    throw new DataError(where, "y", "labels of one type", `a mixture of ${[...kinds].sort().join(" and ")}`);
  }
  const classes = [...found].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const rank = new Int32Array(found.length);
  for (let k = 0; k < classes.length; k++) rank[seen.get(classes[k]!)!] = k;
  const counts = new Float64Array(classes.length);
  for (let i = 0; i < rows; i++) {
    const k = rank[codes[i]!]!;
    codes[i] = k;
    counts[k]!++;
  }
  return { classes: Object.freeze(classes), codes, counts };
}

function checkLabel(where: string, label: unknown, row: number): void {
  const kind = typeof label;
  const fine = kind === "string" || kind === "boolean" || (kind === "number" && !Number.isNaN(label));
  if (fine) return;
  throw new DataError(where, `y[${row}]`, "a string, a number or a boolean", show(label));
}

/** Codes labels by known classes; a label that is not among them is an error. */
export function codeLabels<L extends Label>(
  where: string,
  given: Labels<L>,
  rows: number,
  classes: readonly L[],
): Int32Array {
  checkLength(where, "y", given, rows);
  const y = listOf(given);
  const index = new Map(classes.map((label, k) => [label, k]));
  const codes = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    const code = index.get(y[i]!);
    if (code === undefined) {
      throw new DataError({
        where,
        subject: `y[${i}]`,
        expected: `one of the classes (${classes.slice(0, 8).map(show).join(", ")}${classes.length > 8 ? ", …" : ""})`,
        received: show(y[i]),
      });
    }
    codes[i] = code;
  }
  return codes;
}

/**
 * Classes are texts, truth values or whole numbers. Numbers with a fraction are measurements, of which every row may have its own: a
 * classifier of them would have as many classes as rows. Parity: scikit-learn's "Unknown label type: continuous".
 */
export function requireDiscrete(where: string, classes: readonly Label[]): void {
  if (typeof classes[0] !== "number" || classes.every(Number.isInteger)) return;
  const fraction = classes.find((label) => !Number.isInteger(label));
  throw new DataError({
    where,
    subject: "y",
    expected: "labels of classes: text, booleans or whole numbers",
    received: `${classes.length} different numbers such as ${show(fraction)}`,
    advice:
      "A regressor learns numbers. For classes, write them as text, or make some of ranges: KBinsDiscretizer.",
  });
}

/** A classifier needs something to tell apart. */
export function requireTwoClasses(where: string, classes: readonly Label[]): void {
  requireDiscrete(where, classes);
  if (classes.length >= 2) return;
  throw new DataError(where, "y", "labels of at least two classes", `only ${show(classes[0])}`);
}

/** Weight of each class, in the order of `classes`. `counts` are row weights summed by class. */
export function classWeights(
  where: string,
  spec: ClassWeight,
  classes: readonly Label[],
  counts: Float64Array,
): Float64Array {
  const weights = new Float64Array(classes.length).fill(1);
  if (spec === null) return weights;
  if (spec === "balanced") {
    const present = counts.reduce((n, count) => n + (count > 0 ? 1 : 0), 0);
    const total = counts.reduce((sum, count) => sum + count, 0);
    return weights.map((_, k) => (counts[k]! > 0 ? total / (present * counts[k]!) : 1));
  }
  const names = classes.map(String);
  for (const key of Object.keys(spec)) {
    if (names.includes(key)) continue;
    const expected = `a label of y (${names.slice(0, 8).join(", ")})`;
    throw new DataError(where, "every key of classWeight", expected, show(key));
  }
  return weights.map((_, k) => (Object.hasOwn(spec, names[k]!) ? spec[names[k]!]! : 1));
}

/** Finite targets as a fresh Float64Array. */
export function readTargets(where: string, given: NumberArray, rows: number): Float64Array {
  checkLength(where, "y", given, rows);
  const y = listOf(given);
  const targets = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const value: unknown = y[i];
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw new DataError(where, `y[${i}]`, "a finite number", show(value));
    }
    targets[i] = value;
  }
  return targets;
}

/** Row weights: finite, not negative, not all zero. Absent means all 1. */
export function readWeights(
  where: string,
  given: NumberArray | undefined,
  rows: number,
): Float64Array | undefined {
  if (given === undefined) return undefined;
  checkLength(where, "sampleWeight", given, rows);
  const list = listOf(given);
  const weights = new Float64Array(rows);
  let total = 0;
  for (let i = 0; i < rows; i++) {
    const value: unknown = list[i];
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
      throw new DataError(where, `sampleWeight[${i}]`, "a finite number ≥ 0", show(value));
    }
    weights[i] = value;
    total += value;
  }
  if (total === Infinity) throw new DataError(where, "the sum of sampleWeight", "finite", "Infinity");
  if (total === 0) throw new DataError(where, "sampleWeight", "positive somewhere", "all zeros");
  return withoutNegligible(where, weights);
}

/** Products of weights and numbers of everyday size are exact above this: the smallest normal double is 2.2e-308. */
const LEAST_WEIGHT = 1e-300;

/**
 * Weights below 1e-300 of the largest become 0: in sums with the others they are lost to rounding, and relative to them they underflow,
 * so that a leaf or a cluster of such rows alone would be 0/0.
 */
function withoutNegligible(where: string, weights: Float64Array): Float64Array {
  const largest = weights.reduce((most, w) => Math.max(most, w), 0);
  if (largest < LEAST_WEIGHT) {
    const expected = `at least ${LEAST_WEIGHT}, below which products with it are rounded to 0`;
    const advice = "Multiply all weights by the same number.";
    throw new DataError(where, "the largest sampleWeight", expected, show(largest), advice);
  }
  const least = largest * LEAST_WEIGHT;
  for (let i = 0; i < weights.length; i++) if (weights[i]! < least) weights[i] = 0;
  return weights;
}

/** The number of a class; throws on a label that is not one of them. */
export function classIndex<L extends Label>(where: string, classes: readonly L[], label: L): number {
  const k = classes.indexOf(label);
  if (k >= 0) return k;
  const expected = `one of the classes (${classes.slice(0, 8).map(show).join(", ")})`;
  throw new DataError(where, "the class", expected, show(label));
}
