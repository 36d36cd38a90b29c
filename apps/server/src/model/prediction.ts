import { CsrMatrix, estimatorClasses, type Label, type LoadedModel, type Samples, type Task } from "argmax";
import { classScores } from "./class-scores.js";

/** What a model computes for rows. */
export type Prediction =
  | {
      readonly kind: "labels";
      readonly labels: readonly (Label | undefined)[];
      /** One row per row, one column per class. */
      readonly probabilities: ArrayLike<number> | undefined;
    }
  /** Several labels per row, one per output. */
  | { readonly kind: "labelRows"; readonly rows: readonly (readonly Label[])[] }
  | { readonly kind: "numbers"; readonly values: ArrayLike<number> }
  | { readonly kind: "rows"; readonly values: ArrayLike<number>; readonly cols: number };

interface PredictSettings {
  /** False: labels only, which saves the time of the probabilities. */
  readonly probabilities: boolean;
}

/** What the numbers of a prediction are. */
export type ServedTask = Task;

interface Dense {
  readonly data: ArrayLike<number>;
  readonly rows: number;
  readonly cols: number;
}

/** More entries of a sparse result are not written out: the answer would be gigabytes of zeros. */
const MOST_DENSE = 1 << 24;

/** The task of a model: that of its class; of a pipeline, that of its last step; of a search, that of the best model. */
export function taskOf(model: LoadedModel): ServedTask {
  if (model.classes !== undefined && model.predict) return "classification";
  const { steps, bestModel } = model as { steps?: readonly LoadedModel[]; bestModel?: LoadedModel };
  if (bestModel !== undefined) return taskOf(bestModel);
  if (Array.isArray(steps)) return taskOf(steps.at(-1) as LoadedModel);
  const { kind } = model.toState();
  const known = estimatorClasses.find(({ id }) => id === kind)?.capabilities.task;
  return known ?? (model.predict ? "regression" : "transform");
}

/** The predictions of a model; transformers transform, densities return the logarithm of the density. */
export function predict(model: LoadedModel, x: Samples, { probabilities }: PredictSettings): Prediction {
  if (model.predict === undefined) return transformed(model, x);
  if (probabilities && model.predictProba && model.classes !== undefined)
    return { kind: "labels", ...classScores(model, x) };
  const y = model.predict(x) as unknown;
  if (Array.isArray(y)) {
    if (Array.isArray(y[0])) return { kind: "labelRows", rows: y as Label[][] };
    return { kind: "labels", labels: y as Label[], probabilities: undefined };
  }
  if (ArrayBuffer.isView(y)) return { kind: "numbers", values: y as unknown as ArrayLike<number> };
  return rowsOf(y as Dense);
}

function transformed(model: LoadedModel, x: Samples): Prediction {
  if (model.transform === undefined) {
    const { scoreSamples } = model as { scoreSamples?: (x: Samples) => Float64Array };
    if (scoreSamples === undefined) throw new Error("The model has no method for rows that it has not seen.");
    return { kind: "numbers", values: scoreSamples.call(model, x) };
  }
  const z = model.transform(x);
  if ("data" in z) return rowsOf(z as Dense);
  if (z.rows * z.cols > MOST_DENSE)
    throw new Error(`The result has ${z.rows} × ${z.cols} entries; ask for fewer rows at once.`);
  return rowsOf(new CsrMatrix(z).toDense());
}

const rowsOf = ({ data, cols }: Dense): Prediction => ({ kind: "rows", values: data, cols });
