import type { Capabilities, Classifier, FitOptions, FittedModel, MatrixLike } from "../../core/contract.js";
import { AbortError, ParameterError } from "../../core/errors.js";
import { capabilitiesOf } from "../../core/estimator.js";
import type { Label } from "../../core/labels.js";
import type { Matrix } from "../../data/matrix.js";
import { selectRows } from "../../data/select-rows.js";
import type { MemberRows } from "../../ensembles/member-rows.js";
import { memberOptions, memberParam, nameOf, requireTask } from "../../ensembles/members.js";
import { LogisticRegression } from "../../linear/index.js";
import type { ClassifierMember } from "../class-votes.js";
import { capabilitiesOfAll } from "../named-estimators.js";

/** The parameter that holds the classifier of two classes: 1, and 0 for the others. */
export const binaryEstimator = memberParam<Classifier>({
  default: new LogisticRegression(),
  doc: "The classifier that is fitted to two classes, 1 and 0, at a time; it needs a decision function or probabilities.",
});

/** Checks that the estimator is a classifier with scores. Those of others may not declare what they have. */
export function requireScored(where: string, estimator: object): void {
  requireTask(where, estimator, "classification");
  const able = capabilitiesOf(estimator);
  if (able === undefined || able.probabilities || able.decisionFunction) return;
  const expected = "a classifier with a decision function or probabilities";
  throw new ParameterError({ where, subject: "estimator", expected, received: nameOf(estimator) });
}

/** What is made of classifiers of two classes takes what these take, and any number of classes. */
export const multiclassOf = (
  estimator: object,
  own: Pick<Capabilities, "probabilities" | "decisionFunction">,
): Capabilities => ({
  ...capabilitiesOfAll([estimator], { task: "classification", ...own }),
  multiclass: true,
});

/** Rows to divide into two classes. */
export interface BinarySet {
  readonly x: MemberRows;
  readonly weights: Float64Array | undefined;
}

/** One fit to all rows, or to some: y is 1 or 0 per row. */
export function fitBinary(
  where: string,
  estimator: Classifier,
  { x, weights }: BinarySet,
  y: ArrayLike<0 | 1>,
  options: FitOptions,
  rows?: Int32Array,
): ClassifierMember {
  if (options.signal?.aborted) throw new AbortError(where, options.signal);
  const own = weights && rows ? selectRows(weights, rows) : weights;
  const chosen = rows ? (x.selectRows(rows) as MemberRows) : x;
  const model = estimator.fit(
    chosen,
    Array.from(y),
    memberOptions(options, own as Float64Array),
  ) as ClassifierMember;
  if (model.decisionFunction ?? model.predictProba) return model;
  const expected = "one whose models have a decision function or probabilities";
  throw new ParameterError({ where, subject: "estimator", expected, received: nameOf(model) });
}

/** Scores of class 1: the decision function or, without one, the probabilities. */
export function binaryScores(model: ClassifierMember, x: MatrixLike): Float64Array {
  if (model.decisionFunction === undefined) return binaryProbabilities(model, x);
  const { data, rows, cols } = model.decisionFunction(x) as Matrix<Float64Array>;
  if (cols === 1) return data;
  return Float64Array.from({ length: rows }, (_, i) => data[2 * i + 1]! - data[2 * i]!);
}

export const binaryProbabilities = (model: ClassifierMember, x: MatrixLike): Float64Array =>
  model.predictProba!(x).column(1) as Float64Array;

/** Whether a restored model is one of these members. */
export function isBinaryMember(model: FittedModel): boolean {
  const { classes, predict, decisionFunction, predictProba } = model as Partial<ClassifierMember>;
  const scored = decisionFunction !== undefined || predictProba !== undefined;
  const isTwo = classes?.length === 2 && (classes as readonly Label[]).every((label, k) => label === k);
  return predict !== undefined && scored && isTwo;
}
