import type { FitOptions, FittedClassifier, Samples } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { beginFit, fitOptions, option } from "../core/params/options.js";
import type { ParamSpec } from "../core/params/params.js";
import { Matrix } from "../data/matrix.js";
import { classificationSet } from "../data/training-set.js";
import type { ClassifierMember } from "../ensembles/class-votes.js";
import type { Opened } from "../ensembles/fitted-members.js";
import { type MemberRows, openForMembers, readForMembers } from "../ensembles/member-rows.js";

/** Options of a fit that may start from a model. */
export interface PrefitOptions<L extends Label = Label> extends FitOptions {
  /** A fitted classifier, used as it is instead of `estimator`; X and y are rows that it has not learned from. */
  readonly prefit?: FittedClassifier<L> | undefined;
}

const isScored = (value: unknown): value is ClassifierMember => {
  const { classes, predict, predictProba, decisionFunction } = (value ?? {}) as Partial<ClassifierMember>;
  const scored = typeof predictProba === "function" || typeof decisionFunction === "function";
  return Array.isArray(classes) && typeof predict === "function" && scored;
};

export const prefitOptions = {
  ...fitOptions,
  prefit: option<FittedClassifier>(
    "model",
    "A fitted classifier, used as it is; X and y are rows that it has not learned from.",
    "a fitted classifier with a decision function or probabilities",
    isScored,
  ),
} satisfies Record<keyof PrefitOptions, ParamSpec<unknown>>;

/** Rows for a model that is fitted already. */
export interface PrefitSet {
  readonly x: MemberRows;
  /** Indices among the model's classes. */
  readonly codes: Int32Array;
  readonly weights: Float64Array | undefined;
  readonly opened: Opened;
}

/** X as the model reads it, and y by its classes. What the model refuses, it refuses itself. */
export function prefitSet<L extends Label>(
  where: string,
  model: ClassifierMember<L>,
  x: Samples,
  y: Labels<L>,
  options: FitOptions,
): PrefitSet {
  beginFit(where, options);
  const input = { sparse: true, missing: true };
  // The model has no capabilities: what it can read, X says.
  const { reads } = openForMembers(where, x, {}, input);
  const { nFeatures, featureNamesIn } = model;
  const rows = readForMembers(where, x, { nFeatures, featureNamesIn, reads }, input);
  const numbers = reads === "numbers" ? (rows as Matrix) : Matrix.zeros(rows.rows, 1);
  const { classes, codes, weights, kept } = classificationSet(where, numbers, y, options, input, null);
  if (classes.length !== model.classes.length || !classes.every((label) => model.classes.includes(label))) {
    const expected = `of the classes of the fitted model (${model.classes.map(show).join(", ")}), each at least once`;
    throw new DataError(where, "y", expected, classes.map(show).join(", "));
  }
  return {
    x: kept ? (rows.selectRows(kept) as MemberRows) : rows,
    codes: codes.map((k) => model.classes.indexOf(classes[k]!)),
    weights,
    opened: { input, reads },
  };
}
