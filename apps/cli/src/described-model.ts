import type { EstimatorJson, FittedModel, ModelCard } from "argmax";
import { ArgmaxError, estimatorFromJson, loadModel, loadModelCard, modelLabel } from "argmax";

/** What a model is: how it was made, what it predicts, and from which columns. */
export interface Described {
  /** Undefined where a search has yet to find the parameters. */
  readonly estimator: EstimatorJson | undefined;
  /** The name of the model itself; undefined where a comparison has yet to find it. */
  readonly id: string | undefined;
  readonly card: ModelCard | undefined;
}

/** The model of a file; undefined if the bytes are not one. */
export function readDescribed(bytes: Uint8Array): Described | undefined {
  try {
    return describeFitted(loadModel(bytes), loadModelCard(bytes));
  } catch (error) {
    if (error instanceof ArgmaxError) return undefined;
    throw error;
  }
}

export function describeFitted(model: FittedModel, card: ModelCard | undefined): Described {
  const { kind, params } = model.toState();
  const estimator = { estimator: kind, params: params as EstimatorJson["params"] };
  return { estimator, id: lastOf(estimator).estimator, card };
}

export function describeEstimator(estimator: object, card: ModelCard): Described {
  const json = JSON.parse(JSON.stringify(estimator)) as EstimatorJson;
  return { estimator: json, id: lastOf(json).estimator, card };
}

/** Whether two are the same as far as both are known. Models of other rows are the same: one of them was trained again. */
export function isSameModel(a: Described, b: Described): boolean {
  if (a.id !== undefined && b.id !== undefined && a.id !== b.id) return false;
  if (a.estimator && b.estimator && canonical(a.estimator) !== canonical(b.estimator)) return false;
  return dataOf(a) === dataOf(b);
}

const dataOf = ({ card }: Described): string =>
  JSON.stringify([card?.target, card?.task, card?.inputs.map(({ name, kind }) => [name, kind])]);

/** What a description of the first does not show; empty if it shows how the two differ. */
export function differenceOf(a: Described, b: Described): string {
  if (showDescribed(a) !== showDescribed(b)) return "";
  return dataOf(a) === dataOf(b) ? " (with another seed or preparation of columns)" : " (other columns)";
}

/** With the parameters that later versions have added. */
function canonical(json: EstimatorJson): string {
  try {
    return JSON.stringify(estimatorFromJson(json));
  } catch {
    return JSON.stringify(json);
  }
}

/** The last step of a pipeline, or the regressor whose targets are scaled. */
function lastOf({ estimator, params }: EstimatorJson): EstimatorJson {
  const { steps, regressor } = params as {
    readonly steps?: readonly unknown[];
    readonly regressor?: unknown;
  };
  const last = steps?.at(-1) ?? regressor;
  const step = (Array.isArray(last) ? last.at(-1) : last) as EstimatorJson | undefined;
  return typeof step?.estimator === "string" ? lastOf(step) : { estimator, params };
}

/** `SVC (C 10), which predicts species from 4 columns`. */
export function showDescribed({ estimator, card }: Described): string {
  const name = estimator === undefined ? "a model" : labelOfJson(estimator);
  if (card === undefined) return name;
  const columns = `${card.inputs.length} column${card.inputs.length === 1 ? "" : "s"}`;
  return `${name}, which predicts ${card.target ?? "a target"} from ${columns}`;
}

export const labelOfFitted = (model: FittedModel): string =>
  labelOfJson(describeFitted(model, undefined).estimator!);

/** The model itself, with the parameters that differ from their defaults. */
function labelOfJson(json: EstimatorJson): string {
  const last = lastOf(json);
  try {
    return modelLabel(last.estimator, estimatorFromJson(last));
  } catch (error) {
    if (error instanceof ArgmaxError) return last.estimator;
    throw error;
  }
}
