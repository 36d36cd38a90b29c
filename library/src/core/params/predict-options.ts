import { ParameterError, show } from "../errors.js";
import { argmax, predictedClasses } from "../numbers/scores.js";
import { absent, option, readOptions } from "./options.js";
import { real, type TableOf } from "./params.js";

/** Options of `predict` of a classifier; which of them a model takes is in the type of its `predict`. */
export interface PredictOptions {
  /** For two classes: the margin above which the second class is predicted; 0 by default. */
  readonly threshold?: number | undefined;
  /**
   * Reject option: a row whose margin is below this gets no label (`undefined`). Two classes: distance of the margin from the
   * threshold. More: the best score less the next best.
   */
  readonly minMargin?: number | undefined;
  /** Reject option: a row whose predicted class has a probability below this gets no label (`undefined`). */
  readonly minProba?: number | undefined;
}

/** Options of models with a decision function. */
export type MarginOptions = Pick<PredictOptions, "threshold" | "minMargin">;

/** Options of models with probabilities. */
export type ProbaOptions = Pick<PredictOptions, "minProba">;

/** The options of O that leave no row without a label. */
export type NoReject<O> = {
  readonly [K in keyof O]: K extends "minMargin" | "minProba" ? undefined : O[K];
};

type OptionsOf<P> = P extends (x: never, ...rest: infer R) => unknown
  ? R extends readonly []
    ? never
    : NonNullable<R[0]>
  : never;

/** The `predict` P of a classifier, for samples X and labels L: the compiler keeps only the last overload of a type it takes apart. */
export type Predict<P, L, X> = [OptionsOf<P>] extends [never]
  ? (x: X) => L[]
  : {
      (x: X, options?: NoReject<OptionsOf<P>>): L[];
      (x: X, options: OptionsOf<P>): (L | undefined)[];
    };

const marginOptions = {
  threshold: option<number>(
    "real",
    "For two classes: the margin above which the second class is predicted.",
    "a number",
    (value) => typeof value === "number" && !Number.isNaN(value),
  ),
  minMargin: absent(real({ atLeast: 0, default: 0, doc: "Rows with a smaller margin get no label." })),
} satisfies TableOf<MarginOptions>;

const probaOptions = {
  minProba: absent(
    real({
      atLeast: 0,
      atMost: 1,
      default: 0,
      doc: "Rows whose predicted class has a smaller probability get no label.",
    }),
  ),
} satisfies TableOf<ProbaOptions>;

const allOptions = { ...marginOptions, ...probaOptions };

/** What a model decides by: margins, probabilities (one column per class, computed when asked for), or both. */
export interface DecidesBy {
  readonly margins?: boolean;
  readonly probabilities?: () => Float64Array;
}

/** The options of `predict` by the table of what the model decides by. */
export function readPredictOptions(
  where: string,
  options: unknown,
  classes: number,
  { margins, probabilities }: DecidesBy,
): PredictOptions {
  if (options === undefined) return {};
  const table = margins ? (probabilities ? allOptions : marginOptions) : probaOptions;
  const given: PredictOptions = readOptions(where, table, options);
  if (given.threshold !== undefined && classes > 2) {
    const expected = "absent when there are more than two classes";
    throw new ParameterError(where, "threshold", expected, show(given.threshold));
  }
  return given;
}

/**
 * The class of every row by its scores (one column: positive for the second of two classes; else one per class), as
 * `predictedClasses`, with the options of `predict`. Unless told otherwise the scores are the probabilities.
 */
export function predictLabels<L>(
  where: string,
  classes: readonly L[],
  { data, cols }: { readonly data: Float64Array; readonly cols: number },
  options: unknown,
  decidesBy: DecidesBy = { probabilities: () => data },
): (L | undefined)[] {
  const given = readPredictOptions(where, options, classes.length, decidesBy);
  const { threshold, minMargin, minProba } = given;
  if (threshold === undefined && minMargin === undefined && minProba === undefined)
    return predictedClasses(classes, data, cols);
  const two = classes.length === 2 && decidesBy.margins === true;
  const margin = (i: number) => (cols === 1 ? data[i]! : data[2 * i + 1]! - data[2 * i]!) - (threshold ?? 0);
  const codes = new Int32Array(data.length / cols);
  for (let i = 0; i < codes.length; i++)
    codes[i] = two ? (margin(i) > 0 ? 1 : 0) : argmax(data, i * cols, cols);
  const lead = (i: number, k: number) => (two ? Math.abs(margin(i)) : leadOf(data, i * cols, cols, k));
  return acceptedLabels(classes, codes, given, lead, decidesBy.probabilities);
}

/** The labels of class indices, but none where the margin or the probability of the class is below the smallest allowed. */
export function acceptedLabels<L>(
  classes: readonly L[],
  codes: Int32Array,
  { minMargin = 0, minProba }: PredictOptions,
  marginOf: (i: number, k: number) => number,
  probabilities: DecidesBy["probabilities"],
): (L | undefined)[] {
  const p = minProba === undefined ? undefined : probabilities?.();
  const K = classes.length;
  return Array.from(codes, (k, i) => {
    if (minMargin > 0 && marginOf(i, k) < minMargin) return undefined;
    return p && p[i * K + k]! < minProba! ? undefined : classes[k];
  });
}

/** Score k of a row less the best of the others. */
export function leadOf(z: ArrayLike<number>, at: number, count: number, k: number): number {
  let next = -Infinity;
  for (let c = 0; c < count; c++) if (c !== k) next = Math.max(next, z[at + c]!);
  return z[at + k]! - next;
}
