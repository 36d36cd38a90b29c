import type { FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { DataError, ParameterError, ShapeError, show } from "../core/errors.js";
import type { EncodedLabels, Label, Labels, NumberArray } from "../core/labels.js";
import {
  classWeights,
  codeLabels,
  encodeLabels,
  readTargets,
  readWeights,
  requireDiscrete,
  requireTwoClasses,
} from "../core/labels.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import {
  beginUnlabelledFit,
  beginUnweightedFit,
  fitOptions,
  option,
  readOptions,
} from "../core/params/options.js";
import type { ClassWeight, TableOf } from "../core/params/params.js";
import { featureNamesOf, type KnownFeatures } from "./feature-names-in.js";
import { type Design, type InputRules, readMatrix } from "./input.js";
import type { Matrix } from "./matrix.js";

/** The rows to learn from: those of weight 0 are left out. */
interface TrainingRows<X extends Design = Design> {
  readonly x: X;
  /** Row weights, of classifiers times the class weights; undefined where there are none. */
  readonly weights: Float64Array | undefined;
  /** The numbers of these rows among the given ones, where some of weight 0 are left out. */
  readonly kept?: Int32Array | undefined;
  /** The names of X's columns, if it was a table: models store them. */
  readonly featureNamesIn?: readonly string[] | undefined;
}

export interface ClassificationSet<L extends Label> extends TrainingRows {
  readonly classes: readonly L[];
  /** Class index of every row. */
  readonly codes: Int32Array;
}

/** `Y` is a list of targets, or of several lists, one per target. */
export interface RegressionSet<Y = Float64Array> extends TrainingRows {
  readonly y: Y;
}

/** The options of a fit, checked, and X before rows of weight 0 are left out. */
export function readFit(where: string, x: MatrixLike, options: FitOptions, rules: InputRules) {
  readOptions(where, rules.options ?? fitOptions, options);
  const all = readMatrix(where, x, rules);
  return { all, featureNamesIn: rules.like ? rules.like.featureNamesIn : featureNamesOf(x) };
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
  const { all, featureNamesIn } = readFit(where, x, options, rules);
  const labels = encodeLabels(where, y, all.rows);
  const allWeights = readWeights(where, options.sampleWeight, all.rows);
  const present = presentRows(allWeights);
  const design = present ? all.selectRows(present) : all;
  const given = present ? select(allWeights!, present) : allWeights;
  const { classes, codes, counts } = present ? presentClasses(labels, present) : labels;
  requireTwoClasses(where, classes);
  if (classWeight === null)
    return { x: design, classes, codes, weights: given, kept: present, featureNamesIn };
  const weighted = given ? sumByClass(codes, given, classes.length) : counts;
  const perClass = classWeights(where, classWeight, classes, weighted);
  const weights = new Float64Array(codes.length);
  for (let i = 0; i < codes.length; i++) weights[i] = perClass[codes[i]!]! * (given ? given[i]! : 1);
  const weighing = presentRows(weights);
  if (weighing === undefined) return { x: design, classes, codes, weights, kept: present, featureNamesIn };
  // A class of weight 0 is gone like its rows.
  const left = presentClasses({ classes, codes, counts }, weighing);
  requireTwoClasses(where, left.classes);
  const kept = present ? weighing.map((i) => present[i]!) : weighing;
  const x1 = design.selectRows(weighing);
  return { ...left, x: x1, weights: select(weights, weighing), kept, featureNamesIn };
}

/** Everything a regressor checks before it learns. */
export function regressionSet(
  where: string,
  x: MatrixLike,
  y: NumberArray,
  options: FitOptions,
  rules: InputRules,
): RegressionSet {
  const { all, featureNamesIn } = readFit(where, x, options, rules);
  const targets = readTargets(where, y, all.rows);
  const weights = readWeights(where, options.sampleWeight, all.rows);
  const present = presentRows(weights);
  if (present === undefined) return { x: all, y: targets, weights, featureNamesIn };
  return {
    x: all.selectRows(present),
    y: select(targets, present),
    weights: select(weights!, present),
    kept: present,
    featureNamesIn,
  };
}

/** Rows without targets. */
export interface UnlabelledSet<X extends Design = Design> extends KnownFeatures, TrainingRows<X> {
  /** The rows as given, for what is returned per row of fit. */
  readonly given: X;
  readonly options: FitOptions;
}

/** What is read by these rules: dense unless they let sparse rows in. */
export type ReadBy<R extends InputRules> = R extends { readonly sparse?: false } ? Matrix : Design;

