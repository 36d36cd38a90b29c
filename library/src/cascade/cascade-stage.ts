import type { Classifier, FittedClassifier } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import type { Label } from "../core/labels.js";
import { invalid, type ParamSpec } from "../core/params/params.js";
import type { Matrix } from "../data/matrix.js";
import { nameOf, requireTask } from "../ensembles/members.js";

/** A stage of a cascade: its columns, their cost, and its classifier. */
export interface CascadeStage {
  /** Columns of X that are acquired when a sample reaches the stage. */
  readonly features: readonly number[];
  /** Cost of acquiring them for one sample. */
  readonly cost: number;
  /** A classifier with decision values or probabilities. */
  readonly estimator: Classifier;
  /** Sensitivity of the stage on the positives that reach it (1: all samples pass); by default allocated from that of the cascade. */
  readonly sensitivity?: number | null | undefined;
}

const isProportion = (value: unknown): boolean => typeof value === "number" && value > 0 && value <= 1;

function readStage(value: unknown): CascadeStage | typeof invalid {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return invalid;
  const { features, cost, estimator, sensitivity = null, ...rest } = value as Partial<CascadeStage>;
  const fine =
    Array.isArray(features) &&
    features.length > 0 &&
    features.every((j) => Number.isSafeInteger(j) && j >= 0) &&
    typeof cost === "number" &&
    Number.isFinite(cost) &&
    cost >= 0 &&
    typeof estimator?.fit === "function" &&
    (sensitivity === null || isProportion(sensitivity)) &&
    Object.keys(rest).length === 0;
  if (!fine) return invalid;
  return Object.freeze({ features: Object.freeze([...features]), cost, estimator, sensitivity });
}

export const stagesParam: ParamSpec<readonly CascadeStage[]> = {
  kind: "stages",
  default: [],
  doc: "The stages, in order: { features, cost, estimator, sensitivity? }.",
  expected: "a list of one or more stages { features: columns, cost ≥ 0, estimator, sensitivity? in (0, 1] }",
  read: (value) => {
    if (!Array.isArray(value) || value.length === 0) return invalid;
    const stages = value.map(readStage);
    const fine = stages.filter((stage) => stage !== invalid);
    return fine.length === stages.length ? Object.freeze(fine) : invalid;
  },
};

/** Checks that stages do not share columns and that their classifiers have scores. */
export function checkStages(where: string, stages: readonly CascadeStage[]): void {
  if (stages.length === 0) throw new ParameterError(where, "stages", stagesParam.expected, "none");
  const seen = new Set<number>();
  for (const [s, { features, estimator }] of stages.entries()) {
    for (const j of features) {
      if (seen.has(j)) {
        const expected = "columns that no earlier stage has acquired";
        throw new ParameterError(where, `stages[${s}].features`, expected, show(j));
      }
      seen.add(j);
    }
    checkScored(where, `stages[${s}].estimator`, estimator);
  }
}

/** A stage requires scores, not only labels. */
export function checkScored(where: string, subject: string, estimator: Classifier): void {
  requireTask(where, estimator, "classification");
  const known = capabilitiesOf(estimator);
  if (known === undefined || known.probabilities || known.decisionFunction) return;
  const expected = "a classifier with decision values or probabilities";
  throw new ParameterError(where, subject, expected, nameOf(estimator));
}

/** The fitted classifier of a stage, with scores. */
export interface ScoredClassifier extends FittedClassifier {
  decisionFunction?(x: Matrix): Matrix;
  predictProba?(x: Matrix): Matrix;
}

/** Scores, larger for the positive class: decision values if there are any, else probabilities. */
export function scoresOf(model: ScoredClassifier, x: Matrix, positive: Label): Float64Array {
  const k = model.classes.indexOf(positive);
  if (model.decisionFunction) {
    const { data, cols } = model.decisionFunction(x);
    if (cols === 1) return k === 1 ? data.slice() : data.map((z) => -z);
    return Float64Array.from({ length: x.rows }, (_, i) => data[i * cols + k]! - data[i * cols + 1 - k]!);
  }
  const { data, cols } = model.predictProba!(x);
  return Float64Array.from({ length: x.rows }, (_, i) => data[i * cols + k]!);
}
