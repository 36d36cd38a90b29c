import { isColumn, listOf } from "../core/column-like.js";
import { DataError, ParameterError, ShapeError, show } from "../core/errors.js";
import { type Label, type Labels, type NumberArray, readWeights } from "../core/labels.js";
import { isArrayLike, isTypedArray } from "../core/numbers/typed-arrays.js";
import { option, sampleWeight } from "../core/params/options.js";
import { flag, type TableOf } from "../core/params/params.js";
import { positiveError, usualPositive } from "../core/positive-label.js";

/** Options that many metrics have, for their tables. */
export const metricOptions = { sampleWeight } satisfies TableOf<MetricOptions>;

const isLabel = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);
export const positiveLabel = option<Label>(
  "label",
  'Which label is "positive"; without it 1, true, "yes" and the like.',
  "a string, a number or a boolean",
  isLabel,
);
export const labels = option<readonly Label[]>(
  "labels",
  "The classes and their order; without it all labels that occur, sorted.",
  "an array of labels",
  isArrayLike,
);

export const normalize = flag({
  default: true,
  doc: "When false, the (weighted) number instead of the fraction.",
});

export interface MetricOptions {
  /** One weight per entry; 2 counts as the entry twice, 0 as no entry. */
  readonly sampleWeight?: NumberArray | undefined;
}

/** Options of metrics that count entries. */
export interface CountOptions extends MetricOptions {
  /** When false, the (weighted) number instead of the fraction. */
  readonly normalize?: boolean | undefined;
}

export const countOptions = { ...metricOptions, normalize } satisfies TableOf<CountOptions>;

/** Checks that both are lists of one length, not empty, and returns the length. */
export function checkLengths(where: string, yTrue: unknown, yPred: unknown): number {
  for (const [subject, y] of [
    ["yTrue", yTrue],
    ["yPred", yPred],
  ] as const) {
    if (!isArrayLike(y) && !isColumn(y))
      throw new DataError(where, subject, "an array or a typed array", show(y));
  }
  const { length } = yTrue as ArrayLike<unknown>;
  sameLength(where, "yPred", (yPred as ArrayLike<unknown>).length, length);
  if (length === 0) throw new DataError(where, "yTrue", "one entry or more", "none");
  return length;
}

export function sameLength(where: string, subject: string, received: number, length: number): void {
  if (received === length) return;
  throw new ShapeError(where, subject, `as long as yTrue (${length})`, `${received} entries`);
}

/** The weight of every entry; 1 by default. */
export function weightsOf(where: string, given: NumberArray | undefined, length: number): Float64Array {
  if (isArrayLike(given) || isColumn(given)) sameLength(where, "sampleWeight", given.length, length);
  return readWeights(where, given, length) ?? new Float64Array(length).fill(1);
}

/** The entries that count: those of weight 0 are left out. */
export interface Counted {
  readonly weights: Float64Array;
  /** Their places among the given ones, where some are left out. */
  readonly kept: Int32Array | undefined;
}

export function countedEntries(where: string, given: NumberArray | undefined, length: number): Counted {
  const weights = weightsOf(where, given, length);
  if (!weights.includes(0)) return { weights, kept: undefined };
  const kept = Int32Array.from(weights.keys()).filter((i) => weights[i]! > 0);
  return { weights: keptNumbers(weights, kept), kept };
}

/** The entries of a list that count. */
export const keptEntries = <T>(list: ArrayLike<T>, kept: Int32Array | undefined): ArrayLike<T> =>
  kept ? Array.from(kept, (i) => list[i]!) : list;

export const keptNumbers = (list: Float64Array, kept: Int32Array | undefined): Float64Array =>
  kept ? Float64Array.from(kept, (i) => list[i]!) : list;

/** Labels turned into class numbers. */
export interface CodedPairs<L extends Label> extends Counted {
  readonly classes: readonly L[];
  readonly truth: Int32Array;
  readonly predicted: Int32Array;
  /** Entries as given. */
  readonly length: number;
}

/** Codes both lists by the given classes, or by all labels that occur, sorted. Entries of weight 0 are left out. */
export function codePairs<L extends Label>(
  where: string,
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: MetricOptions & { readonly labels?: readonly L[] | undefined },
): CodedPairs<L> {
  const length = checkLengths(where, yTrue, yPred);
  const { weights, kept } = countedEntries(where, options.sampleWeight, length);
  const truths = keptEntries(listOf(yTrue), kept);
  const predictions = yPred === yTrue ? truths : keptEntries(listOf(yPred), kept);
  const classes = options.labels
    ? checkClasses(where, options.labels)
    : sortedLabels(where, [truths, predictions]);
  const place = (e: number) => (kept ? kept[e]! : e);
  const truth = codesOf(where, "yTrue", truths, classes, place);
  const predicted = predictions === truths ? truth : codesOf(where, "yPred", predictions, classes, place);
  return { classes, truth, predicted, weights, kept, length };
}