/** Everything an estimator checks that learns from X alone; `y` is ignored, or holds the options. */
export function unlabelledSet<R extends InputRules>(
  where: string,
  x: MatrixLike,
  y: Unlabelled,
  options: FitOptions | undefined,
  rules: R,
): UnlabelledSet<ReadBy<R>> {
  const own = beginUnlabelledFit(where, y, options);
  const given = readMatrix(where, x, rules) as ReadBy<R>;
  const featureNamesIn = rules.like ? rules.like.featureNamesIn : featureNamesOf(x);
  const weights = readWeights(where, own.sampleWeight, given.rows);
  const kept = presentRows(weights);
  const known = { nFeatures: given.cols, featureNamesIn, given, options: own };
  if (kept === undefined) return { x: given, weights, ...known };
  return { x: given.selectRows(kept) as ReadBy<R>, weights: select(weights!, kept), kept, ...known };
}

/** The same where weights have no meaning: throws on them. */
export function unweightedSet<R extends InputRules>(
  where: string,
  x: MatrixLike,
  y: Unlabelled,
  options: FitOptions | undefined,
  rules: R,
): UnlabelledSet<ReadBy<R>> {
  beginUnweightedFit(where, y, options);
  return unlabelledSet(where, x, y, options, rules);
}

/** A row of weight 0 is gone, and a class with it if it was the last: no estimator ever sees them. */
export function presentRows(weights: Float64Array | undefined): Int32Array | undefined {
  if (weights === undefined || !weights.includes(0)) return undefined;
  return Int32Array.from(weights.keys()).filter((i) => weights[i]! > 0);
}

export const select = (list: Float64Array, rows: Int32Array): Float64Array =>
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

/** What the checks need of a model that `partialFit` continues. */
export interface KnownModel<L extends Label> extends KnownFeatures {
  readonly classes: readonly L[];
}

export interface PartialFitOptions<L extends Label> extends FitOptions {
  /** All classes, for a first call whose y lacks some. */
  readonly classes?: readonly L[] | undefined;
}

/** What `partialFit` takes besides the model, X and y. */
const partialFitOptions = {
  ...fitOptions,
  classes: option(
    "labels",
    "All classes, for a first call whose y lacks some.",
    "an array of labels",
    isArrayLike,
  ),
} satisfies TableOf<PartialFitOptions<Label>>;

/** Everything a classifier checks before it learns more rows: the classes are the model's, else `classes`, else those of y. */
export function partialClassificationSet<L extends Label>(
  where: string,
  model: KnownModel<L> | null,
  x: MatrixLike,
  y: Labels<L>,
  options: PartialFitOptions<L>,
  rules: InputRules,
  classWeight: ClassWeight,
): ClassificationSet<L> {
  if (classWeight === "balanced") {
    const expected = "null or a map in partialFit, which never sees all rows";
    throw new ParameterError(where, "classWeight", expected, '"balanced"');
  }
  readOptions(where, partialFitOptions, options);
  const all = readMatrix(where, x, { ...rules, ...(model && { like: model }) });
  const featureNamesIn = model ? model.featureNamesIn : featureNamesOf(x);
  if (all.rows === 0) throw new ShapeError(where, "X", "at least one row", "0 rows");
  const classes = model?.classes ?? firstClasses(where, y, options.classes, all.rows);
  const codes = codeLabels(where, y, all.rows, classes);
  const given = readWeights(where, options.sampleWeight, all.rows);
  if (classWeight === null && given === undefined) {
    return { x: all, classes, codes, weights: undefined, featureNamesIn };
  }
  const perClass = classWeights(where, classWeight, classes, new Float64Array(classes.length));
  const weights = new Float64Array(all.rows);
  for (let i = 0; i < all.rows; i++) weights[i] = perClass[codes[i]!]! * (given ? given[i]! : 1);
  const present = presentRows(weights);
  if (present === undefined) return { x: all, classes, codes, weights, featureNamesIn };
  const x1 = all.selectRows(present);
  const left = select(weights, present);
  return { x: x1, classes, codes: present.map((i) => codes[i]!), weights: left, featureNamesIn };
}

function firstClasses<L extends Label>(
  where: string,
  y: Labels<L>,
  named: readonly L[] | undefined,
  rows: number,
): readonly L[] {
  const { classes } = named ? encodeLabels(where, named, named.length) : encodeLabels(where, y, rows);
  requireDiscrete(where, classes);
  if (classes.length >= 2) return classes;
  const expected = "labels of at least two classes";
  const received = classes.length === 0 ? "none" : `only ${show(classes[0])}`;
  if (named) throw new DataError(where, "classes", expected, received);
  throw new DataError(where, "the first y", expected, received, "Pass { classes } with all of them.");
}
