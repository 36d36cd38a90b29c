import { isColumn, listOf } from "../core/column-like.js";
import { DataError, ParameterError, ShapeError, show } from "../core/errors.js";
import { type Label, type Labels, type NumberArray, readWeights } from "../core/labels.js";
import { option, sampleWeight } from "../core/options.js";
import type { ParamSpec } from "../core/params.js";
import { isArrayLike } from "../core/typed-arrays.js";

/** Options that many metrics have, for their tables. */
export const metricOptions = { sampleWeight } satisfies Record<keyof MetricOptions, ParamSpec<unknown>>;

const isLabel = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);
export const positiveLabel = option<Label>(
  "label",
  'Which label is "positive"; without it the second in sorted order.',
  "a string, a number or a boolean",
  isLabel,
);
export const labels = option<readonly Label[]>(
  "labels",
  "The classes and their order; without it all labels that occur, sorted.",
  "an array of labels",
  isArrayLike,
);

export interface MetricOptions {
  /** One weight per entry; 2 counts as the entry twice, 0 as no entry. */
  readonly sampleWeight?: NumberArray | undefined;
}

/** Checks that both are lists of one length, not empty, and returns the length. */
export function checkLengths(where: string, yTrue: unknown, yPred: unknown): number {
  for (const [subject, y] of [
    ["yTrue", yTrue],
    ["yPred", yPred],
  ] as const) {
    if (!isArrayLike(y) && !isColumn(y))
      throw new DataError({ where, subject, expected: "an array or a typed array", received: show(y) });
  }
  const { length } = yTrue as ArrayLike<unknown>;
  sameLength(where, "yPred", (yPred as ArrayLike<unknown>).length, length);
  if (length === 0)
    throw new DataError({ where, subject: "yTrue", expected: "one entry or more", received: "none" });
  return length;
}

export function sameLength(where: string, subject: string, received: number, length: number): void {
  if (received === length) return;
  throw new ShapeError({
    where,
    subject,
    expected: `as long as yTrue (${length})`,
    received: `${received} entries`,
  });
}

/** The weight of every entry; 1 by default. */
export function weightsOf(where: string, given: NumberArray | undefined, length: number): Float64Array {
  if (isArrayLike(given) || isColumn(given)) sameLength(where, "sampleWeight", given.length, length);
  return readWeights(where, given, length) ?? new Float64Array(length).fill(1);
}

/** Labels turned into class numbers. */
export interface CodedPairs<L extends Label> {
  readonly classes: readonly L[];
  readonly truth: Int32Array;
  readonly predicted: Int32Array;
  readonly weights: Float64Array;
}

/** Codes both lists by the given classes, or by all labels that occur, sorted. */
export function codePairs<L extends Label>(
  where: string,
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: MetricOptions & { readonly labels?: readonly L[] | undefined },
): CodedPairs<L> {
  const length = checkLengths(where, yTrue, yPred);
  const weights = weightsOf(where, options.sampleWeight, length);
  const classes = options.labels ? checkClasses(where, options.labels) : sortedLabels(where, [yTrue, yPred]);
  const index = new Map<L, number>(classes.map((label, k) => [label, k]));
  const code = (subject: string, given: Labels<L>) => {
    const y = listOf(given);
    const codes = new Int32Array(length);
    for (let i = 0; i < length; i++) {
      codes[i] = index.get(y[i]!) ?? unknownLabel(where, `${subject}[${i}]`, classes, y[i]);
    }
    return codes;
  };
  return { classes, truth: code("yTrue", yTrue), predicted: code("yPred", yPred), weights };
}

function unknownLabel(where: string, subject: string, classes: readonly Label[], received: unknown): never {
  const shown = `${classes.slice(0, 8).map(show).join(", ")}${classes.length > 8 ? ", …" : ""}`;
  throw new DataError({ where, subject, expected: `one of the labels (${shown})`, received: show(received) });
}

/** All labels of the lists: numbers ascending, strings by code unit, false before true. */
export function sortedLabels<L extends Label>(where: string, lists: readonly Labels<L>[]): readonly L[] {
  const seen = new Set<L>();
  for (const y of lists.map(listOf)) for (let i = 0; i < y.length; i++) seen.add(y[i]!);
  return checkClasses(
    where,
    [...seen].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
  );
}

/** Distinct labels of one type, as a plain array: `map` of a typed one returns numbers only. */
function checkClasses<L extends Label>(where: string, given: ArrayLike<L>): readonly L[] {
  const labels = Array.from(given);
  for (const label of labels) {
    const fine =
      typeof label === "string" ||
      typeof label === "boolean" ||
      (typeof label === "number" && !Number.isNaN(label));
    if (!fine)
      throw new DataError({
        where,
        subject: "every label",
        expected: "a string, a number or a boolean",
        received: show(label),
      });
  }
  const kinds = [...new Set(labels.map((label) => typeof label))].sort();
  if (kinds.length > 1) {
    throw new DataError({
      where,
      subject: "labels",
      expected: "of one type",
      received: `a mixture of ${kinds.join(" and ")}`,
    });
  }
  if (labels.length === 0 || new Set(labels).size !== labels.length) {
    throw new ParameterError({
      where,
      subject: "labels",
      expected: "a list of distinct labels",
      received: show(labels),
    });
  }
  return labels;
}

/**
 * Index of the positive class: that of the given label, or the second of two. −1 when only the other class
 * occurs and the positive label is given; with one class and no label the positive class is undefined.
 */
export function positiveClass<L extends Label>(
  where: string,
  classes: readonly L[],
  wanted: L | undefined,
): number {
  const found = wanted === undefined ? 1 : classes.indexOf(wanted);
  const known = wanted === undefined ? classes.length === 2 : found >= 0 || classes.length < 2;
  if (known) return found;
  const shown = classes.slice(0, 8).map(show).join(", ");
  throw new DataError({
    where,
    subject: "positiveLabel",
    expected: `${wanted === undefined ? "given as " : ""}one of the labels (${shown})`,
    received: wanted === undefined ? "nothing" : show(wanted),
  });
}