/** The class of every entry. */
function codesOf<L extends Label>(
  where: string,
  subject: string,
  y: ArrayLike<L>,
  classes: readonly L[],
  place: (e: number) => number,
): Int32Array {
  const index = new Map<L, number>(classes.map((label, k) => [label, k]));
  const codes = new Int32Array(y.length);
  // Most labels are one of the first two: comparing is much faster than looking up.
  const [first, second] = classes;
  for (let i = 0; i < y.length; i++) {
    const label = y[i]!;
    if (label === first) codes[i] = 0;
    else if (label === second && second !== undefined) codes[i] = 1;
    else codes[i] = index.get(label) ?? unknownLabel(where, `${subject}[${place(i)}]`, classes, label);
  }
  return codes;
}

/** The truth alone, coded by the given classes, or by all labels that occur, sorted. */
export function codeTruth<L extends Label>(
  where: string,
  yTrue: Labels<L>,
  options: MetricOptions & { readonly labels?: readonly L[] | undefined },
): Omit<CodedPairs<L>, "predicted"> {
  return codePairs(where, yTrue, yTrue, options);
}

/** Scores and probabilities per class have no meaning where all entries are of one class. */
export function requireSeveralClasses(where: string, classes: readonly Label[]): void {
  if (classes.length >= 2) return;
  const advice = "Name all classes in `labels`.";
  throw new DataError(where, "yTrue", "of two classes or more", `only ${show(classes[0])}`, advice);
}

export function requireColumns(where: string, subject: string, cols: number, classes: number): void {
  if (cols === classes) return;
  const advice = "Name the classes of all columns in `labels`.";
  throw new ShapeError(where, subject, `${classes} columns wide, one per class`, `${cols} columns`, advice);
}

/** Σ w f(i), and Σ w. */
export function weightedSum(
  weights: Float64Array,
  value: (i: number) => number,
): { readonly sum: number; readonly total: number } {
  let [sum, total] = [0, 0];
  for (let i = 0; i < weights.length; i++) {
    sum += weights[i]! * value(i);
    total += weights[i]!;
  }
  return { sum, total };
}

/** A list of numbers, where a matrix might also be given. */
export const isNumberList = (given: unknown): given is NumberArray =>
  isTypedArray(given) || isColumn(given) || (Array.isArray(given) && typeof given[0] === "number");

/** Finite numbers, copied. */
export function readNumbers(where: string, subject: string, given: NumberArray): Float64Array {
  if (!isArrayLike(given) && !isColumn(given))
    throw new DataError(where, subject, "an array or a typed array", show(given));
  const list = listOf(given);
  const out = new Float64Array(list.length);
  for (let i = 0; i < out.length; i++) {
    const value: unknown = list[i];
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw new DataError(where, `${subject}[${i}]`, "a finite number", show(value));
    }
    out[i] = value;
  }
  return out;
}

function unknownLabel(where: string, subject: string, classes: readonly Label[], received: unknown): never {
  const shown = `${classes.slice(0, 8).map(show).join(", ")}${classes.length > 8 ? ", …" : ""}`;
  throw new DataError(where, subject, `one of the labels (${shown})`, show(received));
}

/** All labels of the lists: numbers ascending, strings by code unit, false before true. */
export function sortedLabels<L extends Label>(where: string, lists: readonly Labels<L>[]): readonly L[] {
  const seen = new Set<L>();
  for (const y of new Set(lists)) addLabels(listOf(y), seen);
  return checkClasses(
    where,
    [...seen].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
  );
}

/** Labels mostly equal one of the last two that differed: comparing is much faster than looking up. */
function addLabels<L extends Label>(y: ArrayLike<L>, out: Set<L>): void {
  let last: L | undefined;
  let other: L | undefined;
  for (let i = 0; i < y.length; i++) {
    const label = y[i]!;
    if ((label === last || label === other) && label !== undefined) continue;
    out.add(label);
    other = last;
    last = label;
  }
}

/** Distinct labels of one type, as a plain array: `map` of a typed one returns numbers only. */
function checkClasses<L extends Label>(where: string, given: ArrayLike<L>): readonly L[] {
  const labels = Array.from(given);
  for (const label of labels) {
    const fine =
      typeof label === "string" ||
      typeof label === "boolean" ||
      (typeof label === "number" && !Number.isNaN(label));
    if (!fine) throw new DataError(where, "every label", "a string, a number or a boolean", show(label));
  }
  const kinds = [...new Set(labels.map((label) => typeof label))].sort();
  if (kinds.length > 1) {
    throw new DataError(where, "labels", "of one type", `a mixture of ${kinds.join(" and ")}`);
  }
  if (labels.length === 0 || new Set(labels).size !== labels.length) {
    throw new ParameterError(where, "labels", "a list of distinct labels", show(labels));
  }
  return labels;
}

/**
 * Index of the positive class: that of the given label, or the one that is positive by its meaning (`usualPositive`). −1 when only the
 * other class occurs.
 */
export function positiveClass<L extends Label>(
  where: string,
  classes: readonly L[],
  wanted: L | undefined,
): number {
  const label = wanted ?? usualPositive(classes);
  const found = label === undefined ? -1 : classes.indexOf(label);
  if (found >= 0 || (wanted !== undefined && classes.length < 2)) return found;
  throw positiveError(where, classes, wanted);
}
