import { classifier } from "../core/capabilities.js";
import type { FitOptions, MatrixLike } from "../core/contract.js";
import { AbortError, DataError, ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { beginFit } from "../core/params/options.js";
import type { ClassWeight } from "../core/params/params.js";
import { cellName, type Design, type InputRules, requireFinite } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { ClassificationSet, KnownModel, PartialFitOptions } from "../data/training-set.js";
import { classificationSet, partialClassificationSet } from "../data/training-set.js";

export const bayesCapabilities = classifier({
  sparse: true,
  probabilities: true,
  partialFit: true,
  form: "distribution",
});

/** Labelled training rows. */
export interface EventRows<L extends Label> extends ClassificationSet<L> {
  /** The method that was called, for error messages. */
  readonly where: string;
  /** Numbers of the columns of x in error messages, when x holds some columns of the caller's X. */
  readonly columns?: readonly number[] | undefined;
}

/** A naive Bayes estimator, as far as its training rows depend on it. */
interface NaiveBayes {
  readonly id: string;
  readonly params: { readonly classWeight: ClassWeight };
}

/** The training rows of `fit`. */
export function fitRows<L extends Label>(
  estimator: NaiveBayes,
  x: MatrixLike,
  y: Labels<L>,
  options: FitOptions,
): EventRows<L> {
  const where = `${estimator.id}.fit`;
  const { classWeight } = estimator.params;
  beginFit(where, options);
  const rules = rulesOf(options, estimator, classWeight);
  return eventRows(where, classificationSet(where, x, y, options, rules, classWeight));
}

/** The training rows of `partialFit`; `kind` is the class that `model` must be of. */
export function partialFitRows<L extends Label>(
  estimator: NaiveBayes,
  model: KnownModel<L> | null,
  kind: abstract new (...args: never[]) => KnownModel<Label>,
  x: MatrixLike,
  y: Labels<L>,
  options: PartialFitOptions<L>,
): EventRows<L> {
  const where = `${estimator.id}.partialFit`;
  const { classWeight } = estimator.params;
  if (options?.signal?.aborted) throw new AbortError(where, options.signal);
  if (model !== null && !(model instanceof kind)) {
    throw new ParameterError(where, "the model", `a ${kind.name}, or null`, show(model));
  }
  const rules = rulesOf(options, estimator, classWeight);
  return eventRows(where, partialClassificationSet(where, model, x, y, options, rules, classWeight));
}

/** Field by field: spreading the set costs a quarter of a fit to 150 rows. */
const eventRows = <L extends Label>(
  where: string,
  { x, classes, codes, weights, kept, featureNamesIn }: ClassificationSet<L>,
): EventRows<L> => ({ where, x, classes, codes, weights, kept, featureNamesIn });

/** The sums find NaN, ±∞ and wrong indices by themselves; where rows may be left out, their numbers would then be wrong. */
const rulesOf = (options: FitOptions, estimator: object, classWeight: ClassWeight): InputRules => ({
  sparse: capabilitiesOf(estimator)!.sparse,
  deferFiniteCheck: options?.sampleWeight === undefined && classWeight === null,
  indicesLater: options?.sampleWeight === undefined && classWeight === null,
});

/** Σ of the weights of each class. */
export function classCounts({ codes, weights, classes }: EventRows<Label>): Float64Array {
  const counts = new Float64Array(classes.length);
  for (let i = 0; i < codes.length; i++) counts[codes[i]!]! += weights === undefined ? 1 : weights[i]!;
  return counts;
}

/** a + b, or b while there is no a: merges sums of batches. */
export function added(a: Float64Array | undefined, b: Float64Array): Float64Array {
  return a === undefined ? b : b.map((value, e) => value + a[e]!);
}

/** Throws on the first stored entry that is not finite or, all being finite, on the first that `isWrong`. */
export function throwOnWrongEntry(
  where: string,
  x: Design,
  columns: readonly number[] | undefined,
  isWrong: (value: number) => boolean,
  expected: string,
  advice?: string,
): void {
  requireFinite(where, x);
  const values = x instanceof Matrix ? x.data : x.values;
  const e = values.findIndex(isWrong);
  if (e < 0) return;
  throw new DataError({
    where,
    subject: cellName(x, e, columns),
    expected,
    received: show(values[e]),
    ...(advice === undefined ? {} : { advice }),
  });
}
