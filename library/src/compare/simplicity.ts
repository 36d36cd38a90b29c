import type { ModelForm } from "../core/contract.js";
import { classFacts } from "../core/estimator.js";

/** A kind of model; `complexity` orders the kinds from the simplest on. */
export interface ModelKind {
  readonly complexity: number;
  /** As a sentence has it: "a linear model". */
  readonly label: string;
}

/**
 * What is the simplest explanation of a prediction: nothing, a weight per column, a distribution per class, a path of questions, the rows
 * that are near, or many of these. Estimators of a form count as equally simple.
 */
const labels: Readonly<Record<ModelForm, string>> = {
  constant: "a constant",
  linear: "a linear model",
  distribution: "a distribution per class",
  tree: "a tree",
  rows: "a model of stored rows",
  ensemble: "an ensemble or a network",
};

const kinds: ReadonlyMap<string, ModelKind> = new Map(
  Object.entries(labels).map(([form, label], complexity) => [form, Object.freeze({ complexity, label })]),
);

/** An estimator that is not of the library may be anything: the most complex kind. */
export const undeclared: ModelKind = Object.freeze({
  complexity: kinds.size,
  label: "a model of undeclared simplicity",
});

/** The kind of an estimator: that of the last step of a pipeline, and of the estimator inside one that calibrates, searches or has several outputs. */
export function kindOf(estimator: object): ModelKind {
  const last = lastStep(estimator);
  const found = kinds.get(classFacts(last).form ?? "");
  if (found !== undefined) return found;
  const inner = (last as Parametric).params?.estimator;
  return typeof inner === "object" && inner !== null ? kindOf(inner) : undeclared;
}

interface Parametric {
  readonly params?: {
    readonly steps?: readonly unknown[];
    readonly regressor?: unknown;
    readonly estimator?: unknown;
  };
}

/** The model itself: without the steps of a pipeline before it, and without the transformation of its targets. */
export function lastStep(estimator: object): object {
  const { params } = estimator as Parametric;
  const last = params?.steps?.at(-1) ?? params?.regressor;
  const step = Array.isArray(last) ? last[1] : last;
  return typeof step === "object" && step !== null ? lastStep(step) : estimator;
}
