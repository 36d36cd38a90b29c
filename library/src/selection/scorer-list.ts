import type { FittedModel, Samples } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { findScorer, type ScoreFunction, type Scorer, type ScorerName } from "../metrics/scorers.js";

/** Scorers in the order in which they were given. */
export interface ScorerList {
  /** Undefined: one scorer, whose values have no name. */
  readonly names: readonly string[] | undefined;
  readonly scorers: readonly ScoreFunction[];
  /** For each scorer whether it is the library's. */
  readonly known: readonly boolean[];
}

interface ScorerContext {
  readonly estimator?: object | undefined;
  readonly positiveLabel?: Label | null | undefined;
  readonly names?: readonly string[] | undefined;
}

/** The list of one scorer. */
export const oneScorer = (scorer: ScoreFunction): ScorerList => ({
  names: undefined,
  scorers: [scorer],
  known: [false],
});

/** Scorers by name, functions, or the model's own score (undefined); `names` are those of their values. */
export const scorerList = (
  where: string,
  given: readonly (ScorerName | Scorer | undefined)[],
  { estimator, positiveLabel, names }: ScorerContext,
): ScorerList => ({
  names,
  scorers: given.map((one) => findScorer(where, one, estimator, positiveLabel ?? undefined)),
  known: given.map((one) => typeof one === "string"),
});

/** What scorers of the library ask of a model. */
const methods = ["predict", "predictProba", "decisionFunction"] as const;

/** The model as scorers of the library see it; what it predicts is computed once for all of them. */
export function withSharedPredictions(model: FittedModel): FittedModel {
  const own = model as FittedModel & Partial<Record<"classes" | (typeof methods)[number], unknown>>;
  // Errors name the class of the model.
  const out: FittedModel & Record<string, unknown> = {
    constructor: model.constructor,
    classes: own.classes,
    nFeatures: model.nFeatures,
    toState: () => model.toState(),
  };
  for (const method of methods) {
    const call = own[method];
    if (typeof call !== "function") continue;
    const values = new Map<Samples, unknown>();
    out[method] = (x: Samples) => {
      if (!values.has(x)) values.set(x, call.call(model, x));
      return values.get(x);
    };
  }
  return out;
}
